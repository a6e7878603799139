//===- ElementAddresses.h - Addresses of a block's elements -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Emits what an access to a block of a tensor in memory is made of where no
// instruction takes blocks: the tensor of pointers, the mask of the elements
// that exist, and what the others read as.
//
// Coordinates are computed in 64 bits along each dimension alone, as are their
// part of the address and the comparison with the tensor's extent; only then
// are they broadcast to the block. A sum of an offset and a position within the
// block cannot overflow, so that nothing wraps around into the tensor. Rows
// come before columns: the innermost offsets are added last, where the analysis
// of contiguity starts.
//
// Works on tensors with and without layouts; vectors along one dimension have
// the layout that spreads to the block's.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_TRANSFORMS_ELEMENTADDRESSES_H
#define TRITON_DIALECT_TRITONGPU_TRANSFORMS_ELEMENTADDRESSES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu {

/// A tensor in memory: a scalar pointer, and i64 scalars per dimension, the
/// strides in elements.
struct TensorInMemory {
  Value base;
  ValueRange extents, strides;
};

class ElementAddresses {
public:
  /// `block` is the type of what is read or written, and has a rank like
  /// `tensor`. Every dimension needs coordinates before anything is created.
  ElementAddresses(OpBuilder &builder, Location loc, RankedTensorType block,
                   const TensorInMemory &tensor);

  /// The coordinates along `dim` start at `start`, an i32 or i64.
  void setBlock(unsigned dim, Value start);
  /// The coordinates along `dim` are `numbers`, a vector of i32 or i64, or such
  /// a vector as a tensor of the block's rank and layout.
  void setNumbers(unsigned dim, Value numbers);
  /// The block lies in equal parts along `dim`, each of which begins at one of
  /// `pages`, scalar pointers, and not at a coordinate of the tensor. Comes
  /// behind the coordinates of `dim`, which masks go by.
  void setPages(unsigned dim, ValueRange pages);

  Value createPointers();
  /// Whether elements lie within the tensor in each of `dims`; null if there
  /// are none.
  Value createMask(ArrayRef<int32_t> dims);
  /// The same for all dimensions.
  Value createMask();

  /// A tensor of what elements outside of a tensor read as.
  static Value createPadding(OpBuilder &builder, Location loc,
                             RankedTensorType block, PaddingOption padding);

private:
  Attribute getVectorEncoding(unsigned dim);
  RankedTensorType getVectorType(unsigned dim, Type element);
  Value splat(unsigned dim, Value scalar);
  Value spread(unsigned dim, Value vector);

  OpBuilder &builder;
  Location loc;
  RankedTensorType block;
  TensorInMemory tensor;
  /// Vectors of i64, or such vectors as tensors of the block's rank.
  SmallVector<Value> coordinates;
  /// Along a dimension with pages, vectors of pointers to them, and of how far
  /// each coordinate is from there.
  std::optional<unsigned> pageDim;
  Value pageBases, pageOffsets;
};

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_ELEMENTADDRESSES_H
