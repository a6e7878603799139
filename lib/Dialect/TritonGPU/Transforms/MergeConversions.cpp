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

/// The bytes of a lane for results that are loaded earlier than before: 16
/// elements of 32 bits, a sixteenth of the largest register file of a lane.
constexpr int64_t kMaxHeldBytes = 64;

/// Conversions that become one operation, at the place of the first one, which
/// is the last in the list.
struct Group {
  SmallVector<ConvertLayoutOp> members;
  int64_t scratchBytes, heldBytes = 0;
  ConvertLayoutOp first() const { return members.back(); }
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
    share = getSharedMemoryShare(getOperation());
    getOperation().walk([&](Block *block) {
      if (isInLoop(block->getParentOp()))
        return;
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
    int64_t heldBytes = getLaneBytes(op.getType());
    for (Group &group : groups) {
      if (group.scratchBytes + scratchBytes > share ||
          group.heldBytes + heldBytes > kMaxHeldBytes)
        continue;
      std::optional<SmallVector<Operation *>> moves =
          findMoves(group.first(), op);
      if (!moves || !isIndependent(op, *moves, group, groups))
        continue;
      LDBG() << "merged: the conversions at " << group.first().getLoc()
             << " and " << op.getLoc();
      for (Operation *move : *moves)
        move->moveBefore(group.first());
      op->moveBefore(group.first());
      group.members.insert(std::prev(group.members.end()), op);
      group.scratchBytes += scratchBytes;
      group.heldBytes += heldBytes;
      ++numMerged;
      return;
    }
    groups.push_back({{op}, scratchBytes});
  }

  /// Returns whether no operand comes from a conversion of the group, and no
  /// conversion that has its own exchange has to move.
  static bool isIndependent(ConvertLayoutOp op, ArrayRef<Operation *> moves,
                            const Group &group, ArrayRef<Group> groups) {
    auto isMember = [](Operation *producer, const Group &group) {
      auto conversion = dyn_cast_if_present<ConvertLayoutOp>(producer);
      return conversion && llvm::is_contained(group.members, conversion);
    };
    auto isFromGroup = [&](Value operand) {
      return isMember(operand.getDefiningOp(), group);
    };
    return !isFromGroup(op.getSrc()) &&
           llvm::none_of(moves, [&](Operation *move) {
             return llvm::any_of(move->getOperands(), isFromGroup) ||
                    llvm::any_of(groups, [&](const Group &other) {
                      return isMember(move, other);
                    });
           });
  }

  static void merge(const Group &group) {
    OpBuilder builder(group.first());
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

  /// The bytes of shared memory that the module has for its own.
  int64_t share = 0;
};

} // namespace
