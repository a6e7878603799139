//===- LLVMPipeline.cpp - From TTGIR to the LLVM dialect ------------------===//
// SPDX-License-Identifier: MIT
//
// Two stages: the allocation, after which the need for shared memory is known
// and can be refused, and the lowering proper.
//
//===----------------------------------------------------------------------===//

#include "intel/Pipelines/Passes.h"
#include "intel/Pipelines/Pipelines.h"

#include "OptionalPasses.h"
#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h"
#include "intel/Dialect/LLVMIR/Transforms/Passes.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/Passes.h"
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"
#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

/// Scopes become records, after every pass that copies or moves code.
static void addProfile(OpPassManager &pm,
                       const AllocationPipelineOptions &options) {
  // The rest of shared memory is known by now.
  proton_gpu::ProtonGPULowerRecordsOptions records;
  records.strategy = options.profileStrategy == "flush"
                         ? proton_gpu::Strategy::Flush
                         : proton_gpu::Strategy::Circular;
  records.clock32 = options.profileClock32;
  records.bufferSpace = options.profileBuffer;
  records.bufferSize = options.profileBufferSize;
  records.warpsPerUnit = options.profileWarpsPerUnit;
  llvm::append_range(records.units, options.profileUnits);
  llvm::append_range(records.programs, options.profilePrograms);
  records.maxSharedMemory = options.maxSharedMemory;
  pm.addPass(proton_gpu::createProtonGPULowerRecords(records));
}

void buildAllocationPipeline(OpPassManager &pm,
                             const AllocationPipelineOptions &options) {
  // Checks the assumptions of later passes, whatever the origin of the module:
  // an earlier stage, or a user.
  pm.addPass(createTritonXeVerifyTTGIR());
  if (options.tileRegisters > 0) {
    // Reductions that become one stay one.
    pm.addPass(createTritonGPUMergeReductions());
    TritonIntelGPUSliceTilesOptions slice;
    slice.maxRegisters = options.tileRegisters;
    pm.addPass(createTritonIntelGPUSliceTiles(slice));
  }
  // Layouts determine which reductions exchange anything; that is what is
  // allocated.
  pm.addPass(createTritonGPUMergeReductions());
  pm.addPass(createTritonGPUMergeConversions());
  pm.addPass(createTritonGPUAllocateMemory());
  addProfile(pm, options);
}

void buildLLVMPipeline(OpPassManager &pm, const LLVMPipelineOptions &options) {
  // The last place where an operation of Python is one operation.
  if (options.lineInfo)
    pm.addPass(createTritonIntelGPUMarkVariables());
  // Nothing after this queries the ranges of integers. The lowering queries the
  // widths of accesses, an analysis that this pass preserves.
  TritonIntelGPUGuardArithmeticOptions guard;
  guard.checks = options.checks;
  pm.addPass(createTritonIntelGPUGuardArithmetic(guard));
  ConvertTritonIntelGPUToLLVMOptions convert;
  llvm::append_range(convert.externSymbols, options.externSymbols);
  convert.loadBranches = options.loadBranches;
  pm.addPass(createConvertTritonIntelGPUToLLVM(convert));
  // Loops carry base, shape and strides of block pointers that never change:
  // easier to drop while loops are structured.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Debuggers show lines in their order only without this.
  if (!options.checks)
    pm.addPass(createLoopInvariantCodeMotionPass());
  // Last of what sees the order of whole tensors; LLVM keeps the new order.
  if (!options.checks) {
    addOptional(pm, options.skip, createTritonIntelGPUDivideLoops());
    addOptional(pm, options.skip, createTritonIntelGPUSkipRows());
    addOptional(pm, options.skip, createTritonIntelGPUSchedule());
  }
  pm.addPass(createTritonIntelGPULowerControlFlow());
  ConvertToLLVMPassOptions standard;
  standard.filterDialects = {"arith", "cf", "math", "ttig", "ub", "xevm"};
  pm.addPass(createConvertToLLVMPass(standard));
  pm.addPass(createReconcileUnrealizedCastsPass());
  // Last, so that what all passes have made has a scope, without which its
  // location does not reach LLVM IR.
  if (options.lineInfo)
    pm.addPass(createTritonIntelGPUDescribeDebugInfo());
}

void registerPipelines() {
  PassPipelineRegistration<TTGIRPipelineOptions>(
      "triton-xe-ttgir-pipeline",
      "TTIR to TTGIR: layouts, DPAS, block accesses, prefetches",
      buildTTGIRPipeline);
  PassPipelineRegistration<GluonPipelineOptions>(
      "triton-xe-gluon-pipeline",
      "TTGIR to TTGIR: what a kernel with its author's layouts still needs",
      buildGluonPipeline);
  PassPipelineRegistration<AllocationPipelineOptions>(
      "triton-xe-allocation-pipeline",
      "TTGIR to TTGIR with shared-memory offsets, barriers and records",
      buildAllocationPipeline);
  PassPipelineRegistration<LLVMPipelineOptions>(
      "triton-xe-llvm-pipeline", "allocated TTGIR to the LLVM dialect",
      buildLLVMPipeline);
}

} // namespace mlir::triton::gpu::intel
