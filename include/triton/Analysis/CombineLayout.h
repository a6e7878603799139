//===- CombineLayout.h - Layouts of reductions and scans --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A reduction or scan combines elements along one dimension, its axis. The data
// that it has to move between registers, lanes and warps follows from the role
// that each bit of the operand's layout plays. The lowering and the allocation
// of shared memory both use this class, so that they agree.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_COMBINELAYOUT_H
#define TRITON_ANALYSIS_COMBINELAYOUT_H

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Tools/LinearLayout.h"

#include <optional>

namespace mlir::triton::gpu {

/// Roles of the bits of a layout for a combination along `axis`. Every bit of
/// register, lane and warp moves along the axis, or along other dimensions
/// ("rows": each row is combined for itself), or not at all (copies).
class CombineLayout {
public:
  /// Returns none if some bit moves along the axis and another dimension, or if
  /// two bits along the axis overlap; no encoding of ttg is like that.
  static std::optional<CombineLayout> get(const LinearLayout &layout,
                                          unsigned axis);

  struct Roles {
    uint32_t axis = 0;
    uint32_t rows = 0;
    uint32_t copies = 0;
  };
  /// Masks of the bits of Register, Lane or Warp in each role.
  const Roles &getRoles(LayoutDim dim) const;

  /// A bit of the position along the axis and the layout bit that provides it.
  struct AxisBit {
    LayoutDim dim;
    unsigned bit;
  };
  /// Returns the provider of every bit of the position along the axis, lowest
  /// first.
  ArrayRef<AxisBit> getAxisBits() const { return axisBits; }

  /// Returns whether the axis is spread over warps, so that shared memory is
  /// needed.
  bool crossesWarps() const { return getRoles(LayoutDim::Warp).axis != 0; }

  /// Returns the number of leading axis bits that lie within a warp.
  unsigned getNumBitsBelowWarps() const;

  /// Returns the number of rows that the work-group holds: registers, lanes and
  /// warps apart.
  unsigned getNumRows(LayoutDim dim) const;

private:
  Roles registerRoles, laneRoles, warpRoles;
  SmallVector<AxisBit> axisBits;
};

/// The values that cross warps in a reduction lie in shared memory as
/// (register row, warp along the axis, lane row, warp row), lowest first; the
/// partial results of every operand one after the other. Number of values per
/// operand, 0 if shared memory is not needed.
int64_t getReduceSharedElements(const CombineLayout &layout);

/// In a scan every run of elements below the first warp bit leaves its total in
/// shared memory: (position of the run, register row, lane row, warp row).
/// Number of values per operand, 0 if shared memory is not needed.
int64_t getScanSharedElements(const CombineLayout &layout);

/// Returns the byte offsets of the operands' values in scratch memory, and
/// their end. Each part is aligned to 16 bytes.
SmallVector<int64_t> getOperandScratchOffsets(ArrayRef<Type> elementTypes,
                                              int64_t elementsPerOperand);

/// Returns for each operand of `op` the operation of the region that combines
/// its elements. Each operand has to be combined with itself alone, and in any
/// order; otherwise the result is empty.
SmallVector<Operation *> getOperandCombiners(ReduceOp op);

/// Returns the scan before `op`, in its block, that combines the same
/// operands by the same operation, so that its totals are the results of `op`.
/// Returns null if there is none. Such a reduction is lowered together with the
/// scan.
ScanOp findScanWithTotal(ReduceOp op);

/// Returns the bytes of scratch of the operations; nothing if a layout is
/// unsuitable.
std::optional<int64_t> getScratchBytes(ReduceOp op);
std::optional<int64_t> getScratchBytes(ScanOp op);

} // namespace mlir::triton::gpu

#endif // TRITON_ANALYSIS_COMBINELAYOUT_H
