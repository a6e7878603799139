//===- ElementAddresses.h - Addresses of a block's elements -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Emits the operands of an access to a block of a tensor in memory if no
// instruction takes blocks: the tensor of pointers, the mask of the elements
// that exist, and the padding for the others.
//
// Coordinates, their part of the address and the comparison with the tensor's
// extent are computed in 64 bits along each dimension alone, and then broadcast
// to the block. The sum of an offset and a position within the block cannot
// overflow, so no coordinate wraps around into the tensor. Rows come before
// columns: the innermost offsets are added last, because the analysis of
// contiguity starts there.
//
// Tensors may have layouts or not. Vectors along one dimension have a layout
// that expands to the layout of the block.
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
  /// `block` is the type of the access, and has the rank of `tensor`. Every
  /// dimension needs coordinates before anything is created.
  ElementAddresses(OpBuilder &builder, Location loc, RankedTensorType block,
                   const TensorInMemory &tensor);

  /// Lets the coordinates along `dim` start at `start`, an i32 or i64.
  void setBlock(unsigned dim, Value start);
  /// Sets the coordinates along `dim` to `numbers`, a vector of i32 or i64, or
  /// such a vector as a tensor of the block's rank and layout.
  void setNumbers(unsigned dim, Value numbers);
  /// The block consists of equal parts along `dim`, each of which begins at one
  /// of `pages`, scalar pointers, and not at a coordinate of the tensor. Is
  /// called after the coordinates of `dim` are set, which masks still use.
  void setPages(unsigned dim, ValueRange pages);

  Value createPointers();
  /// Creates a mask of the elements that lie within the tensor in each of
  /// `dims`; null if there are none.
  Value createMask(ArrayRef<int32_t> dims);
  /// Creates such a mask for all dimensions.
  Value createMask();

  /// Creates the tensor of values that elements outside of a tensor read as.
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
  /// For a dimension with pages: a vector of pointers to the pages, and a
  /// vector of the distances of the coordinates from these.
  std::optional<unsigned> pageDim;
  Value pageBases, pageOffsets;
};

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_ELEMENTADDRESSES_H
