//===- LowerRecords.cpp - Records as stores of a strategy -----------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"

#include "Segments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::triton::proton_gpu {
#define GEN_PASS_DEF_PROTONGPULOWERRECORDS
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton_gpu

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::proton_gpu;

/// Replaces a record of a scope (RecordOp) or of an event (EventOp).
template <typename StoreOp, typename MarkOp>
static LogicalResult lowerMark(MarkOp op, Type counterType) {
  FailureOr<Value> segment = getSegment(op);
  if (failed(segment))
    return failure();
  Value event;
  IntegerAttr scope;
  OpBuilder builder(op);
  if constexpr (std::is_same_v<MarkOp, proton::EventOp>) {
    event = op.getEvent();
  } else {
    FailureOr<int32_t> number = getScope(op);
    if (failed(number))
      return failure();
    scope = builder.getI32IntegerAttr(*number);
  }
  Value counter = ReadCounterOp::create(builder, op.getLoc(), counterType);
  auto store = StoreOp::create(builder, op.getLoc(), op.getIsStart(), *segment,
                               counter, event, scope);
  op.erase();
  // The builder has not checked the operands.
  return store.verify();
}

/// Turns all that is marked in the module into stores of a strategy.
template <typename StoreOp>
static LogicalResult lowerMarks(ModuleOp module, bool clock32) {
  Type counterType =
      IntegerType::get(module.getContext(), /*width=*/clock32 ? 32 : 64);
  WalkResult result = module.walk([&](Operation *op) {
    LogicalResult isDone = success();
    if (auto record = dyn_cast<proton::RecordOp>(op)) {
      isDone = lowerMark<StoreOp>(record, counterType);
    } else if (auto event = dyn_cast<proton::EventOp>(op)) {
      isDone = lowerMark<StoreOp>(event, counterType);
    } else if (auto allocation = dyn_cast<proton::AllocateEventOp>(op)) {
      FailureOr<int32_t> number = getScope(op);
      if (failed(number))
        return WalkResult::interrupt();
      OpBuilder builder(op);
      Value constant = arith::ConstantOp::create(
          builder, op->getLoc(), builder.getI32IntegerAttr(*number));
      allocation.replaceAllUsesWith(constant);
      allocation.erase();
    }
    return failed(isDone) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {

class LowerRecords
    : public mlir::triton::proton_gpu::impl::ProtonGPULowerRecordsBase<
          LowerRecords> {
public:
  using ProtonGPULowerRecordsBase::ProtonGPULowerRecordsBase;

  void runOnOperation() override {
    if (failed(strategy == Strategy::Flush
                   ? lowerMarks<FlushStoreOp>(getOperation(), clock32)
                   : lowerMarks<CircularStoreOp>(getOperation(), clock32)))
      signalPassFailure();
  }
};

} // namespace
