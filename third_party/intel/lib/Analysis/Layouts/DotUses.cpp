//===- DotUses.cpp - Which dots use a tensor as an operand? ---------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Layouts/DotUses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

bool hasDot(Operation *scope) {
  return scope->walk([](DotOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

DotUses findDotUses(Value value, ValueSources &sources,
                    llvm::function_ref<bool(Operation *)> passes) {
  DotUses uses;
  llvm::SetVector<Value> reached;
  reached.insert(value);
  SmallVector<Value> next;
  // Grows while it is read: every value is visited once, so cycles through
  // loops end.
  for (size_t i = 0; i != reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      next.clear();
      // First the uses that only hand the value on: operands of loops,
      // branches, yields and calls.
      if (sources.getDestinations(use, next)) {
        reached.insert_range(next);
      } else if (isa<DotOpInterface>(user) && use.getOperandNumber() < 2) {
        // Operand 2 is the accumulator, which does not count.
        bool isLeft = use.getOperandNumber() == 0;
        uses.isLeft |= isLeft;
        uses.isRight |= !isLeft;
        uses.dots.insert(cast<DotOpInterface>(user));
      } else if (passes(user)) {
        reached.insert_range(user->getResults());
      } else {
        uses.isOther = true;
      }
    }
  return uses;
}

/// Returns whether the operation computes each element of its result from the
/// same element of its operands.
static bool isElementwise(Operation *op) {
  return op->hasTrait<mlir::OpTrait::Elementwise>();
}

SmallVector<Value> getOperandOrigins(Value operand) {
  SmallVector<Value> origins{operand};
  while (Operation *op = origins.back().getDefiningOp()) {
    if (!isa<ConvertLayoutOp>(op) && !isElementwise(op))
      break;
    // For a choice, the value that is chosen where the mask holds.
    origins.push_back(op->getOperand(isa<arith::SelectOp>(op) ? 1 : 0));
  }
  return origins;
}

/// Returns whether `value` comes from the result of a dot, element by element.
static bool isMadeFromDot(Value value, ValueSources &sources) {
  // Walks backwards through whatever hands a value on and through elementwise
  // operations.
  llvm::SetVector<Value> reached;
  reached.insert(value);
  SmallVector<Value> next;
  for (size_t i = 0; i != reached.size(); ++i) {
    Operation *op = reached[i].getDefiningOp();
    if (isa_and_nonnull<DotOpInterface>(op))
      return true;
    next.clear();
    if (sources.getSources(reached[i], next))
      reached.insert_range(next);
    else if (op && isElementwise(op))
      reached.insert_range(op->getOperands());
  }
  return false;
}

bool hasPairsOfBytes(RankedTensorType left) {
  // Each of the 16 lanes of an instruction has a pair.
  constexpr int64_t pairsOfRow = 16;
  return left.getShape().back() % (2 * pairsOfRow) == 0;
}

bool movesRowsOfDot(Operation *access, ValueSources &sources) {
  // A store moves rows of a dot if what it stores comes from the result.
  if (auto store = dyn_cast<StoreOp>(access))
    return isMadeFromDot(store.getValue(), sources);
  Type element = getElementTypeOrSelf(access->getResult(0).getType());
  // 8-bit elements come two to a lane: of left operands, as far as these are
  // long enough for both.
  if (element.getIntOrFloatBitWidth() == 8) {
    DotUses uses = findDotUses(access->getResult(0), sources, isElementwise);
    return uses.isDotOperandOnly() && !uses.isRight &&
           llvm::all_of(uses.dots, [](DotOpInterface dot) {
             auto type = cast<RankedTensorType>(dot.getA().getType());
             return type.getElementTypeBitWidth() <= 16 &&
                    hasPairsOfBytes(type);
           });
  }
  // Wider elements may pass elementwise operations, and may meet the result of
  // a dot there, as a bias or a residual does.
  bool goesWithResult = false;
  DotUses uses =
      findDotUses(access->getResult(0), sources, [&](Operation *user) {
        if (!isElementwise(user))
          return false;
        goesWithResult |= llvm::any_of(user->getOperands(), [&](Value operand) {
          return isMadeFromDot(operand, sources);
        });
        return true;
      });
  return !uses.isRight && (uses.isLeft || goesWithResult);
}

} // namespace mlir::triton::gpu::intel
