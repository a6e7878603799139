//===- TTGIRPipeline.cpp - From TTIR to optimized TTGIR -------------------===//
// SPDX-License-Identifier: MIT
//
// The order of the passes matters. A comment on each step gives the reason for
// its place.
//
//===----------------------------------------------------------------------===//

#include "intel/Pipelines/Passes.h"
#include "intel/Pipelines/Pipelines.h"

#include "OptionalPasses.h"
#include "intel/Dialect/Triton/Transforms/Passes.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"
#include "intel/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "triton/Conversion/TritonToTritonGPU/Passes.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

static void addDescriptors(OpPassManager &pm,
                           ArrayRef<int32_t> nanDescriptors) {
  triton::intel::TritonIntelTensorDescToBlockPointerOptions options;
  llvm::append_range(options.nanDescriptors, nanDescriptors);
  pm.addPass(triton::intel::createTritonIntelTensorDescToBlockPointer(options));
}

/// Marks the accesses that messages can make. The marks are needed, and `skip`
/// leaves out versions of the code.
static void addMarks(OpPassManager &pm, ArrayRef<int32_t> ordinarySurfaces,
                     ArrayRef<std::string> skip) {
  TritonIntelGPUMaterializeBlockPointerOptions options;
  llvm::append_range(options.ordinarySurfaces, ordinarySurfaces);
  addWithOptionalRewrites(pm, skip,
                          createTritonIntelGPUMaterializeBlockPointer(options));
}

/// No target computes in floats of 8 bits.
static void addFloatEmulation(OpPassManager &pm, StringRef arch) {
  // The emulation rounds after each operation.
  pm.addPass(triton::intel::createTritonIntelWidenSums());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"f8E5M2", "f8E4M3FN"};
  const KnownTarget *target = lookupKnownTarget(arch);
  if (!target || !TargetDesc(*target).has(Capability::BF16Arithmetic))
    emulate.sourceTypeStrs.push_back("bf16");
  emulate.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  math::MathExtendToSupportedTypesOptions extend;
  extend.extraTypeStrs = {"f16"};
  extend.targetTypeStr = "f32";
  pm.addPass(math::createMathExtendToSupportedTypes(extend));
}

/// Adds the passes on addresses that need no layouts: they find the blocks that
/// plain pointers and descriptors access.
static void addAddresses(OpPassManager &pm,
                         const TTGIRPipelineOptions &options) {
  // Signs that make one version of what would be two.
  if (options.assumeLaunch)
    addOptional(pm, options.skip,
                triton::intel::createTritonIntelAssumeLaunch());

  // Weights of a few bits share words and scales, tokens their pages.
  triton::intel::TritonIntelSimplifyDivRemOptions divisions;
  divisions.assumeLaunch = options.assumeLaunch;
  addOptional(pm, options.skip,
              triton::intel::createTritonIntelSimplifyDivRem(divisions));
  addOptional(pm, options.skip, triton::intel::createTritonIntelNarrowLoads());

  // Plain pointers join the block pointers.
  if (options.raisePointers) {
    triton::intel::TritonIntelRaiseBlockPointersOptions raise;
    raise.assumeLaunch = options.assumeLaunch;
    addOptional(pm, options.skip,
                triton::intel::createTritonIntelRaiseBlockPointers(raise));
    // Sizes of tensors are found before the loops that use them.
    pm.addPass(createLoopInvariantCodeMotionPass());
  }

  // Masks have determined how large tensors are; others may always be true.
  addOptional(pm, options.skip,
              triton::intel::createTritonIntelSimplifyComparisons());

  // One kind of blocked access remains after this.
  addDescriptors(pm, options.nanDescriptors);
}

/// Accumulators and prefetches of loops, whose layouts and accesses are final.
static void addLoops(OpPassManager &pm, const TTGIRPipelineOptions &options) {
  // Ahead of passes that look for loops: most programs do not run these.
  addOptional(pm, options.skip, createTritonIntelGPUVersionLoops());
  // Straight code has rows with constant numbers.
  addOptional(pm, options.skip, createTritonIntelGPUForwardRows());

  // Layouts determine which data crosses lanes.
  addOptional(pm, options.skip, createTritonIntelGPUDeferReductions());

  // Prefetches take over the layouts of accesses.
  TritonIntelGPUPipelineOptions pipeline;
  pipeline.numStages = options.numStages;
  addOptional(pm, options.skip, createTritonIntelGPUPipeline(pipeline));
}

