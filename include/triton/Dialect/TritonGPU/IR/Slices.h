//===- Slices.h - Parts of a tensor that differ in registers ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A slice of a tensor along a dimension holds the elements whose coordinates
// have the same highest bits. If one register bit corresponds to each of these
// bits, and to nothing else, then all lanes have some of their registers in a
// slice, the same ones in all lanes, and no element of another lane:
//
//   tensor<64x16>, register bits (16, 0) (32, 0), 4 slices along dim0
//     slice 0: register 0, rows 0 to 15      slice 1: register 1, rows 16 to 31
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_IR_SLICES_H
#define TRITON_DIALECT_TRITONGPU_IR_SLICES_H

#include "mlir/IR/BuiltinTypes.h"
#include "triton/Tools/LinearLayout.h"

namespace mlir::triton::gpu {

/// Returns the layout of one of `count` (a power of two) equal slices along
/// tensor dimension `dim`; none if slices share registers, lanes or warps.
/// `bits` gets the register bits that distinguish slices, that of the lowest
/// bit of the slice's number first.
std::optional<LinearLayout>
getSliceLayout(const LinearLayout &layout, unsigned dim, int32_t count,
               SmallVectorImpl<unsigned> *bits = nullptr);

/// Returns the most slices along `dim` that have a layout; 1 if there are none.
int32_t getMaxSlices(const LinearLayout &layout, unsigned dim);

/// Returns the type of the same tensor, in a layout in which no lane has an
/// element in several registers.
RankedTensorType getTypeWithoutCopies(RankedTensorType type);

/// Returns the type of a slice, with the encoding of `type` if that gives the
/// slice its layout, otherwise with a linear one in which no lane has an
/// element in several registers. Null if there is no such slice.
RankedTensorType getSliceType(RankedTensorType type, unsigned dim,
                              int32_t count);

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_SLICES_H
