//===- HiddenElements.cpp - Elements that no store writes -----------------===//

#include "intel/Analysis/HiddenElements.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

namespace {
class HiddenElementFlow {
public:
  HiddenElementFlow(const UniformSum &end, AddressFormReader &reader,
                    UniformValues &values, ValueSources &sources)
      : end(end), reader(reader), values(values), sources(sources) {}

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
  bool reach(Value value, unsigned dim) {
    reached.insert({value, dim});
    return true;
  }
  bool follow(OpOperand &use, unsigned dim);
  bool followDot(DotOp dot, OpOperand &use, unsigned dim);
  bool followReduction(ReduceOp op, unsigned dim);
  bool isSameEnd(Operation *user, Value destination) const;
  bool isLeftOut(Value mask, unsigned dim);
  bool isOutside(BlockAccessOpInterface store, unsigned dim);

  const UniformSum &end;
  AddressFormReader &reader;
  UniformValues &values;
  ValueSources &sources;
  llvm::SetVector<std::pair<Value, unsigned>> reached;
};

bool HiddenElementFlow::followDot(DotOp dot, OpOperand &use, unsigned dim) {
  // The dimension that a product sums over spreads an element over its row.
  unsigned rank = cast<RankedTensorType>(use.get().getType()).getRank();
  unsigned number = use.getOperandNumber();
  if ((number == 0 && dim == rank - 1) || (number == 1 && dim == rank - 2))
    return false;
  return reach(dot.getResult(), dim);
}

bool HiddenElementFlow::followReduction(ReduceOp op, unsigned dim) {
  unsigned axis = op.getAxis();
  if (dim == axis)
    return false;
  for (Value result : op.getResults())
    if (isa<RankedTensorType>(result.getType()))
      reach(result, dim - (dim > axis));
  return true;
}

/// Whether `end` is the same number where `destination`, which `user` hands a
/// value on to, is used: not in the next round of a loop that it changes in.
bool HiddenElementFlow::isSameEnd(Operation *user, Value destination) const {
  auto argument = dyn_cast<BlockArgument>(destination);
  if (!argument)
    return true;
  Operation *owner = argument.getOwner()->getParentOp();
  return !owner->isProperAncestor(user) ||
         llvm::all_of(owner->getRegions(), [&](Region &region) {
           return end.isDefinedOutside(values, region);
         });
}

/// Whether a mask is false for all elements from `end` on.
bool HiddenElementFlow::isLeftOut(Value mask, unsigned dim) {
  if (!mask)
    return false;
  std::optional<MaskBounds> bounds =
      reader.readMask(mask, MaskReading::SomeBounds);
  return bounds && llvm::any_of(bounds->upper, [&](const MaskBound &bound) {
           return bound.dim == dim && bound.bound - bound.start == end;
         });
}

/// The same of a block pointer and the tensor it points into.
bool HiddenElementFlow::isOutside(BlockAccessOpInterface store, unsigned dim) {
  Value block = store.getBlockPointer();
  auto pointer = block ? block.getDefiningOp<MakeTensorPtrOp>() : nullptr;
  if (!pointer || !llvm::is_contained(store.getCheckedDims(), dim))
    return false;
  // Rows that are picked by their numbers are not in order.
  if (store.getRowNumbers() && dim == 0)
    return false;
  return UniformSum::get(pointer.getShape()[dim], values) -
             UniformSum::get(pointer.getOffsets()[dim], values) ==
         end;
}

bool HiddenElementFlow::follow(OpOperand &use, unsigned dim) {
  Operation *user = use.getOwner();
  // Loops, branches and calls. Jumps may lead to another round of a loop.
  SmallVector<Value> destinations;
  if (isa<BranchOpInterface>(user))
    return false;
  if (sources.getDestinations(use, destinations))
    return llvm::all_of(destinations, [&](Value destination) {
      return isSameEnd(user, destination) && reach(destination, dim);
    });
  if (user->hasTrait<mlir::OpTrait::Elementwise>() &&
      isMemoryEffectFree(user) && user->getNumResults() == 1)
    return reach(user->getResult(0), dim);
  return llvm::TypeSwitch<Operation *, bool>(user)
      .Case([&](DotOp dot) { return followDot(dot, use, dim); })
      .Case([&](ReduceOp op) { return followReduction(op, dim); })
      .Case([&](ScanOp op) {
        if (dim == op.getAxis())
          return false;
        for (Value result : op.getResults())
          reach(result, dim);
        return true;
      })
      .Case([&](ExpandDimsOp op) {
        return reach(op.getResult(), dim + (dim >= op.getAxis()));
      })
      .Case([&](triton::BroadcastOp op) {
        // Not along the dimension: it has more than one element.
        return op.getSrc().getType().getDimSize(dim) ==
                   op.getType().getDimSize(dim) &&
               reach(op.getResult(), dim);
      })
      .Case([&](TransOp op) {
        ArrayRef<int32_t> order = op.getOrder();
        return reach(op.getResult(),
                     llvm::find(order, int32_t(dim)) - order.begin());
      })
      .Case([&](triton::StoreOp store) {
        return use.get() == store.getValue() && use.get() != store.getMask() &&
               (isLeftOut(store.getMask(), dim) ||
                isOutside(cast<BlockAccessOpInterface>(*store), dim));
      })
      .Case([&](ScatterRowsOp store) {
        return use.get() == store.getValue() && isOutside(store, dim);
      })
      .Case([&](AtomicRMWOp atomic) {
        return use.get() == atomic.getVal() && use.get() != atomic.getMask() &&
               isLeftOut(atomic.getMask(), dim);
      })
      .Default(false);
}
} // namespace

bool areElementsHidden(Value tensor, unsigned dim, const UniformSum &end,
                       AddressFormReader &reader, UniformValues &values,
                       ValueSources &sources) {
  return HiddenElementFlow(end, reader, values, sources).run(tensor, dim);
}

} // namespace mlir::triton::gpu::intel
