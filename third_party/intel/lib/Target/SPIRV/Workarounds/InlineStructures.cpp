//===- InlineStructures.cpp - No structures of functions ------------------===//
// SPDX-License-Identifier: MIT
//
// Functions with `noinline` that return several values, a descriptor or a
// tensor return a structure. IGC makes two mistakes with them, so they are
// inlined:
//
// - It never ends on a structure of a boolean and something else, be it an
//   argument or a result.
// - It takes fields of a result for one value that a branch chooses from, even
//   if the code after the branch needs the fields by themselves.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

bool hasStructure(const FunctionType &type) {
  return type.getReturnType()->isAggregateType() ||
         any_of(type.params(),
                [](Type *each) { return each->isAggregateType(); });
}

} // namespace

PreservedAnalyses InlineStructuresPass::run(Module &module,
                                            ModuleAnalysisManager &) {
  bool isChanged = false;
  for (Function &function : module) {
    if (function.isDeclaration() ||
        function.getCallingConv() == CallingConv::SPIR_KERNEL ||
        !hasStructure(*function.getFunctionType()))
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
