//===- OptimizeLLVMIR.cpp - Stage "llir" ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// The mid-level optimizer for kernels. It is LLVM's -O3 without these parts:
//
//   vectorizers        a lane's code is scalar; vectors are fragments already
//   induction variable simplification
//                      it widens 32-bit indices to 64 bits, twice the cost on
//                      the GPU, and forms integers of odd widths
//   loop idioms, libcalls
//                      no memset or memcpy of variable size, no libm on devices
//   jump threading, lookup tables
//                      both trade branches, which are cheap for uniform control
//                      flow, for private memory or divergent regions
//
// It ends with legalization for SPIR-V. Functions are inlined in TTIR; those
// that still exist here are `noinline`.
//
//===----------------------------------------------------------------------===//

#include "DeviceLibrary.h"
#include "intel/Target/SPIRV/LLVMGuard.h"
#include "intel/Target/SPIRV/Passes.h"
#include "intel/Target/SPIRV/Pipeline.h"
#include "intel/Target/SPIRV/SPIRV.h"
#include "intel/Target/SPIRV/TargetMachine.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/CodeGen/ExpandReductions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/BDCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopInstSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopSimplifyCFG.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace triton::intel::spirv {

void addLegalizationPasses(FunctionPassManager &passes) {
  // Expands what has no instruction first; then vectors, as intrinsics and
  // integers of pieces are to be expanded, too.
  passes.addPass(ScalarizeMaskedMemIntrinPass());
  passes.addPass(ExpandReductionsPass());
  passes.addPass(SplitVectorsPass());
  passes.addPass(ExpandUnsupportedIntrinsicsPass());
  passes.addPass(PromoteIntegersPass());
  // Both leave dead pieces and shuffles of shuffles. InstCombine must not run
  // here: it would form what was just expanded.
  passes.addPass(EarlyCSEPass());
  passes.addPass(ADCEPass());
}

namespace {

/// For every loop, from the inside out.
LoopPassManager buildLoopPasses() {
  LoopPassManager passes;
  passes.addPass(LoopInstSimplifyPass());
  passes.addPass(LoopSimplifyCFGPass());
  // A rotated loop has a guard, and after it every accumulator is a phi of its
  // last and its first value: the device compiler then copies and spills them
  // all (107 registers in a GEMM with a tile of 256 x 256, 0 without).
  passes.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/false,
                                /*PrepareForLTO=*/false));
  passes.addPass(LICMPass(LICMOptions()));
  return passes;
}

/// Loops of constant, small trip counts become straight code. Loops that remain
/// end with their test where that costs nothing.
LoopPassManager buildUnrollPasses() {
  LoopPassManager passes;
  passes.addPass(LoopDeletionPass());
  passes.addPass(LoopFullUnrollPass(/*OptLevel=*/3));
  passes.addPass(RotateLoopsPass());
  return passes;
}

