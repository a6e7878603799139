//===- Segments.h - The segment of a function -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Helpers on segments for the passes of this folder. Not installed.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SEGMENTS_H
#define TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SEGMENTS_H

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

} // namespace mlir::triton::proton_gpu

#endif // TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SEGMENTS_H
