//===- Segments.cpp - The segment of a function ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Segments.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::proton_gpu {

SegmentType findSegmentType(ModuleOp module) {
  SegmentType type;
  module.walk([&](SegmentAllocOp op) {
    type = op.getSegment().getType();
    return WalkResult::interrupt();
  });
  return type;
}

int64_t getSegmentBytes(ModuleOp module, SegmentType type) {
  return type.getNumSegments(gpu::TritonGPUDialect::getNumWarps(module)) *
         type.getBytes();
}

FailureOr<int32_t> getScope(Operation *op) {
  auto scope =
      op->getAttrOfType<IntegerAttr>(proton::ProtonDialect::getScopeAttrName());
  if (!scope)
    return op->emitError("the scope has no number: run proton-number-scopes");
  return static_cast<int32_t>(scope.getInt());
}

FailureOr<Value> getSegment(Operation *record) {
  auto function = record->getParentOfType<FunctionOpInterface>();
  if (function)
    for (auto segment : function.getFunctionBody().getOps<SegmentAllocOp>())
      return segment.getSegment();
  return record->emitError(
      "there is no segment for the record: run proton-gpu-insert-segments");
}

} // namespace mlir::triton::proton_gpu
