//===- UnobservedElements.cpp - Elements that no store writes -------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Order/UnobservedElements.h"

#include "intel/Analysis/Symbolic/AddressUses.h"
#include "intel/Analysis/Symbolic/ElementMap.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

namespace {
/// Returns whether an integer, or each element of a tensor of integers, is the
/// exact number that expressions and forms take it for. The arithmetic before
/// it may have overflowed otherwise; of parts of addresses it is assumed
/// that it has not (AddressUses.h).
bool isExact(Value number, ValueSources &sources) {
  Operation *op = number.getDefiningOp();
  if (isa_and_nonnull<arith::ConstantOp, MakeRangeOp>(op))
    return true;
  if (isa_and_nonnull<arith::ExtSIOp, SplatOp, triton::BroadcastOp,
                      ExpandDimsOp>(op))
    return isExact(op->getOperand(0), sources);
  // All other scalars are symbols, which represent their unknown values.
  bool isArithmetic =
      isa<RankedTensorType>(number.getType()) ||
      isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op);
  return !isArithmetic || isPartOfAddress(number, sources);
}

/// Returns the operation before those that repeat elements.
Operation *getUnrepeated(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  while (isa_and_nonnull<triton::BroadcastOp, ExpandDimsOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op;
}

/// Returns whether a comparison that bounds a coordinate from above is true for
/// all elements for which its expressions state this: its numbers are exact,
/// except for a coordinate `start + range` that overflows. That is beyond any
/// bound, whatever the result of the comparison.
bool isTrueInside(arith::CmpIOp compare, ValueSources &sources) {
  Value coordinate = compare.getLhs(), bound = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt ||
      compare.getPredicate() == arith::CmpIPredicate::sge)
    std::swap(coordinate, bound);
  if (!isExact(bound, sources))
    return false;
  if (auto sum = dyn_cast_or_null<arith::AddIOp>(getUnrepeated(coordinate)))
    for (auto [start, range] : {std::pair(sum.getLhs(), sum.getRhs()),
                                std::pair(sum.getRhs(), sum.getLhs())})
      if (isa_and_nonnull<MakeRangeOp>(getUnrepeated(range)) &&
          isExact(start, sources))
        return true;
  return isExact(coordinate, sources);
}

/// Returns whether such a comparison is false for all elements for which its
/// expressions state this: its numbers are exact. An unsigned bound that is
/// negative is a large one.
bool isFalseOutside(arith::CmpIOp compare, ValueSources &sources) {
  return compare.getPredicate() != arith::CmpIPredicate::ult &&
         isExact(compare.getLhs(), sources) &&
         isExact(compare.getRhs(), sources);
}

/// Follows the elements whose index along a dimension is `end` or more from one
/// tensor to all values that depend on them. A value can be reached with
/// several dimensions; each pair is followed once.
class UnobservedElementFlow {
public:
  UnobservedElementFlow(const SymbolicExpr &end, AffineAddressReader &reader,
                        ScalarValues &values, ValueSources &sources)
      : end(end), reader(reader), values(values), sources(sources) {}

  /// Returns whether all uses leave the elements out. Stops at the first use
  /// that does not.
  bool run(Value tensor, unsigned dim) {
    reached.insert({tensor, dim});
    // Grows while it is read.
    for (size_t index = 0; index < reached.size(); ++index) {
      auto [value, along] = reached[index];
      for (OpOperand &use : value.getUses())
        if (!follow(use, along))
          return false;
    }
    return true;
  }

private:
  /// Notes that the elements lie along `dim` of `value` too. Always true, so
  /// that it ends a chain of conditions.
  bool reach(Value value, unsigned dim) {
    reached.insert({value, dim});
    return true;
  }
  /// Returns whether one use is harmless; what it hands the elements on to is
  /// reached.
  bool follow(OpOperand &use, unsigned dim);
  /// Returns the same for an operand of a dot.
  bool followDot(DotOpInterface dot, OpOperand &use, unsigned dim);
  /// Returns the same for an operand of a reduction.
  bool followReduction(ReduceOp op, unsigned dim);
  bool isSameEnd(Operation *user, Value destination) const;
  bool isLeftOut(Value mask, unsigned dim);
  bool isOutside(StoreBlockOp store, unsigned dim);

