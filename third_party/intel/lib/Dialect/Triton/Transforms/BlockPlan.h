//===- BlockPlan.h - Which block pointer serves an access? ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// From addresses and masks (AffineAddress.h) to the parts of a block pointer.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_BLOCKPLAN_H
#define TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_BLOCKPLAN_H

#include "intel/Analysis/Symbolic/AffineAddress.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <string>

namespace mlir::triton::gpu::intel {

/// A dimension of the tensor of an access, in elements.
struct BlockDim {
  SymbolicExpr start, stride, extent;
  bool isChecked = false;
  /// The largest start; a larger one is beyond any extent.
  std::optional<int64_t> lastStart = std::nullopt;
};

/// The address at which the part of a block in one page begins.
struct PageStart {
  Value base;
  SymbolicExpr offset;
};

/// The parts of a block pointer for an access.
struct BlockPlan {
  Value base;
  SymbolicExpr baseOffset;
  SmallVector<BlockDim> dims;
  /// For gathered rows: their numbers, without the start of the dimension, and
  /// columns of booleans that mask rows.
  Value rowNumbers;
  SmallVector<Value> rowMasks;
  /// For a block in pages: the pages, and the dimension that they divide.
  SmallVector<PageStart> pages;
  unsigned pageDim = 0;
  /// The assumptions under which the block is correct.
  SmallVector<WrapAssumption> assumptions;
};

/// Returns whether `sum`, a stride, is 1.
bool isOne(const SymbolicExpr &sum);

/// Describes the result, e.g. `%0 + 64 * %1, [64 * %2 of %3 by %4]`: per
/// dimension where the block begins, the extent and the stride.
std::string describe(const BlockPlan &plan, const ScalarValues &values);

/// Finds the block pointer of one access.
class BlockPlanner {
public:
  BlockPlanner(AffineAddressReader &reader, ScalarValues &values,
               ValueSources &sources)
      : reader(reader), values(values), sources(sources) {}

  /// Returns the plan of an access; nothing, with the reason in `getObstacle`,
  /// if there is none. If there is a `condition`, the plan may need it to hold
  /// for more than it did.
  std::optional<BlockPlan> plan(Operation *access, Value pointers, Value mask,
                                LaunchCondition *condition);
  /// Plans a load of a dot's operand whose rows lie in pages.
  std::optional<BlockPlan> planPages(triton::LoadOp load,
                                     LaunchCondition *condition);

  StringRef getObstacle() const { return obstacle; }
  /// Returns whether the last access had gathered rows.
  bool foundNumbers() const { return hasNumbers; }

private:
  std::optional<BlockPlan> planPages(triton::LoadOp load, unsigned dim,
                                     ArrayRef<AffineAddress> parts,
                                     const MaskBounds &bounds);
  void begin(Operation *access, Value pointers, LaunchCondition *condition);
  bool fitsOffset(const SymbolicExpr &start);
  bool planStart(const Coordinate &coordinate, const AffineAddress &form,
                 unsigned dim, BlockDim &block);
  bool planNumbers(Operation *access, const AffineAddress &form,
                   MaskBounds &bounds, BlockPlan &plan);
  std::nullopt_t refuse(const Twine &reason) {
    obstacle = reason.str();
    return std::nullopt;
  }
  bool hasUnitStride(const AffineAddress &form);
  void takeSteps(SymbolicExpr &rest, Coordinate &coordinate,
                 const SymbolicExpr &end, int64_t unit);
  SymbolicExpr getOffset(const SymbolicExpr &start, const SymbolicExpr &end,
                         int64_t unit);
  std::optional<SymbolicExpr> getMaximum(const SymbolicExpr &sum);
  void keepLoopSteps(SymbolicExpr &rest, Coordinate &coordinate, int64_t size,
                     BlockDim &block);
  void boundUnobserved(AffineAddress &form, MaskBounds &bounds);
  SymbolicExpr getExtent(SymbolicExpr end, int64_t unit, SymbolicExpr start);
  bool planDim(unsigned dim, int64_t size, const MaskBounds &bounds,
               AffineAddress &form, BlockPlan &plan);

  AffineAddressReader &reader;
  ScalarValues &values;
  ValueSources &sources;
  std::string obstacle;
  bool hasNumbers = false;
  Operation *current = nullptr;
  /// Around the access; null if there is none.
  scf::ForOp innermostLoop;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_BLOCKPLAN_H
