//===- CombineLayout.cpp - Layouts of reductions and scans ----------------===//
// SPDX-License-Identifier: MIT
//
// Sorts the bases of a layout by whether they move along the axis, and computes
// how much shared memory the operations need.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/CombineLayout.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton::gpu {

std::optional<CombineLayout> CombineLayout::get(const LinearLayout &layout,
                                                unsigned axis) {
  LayoutDim axisDim = tensorDim(axis);
  int32_t numAxisBits = layout.getOutDimSizeLog2(axisDim);
  CombineLayout result;
  // The lowest bit of the axis first; each has to be counted by exactly one bit
  // of the hardware.
  SmallVector<std::optional<AxisBit>> axisBits(numAxisBits);
  for (auto [dim, roles] :
       {std::pair{LayoutDim::Register, &result.registerRoles},
        std::pair{LayoutDim::Lane, &result.laneRoles},
        std::pair{LayoutDim::Warp, &result.warpRoles}}) {
    for (int32_t bit = 0; bit < layout.getInDimSizeLog2(dim); ++bit) {
      int32_t along = layout.getBasis(dim, bit, axisDim);
      // Other tensor dimensions, in which rows differ.
      bool movesElsewhere =
          llvm::any_of(layout.getOutDims(), [&, dim = dim](LayoutDim out) {
            return out != axisDim && layout.getBasis(dim, bit, out) != 0;
          });
      if (along == 0) {
        // A bit that moves nowhere holds copies.
        (movesElsewhere ? roles->rows : roles->copies) |= 1u << bit;
        continue;
      }
      // A bit that counts two things at once, or several bits of the axis,
      // would need another way to combine.
      if (movesElsewhere || !llvm::isPowerOf2_32(along))
        return std::nullopt;
      // A second bit for the same step: elements would be combined twice.
      std::optional<AxisBit> &axisBit = axisBits[llvm::Log2_32(along)];
      if (axisBit)
        return std::nullopt;
      axisBit = AxisBit{dim, static_cast<unsigned>(bit)};
      roles->axis |= 1u << bit;
    }
  }
  // Bits of the axis that no bit of the hardware counts cannot occur in a
  // surjective layout.
  for (const std::optional<AxisBit> &bit : axisBits) {
    if (!bit)
      return std::nullopt;
    result.axisBits.push_back(*bit);
  }
  return result;
}

const CombineLayout::Roles &CombineLayout::getRoles(LayoutDim dim) const {
  switch (dim) {
  case LayoutDim::Register:
    return registerRoles;
  case LayoutDim::Lane:
    return laneRoles;
  default:
    assert(dim == LayoutDim::Warp && "not a hardware dimension");
    return warpRoles;
  }
}

unsigned CombineLayout::getNumBitsBelowWarps() const {
  auto isWarp = [](const AxisBit &bit) { return bit.dim == LayoutDim::Warp; };
  return llvm::find_if(axisBits, isWarp) - axisBits.begin();
}

unsigned CombineLayout::getNumRows(LayoutDim dim) const {
  return 1u << llvm::popcount(getRoles(dim).rows);
}

/// Returns the number of rows that all work-items of a program hold, without
/// copies.
static int64_t getNumRowsOfWorkGroup(const CombineLayout &layout) {
  return int64_t(layout.getNumRows(LayoutDim::Register)) *
         layout.getNumRows(LayoutDim::Lane) *
         layout.getNumRows(LayoutDim::Warp);
}

int64_t getReduceSharedElements(const CombineLayout &layout) {
  if (!layout.crossesWarps())
    return 0;
  // For each row, one partial result per position of warps along the axis.
  return getNumRowsOfWorkGroup(layout)
         << llvm::popcount(layout.getRoles(LayoutDim::Warp).axis);
}

int64_t getScanSharedElements(const CombineLayout &layout) {
  if (!layout.crossesWarps())
    return 0;
  // For each row, one per position along the axis from the lowest bit of warps
  // on.
  return getNumRowsOfWorkGroup(layout)
         << (layout.getAxisBits().size() - layout.getNumBitsBelowWarps());
}

SmallVector<int64_t> getOperandScratchOffsets(ArrayRef<Type> elementTypes,
                                              int64_t elementsPerOperand) {
  // The last entry is the total size in bytes. 16 bytes are what one access
  // takes at most, so that every operand can be accessed in whole vectors.
  SmallVector<int64_t> offsets{0};
  for (Type type : elementTypes) {
    // Elements of less than a byte take one.
    int64_t bytes = std::max(8u, getIntOrFloatOrPtrBitWidth(type)) / 8;
    offsets.push_back(
        llvm::alignTo(offsets.back() + elementsPerOperand * bytes, 16));
  }
  return offsets;
}

SmallVector<Operation *> getOperandCombiners(ReduceOp op) {
  Block &body = op.getCombineOp().front();
  SmallVector<Operation *> combiners;
  unsigned count = op.getSrcs().size();
  // Nothing else may be in the region.
  if (body.getOperations().size() != count + 1)
    return {};
  for (auto [i, result] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    Operation *combiner = result.getDefiningOp();
    // Constants of the region are no combiners.
    if (!combiner || combiner->getBlock() != &body ||
        combiner->getNumRegions() != 0 || combiner->getNumOperands() != 2 ||
        combiner->getNumResults() != 1)
      return {};
    Value first = body.getArgument(i), second = body.getArgument(count + i);
    ValueRange operands = combiner->getOperands();
    if (!(operands[0] == first && operands[1] == second) &&
        !(operands[0] == second && operands[1] == first))
      return {};
    combiners.push_back(combiner);
  }
  return combiners;
}

ScanOp findScanWithTotal(ReduceOp op) {
  // A region of one operation stays what it is up to the lowering.
  Operation *combine = op.getSingleCombiner();
  if (!combine)
    return nullptr;
  ScanOp found;
  for (Operation *user : op.getSrcs().front().getUsers()) {
    auto scan = dyn_cast<ScanOp>(user);
    // From the end, operands come in another order.
    if (!scan || scan.getReverse() || scan.getAxis() != op.getAxis() ||
        scan->getBlock() != op->getBlock() || !scan->isBeforeInBlock(op))
      continue;
    Operation *other = scan.getSingleCombiner();
    if (!other || other->getName() != combine->getName() ||
        other->getAttrDictionary() != combine->getAttrDictionary())
      continue;
    // The first one of several is found.
    if (!found || scan->isBeforeInBlock(found))
      found = scan;
  }
  return found;
}

/// Returns the bytes of scratch memory of a reduction or scan, all operands
/// together; 0 if no elements cross warps, nothing if the layout cannot be
/// combined along the axis.
template <typename Op>
static std::optional<int64_t>
getScratchBytesOf(Op op, int64_t (*getSharedElements)(const CombineLayout &)) {
  RankedTensorType type = op.getInputTypes().front();
  std::optional<CombineLayout> layout =
      CombineLayout::get(toLinearLayout(type), op.getAxis());
  if (!layout)
    return std::nullopt;
  int64_t elements = getSharedElements(*layout);
  if (elements == 0)
    return 0;
  return getOperandScratchOffsets(op.getElementTypes(), elements).back();
}

std::optional<int64_t> getScratchBytes(ReduceOp op) {
  // The scan has its result.
  if (findScanWithTotal(op))
    return 0;
  return getScratchBytesOf(op, getReduceSharedElements);
}

std::optional<int64_t> getScratchBytes(ScanOp op) {
  return getScratchBytesOf(op, getScanSharedElements);
}

} // namespace mlir::triton::gpu
