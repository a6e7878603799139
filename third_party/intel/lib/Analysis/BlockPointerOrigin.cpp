//===- BlockPointerOrigin.cpp - Where a block pointer comes from ----------===//

#include "intel/Analysis/BlockPointerOrigin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// The values that `argument` of a structured loop may be; false if unknown.
static bool getIncomingValues(BlockArgument argument,
                              SmallVectorImpl<Value> &values) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    values.push_back(loop.getTiedLoopInit(argument)->get());
    values.push_back(loop.getTiedLoopYieldedValue(argument)->get());
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    unsigned index = argument.getArgNumber();
    if (argument.getOwner() == loop.getBeforeBody()) {
      values.push_back(loop.getInits()[index]);
      values.push_back(loop.getYieldOp().getOperand(index));
    } else {
      values.push_back(loop.getConditionOp().getArgs()[index]);
    }
    return true;
  }
  return false;
}

/// The values that `result` of a structured operation may be.
static bool getIncomingValues(OpResult result, SmallVectorImpl<Value> &values) {
  unsigned index = result.getResultNumber();
  Operation *op = result.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    values.push_back(loop.getRegionIterArg(index));
    // A loop that runs no iteration gives the initial value.
    values.push_back(loop.getInitArgs()[index]);
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    values.push_back(loop.getConditionOp().getArgs()[index]);
    return true;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    values.push_back(branch.thenYield().getOperand(index));
    values.push_back(branch.elseYield().getOperand(index));
    return true;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    values.push_back(select.getTrueValue());
    values.push_back(select.getFalseValue());
    return true;
  }
  return false;
}

bool getBlockPointerSources(Value pointer, SmallVectorImpl<Value> &sources) {
  if (auto argument = dyn_cast<BlockArgument>(pointer))
    return getIncomingValues(argument, sources);
  if (auto advance = pointer.getDefiningOp<AdvanceOp>()) {
    sources.push_back(advance.getPtr());
    return true;
  }
  return pointer.getDefiningOp<MakeTensorPtrOp>() ||
         getIncomingValues(cast<OpResult>(pointer), sources);
}

BlockPointerOrigin traceBlockPointer(Value pointer) {
  BlockPointerOrigin origin;
  SmallVector<Value> worklist{pointer};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!origin.values.insert(value))
      continue;
    if (auto maker = value.getDefiningOp<MakeTensorPtrOp>())
      origin.makers.insert(maker);
    else if (auto advance = value.getDefiningOp<AdvanceOp>())
      origin.advances.insert(advance);
    origin.isComplete &= getBlockPointerSources(value, worklist);
  }
  return origin;
}

} // namespace mlir::triton::gpu::intel
