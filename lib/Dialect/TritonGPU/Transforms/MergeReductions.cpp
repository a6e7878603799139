//===- MergeReductions.cpp - One exchange for several reductions ----------===//
// SPDX-License-Identifier: MIT
//
// Reductions whose axis crosses warps exchange data through shared memory, with
// a barrier. Independent reductions need only one barrier: the later one moves
// up to the earlier one, together with the computation of its operands, and
// both become one reduction of several operands, each combined by its own
// operation.
//
// Reductions are not merged if one comes from a scan anyway, if layouts or axes
// differ, if regions have more than one operation per operand, or if an
// operation that would have to move has side effects, or would pass a barrier
// or another operation whose position matters.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritongpu-merge-reductions"
#include "triton/Support/DebugOutput.h"

#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

#include "ExchangeMoves.h"
#include "mlir/IR/IRMapping.h"
#include "triton/Analysis/CombineLayout.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu {
#define GEN_PASS_DEF_TRITONGPUMERGEREDUCTIONS
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

namespace {

/// Returns whether `op` exchanges anything, by a region that can be merged with
/// others.
bool isCandidate(ReduceOp op) {
  return !getOperandCombiners(op).empty() &&
         getScratchBytes(op).value_or(0) > 0;
}

/// Returns whether the operands have the same layout.
bool haveSameLayout(ReduceOp first, ReduceOp second) {
  RankedTensorType a = first.getInputTypes().front();
  RankedTensorType b = second.getInputTypes().front();
  return first.getAxis() == second.getAxis() && a.getShape() == b.getShape() &&
         a.getEncoding() == b.getEncoding();
}

/// Returns one reduction of the operands of both, in place of `first`.
ReduceOp merge(ReduceOp first, ReduceOp second) {
  OpBuilder builder(first);
  SmallVector<Value> sources(first.getSrcs());
  llvm::append_range(sources, second.getSrcs());
  SmallVector<Type> results(first->getResultTypes());
  llvm::append_range(results, second->getResultTypes());
  auto merged = ReduceOp::create(
      builder, builder.getFusedLoc({first.getLoc(), second.getLoc()}), results,
      sources, first.getAxis());

  // First all values that are combined, then those that they are combined with.
  Block *body = builder.createBlock(&merged.getCombineOp());
  IRMapping mapping;
  for (bool isOther : {false, true})
    for (ReduceOp op : {first, second}) {
      ArrayRef<BlockArgument> arguments =
          op.getCombineOp().front().getArguments();
      size_t half = arguments.size() / 2;
      for (BlockArgument argument :
           isOther ? arguments.drop_front(half) : arguments.take_front(half))
        mapping.map(argument,
                    body->addArgument(argument.getType(), argument.getLoc()));
    }
  SmallVector<Value> combined;
  for (ReduceOp op : {first, second}) {
    Block &block = op.getCombineOp().front();
    for (Operation &nested : block.without_terminator())
      builder.clone(nested, mapping);
    for (Value value : block.getTerminator()->getOperands())
      combined.push_back(mapping.lookup(value));
  }
  ReduceReturnOp::create(builder, merged.getLoc(), combined);

  size_t count = first->getNumResults();
  first->replaceAllUsesWith(merged->getResults().take_front(count));
  second->replaceAllUsesWith(merged->getResults().drop_front(count));
  first->erase();
  second->erase();
  return merged;
}

class TritonGPUMergeReductionsPass
    : public triton::gpu::impl::TritonGPUMergeReductionsBase<
          TritonGPUMergeReductionsPass> {
public:
  void runOnTTGIR() override {
    getOperation().walk([&](Block *block) {
      SmallVector<ReduceOp> candidates;
      for (auto op : block->getOps<ReduceOp>())
        if (isCandidate(op))
          candidates.push_back(op);
      mergeAll(candidates);
    });
  }

private:
  /// Merges each one with the earliest one that it can join.
  void mergeAll(MutableArrayRef<ReduceOp> candidates) {
    for (size_t second = 1; second < candidates.size(); ++second)
      for (ReduceOp &first : candidates.take_front(second)) {
        ReduceOp &op = candidates[second];
        if (!first || !haveSameLayout(first, op))
          continue;
        std::optional<SmallVector<Operation *>> moves = findMoves(first, op);
        if (!moves) {
          LDBG() << "apart: the reductions at " << first.getLoc() << " and "
                 << op.getLoc() << ", one of which cannot move to the other";
          continue;
        }
        LDBG() << "merged: the reductions at " << first.getLoc() << " and "
               << op.getLoc();
        for (Operation *move : *moves)
          move->moveBefore(first);
        first = merge(first, op);
        op = nullptr;
        ++numMerged;
        break;
      }
  }
};

} // namespace
