//===- Pipelines.h - The stages of a compilation ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Registers one pipeline per stage, which Python and triton-xe-opt run by name.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_PIPELINES_PIPELINES_H
#define TRITON_INTEL_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::triton::gpu::intel {

/// Options of `triton-xe-ttgir-pipeline`.
struct TTGIRPipelineOptions : PassPipelineOptions<TTGIRPipelineOptions> {
  Option<std::string> arch{*this, "arch", llvm::cl::desc("architecture"),
                           llvm::cl::init("pvc")};
  Option<int32_t> numWarps{*this, "num-warps",
                           llvm::cl::desc("sub-groups per work-group"),
                           llvm::cl::init(4)};
  Option<int32_t> threadsPerWarp{
      *this, "threads-per-warp",
      llvm::cl::desc("sub-group size of kernels without DPAS"),
      llvm::cl::init(16)};
  Option<int32_t> numStages{
      *this, "num-stages",
      llvm::cl::desc("iterations of a loop in flight; 1 is no prefetching"),
      llvm::cl::init(2)};
  ListOption<std::string> skip{
      *this, "skip",
      llvm::cl::desc("optional passes to leave out, by their arguments, or "
                     "rewrites of them, such as `argument:3-5`")};
  Option<bool> raisePointers{
      *this, "raise-pointers",
      llvm::cl::desc(
          "turn accesses through plain pointers into block accesses"),
      llvm::cl::init(false)};
  Option<bool> assumeLaunch{
      *this, "assume-launch",
      llvm::cl::desc("leave to the launcher that tiles have no negative "
                     "numbers"),
      llvm::cl::init(false)};
  ListOption<int32_t> nanDescriptors{
      *this, "nan-descriptors",
      llvm::cl::desc("numbers of the kernel's descriptors that pad with NaN")};
  ListOption<int32_t> ordinarySurfaces{
      *this, "ordinary-surfaces",
      llvm::cl::desc("numbers of tensors that 2D block messages cannot "
                     "address")};
};

/// Builds the pipeline TTIR -> TTGIR: layouts, DPAS, block accesses,
/// prefetches.
void buildTTGIRPipeline(OpPassManager &pm, const TTGIRPipelineOptions &options);

/// Options of `triton-xe-gluon-pipeline`.
struct GluonPipelineOptions : PassPipelineOptions<GluonPipelineOptions> {
  Option<std::string> arch{*this, "arch", llvm::cl::desc("architecture"),
                           llvm::cl::init("pvc")};
  Option<bool> assumeLaunch{
      *this, "assume-launch",
      llvm::cl::desc("leave to the launcher that no tensor that is loaded "
                     "overlaps one that is stored"),
      llvm::cl::init(false)};
  ListOption<int32_t> nanDescriptors{
      *this, "nan-descriptors",
      llvm::cl::desc("numbers of the kernel's descriptors that pad with NaN")};
  ListOption<int32_t> ordinarySurfaces{
      *this, "ordinary-surfaces",
      llvm::cl::desc("numbers of tensors that 2D block messages cannot "
                     "address")};
};

/// Builds the pipeline TTGIR -> TTGIR for kernels whose author has chosen the
/// layouts: it adds the target, operations of Xe and barriers for global
/// memory, and replaces descriptors, and arithmetic that the target does not
/// have.
void buildGluonPipeline(OpPassManager &pm, const GluonPipelineOptions &options);

/// Options of `triton-xe-allocation-pipeline`, mostly for profiling scopes.
struct AllocationPipelineOptions
    : PassPipelineOptions<AllocationPipelineOptions> {
  Option<std::string> profileStrategy{
      *this, "profile-strategy",
      llvm::cl::desc("circular keeps the latest records, flush all of them"),
      llvm::cl::init("circular")};
  Option<std::string> profileBuffer{
      *this, "profile-buffer",
      llvm::cl::desc("where records go at first: shared or global"),
      llvm::cl::init("shared")};
  Option<int64_t> profileBufferSize{
      *this, "profile-buffer-size",
      llvm::cl::desc(
          "bytes of records per program; 0: a number that suits the kernel"),
      llvm::cl::init(0)};
  Option<int32_t> profileWarpsPerUnit{
      *this, "profile-warps-per-unit",
      llvm::cl::desc("warps whose first one makes records; 0: all of the "
                     "program"),
      llvm::cl::init(1)};
  ListOption<int32_t> profileUnits{
      *this, "profile-units",
      llvm::cl::desc("the units that make records; none: all of them")};
  ListOption<int32_t> profilePrograms{
      *this, "profile-programs",
      llvm::cl::desc("the programs that make records; none: all of them")};
  Option<bool> profileClock32{*this, "profile-clock32",
                              llvm::cl::desc("use 32 bits of the clock"),
                              llvm::cl::init(false)};
  Option<int64_t> maxSharedMemory{
      *this, "max-shared-memory",
      llvm::cl::desc("bytes of shared memory that the target has"),
      llvm::cl::init(131072)};
  Option<int32_t> tileRegisters{
      *this, "tile-registers",
      llvm::cl::desc("registers of a lane above which tensors are computed in "
                     "loops, as the CPU device wants it; 0: no limit"),
      llvm::cl::init(0)};
};

/// Builds the pipeline TTGIR -> TTGIR with shared-memory offsets
/// (`ttg.shared`), barriers, and buffers for records.
void buildAllocationPipeline(OpPassManager &pm,
                             const AllocationPipelineOptions &options);

/// Options of `triton-xe-llvm-pipeline`.
struct LLVMPipelineOptions : PassPipelineOptions<LLVMPipelineOptions> {
  Option<bool> lineInfo{
      *this, "line-info",
      llvm::cl::desc("keep the lines of the kernel as debug information"),
      llvm::cl::init(true)};
  Option<bool> checks{
      *this, "checks",
      llvm::cl::desc("stop programs at arithmetic without a defined result"),
      llvm::cl::init(false)};
  Option<bool> loadBranches{
      *this, "load-branches",
      llvm::cl::desc("masked loads are branches, as the CPU device wants them"),
      llvm::cl::init(false)};
  ListOption<std::string> skip{
      *this, "skip",
      llvm::cl::desc("optional passes to leave out, by their arguments, or "
                     "rewrites of them, such as `argument:3-5`")};
  ListOption<std::string> externSymbols{
      *this, "extern-symbols",
      llvm::cl::desc("functions of libraries that kernels may call")};
};

/// Builds the pipeline from allocated TTGIR to the LLVM dialect.
void buildLLVMPipeline(OpPassManager &pm, const LLVMPipelineOptions &options);

/// Registers `triton-xe-ttgir-pipeline`, `triton-xe-gluon-pipeline`,
/// `triton-xe-allocation-pipeline` and `triton-xe-llvm-pipeline`.
void registerPipelines();

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_PIPELINES_PIPELINES_H