  /// The first index that may be unobserved, as a sum of scalars.
  const SymbolicExpr &end;
  /// Reads the masks of stores.
  AffineAddressReader &reader;
  /// Numbers the scalars that all sums here consist of.
  ScalarValues &values;
  /// Knows where values go through loops, branches and calls.
  ValueSources &sources;
  /// The values reached so far, each with the dimension the elements lie along.
  llvm::SetVector<std::pair<Value, unsigned>> reached;
};

bool UnobservedElementFlow::followDot(DotOpInterface dot, OpOperand &use,
                                      unsigned dim) {
  unsigned rank = cast<RankedTensorType>(use.get().getType()).getRank();
  unsigned number = use.getOperandNumber();
  // Scales, which come after both operands and the accumulator, have other
  // dimensions.
  if (number > 2)
    return false;
  // The dimension that a product sums over spreads an element over its row.
  // K is the last dimension of the left operand (M x K), and the last but one
  // of the right operand (K x N).
  if ((number == 0 && dim == rank - 1) || (number == 1 && dim == rank - 2))
    return false;
  return reach(dot.getResult(), dim);
}

bool UnobservedElementFlow::followReduction(ReduceOp op, unsigned dim) {
  unsigned axis = op.getAxis();
  // The surplus elements would go into the sum.
  if (dim == axis)
    return false;
  for (Value result : op.getResults())
    if (isa<RankedTensorType>(result.getType()))
      // The dimensions after the axis move up by one.
      reach(result, dim - (dim > axis));
  return true;
}

/// Returns whether `end` is the same number where `destination`, which `user`
/// hands a value on to, is used: not in the next round of a loop that it
/// changes in.
bool UnobservedElementFlow::isSameEnd(Operation *user,
                                      Value destination) const {
  auto argument = dyn_cast<BlockArgument>(destination);
  if (!argument)
    // Only block arguments are a way into another round.
    return true;
  Operation *owner = argument.getOwner()->getParentOp();
  // Where `user` is outside of the loop, the value enters it: `end` is its
  // value there. Within the loop, everything that `end` consists of must be
  // defined outside.
  return !owner->isProperAncestor(user) ||
         llvm::all_of(owner->getRegions(), [&](Region &region) {
           return values.isDefinedOutside(end, region);
         });
}

/// Returns whether a mask is false for all elements from `end` on.
bool UnobservedElementFlow::isLeftOut(Value mask, unsigned dim) {
  // Without a mask everything is written.
  if (!mask)
    return false;
  // It suffices that one of the conditions leaves the elements out.
  std::optional<MaskBounds> bounds =
      reader.readMaskAsWritten(mask, MaskReading::SomeBounds);
  return bounds && llvm::any_of(bounds->upper, [&](const MaskBound &bound) {
           return bound.dim == dim && bound.bound == end &&
                  isFalseOutside(bound.compare, sources);
         });
}

/// Returns whether the elements are outside of the tensor that a store of a
/// block writes to.
bool UnobservedElementFlow::isOutside(StoreBlockOp store, unsigned dim) {
  auto surface = store.getSurface().getDefiningOp<SurfaceOp>();
  if (!surface || !llvm::is_contained(store.getBoundaryCheck(), dim))
    return false;
  // Gathered rows are not in order.
  if (store.getRows() && dim == 0)
    return false;
  // Elements from shape - offset on lie after the tensor's end, where a
  // checked store writes nothing.
  Value extent = surface.getExtents()[dim], offset = store.getOffsets()[dim];
  return isExact(extent, sources) && isExact(offset, sources) &&
         reader.readAsWritten(extent) - reader.readAsWritten(offset) == end;
}

/// Returns the dimension of the result whose index is that of dimension `dim`
/// of the operand of `op`; none if there is none, or if `op` does anything but
/// move elements.
std::optional<unsigned> findMovedDim(Operation *op, unsigned dim) {
  if (!keepsElements(op))
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (unsigned moved = 0, rank = type.getRank(); moved < rank; ++moved)
    if (mapDim(op, moved) == dim)
      return moved;
  return std::nullopt;
}

