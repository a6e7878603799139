//===- LaneForm.cpp - Kernels as the analysis of lanes reads them ---------===//
// SPDX-License-Identifier: MIT

#include "intel/Target/CPU/LaneForm.h"

#include "intel/Target/SPIRV/Pipeline.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;

namespace triton::intel::cpu {

Expected<Function *> findKernel(Module &module) {
  Function *kernel = nullptr;
  for (Function &function : module) {
    if (function.isDeclaration() ||
        function.getCallingConv() != CallingConv::SPIR_KERNEL)
      continue;
    if (kernel)
      return createStringError("expected one kernel in the module, found '" +
                               kernel->getName() + "' and '" +
                               function.getName() + "'");
    kernel = &function;
  }
  if (!kernel)
    return createStringError("expected one kernel in the module, found none");
  return kernel;
}

/// Returns the first number of the kernel's metadata of that name; 0 if there
/// is none.
static unsigned readMetadata(const Function &kernel, StringRef name) {
  const MDNode *node = kernel.getMetadata(name);
  if (!node || node->getNumOperands() == 0)
    return 0;
  auto *number = mdconst::dyn_extract<ConstantInt>(node->getOperand(0));
  return number ? number->getZExtValue() : 0;
}

/// The work-group's size is in work items: lanes of all sub-groups.
Expected<Geometry> readGeometry(const Function &kernel) {
  Geometry geometry;
  geometry.numLanes = readMetadata(kernel, "intel_reqd_sub_group_size");
  if (!is_contained({8u, 16u, 32u}, geometry.numLanes))
    return createStringError("kernel '" + kernel.getName() +
                             "': expected sub-groups of 8, 16 or 32, found " +
                             Twine(geometry.numLanes));
  // Programs are one-dimensional groups: the first number is all of it.
  geometry.numSubGroups =
      readMetadata(kernel, "reqd_work_group_size") / geometry.numLanes;
  return geometry;
}

void simplifyControlFlow(Module &module, TargetMachine &machine) {
  // A traversal in reverse post order never visits these.
  for (Function &function : module)
    if (!function.isDeclaration())
      removeUnreachableBlocks(function);
  ModulePassManager passes;
  // LoopSimplify and LCSSA last: what comes before changes the loops.
  FunctionPassManager functionPasses;
  functionPasses.addPass(LowerSwitchPass());
  functionPasses.addPass(UnifyFunctionExitNodesPass());
  functionPasses.addPass(LoopSimplifyPass());
  functionPasses.addPass(LCSSAPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functionPasses)));
  triton::intel::spirv::runPipeline(std::move(passes), module, machine);
}

} // namespace triton::intel::cpu
