//===- DotUses.cpp - In which factors of dots does a tensor end? ----------===//

#include "intel/Analysis/DotUses.h"

#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

bool hasDot(Operation *scope) {
  return scope->walk([](DotOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

DotUses findDotUses(Value value, ValueSources &sources,
                    llvm::function_ref<bool(Operation *)> passes) {
  DotUses uses;
  llvm::SetVector<Value> reached;
  reached.insert(value);
  SmallVector<Value> next;
  for (size_t i = 0; i != reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      next.clear();
      if (sources.getDestinations(use, next)) {
        reached.insert_range(next);
      } else if (isa<DotOp>(user) && use.getOperandNumber() < 2) {
        bool isLeft = use.getOperandNumber() == 0;
        uses.isLeft |= isLeft;
        uses.isRight |= !isLeft;
      } else if (passes(user)) {
        reached.insert_range(user->getResults());
      } else {
        uses.isOther = true;
      }
    }
  return uses;
}

} // namespace mlir::triton::gpu::intel