void buildTTGIRPipeline(OpPassManager &pm,
                        const TTGIRPipelineOptions &options) {
  // The values of arguments decide about loops, blocks and layouts.
  pm.addPass(triton::intel::createTritonIntelFoldKnownArguments());

  // No other pass has to know the language of another device.
  pm.addPass(triton::intel::createTritonIntelTranslateInlineAssembly());

  // Every later pass finds the block of an access in one operation. The
  // invariant part of a pointer is folded along with other carried values.
  pm.addPass(triton::intel::createTritonIntelNormalizeBlockPointers());

  // A loop may carry a value that each iteration makes again. That the two are
  // one shows when both are outside of the loop.
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createCSEPass());
  addOptional(pm, options.skip,
              triton::intel::createTritonIntelFoldCarriedValues());
  pm.addPass(createCanonicalizerPass());

  // Ahead of every pass that creates other loops.
  pm.addPass(triton::intel::createTritonIntelApplyLoopHints());

  // The target: all later passes query it.
  TritonAnnotateModuleOptions annotate;
  annotate.arch = options.arch;
  annotate.threadsPerWarp = options.threadsPerWarp;
  pm.addPass(createTritonAnnotateModule(annotate));

  // It queries the target for the operands that it multiplies, and needs no
  // layouts. Every pass that looks at dots comes later.
  pm.addPass(triton::intel::createTritonIntelDecomposeDots());

  addAddresses(pm, options);

  ConvertTritonToTritonGPUOptions convert;
  convert.numWarps = options.numWarps;
  convert.threadsPerWarp = options.threadsPerWarp;
  pm.addPass(createConvertTritonToTritonGPU(convert));

  // DPAS layouts are the anchors of all layout propagation. Rewrites that
  // `skip` leaves out let dots start from zero.
  addWithOptionalRewrites(pm, options.skip,
                          createTritonIntelGPUAccelerateMatmul());

  // A transposed operand is a block of a surface with swapped dimensions, which
  // the next pass analyzes.
  addOptional(pm, options.skip, createTritonIntelGPUOptimizeDotOperands());

  // Propagation moves layouts freely into marked accesses. The decision on
  // block pointers follows it, and sees the layout that each access ends up
  // with.
  addMarks(pm, options.ordinarySurfaces, options.skip);
  addOptional(pm, options.skip, createTritonIntelGPURemoveLayoutConversions());
  // Layouts show which loops sub-groups repeat, and messages follow them.
  addOptional(pm, options.skip, createTritonIntelGPUDistributeLoops());
  pm.addPass(createTritonIntelGPURewriteTensorPointer());

  addLoops(pm, options);

  // Which sub-group accesses what is final.
  TritonIntelGPUInsertGlobalBarriersOptions order;
  order.assumeLaunch = options.assumeLaunch;
  pm.addPass(createTritonIntelGPUInsertGlobalBarriers(order));

  // Barriers are what sub-groups do together, and exist by now.
  addOptional(pm, options.skip, createTritonIntelGPUSkipUnstored());

  // Masks and layouts are final.
  if (options.assumeLaunch)
    addOptional(pm, options.skip, createTritonIntelGPUAlignPointers());

  // After every pass that looks for operations, which the casts would hide.
  addFloatEmulation(pm, options.arch);

  // The rewrite and the prefetches compute addresses that loops repeat.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSymbolDCEPass());
}

void buildGluonPipeline(OpPassManager &pm,
                        const GluonPipelineOptions &options) {
  pm.addPass(triton::intel::createTritonIntelFoldKnownArguments());
  pm.addPass(triton::intel::createTritonIntelTranslateInlineAssembly());
  // The kernel brings its sub-group size with it.
  TritonAnnotateModuleOptions annotate;
  annotate.arch = options.arch;
  pm.addPass(createTritonAnnotateModule(annotate));
  // Functions of Xe take descriptors of the host in parts, too. Block pointers
  // are in TTGIR of other compilers.
  addDescriptors(pm, options.nanDescriptors);
  pm.addPass(triton::intel::createTritonIntelNormalizeBlockPointers());
  // Accesses to blocks are block pointers after this, and follow the same rules
  // as those of other kernels. Where a launch has tensors that messages cannot
  // address, ordinary accesses take their place.
  pm.addPass(createTritonIntelGPURaiseXeCalls());
  addMarks(pm, options.ordinarySurfaces, /*skip=*/{});
  pm.addPass(createTritonIntelGPURewriteTensorPointer());
  // The author has decided which sub-group accesses what.
  TritonIntelGPUInsertGlobalBarriersOptions order;
  order.assumeLaunch = options.assumeLaunch;
  pm.addPass(createTritonIntelGPUInsertGlobalBarriers(order));
  // No canonicalizer runs after this: its patterns move and drop conversions of
  // layouts, which are where the author wants them.
  addFloatEmulation(pm, options.arch);
  pm.addPass(createCSEPass());
  pm.addPass(createSymbolDCEPass());
}

} // namespace mlir::triton::gpu::intel