/// Returns the optimizer proper; see the head of this file for what is not in
/// it.
FunctionPassManager buildOptimizer() {
  FunctionPassManager passes;
  // Canonical form.
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(InferAddressSpacesPass());
  // InstCombine runs before equal values become one, because it takes no sum
  // apart that has two uses. The offset of what is prefetched, `(k + 1) * 32`,
  // becomes `k * 32 + 32`, but not where `k + 1` is also the next value of the
  // counter.
  passes.addPass(InstCombinePass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(ReassociatePass());

  // Loops: invariants out, short constant loops unrolled.
  passes.addPass(createFunctionToLoopPassAdaptor(buildLoopPasses(),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(buildUnrollPasses()));

  // Simplifies what unrolling exposed.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  // Without partial redundancy elimination: a value that all lanes share would
  // become a phi after branches that lanes take apart, and no longer be one
  // that they are known to share. 2D block messages need such values.
  passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  passes.addPass(SCCPPass());
  passes.addPass(BDCEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(DSEPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass(
      SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true)));
  passes.addPass(InstCombinePass());
  // Last, as InstCombine prefers its changes of types in other places.
  passes.addPass(RejoinElementsPass());
  passes.addPass(ADCEPass());
  return passes;
}

/// Returns the least that the CPU device's vectorizer wants, for code that is
/// to be debugged: nothing leaves its line, and nothing goes that a variable
/// has. So InstCombine, which sinks code into branches, is left out.
FunctionPassManager buildOrderlyOptimizer() {
  FunctionPassManager passes;
  auto branches = SimplifyCFGOptions().speculateBlocks(false);
  passes.addPass(SimplifyCFGPass(branches));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InferAddressSpacesPass());
  passes.addPass(InstSimplifyPass());
  passes.addPass(SimplifyCFGPass(branches));
  passes.addPass(RejoinElementsPass());
  passes.addPass(ADCEPass());
  return passes;
}

/// Level 0 annotates and legalizes only, for code that is to be read.
ModulePassManager buildPasses(int level, bool keepsOrder) {
  ModulePassManager passes;
  passes.addPass(AnnotateBuiltinsPass());
  passes.addPass(createModuleToFunctionPassAdaptor(SaturateConversionsPass()));
  passes.addPass(createModuleToFunctionPassAdaptor(KeepDivisionsPass()));
  FunctionPassManager functionPasses;
  if (level > 0) {
    passes.addPass(AlwaysInlinerPass());
    functionPasses = keepsOrder ? buildOrderlyOptimizer() : buildOptimizer();
  }
  addLegalizationPasses(functionPasses);
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functionPasses)));
  // Functions that were inlined everywhere.
  if (level > 0)
    passes.addPass(GlobalDCEPass());
  return passes;
}

/// Keeps loads of global memory as they are. Otherwise those that are used
/// under a condition only would happen under that condition only, and what the
/// kernel does outside of memory that it may access would escape checks.
void pinLoads(Module &module) {
  constexpr unsigned globalAddressSpace = 1;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *load = dyn_cast<LoadInst>(&inst);
          load && load->getPointerAddressSpace() == globalAddressSpace)
        load->setVolatile(true);
}

} // namespace

} // namespace triton::intel::spirv

using namespace triton::intel::spirv;

Expected<std::string>
mlir::triton::gpu::intel::optimizeLLVMIR(ModuleMaker makeModule,
                                         const OptimizerOptions &options) {
  std::string result;
  Error error =
      runGuarded("LLVM optimizer", [&](LLVMContext &context) -> Error {
        auto module = makeModule(context);
        if (!module)
          return module.takeError();
        // The text is the same whatever produced the module.
        (*module)->setModuleIdentifier("kernel");
        auto machine = createSPIRVTargetMachine(/*extensions=*/"");
        if (!machine)
          return machine.takeError();
        setSPIRVTarget(**module, **machine);
        for (const std::string &library : options.libraries)
          if (Error error = linkExternLibrary(**module, library))
            return error;

        if (options.keepLoads)
          pinLoads(**module);
        runPipeline(buildPasses(options.level, options.keepLoads), **module,
                    **machine);

        raw_string_ostream stream(result);
        (*module)->print(stream, /*AAW=*/nullptr);
        return Error::success();
      });
  if (error)
    return std::move(error);
  return result;
}

Expected<std::string>
mlir::triton::gpu::intel::optimizeLLVMIR(StringRef llvmIR,
                                         const OptimizerOptions &options) {
  return optimizeLLVMIR(
      [&](LLVMContext &context) { return parseLLVMIR(llvmIR, context); },
      options);
}

Expected<std::vector<std::string>>
mlir::triton::gpu::intel::getLibraryFunctions(StringRef bitcode) {
  std::vector<std::string> names;
  Error error =
      runGuarded("bitcode reader", [&](LLVMContext &context) -> Error {
        auto library =
            getLazyBitcodeModule(MemoryBufferRef(bitcode, "library"), context);
        if (!library)
          return library.takeError();
        // The functions that a kernel can call.
        for (const Function &function : **library)
          if (!function.isDeclaration() && !function.hasLocalLinkage())
            names.push_back(function.getName().str());
        return Error::success();
      });
  if (error)
    return std::move(error);
  // Independent of the order in the file.
  llvm::sort(names);
  return names;
}
