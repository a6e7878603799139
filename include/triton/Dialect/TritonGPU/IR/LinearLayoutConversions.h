//===- LinearLayoutConversions.h - Layouts of types -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Functions that return the LinearLayout of a type or an encoding. They use the
// cache of the dialect. The method `toLinearLayout` of the encoding interface
// computes the layout each time.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTCONVERSIONS_H
#define TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTCONVERSIONS_H

#include "triton/Dialect/TritonGPU/IR/Attributes.h"
#include "triton/Dialect/TritonGPU/IR/Types.h"

namespace mlir::triton::gpu {

/// Returns the layout of a tensor of this shape; `encoding` implements
/// LinearLayoutEncodingInterface.
LinearLayout toLinearLayout(ArrayRef<int64_t> shape, Attribute encoding);
/// (register, lane, warp, block) -> (dim0, ...). The type has an encoding.
LinearLayout toLinearLayout(RankedTensorType type);
/// (offset, block) -> (dim0, ...) of the *allocation* in the dimensions that
/// the encoding describes: a view keeps the offsets of what it looks into.
LinearLayout toLinearLayout(MemDescType type);

/// Returns the number of values per lane: of a tensor with an encoding the
/// number of registers, copies included, of any other type 1.
unsigned getTotalElemsPerThread(Type type);

/// Returns whether the two encodings place every element of a tensor of this
/// shape alike, however they are spelled.
bool areLayoutsEquivalent(ArrayRef<int64_t> shape, Attribute a, Attribute b);

/// Returns the encoding that tensors get when nothing is known about them: one
/// element per lane and step, dimensions from the last to the first.
Attribute getDefaultBlockedEncoding(MLIRContext *context,
                                    ArrayRef<int64_t> shape, int numWarps,
                                    int threadsPerWarp);

/// Returns the number of warps that execute `op`, as the closest function or
/// module states it, or nothing if none does.
std::optional<int32_t> maybeLookupNumWarps(Operation *op);
/// Returns the same number, or 1 if none is given.
int32_t lookupNumWarps(Operation *op);
/// Returns the number of lanes per warp of the module around `op`; the default
/// if it does not state it.
int32_t lookupThreadsPerWarp(Operation *op);

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTCONVERSIONS_H
