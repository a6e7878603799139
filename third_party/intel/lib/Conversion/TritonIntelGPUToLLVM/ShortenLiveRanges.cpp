//===- ShortenLiveRanges.cpp - Load late, compute early -------------------===//
//
// The lowering of one tensor operation after the other leaves the code in an
// order in which whole tensors are alive at the same time. This pass brings the
// operations on parts of tensors together. It runs on the lowered code, where
// every value is a register or a few.
//
// First, 2D block loads move down to the first use of what they loaded: a dot
// loads all of its operands before the first instruction of the product, though
// each instruction takes a fraction of them. Other loads stay early, where
// their latency is hidden; blocks were prefetched.
//
// Then operations on vectors move up, if that does not add to what is alive
// between the old and the new place: constants, splats and widening conversions
// stay near their uses.
//
//===----------------------------------------------------------------------===//

#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUSHORTENLIVERANGES
#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;

namespace {

/// Bits of a value in the registers of one lane.
int64_t getBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

/// Is `value` alive in this block only because of `user`?
bool isLastUse(Value value, Operation *user) {
  return value.getParentBlock() == user->getBlock() &&
         llvm::all_of(value.getUsers(),
                      [&](Operation *other) { return other == user; });
}

/// The operation behind which `op` should stand; null to leave it alone.
Operation *findNewPlace(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op) ||
      !isa<VectorType>(op->getResult(0).getType()))
    return nullptr;
  Operation *last = nullptr;
  int64_t released = 0;
  SmallVector<Value, 4> operands;
  for (Value operand : op->getOperands()) {
    if (llvm::is_contained(operands, operand))
      continue;
    operands.push_back(operand);
    if (isLastUse(operand, op))
      released += getBits(operand.getType());
    Operation *producer = operand.getDefiningOp();
    if (producer && producer->getBlock() == op->getBlock() &&
        (!last || last->isBeforeInBlock(producer)))
      last = producer;
  }
  if (!last || last->getNextNode() == op ||
      released < getBits(op->getResult(0).getType()))
    return nullptr;
  return last;
}

/// Can a load move across `op`? Calls without effects say so in an attribute.
bool leavesMemoryAlone(Operation *op) {
  if (isa<xevm::BlockLoad2dOp, xevm::BlockPrefetch2dOp, xevm::PrefetchOp,
          xevm::MMAOp>(op))
    return true;
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    LLVM::MemoryEffectsAttr effects = call.getMemoryEffectsAttr();
    auto isNone = [](LLVM::ModRefInfo info) {
      return info == LLVM::ModRefInfo::NoModRef;
    };
    return effects && isNone(effects.getOther()) &&
           isNone(effects.getArgMem()) && isNone(effects.getInaccessibleMem());
  }
  return isMemoryEffectFree(op);
}

/// A block load and, behind it, the operations of its block that do nothing but
/// cut what it loaded into pieces, in program order.
SmallVector<Operation *> getLoadWithPieces(xevm::BlockLoad2dOp load) {
  SmallVector<Operation *> group{load};
  for (unsigned i = 0; i < group.size(); ++i)
    for (Operation *user : group[i]->getUsers())
      if (user->getBlock() == load->getBlock() &&
          isa<LLVM::ShuffleVectorOp, LLVM::BitcastOp>(user) &&
          llvm::all_of(user->getOperands(),
                       [&](Value operand) {
                         Operation *producer = operand.getDefiningOp();
                         return llvm::is_contained(group, producer) ||
                                (producer &&
                                 producer->hasTrait<OpTrait::ConstantLike>());
                       }) &&
          !llvm::is_contained(group, user))
        group.push_back(user);
  llvm::sort(group, [](Operation *left, Operation *right) {
    return left->isBeforeInBlock(right);
  });
  return group;
}

/// Moves `load`, with what only cuts it into pieces, down to the first use of
/// a piece, or to what it must not cross. Returns whether anything moved.
bool sinkLoad(xevm::BlockLoad2dOp load) {
  SmallVector<Operation *> group = getLoadWithPieces(load);
  Operation *terminator = load->getBlock()->getTerminator();
  Operation *place = terminator;
  for (Operation *member : group)
    for (Operation *user : member->getUsers())
      if (!llvm::is_contained(group, user)) {
        Operation *ancestor = load->getBlock()->findAncestorOpInBlock(*user);
        if (ancestor && ancestor->isBeforeInBlock(place))
          place = ancestor;
      }
  // What is loaded for the next iteration has all of this one to arrive.
  if (place == terminator)
    return false;
  for (Operation *op = load->getNextNode(); op != place; op = op->getNextNode())
    if (!llvm::is_contained(group, op) && !leavesMemoryAlone(op)) {
      place = op;
      break;
    }
  // Pieces behind the place are cut behind what the load cannot cross.
  bool moved = false;
  for (Operation *member : group)
    if (member->isBeforeInBlock(place) && member->getNextNode() != place) {
      member->moveBefore(place);
      moved = true;
    }
  return moved;
}

class ShortenLiveRangesPass
    : public gpu::intel::impl::TritonIntelGPUShortenLiveRangesBase<
          ShortenLiveRangesPass> {
public:
  void runOnOperation() override {
    getOperation().walk([&](Block *block) {
      // From the end, so that loads with the same first use keep their order.
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (auto load = dyn_cast<xevm::BlockLoad2dOp>(op))
          numMoved += sinkLoad(load);
      // In program order, so that a chain of operations moves as a whole.
      for (Operation &op : llvm::make_early_inc_range(*block))
        if (Operation *place = findNewPlace(&op)) {
          op.moveAfter(place);
          ++numMoved;
        }
    });
  }
};

} // namespace