bool UnobservedElementFlow::follow(OpOperand &use, unsigned dim) {
  Operation *user = use.getOwner();
  // Loops, branches and calls. Jumps may lead to another round of a loop.
  SmallVector<Value> destinations;
  if (isa<BranchOpInterface>(user))
    return false;
  if (sources.getDestinations(use, destinations))
    return llvm::all_of(destinations, [&](Value destination) {
      return isSameEnd(user, destination) && reach(destination, dim);
    });
  // An elementwise operation moves nothing, but its effects would be seen, and
  // so would be what it is not defined for, such as a division by zero.
  if (user->hasTrait<mlir::OpTrait::Elementwise>() && isPure(user) &&
      user->getNumResults() == 1)
    return reach(user->getResult(0), dim);
  if (std::optional<unsigned> moved = findMovedDim(user, dim))
    return reach(user->getResult(0), *moved);
  return llvm::TypeSwitch<Operation *, bool>(user)
      .Case([&](DotOpInterface dot) { return followDot(dot, use, dim); })
      .Case([&](ReduceOp op) { return followReduction(op, dim); })
      // Along other dimensions a scan keeps elements apart.
      .Case([&](ScanOp op) {
        if (dim == op.getAxis())
          return false;
        for (Value result : op.getResults())
          reach(result, dim);
        return true;
      })
      // As a pointer or mask the elements would decide what is written where.
      .Case([&](triton::StoreOp store) {
        return use.get() == store.getValue() && use.get() != store.getMask() &&
               isLeftOut(store.getMask(), dim);
      })
      .Case([&](StoreBlockOp store) {
        return use.get() == store.getValue() && use.get() != store.getMask() &&
               isOutside(store, dim);
      })
      // The result of an atomic is not followed: it comes from memory, not from
      // the elements that were left out.
      .Case([&](AtomicRMWOp atomic) {
        return use.get() == atomic.getVal() && use.get() != atomic.getMask() &&
               isLeftOut(atomic.getMask(), dim);
      })
      .Default(false);
}
} // namespace

bool areElementsUnobserved(Value tensor, unsigned dim, const SymbolicExpr &end,
                           AffineAddressReader &reader, ScalarValues &values,
                           ValueSources &sources) {
  return UnobservedElementFlow(end, reader, values, sources).run(tensor, dim);
}

bool hidesUnobservedElements(Value mask, Value tensor,
                             AffineAddressReader &reader, ScalarValues &values,
                             ValueSources &sources) {
  std::optional<MaskBounds> bounds = reader.readMaskAsWritten(mask);
  return bounds && bounds->lower.empty() && !bounds->upper.empty() &&
         llvm::all_of(bounds->upper, [&](const MaskBound &bound) {
           return isTrueInside(bound.compare, sources) &&
                  areElementsUnobserved(tensor, bound.dim, bound.bound, reader,
                                        values, sources);
         });
}

SmallVector<SymbolicExpr> findStoreEnds(Operation *op, unsigned dim,
                                        AffineAddressReader &reader) {
  if (auto store = dyn_cast<StoreBlockOp>(op)) {
    auto surface = store.getSurface().getDefiningOp<SurfaceOp>();
    bool isGathered = store.getRows() && dim == 0;
    if (!surface || isGathered ||
        !llvm::is_contained(store.getBoundaryCheck(), dim))
      return {};
    Value offset = store.getOffsets()[dim];
    reader.beginAccess(store, offset, /*condition=*/nullptr);
    return {reader.readNumber(surface.getExtents()[dim]) -
            reader.readNumber(offset)};
  }
  auto store = dyn_cast<triton::StoreOp>(op);
  if (!store || !isa_and_nonnull<RankedTensorType>(
                    store.getMask() ? store.getMask().getType() : Type()))
    return {};
  reader.beginAccess(store, store.getPtr(), /*condition=*/nullptr);
  std::optional<MaskBounds> bounds =
      reader.readMask(store.getMask(), MaskReading::SomeBounds);
  SmallVector<SymbolicExpr> ends;
  if (bounds)
    for (const MaskBound &bound : bounds->upper)
      if (bound.dim == dim)
        ends.push_back(bound.bound);
  return ends;
}

} // namespace mlir::triton::gpu::intel
