//===- MergeConversions.cpp - One exchange for several conversions --------===//
// SPDX-License-Identifier: MIT
//
// Conversions of layouts that move data between warps go through shared memory,
// with a barrier. Conversions that do not depend on each other need only one:
// the later one moves up to the earlier one, together with the computation of
// its operand, and both become one operation.
//
// A conversion joins others as long as the scratch memory of all is within the
// share of a core's memory that the module has, and as long as the results that
// are loaded earlier than before take few registers. Code in loops stays: two
// exchanges of a loop protect the memory of each other, where a single one
// would need a second barrier, and loads that wait for the first of them would
// start later (decode of a serving engine executed 1.4 times the instructions).
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritongpu-merge-conversions"
#include "triton/Support/DebugOutput.h"

#include "ExchangeMoves.h"
#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/ConversionTarget.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu {
#define GEN_PASS_DEF_TRITONGPUMERGECONVERSIONS
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

namespace {

/// Conversions that become one operation, in place of the first one.
struct Group {
  SmallVector<ConvertLayoutOp> members;
  int64_t scratchBytes, heldBytes = 0;
};

/// Returns whether an operation is a loop, or in one.
bool isInLoop(Operation *op) {
  return op && (isa<LoopLikeOpInterface>(op) || isInLoop(op->getParentOp()));
}

/// Returns the bytes of a lane for a tensor.
int64_t getLaneBytes(RankedTensorType type) {
  return toLinearLayout(type).getInDimSize(LayoutDim::Register) *
         getIntOrFloatOrPtrBitWidth(type.getElementType()) / 8;
}

class TritonGPUMergeConversionsPass
    : public triton::gpu::impl::TritonGPUMergeConversionsBase<
          TritonGPUMergeConversionsPass> {
public:
  void runOnTTGIR() override {
    scratchLimit = getSharedMemoryShare(getOperation());
    heldLimit = getHeldBytes(getOperation());
    getOperation().walk([&](Block *block) {
      if (isInLoop(block->getParentOp()))
        return;
      grouped.clear();
      SmallVector<Group> groups;
      for (auto op :
           llvm::make_early_inc_range(block->getOps<ConvertLayoutOp>()))
        if (std::optional<LayoutConversionPlan> plan = planConversion(op);
            plan && plan->shared && plan->shared->numIterations == 1)
          add(op, plan->shared->scratchBytes, groups);
      for (const Group &group : groups)
        if (group.members.size() > 1)
          merge(group);
    });
  }

private:
  /// Adds a conversion to the earliest group that it can join.
  void add(ConvertLayoutOp op, int64_t scratchBytes,
           SmallVectorImpl<Group> &groups) {
    grouped.insert(op);
    int64_t heldBytes = getLaneBytes(op.getType());
    for (Group &group : groups) {
      ConvertLayoutOp first = group.members.front();
      if (group.scratchBytes + scratchBytes > scratchLimit ||
          group.heldBytes + heldBytes > heldLimit)
        continue;
      // A conversion that would have to move comes from an exchange that is not
      // earlier than this one.
      std::optional<SmallVector<Operation *>> moves = findMoves(first, op);
      if (!moves || llvm::any_of(*moves, [&](Operation *move) {
            return grouped.contains(move);
          }))
        continue;
      LDBG() << "merged: the conversions at " << first.getLoc() << " and "
             << op.getLoc();
      for (Operation *move : *moves)
        move->moveBefore(first);
      op->moveAfter(group.members.back());
      group.members.push_back(op);
      group.scratchBytes += scratchBytes;
      group.heldBytes += heldBytes;
      ++numMerged;
      return;
    }
    groups.push_back({{op}, scratchBytes});
  }

  static void merge(const Group &group) {
    ConvertLayoutOp first = group.members.front();
    OpBuilder builder(first);
    SmallVector<Location> locations;
    SmallVector<Value> sources;
    SmallVector<Type> types;
    for (ConvertLayoutOp member : group.members) {
      locations.push_back(member.getLoc());
      sources.push_back(member.getSrc());
      types.push_back(member.getType());
    }
    auto merged = ConvertLayoutsOp::create(
        builder, builder.getFusedLoc(locations), types, sources);
    for (auto [member, result] :
         llvm::zip_equal(group.members, merged.getResults())) {
      ConvertLayoutOp op = member;
      op.getResult().replaceAllUsesWith(result);
      op.erase();
    }
  }

  /// The most bytes of scratch memory of an exchange, and of a lane for results
  /// that are loaded earlier than before.
  int64_t scratchLimit = 0, heldLimit = 0;
  /// Conversions of the block that are in groups.
  llvm::DenseSet<Operation *> grouped;
};

} // namespace
