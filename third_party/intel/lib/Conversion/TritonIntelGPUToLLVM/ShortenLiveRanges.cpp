//===- ShortenLiveRanges.cpp - Compute as soon as possible ----------------===//
//
// The lowering of one tensor operation after the other leaves the code in an
// order in which whole tensors are alive at the same time. This pass brings the
// operations on parts of tensors together. It runs on the lowered code, where
// every value is a register or a few.
//
// An operation moves up only if it does not add to what is alive between its
// old and its new place: constants, splats and widening conversions stay near
// their uses.
//
//===----------------------------------------------------------------------===//

#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h"

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

class ShortenLiveRangesPass
    : public gpu::intel::impl::TritonIntelGPUShortenLiveRangesBase<
          ShortenLiveRangesPass> {
public:
  void runOnOperation() override {
    getOperation().walk([&](Block *block) {
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
