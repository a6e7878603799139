//===- SliceRules.cpp - How operations are computed in slices -------------===//
// SPDX-License-Identifier: MIT
//
// See the header. All coordinates of a slice along a dimension have the same
// highest bits, so a reshape keeps slices if both shapes have the same highest
// bits.
//
//===----------------------------------------------------------------------===//

#include "SliceRules.h"

#include "intel/Analysis/Symbolic/ElementMap.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Analysis/LayoutConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// Element i of all tensors makes element i of the results.
static bool isElementwise(Operation *op) {
  // Pointers to elements, not to a block.
  if (isa<LoadOp, StoreOp, AtomicRMWOp, AtomicCASOp>(op))
    return isa<RankedTensorType>(op->getOperand(0).getType());
  if (isa<ConvertLayoutOp, StoreSliceOp>(op))
    return true;
  // Of several elements at a time, a slice could have a part.
  if (auto map = dyn_cast<MapElementwiseOp>(op))
    return map.getPack() == 1;
  return op->hasTrait<mlir::OpTrait::Elementwise>() && op->getNumRegions() == 0;
}

RankedTensorType intel::getSlicedTile(Operation *op) {
  bool isKnown =
      isElementwise(op) || op->hasTrait<mlir::OpTrait::MovesElements>() ||
      isa<SplatOp, MakeRangeOp, ReduceOp, ScanOp, GatherOp, DotOp, LoadSliceOp>(
          op);
  // The compiler may choose another order for each slice.
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    isKnown = !reshape.getAllowReorder();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    isKnown = isa<SplatElementsAttr>(constant.getValue());
  if (!isKnown)
    return {};
  Type type = op->getNumResults() ? op->getResult(0).getType()
                                  : op->getOperand(0).getType();
  return dyn_cast<RankedTensorType>(type);
}

/// Returns the dimension of `to` that begins with the highest bits of dimension
/// `dim` of `from`, the same elements in another shape.
static std::optional<unsigned> findReshaped(ArrayRef<int64_t> from,
                                            ArrayRef<int64_t> to, unsigned dim,
                                            int32_t count) {
  // How many parts the leading dimensions make.
  auto getParts = [](ArrayRef<int64_t> shape) {
    return llvm::product_of(shape, int64_t(1));
  };
  int64_t parts = getParts(from.take_front(dim));
  for (auto [i, size] : llvm::enumerate(to))
    if (size >= count && getParts(to.take_front(i)) == parts)
      return i;
  return std::nullopt;
}

/// Returns where the rows and columns of a product come from, after its
/// batches.
static std::optional<OperandSlice>
getDotOperandSlice(OpOperand &operand, unsigned dim, unsigned rank) {
  unsigned number = operand.getOperandNumber();
  // Rows of A, columns of B; all else has both, and batches.
  if ((number == 0 && dim == rank - 1) || (number == 1 && dim == rank - 2))
    return OperandSlice{};
  return OperandSlice{dim};
}

std::optional<OperandSlice>
intel::getOperandSlice(OpOperand &operand, unsigned dim, int32_t count) {
  Operation *op = operand.getOwner();
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  // Scalars, and memory that slices are read from or written to.
  if (!type)
    return OperandSlice{};
  if (isElementwise(op))
    return OperandSlice{dim};
  // Elements along the axis belong together.
  auto skipAxis = [&](unsigned axis) -> std::optional<OperandSlice> {
    if (dim == axis)
      return std::nullopt;
    return OperandSlice{dim};
  };
  // A slice of a broadcast has all elements of a dimension of size 1; one of a
  // dimension that is new does not exist.
  if (isa<ExpandDimsOp, triton::BroadcastOp, TransOp>(op)) {
    std::optional<unsigned> from = mapDim(op, dim);
    if (from)
      return OperandSlice{*from};
    return isa<triton::BroadcastOp>(op) ? std::optional(OperandSlice{})
                                        : std::nullopt;
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    std::optional<unsigned> from =
        findReshaped(reshape.getType().getShape(), type.getShape(), dim, count);
    return from ? std::optional(OperandSlice{*from}) : std::nullopt;
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return OperandSlice{dim + (dim >= unsigned(reduce.getAxis()))};
  if (auto scan = dyn_cast<ScanOp>(op)) {
    // Each slice goes on where the one ahead has ended, unless assertions would
    // see the unused combinations.
    if (dim == scan.getAxis() &&
        (!isMemoryEffectFree(op) || !scan.getCombineOp().hasOneBlock()))
      return std::nullopt;
    return OperandSlice{dim};
  }
  if (auto gather = dyn_cast<GatherOp>(op))
    return skipAxis(gather.getAxis());
  // Both operands have one element each of the last dimension.
  if (isa<JoinOp>(op))
    return skipAxis(type.getRank());
  if (isa<SplitOp>(op))
    return OperandSlice{dim};
  if (isa<DotOp>(op))
    return getDotOperandSlice(operand, dim, type.getRank());
  return std::nullopt;
}

std::optional<unsigned> intel::getTileDim(OpOperand &operand, unsigned dim,
                                          int32_t count) {
  RankedTensorType tile = getSlicedTile(operand.getOwner());
  if (!tile)
    return std::nullopt;
  for (unsigned i = 0, rank = tile.getRank(); i < rank; ++i)
    if (tile.getDimSize(i) >= count)
      if (std::optional<OperandSlice> slice =
              getOperandSlice(operand, i, count);
          slice && slice->dim == dim)
        return i;
  return std::nullopt;
}

std::optional<bool> intel::isReverseOrder(Operation *op, unsigned dim) {
  auto scan = dyn_cast<ScanOp>(op);
  if (!scan || scan.getAxis() != dim)
    return std::nullopt;
  return scan.getReverse();
}

bool intel::needsEncodings(Operation *op) { return isa<DotOp>(op); }

bool intel::isCheap(Operation *op) {
  // Each lane has what it wants.
  if (auto conversion = dyn_cast<ConvertLayoutOp>(op)) {
    ConversionKind kind =
        estimateLayoutConversion(toLinearLayout(conversion.getSrc().getType()),
                                 toLinearLayout(conversion.getType()),
                                 /*elementBits=*/32, {})
            .kind;
    return kind == ConversionKind::Identity ||
           kind == ConversionKind::Registers;
  }
  return op->hasTrait<mlir::OpTrait::MovesElements>() ||
         isa<arith::ConstantOp, SplatOp, MakeRangeOp, AddPtrOp, BitcastOp,
             LoadSliceOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
             arith::ShRSIOp, arith::ShRUIOp, arith::CmpIOp, arith::SelectOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op);
}

SliceEffects intel::getSliceEffects(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  // Its effects are unknown.
  if (!effects)
    return {true, true};
  SliceEffects result;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    if (isa<intel::PrivateMemory>(effect.getResource()))
      continue;
    (isa<MemoryEffects::Read>(effect.getEffect()) ? result.reads
                                                  : result.writes) = true;
  }
  return result;
}
