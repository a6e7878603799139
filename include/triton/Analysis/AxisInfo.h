//===- AxisInfo.h - Contiguity, divisibility, constancy ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A forward data-flow analysis of a module finds facts about the integers and
// pointers in a tensor along each of its dimensions. From these, passes decide
// how many elements one access may take. All quantities are powers of two.
//
// What is claimed
// ---------------
// Along a dimension, cut into aligned groups:
//
//   contiguity    within groups of so many elements, each is one more (for
//                 pointers: one element further) than the one before;
//   divisibility  divides the first element of every such group (pointers: the
//                 address in bytes); with contiguity 1 that is every element;
//   constancy     within groups of so many, all elements are equal.
//
//   [16 17 18 19 24 25 26 27]   contiguity 4, divisibility 8, constancy 1
//   [32 32 32 32 48 48 48 48]   contiguity 1, divisibility 16, constancy 4
//
// Values are bit patterns, so arithmetic that wraps around does no harm: powers
// of two survive it, and a group that starts at a multiple of its size does not
// contain a place where signed or unsigned values jump. Scalars are tensors of
// one element.
//
// What is assumed
// ---------------
// Three things that index computations keep to and that cannot be proved. They
// never matter for groups that are as aligned as they are large:
//
//  * a contiguous group whose start is not known to be aligned is not torn
//  apart
//    by the widening of a wrapped 32-bit (or wider) integer;
//  * sums and products of values of unknown size that are not negative (a
//    program id, a loop counter) do not overflow into negative ones, and
//    neither operand of a signed division with such a dividend is negative;
//  * hints of the program (`tl.multiple_of` and the like) are true.
//
// Where a computation visibly breaks the first two, with constants, no claim is
// made.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_AXISINFO_H
#define TRITON_ANALYSIS_AXISINFO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir::triton {

/// The facts along one dimension.
struct Axis {
  int64_t contiguity = 1;
  int64_t divisibility = 1;
  int64_t constancy = 1;

  bool operator==(const Axis &other) const {
    return contiguity == other.contiguity &&
           divisibility == other.divisibility && constancy == other.constancy;
  }
};

/// An integer that is known by a divisor, or exactly.
struct KnownInteger {
  int64_t divisibility = 1;
  std::optional<int64_t> value;

  bool operator==(const KnownInteger &other) const {
    return divisibility == other.divisibility && value == other.value;
  }
};

/// The facts about the operands of a block pointer.
struct BlockPointerInfo {
  /// Divides the base address, in bytes.
  int64_t baseDivisibility = 1;
  /// In elements, one entry per dimension of the block.
  SmallVector<KnownInteger, 4> shape, strides, offsets;

  bool operator==(const BlockPointerInfo &other) const {
    return baseDivisibility == other.baseDivisibility && shape == other.shape &&
           strides == other.strides && offsets == other.offsets;
  }
};

class AxisInfo {
public:
  /// The largest divisor that the analysis claims, which is the one of zero.
  static constexpr int64_t kMaxDivisibility = int64_t(1) << 62;
  /// The number of bits of integers of unknown size.
  static constexpr unsigned kUnknownBits = ~0u;

  /// Nothing is known yet (not: nothing can be known).
  AxisInfo() = default;
  AxisInfo(SmallVector<Axis, 4> axes, int64_t unit)
      : axes(std::move(axes)), unit(unit) {}

  /// Nothing can be known of a value of this type.
  static AxisInfo getPessimistic(Type type);
  /// All elements of a value of this type are `value`.
  static AxisInfo getConstant(Type type, int64_t value);
  /// Returns the facts that hold for a value which is either of the two.
  static AxisInfo join(const AxisInfo &lhs, const AxisInfo &rhs);

  bool isInitialized() const { return !axes.empty(); }
  unsigned getRank() const { return axes.size(); }
  ArrayRef<Axis> getAxes() const { return axes; }
  int64_t getContiguity(unsigned dim) const { return axes[dim].contiguity; }
  int64_t getDivisibility(unsigned dim) const { return axes[dim].divisibility; }
  int64_t getConstancy(unsigned dim) const { return axes[dim].constancy; }
  SmallVector<int64_t, 4> getContiguity() const;
  SmallVector<int64_t, 4> getDivisibility() const;
  SmallVector<int64_t, 4> getConstancy() const;

  /// The value of all elements, sign-extended (i1: 0 or 1).
  std::optional<int64_t> getConstantValue() const { return constant; }
  /// The difference of neighbours in a contiguous group: 1, or the bytes of a
  /// pointer's element.
  int64_t getUnit() const { return unit; }

  /// Divides the first elements of aligned groups of `group` elements.
  int64_t getDivisibilityOfGroups(unsigned dim, int64_t group) const;
  /// Divides every element.
  int64_t getElementDivisibility() const;
  /// The largest group that is contiguous and starts at a multiple of its size.
  int64_t getAlignedContiguity(unsigned dim) const;

  /// Is no element negative as a signed integer?
  bool isNonNegative() const { return nonNegative; }
  /// All elements are in -2^bits .. 2^bits - 1, or kUnknownBits.
  unsigned getBits() const { return bits; }
  bool isBounded() const { return bits != kUnknownBits; }

  /// Set on block pointers that come from a known `tt.make_tensor_ptr` (or from
  /// several, and `tt.advance`). The axes then are those of the block's
  /// elements' addresses.
  const BlockPointerInfo *getBlockPointer() const {
    return block ? &*block : nullptr;
  }

  void setRange(bool isNonNegative, unsigned newBits) {
    nonNegative = isNonNegative;
    bits = newBits;
  }
  void setBlockPointer(BlockPointerInfo info) { block = std::move(info); }
  /// Adds facts from another source. The old and the new facts must both be
  /// true.
  void refine(unsigned dim, const Axis &axis);

  bool operator==(const AxisInfo &other) const;
  bool operator!=(const AxisInfo &other) const { return !(*this == other); }
  void print(raw_ostream &os) const;

private:
  SmallVector<Axis, 4> axes;
  int64_t unit = 1;
  std::optional<int64_t> constant;
  bool nonNegative = false;
  unsigned bits = kUnknownBits;
  std::optional<BlockPointerInfo> block;
};

inline raw_ostream &operator<<(raw_ostream &os, const AxisInfo &info) {
  info.print(os);
  return os;
}

/// The analysis of a whole module, calls included. Holds until the module
/// changes; run it anew then.
class ModuleAxisInfoAnalysis {
public:
  explicit ModuleAxisInfoAnalysis(ModuleOp module);

  /// Null for values of other modules and for values that are neither integers
  /// nor pointers, nor tensors of anything.
  AxisInfo *getAxisInfo(Value value);

private:
  llvm::DenseMap<Value, AxisInfo> infos;
};

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_AXISINFO_H
