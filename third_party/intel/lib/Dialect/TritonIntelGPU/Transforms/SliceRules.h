//===- SliceRules.h - How operations are computed in slices -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A slice of what an operation computes depends on slices of its operands, if
// it is computed element by element, or row by row and the slice has whole
// rows. The rules state which dimension of an operand belongs to which
// dimension of the result: the only place that knows operations.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICERULES_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICERULES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::triton::gpu::intel {

/// Returns the tensor whose dimensions the rules count: the first result, of a
/// store the pointers or the value. Null if no rule knows the operation.
RankedTensorType getSlicedTile(Operation *op);

/// The part of an operand that one of `count` slices of the tile along `dim`
/// needs.
struct OperandSlice {
  /// The dimension along which the operand is sliced; none for the whole
  /// operand.
  std::optional<unsigned> dim;
};

/// Returns none if it needs what no slice of the operand has, or is no slice
/// itself.
std::optional<OperandSlice> getOperandSlice(OpOperand &operand, unsigned dim,
                                            int32_t count);

/// Returns the dimension of the tile whose slices are computed from slices of
/// the operand along `dim`; none if there is no such dimension.
std::optional<unsigned> getTileDim(OpOperand &operand, unsigned dim,
                                   int32_t count);

/// Returns the order in which slices of the tile along `dim` have to be
/// computed: false from the first one on, true from the last one on, as scans
/// along `dim` want; none if they have nothing to do with each other.
std::optional<bool> isReverseOrder(Operation *op, unsigned dim);

/// Returns whether the operation computes one number of a slice from many of
/// its operands, as products do, and so cares about the encodings.
bool needsEncodings(Operation *op);

/// Returns whether computing it once more costs no more than reading the result
/// from memory.
bool isCheap(Operation *op);

/// The effects of an operation on memory that others see.
struct SliceEffects {
  bool reads = false, writes = false;
};

/// Returns the effects of an operation and of those in its regions. Private
/// memory is left out: it is written before everything that reads it.
SliceEffects getSliceEffects(Operation *op);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICERULES_H
