//===- InsertBarriers.cpp - Separate conflicting shared accesses ----------===//
// SPDX-License-Identifier: MIT
//
// Inserts a `ttg.barrier local` wherever Analysis/Membar.h finds one missing.
// Runs after allocation, because the offsets determine which accesses conflict.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

#include "triton/Analysis/Membar.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu {
#define GEN_PASS_DEF_TRITONGPUINSERTBARRIERS
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu

using namespace mlir;
using namespace mlir::triton::gpu;

namespace {

class TritonGPUInsertBarriersPass
    : public triton::gpu::impl::TritonGPUInsertBarriersBase<
          TritonGPUInsertBarriersPass> {
public:
  void runOnTTGIR() override {
    FailureOr<SmallVector<Operation *>> missing =
        findMissingBarriers(getOperation());
    if (failed(missing))
      return signalPassFailure();
    for (Operation *op : *missing) {
      OpBuilder builder(op);
      BarrierOp::create(builder, op->getLoc(), AddrSpace::Local);
      ++numBarriers;
    }
  }
};

} // namespace
