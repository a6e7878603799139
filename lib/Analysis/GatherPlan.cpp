//===- GatherPlan.cpp - How tt.gather gets at its elements ----------------===//
// SPDX-License-Identifier: MIT
//
// The inverse of the operand's layout gives the position of an element. If
// neither the index nor the position of the result can select an element
// outside of the reader's work-item or warp, registers or shuffles suffice.
// Their cost is limited by the number of registers that an index can select.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/GatherPlan.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace mlir::triton::gpu {

/// Most registers among which a work-item selects.
static constexpr int32_t kMaxSelects = 16;
/// Most shuffles for one register of the result.
static constexpr int32_t kMaxShuffles = 4;

/// Returns `layout` with coordinate 0 along `axis`, which gets the size
/// `axisSize`.
static LinearLayout withoutAxis(const LinearLayout &layout, unsigned axis,
                                int32_t axisSize) {
  // For the part of a place that the index decides. Sizes stay what they are,
  // except for the axis.
  LinearLayout::BasesMap bases = layout.getBases();
  for (auto &[dim, list] : bases)
    for (auto &basis : list)
      basis[axis] = 0;
  LinearLayout::Sizes sizes = layout.getOutDimSizes();
  sizes[axis].second = axisSize;
  return LinearLayout(std::move(bases), std::move(sizes));
}

/// Returns the map from coordinates to the position in row-major order.
static LinearLayout getRowMajorPositions(ArrayRef<int64_t> shape) {
  // The last dimension is the fastest.
  LinearLayout layout = LinearLayout::empty();
  for (unsigned dim = shape.size(); dim-- > 0;)
    layout *=
        LinearLayout::identity1D(shape[dim], tensorDim(dim), LayoutDim::Offset);
  return layout;
}

/// Returns whether `place` leaves the number of the lane (warp) as it is, apart
/// from bits in `freeMask`, which distinguish copies. `fromIndex` must not
/// touch it.
static bool keepsThread(const LinearLayout &fromResult,
                        const LinearLayout &fromIndex, LayoutDim thread,
                        int32_t freeMask) {
  // An index must not lead to another thread.
  if (!fromIndex.sublayoutIsZero(fromIndex.getInDims(), thread))
    return false;
  for (LayoutDim in : fromResult.getInDims())
    for (int32_t bit : llvm::seq(fromResult.getInDimSizeLog2(in))) {
      // The number is itself, bit by bit; free bits may be anything, and are 0.
      int32_t expected = in == thread ? (1 << bit) & ~freeMask : 0;
      if (fromResult.getBasis(in, bit, thread) != expected)
        return false;
    }
  return true;
}

/// Returns the number of registers that an index may mean, for one register of
/// the result.
static int32_t countCandidates(const LinearLayout &fromResult,
                               const LinearLayout &fromIndex) {
  int32_t bits = 0;
  // Every bit that changes the register doubles the number.
  auto count = [&](const LinearLayout &layout, LayoutDim in) {
    for (int32_t bit : llvm::seq(layout.getInDimSizeLog2(in)))
      bits += layout.getBasis(in, bit, LayoutDim::Register) != 0;
  };
  count(fromIndex, fromIndex.getInDims().front());
  count(fromResult, LayoutDim::Lane);
  count(fromResult, LayoutDim::Warp);
  // More than an int32_t counts is certainly too many.
  return bits < 31 ? 1 << bits : std::numeric_limits<int32_t>::max();
}

GatherPlan planGather(GatherOp op) {
  auto source = cast<RankedTensorType>(op.getSrc().getType());
  unsigned axis = op.getAxis();
  LinearLayout sourceLayout = toLinearLayout(source);
  // The part that the place in the result contributes: all coordinates but the
  // axis.
  LinearLayout rest =
      withoutAxis(toLinearLayout(cast<RankedTensorType>(op.getType())), axis,
                  source.getDimSize(axis));
  // Places of a kind are the composition of that with the operand's layout.
  auto make = [&](GatherPlan::Kind kind, const LinearLayout &places) {
    GatherPlan plan;
    plan.kind = kind;
    plan.fromResult = rest.compose(places);
    plan.fromIndex = places.sublayout(tensorDim(axis), places.getOutDims());
    return plan;
  };

  // First within the sub-group; the kind narrows down or changes below.
  GatherPlan plan =
      make(GatherPlan::Kind::Subgroup, sourceLayout.pseudoinvert());
  int32_t freeLanes = 0, freeWarps = 0;
  for (auto [dim, mask] : sourceLayout.getFreeVariableMasks()) {
    if (dim == LayoutDim::Lane)
      freeLanes = mask;
    else if (dim == LayoutDim::Warp)
      freeWarps = mask;
  }
  int32_t candidates = countCandidates(plan.fromResult, plan.fromIndex);
  // Shuffles reach lanes of the own sub-group only.
  if (keepsThread(plan.fromResult, plan.fromIndex, LayoutDim::Warp,
                  freeWarps)) {
    if (candidates <= kMaxSelects &&
        keepsThread(plan.fromResult, plan.fromIndex, LayoutDim::Lane,
                    freeLanes))
      plan.kind = GatherPlan::Kind::WorkItem;
    if (plan.kind == GatherPlan::Kind::WorkItem || candidates <= kMaxShuffles)
      return plan;
  }
  // Otherwise the operand goes through memory, row by row.
  plan = make(GatherPlan::Kind::SharedMemory,
              getRowMajorPositions(source.getShape()));
  plan.scratchBytes =
      source.getNumElements() *
      (std::max(8u, getIntOrFloatOrPtrBitWidth(source.getElementType())) / 8);
  return plan;
}

} // namespace mlir::triton::gpu
