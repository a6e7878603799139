//===- Segments.h - The segment of a function -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Helpers on segments for the passes of this folder. Not installed.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SEGMENTS_H
#define TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SEGMENTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "triton/Dialect/ProtonGPU/IR/Dialect.h"

namespace mlir::triton::proton_gpu {

/// Returns the type of all segments of a module; null if there are none.
SegmentType findSegmentType(ModuleOp module);

/// Returns the number of bytes of the segments of a program.
int64_t getSegmentBytes(ModuleOp module, SegmentType type);

/// Returns the number that proton-number-scopes gave a record or an event.
/// Fails with an error if there is none.
FailureOr<int32_t> getScope(Operation *op);

/// Returns the segment that `record` goes to. Fails with an error if its
/// function has none.
FailureOr<Value> getSegment(Operation *record);

/// Replaces a record of a scope (RecordOp) or of an event (EventOp).
template <typename StoreOp, typename MarkOp>
LogicalResult lowerMark(MarkOp op, Type counterType) {
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
  // Made without a check of its operands.
  return store.verify();
}

/// Turns all that is marked in the module into stores of a strategy.
template <typename StoreOp>
LogicalResult lowerMarks(ModuleOp module, bool clock32) {
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

} // namespace mlir::triton::proton_gpu

#endif // TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SEGMENTS_H
