//===- InferLayoutInterface.h - Interface of layout dialects --------------===//
// SPDX-License-Identifier: MIT
//
// The operations of `tt` also occur on tensors with a layout (an encoding), but
// `tt` knows nothing about layouts: it only knows which relation an operation
// demands between its operands' and its results' layouts. A dialect that owns
// layout attributes implements this interface, and the verifiers and type
// inference of `tt` reach it through the dialect of the encoding. So the
// dependency points from the layouts to `tt` and never back.
//
// Every method that takes an `std::optional<Location>` reports its failures
// there when a location is given and is silent otherwise, which lets a caller
// check "would this work?" without a diagnostic.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_IR_INFERLAYOUTINTERFACE_H
#define TRITON_DIALECT_TRITON_IR_INFERLAYOUTINTERFACE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectInterface.h"

#include <optional>

namespace mlir::triton {

class DialectInferLayoutInterface
    : public DialectInterface::Base<DialectInferLayoutInterface> {
public:
  DialectInferLayoutInterface(Dialect *dialect) : Base(dialect) {}

  /// Infers the layout of `tt.trans`: result dimension i is operand dimension
  /// `order[i]`. `shape` is the operand's.
  virtual LogicalResult
  inferTransOpEncoding(Attribute operandEncoding, ArrayRef<int64_t> shape,
                       ArrayRef<int32_t> order, Attribute &resultEncoding,
                       std::optional<Location> loc) const = 0;

  /// Infers the layout of `tt.reduce` once dimension `axis` is gone.
  virtual LogicalResult
  inferReduceOpEncoding(Attribute operandEncoding, unsigned axis,
                        Attribute &resultEncoding,
                        std::optional<Location> loc) const = 0;

  /// Infers the layout of `tt.expand_dims` with a new dimension of size 1 at
  /// `axis`.
  virtual LogicalResult
  inferExpandDimsOpEncoding(Attribute operandEncoding, unsigned axis,
                            Attribute &resultEncoding,
                            std::optional<Location> loc) const = 0;

  /// Checks that `operandEncoding` may be operand `opIdx` (0 = A, 1 = B) of a
  /// dot whose result has the layout `retEncoding`.
  virtual LogicalResult
  inferDotOpEncoding(Attribute operandEncoding, unsigned opIdx,
                     Attribute retEncoding,
                     std::optional<Location> loc) const = 0;

  /// Checks the layouts of a dot's left and right operand against each other;
  /// reports on `op`.
  virtual LogicalResult verifyDotOpEncodingCompatibility(Operation *op,
                                                         Attribute a,
                                                         Attribute b) const = 0;

  /// Infers the layout with which `tt.reshape` needs no data movement. With
  /// `allowReorder` the row-major order of the elements need not survive.
  virtual LogicalResult
  inferReshapeOpEncoding(ArrayRef<int64_t> srcShape, Attribute srcEncoding,
                         ArrayRef<int64_t> dstShape, Attribute &dstEncoding,
                         bool allowReorder,
                         std::optional<Location> loc) const = 0;

  /// Infers the layout of `tt.join`; `shape` is that of one operand.
  virtual LogicalResult
  inferDefaultJoinOpEncoding(Attribute srcEncoding, Attribute &dstEncoding,
                             ArrayRef<int64_t> shape,
                             std::optional<Location> loc) const = 0;

  /// Infers the layout of both results of `tt.split`; `shape` is the operand's,
  /// its last dimension is 2.
  virtual LogicalResult
  inferSplitOpEncoding(Attribute srcEncoding, Attribute &dstEncoding,
                       ArrayRef<int64_t> shape,
                       std::optional<Location> loc) const = 0;

  /// Infers the layout on the other side of a conversion between packed pairs
  /// of 4-bit floats and the unpacked values, of which there are two per pair
  /// along `axis`: from packed to unpacked if `fwd`, else back. `shape` goes
  /// with `inEncoding`.
  virtual LogicalResult
  inferFp4ToFpOpEncoding(ArrayRef<int64_t> shape, int axis,
                         Attribute inEncoding, Attribute &outEncoding, bool fwd,
                         std::optional<Location> loc) const = 0;

  /// Checks that the layout of `type`, a type of one of `op`'s operands or
  /// results, fits its shape and the module's warp counts; reports on `op`.
  virtual LogicalResult verifyTensorLayout(Operation *op,
                                           RankedTensorType type) const = 0;

  /// Checks that two layouts place every element of a tensor of this shape
  /// alike, even if they are spelled differently.
  virtual LogicalResult
  verifyLayoutsAreEqual(ArrayRef<int64_t> shape, Attribute expected,
                        Attribute got, std::optional<Location> loc) const = 0;
};

/// Returns the interface of the dialect that owns `encoding`; null if the
/// dialect does not implement it. `encoding` must not be null.
const DialectInferLayoutInterface *getInferLayoutInterface(Attribute encoding);

/// The same, with a complaint at `loc`, if there is one, instead of null.
FailureOr<const DialectInferLayoutInterface *>
findInferLayoutInterface(Attribute encoding, std::optional<Location> loc);

} // namespace mlir::triton

#endif // TRITON_DIALECT_TRITON_IR_INFERLAYOUTINTERFACE_H
