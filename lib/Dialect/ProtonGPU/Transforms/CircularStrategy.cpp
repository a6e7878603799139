//===- CircularStrategy.cpp - Records as circular stores ------------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"

#include "Segments.h"

namespace mlir::triton::proton_gpu {
#define GEN_PASS_DEF_PROTONGPUCIRCULARSTRATEGY
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton_gpu

using namespace mlir;
using namespace mlir::triton::proton_gpu;

namespace {

class CircularStrategy
    : public mlir::triton::proton_gpu::impl::ProtonGPUCircularStrategyBase<
          CircularStrategy> {
public:
  using ProtonGPUCircularStrategyBase::ProtonGPUCircularStrategyBase;

  void runOnOperation() override {
    if (failed(lowerMarks<CircularStoreOp>(getOperation(), clock32)))
      signalPassFailure();
  }
};

} // namespace
