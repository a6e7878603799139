//===- FlushStrategy.cpp - Records as flushing stores ---------------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"

#include "Segments.h"

namespace mlir::triton::proton_gpu {
#define GEN_PASS_DEF_PROTONGPUFLUSHSTRATEGY
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton_gpu

using namespace mlir;
using namespace mlir::triton::proton_gpu;

namespace {

class FlushStrategy
    : public mlir::triton::proton_gpu::impl::ProtonGPUFlushStrategyBase<
          FlushStrategy> {
public:
  using ProtonGPUFlushStrategyBase::ProtonGPUFlushStrategyBase;

  void runOnOperation() override {
    if (failed(lowerMarks<FlushStoreOp>(getOperation(), clock32)))
      signalPassFailure();
  }
};

} // namespace
