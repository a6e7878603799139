//===- BlockPointerParts.h - A block pointer as scalars ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A one-to-many conversion replaces a block pointer by its base, shape, strides
// and offsets, which control flow and functions carry along. All but the base
// have 64 bits: a step of `tt.advance` has 32, but a kernel may advance through
// more than 2^31 elements.
//
// The conversion has to distinguish the block pointers that it replaces from
// others. The former have an encoding that marks them.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_TRANSFORMS_BLOCKPOINTERPARTS_H
#define TRITON_DIALECT_TRITON_TRANSFORMS_BLOCKPOINTERPARTS_H

#include "mlir/Transforms/DialectConversion.h"

namespace mlir::triton {

/// A block pointer in parts, which are those of a one-to-many conversion.
struct BlockPointerParts {
  explicit BlockPointerParts(ValueRange parts)
      : base(parts.front()), extents(getPart(parts, 0)),
        strides(getPart(parts, 1)), offsets(getPart(parts, 2)) {}

  /// Base, shape and strides, which never change.
  Value base;
  ValueRange extents, strides;
  /// The offsets of the block's first element.
  ValueRange offsets;

private:
  /// Returns one of the three lists after the base.
  static ValueRange getPart(ValueRange parts, unsigned index) {
    unsigned rank = (parts.size() - 1) / 3;
    return parts.slice(1 + index * rank, rank);
  }
};

/// Returns a signed integer of at most 64 bits in 64 bits.
Value extendToI64(OpBuilder &builder, Location loc, Value value);

/// Returns the type of a block pointer that is to be replaced: its block has a
/// marker as its encoding.
Type getMarkedBlockPointer(Type type);

/// Converts marked block pointers to the types of their parts. Other types
/// stay.
class BlockPointerTypeConverter : public TypeConverter {
public:
  BlockPointerTypeConverter();
};

/// Adds patterns for the operations that make and move block pointers, and for
/// those that only pass them on.
void populateBlockPointerPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns,
                                  ConversionTarget &target);

} // namespace mlir::triton

#endif // TRITON_DIALECT_TRITON_TRANSFORMS_BLOCKPOINTERPARTS_H
