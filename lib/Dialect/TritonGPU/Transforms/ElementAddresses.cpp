//===- ElementAddresses.cpp - Addresses of a block's elements -------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/TritonGPU/Transforms/ElementAddresses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

ElementAddresses::ElementAddresses(OpBuilder &builder, Location loc,
                                   RankedTensorType block,
                                   const TensorInMemory &tensor)
    : builder(builder), loc(loc), block(block), tensor(tensor),
      coordinates(block.getRank()) {}

/// Returns the layout of a vector along `dim` that spreads to the block's
/// layout.
Attribute ElementAddresses::getVectorEncoding(unsigned dim) {
  // Tensors of TTIR have no layout yet.
  Attribute encoding = block.getEncoding();
  if (!encoding)
    return {};
  // From the last dimension on, as dimensions move up when one goes.
  for (unsigned other = block.getRank(); other-- > 0;)
    if (other != dim)
      encoding =
          SliceEncodingAttr::get(builder.getContext(), other,
                                 cast<DistributedEncodingInterface>(encoding));
  return encoding;
}

/// Returns the type of coordinates, or of values computed from them, along one
/// dimension.
RankedTensorType ElementAddresses::getVectorType(unsigned dim, Type element) {
  return RankedTensorType::get({block.getDimSize(dim)}, element,
                               getVectorEncoding(dim));
}

/// Returns `scalar` for each of the coordinates along `dim`.
Value ElementAddresses::splat(unsigned dim, Value scalar) {
  auto type = cast<RankedTensorType>(coordinates[dim].getType());
  return SplatOp::create(builder, loc, type.clone(scalar.getType()), scalar);
}

/// Returns `vector` along `dim`, repeated over the whole block.
Value ElementAddresses::spread(unsigned dim, Value vector) {
  auto type = cast<RankedTensorType>(vector.getType());
  // A vector of coordinates; numbers may come with all dimensions.
  if (type.getRank() < block.getRank())
    for (unsigned other = 0; other < block.getRank(); ++other)
      if (other != dim)
        vector = ExpandDimsOp::create(builder, loc, vector, other);
  type = cast<RankedTensorType>(vector.getType());
  // The numbers of rows may be those of all elements.
  if (type.getShape() == block.getShape())
    return vector;
  return triton::BroadcastOp::create(builder, loc, type.clone(block.getShape()),
                                     vector);
}

void ElementAddresses::setBlock(unsigned dim, Value start) {
  // start + (0, 1, 2, ...), in 64 bits.
  Value range = MakeRangeOp::create(builder, loc,
                                    getVectorType(dim, builder.getI32Type()), 0,
                                    block.getDimSize(dim));
  Type wide = builder.getI64Type();
  if (start.getType() != wide)
    start = arith::ExtSIOp::create(builder, loc, wide, start);
  coordinates[dim] =
      arith::ExtSIOp::create(builder, loc, getVectorType(dim, wide), range);
  coordinates[dim] =
      arith::AddIOp::create(builder, loc, coordinates[dim], splat(dim, start));
}

/// Signed, as offsets are.
void ElementAddresses::setNumbers(unsigned dim, Value numbers) {
  auto type = cast<RankedTensorType>(numbers.getType());
  Type wide = builder.getI64Type();
  coordinates[dim] =
      type.getElementType() == wide
          ? numbers
          : arith::ExtSIOp::create(builder, loc, type.clone(wide), numbers)
                .getResult();
}

void ElementAddresses::setPages(unsigned dim, ValueRange pages) {
  pageDim = dim;
  int64_t numRows = block.getDimSize(dim) / pages.size();
  auto type = getVectorType(dim, builder.getI32Type());
  auto constant = [&](Type type, int64_t value) -> Value {
    auto shaped = cast<RankedTensorType>(type);
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            shaped, builder.getIntegerAttr(shaped.getElementType(), value)));
  };
  Value range =
      MakeRangeOp::create(builder, loc, type, 0, block.getDimSize(dim));
  // From each page's first coordinate on, it is the one.
  for (auto [number, page] : llvm::enumerate(pages)) {
    Value all =
        SplatOp::create(builder, loc, getVectorType(dim, page.getType()), page);
    if (number == 0) {
      pageBases = all;
      continue;
    }
    Value isReached =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, range,
                              constant(type, number * numRows));
    pageBases =
        arith::SelectOp::create(builder, loc, isReached, all, pageBases);
  }
  // Shapes are powers of two.
  Value offset =
      arith::AndIOp::create(builder, loc, range, constant(type, numRows - 1));
  pageOffsets = arith::ExtSIOp::create(
      builder, loc, getVectorType(dim, builder.getI64Type()), offset);
}

Value ElementAddresses::createPointers() {
  // base + sum over dimensions of coordinate * stride.
  Type type = block.clone(tensor.base.getType());
  Value pointers = pageDim ? spread(*pageDim, pageBases)
                           : SplatOp::create(builder, loc, type, tensor.base);
  for (unsigned dim = 0; dim < block.getRank(); ++dim) {
    Value offset = arith::MulIOp::create(
        builder, loc, dim == pageDim ? pageOffsets : coordinates[dim],
        splat(dim, tensor.strides[dim]));
    pointers =
        AddPtrOp::create(builder, loc, type, pointers, spread(dim, offset));
  }
  return pointers;
}

Value ElementAddresses::createMask(ArrayRef<int32_t> dims) {
  // 0 <= coordinate < extent, in each of the dimensions; null for none.
  Value mask;
  for (int32_t dim : dims) {
    Type type = coordinates[dim].getType();
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    Value extent = splat(dim, tensor.extents[dim]);
    Value inside = arith::AndIOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                              coordinates[dim], zero),
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              coordinates[dim], extent));
    inside = spread(dim, inside);
    mask = mask ? arith::AndIOp::create(builder, loc, mask, inside).getResult()
                : inside;
  }
  return mask;
}

Value ElementAddresses::createMask() {
  return createMask(llvm::to_vector(llvm::seq<int32_t>(0, block.getRank())));
}

Value ElementAddresses::createPadding(OpBuilder &builder, Location loc,
                                      RankedTensorType block,
                                      PaddingOption padding) {
  // Zero has a value in every type; only floats have NaN.
  Attribute value = builder.getZeroAttr(block.getElementType());
  auto floatType = dyn_cast<FloatType>(block.getElementType());
  if (floatType && padding == PaddingOption::PAD_NAN)
    value = builder.getFloatAttr(
        floatType, APFloat::getNaN(floatType.getFloatSemantics()));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(block, value));
}
