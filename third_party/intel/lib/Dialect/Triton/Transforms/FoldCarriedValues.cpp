//===- FoldCarriedValues.cpp - Values that a loop carries unchanged -------===//
// SPDX-License-Identifier: MIT
//
// A kernel may assign a variable again in a loop, with the value that it has
// anyway: a range that each branch makes, or two variables that are swapped.
// The loop then carries the variable, and nothing is known of it: addresses
// that are computed from it are no blocks.
//
// All carried values are assumed not to change. A value of which this does not
// follow from the assumption is dropped from it, until the rest follows: in a
// loop that cannot change the values, the rest is right by induction over the
// iterations.
//
// Runs after loop-invariant code motion and CSE, which show that two values are
// the same operation's.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-fold-carried-values"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELFOLDCARRIEDVALUES
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;

namespace {

Value getInit(BlockArgument argument) {
  auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop.getTiedLoopInit(argument)->get();
}

Value getYielded(BlockArgument argument) {
  auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop.getTiedLoopYieldedValue(argument)->get();
}

/// Finds the values that loops carry unchanged.
class UnchangedValues {
public:
  explicit UnchangedValues(Operation *root) {
    root->walk([&](scf::ForOp loop) {
      unchanged.insert_range(loop.getRegionIterArgs());
    });
    // Each round drops at least one value.
    while (unchanged.remove_if([&](BlockArgument argument) {
      return getOrigin(getYielded(argument)) != getOrigin(getInit(argument));
    }))
      origins.clear();
  }

  ArrayRef<BlockArgument> get() const { return unchanged.getArrayRef(); }

private:
  /// Returns a value that `value` is if the assumption holds, the same for all
  /// values of which it follows that they are equal.
  Value getOrigin(Value value) {
    auto it = origins.find(value);
    if (it != origins.end())
      return it->second;
    // Values in the regions of an operation, and before it, lead to no value
    // that they dominate.
    Value origin = getOriginUncached(value);
    return origins[value] = origin;
  }

  Value getOriginUncached(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return unchanged.contains(argument) ? getOrigin(getInit(argument))
                                          : value;
    auto result = cast<OpResult>(value);
    Operation *op = result.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      BlockArgument carried = loop.getTiedLoopRegionIterArg(result);
      return unchanged.contains(carried) ? getOrigin(carried) : value;
    }
    Value first, second;
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      first = branch.thenYield().getOperand(result.getResultNumber());
      second = branch.elseYield().getOperand(result.getResultNumber());
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      first = select.getTrueValue();
      second = select.getFalseValue();
    } else {
      return value;
    }
    Value origin = getOrigin(first);
    return origin == getOrigin(second) ? origin : value;
  }

  llvm::SetVector<BlockArgument> unchanged;
  DenseMap<Value, Value> origins;
};

/// Lets loops carry what they began with; see the head of the file.
class FoldCarriedValuesPass
    : public triton::intel::impl::TritonIntelFoldCarriedValuesBase<
          FoldCarriedValuesPass> {
public:
  using TritonIntelFoldCarriedValuesBase::TritonIntelFoldCarriedValuesBase;

  void runOnOperation() override {
    UnchangedValues values(getOperation());
    for (BlockArgument argument : values.get()) {
      auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!mayRewrite(loop))
        continue;
      LDBG() << "argument " << argument.getArgNumber() << " of the loop at "
             << loop.getLoc() << " never changes";
      Value init = getInit(argument);
      // The yielded value has the carried one as its only source, which folds
      // the two away.
      loop.getTiedLoopYieldedValue(argument)->set(argument);
      argument.replaceUsesWithIf(init, [&](OpOperand &use) {
        return use.getOwner() != loop.getBody()->getTerminator();
      });
      loop.getTiedLoopResult(argument).replaceAllUsesWith(init);
      ++numFolded;
    }
  }
};

} // namespace
