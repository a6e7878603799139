//===- InlineFlags.cpp - No flags in structures of functions --------------===//
// SPDX-License-Identifier: MIT
//
// IGC never ends on a function that takes or returns a structure of a boolean
// and something else, as functions with `noinline` do that return several
// values. Such functions are inlined.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace triton_xe::spirv {
namespace {

bool holdsFlag(Type *type) {
  if (type->isIntOrIntVectorTy(1))
    return true;
  return any_of(type->subtypes(), holdsFlag);
}

bool isStructureWithFlag(Type *type) {
  return type->isAggregateType() && holdsFlag(type);
}

} // namespace

PreservedAnalyses InlineFlagsPass::run(Module &module,
                                       ModuleAnalysisManager &) {
  bool isChanged = false;
  for (Function &function : module) {
    FunctionType *type = function.getFunctionType();
    if (function.isDeclaration() ||
        function.getCallingConv() == CallingConv::SPIR_KERNEL ||
        (!isStructureWithFlag(type->getReturnType()) &&
         !any_of(type->params(), isStructureWithFlag)))
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
