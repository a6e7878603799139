//===- LaneEvaluator.cpp - Numbers that follow from the lane --------------===//
// SPDX-License-Identifier: MIT

#include "LaneEvaluator.h"

#include "Calls.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {

Constant *LaneEvaluator::evaluate(Value *value) {
  // Phis, which alone can depend on themselves, are not looked through.
  if (auto known = results.find(value); known != results.end())
    return known->second;
  Constant *result = compute(value);
  results[value] = result;
  return result;
}

Constant *LaneEvaluator::compute(Value *value) {
  if (auto *number = dyn_cast<ConstantInt>(value))
    return ConstantVector::getSplat(ElementCount::getFixed(numLanes), number);
  if (getCalleeName(value) == kLaneId) {
    SmallVector<Constant *> lanes;
    for (unsigned lane : seq(numLanes))
      lanes.push_back(ConstantInt::get(value->getType(), lane));
    return ConstantVector::get(lanes);
  }
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !inst->getType()->isIntegerTy())
    return nullptr;
  auto *type = FixedVectorType::get(inst->getType(), numLanes);
  if (isa<BinaryOperator>(inst)) {
    Constant *lhs = evaluate(inst->getOperand(0));
    Constant *rhs = lhs ? evaluate(inst->getOperand(1)) : nullptr;
    return rhs ? ConstantFoldBinaryOpOperands(inst->getOpcode(), lhs, rhs,
                                              layout)
               : nullptr;
  }
  if (auto *comparison = dyn_cast<ICmpInst>(inst)) {
    Constant *lhs = evaluate(inst->getOperand(0));
    Constant *rhs = lhs ? evaluate(inst->getOperand(1)) : nullptr;
    return rhs ? ConstantFoldCompareInstOperands(comparison->getPredicate(),
                                                 lhs, rhs, layout)
               : nullptr;
  }
  if (isa<TruncInst, ZExtInst, SExtInst>(inst))
    if (Constant *operand = evaluate(inst->getOperand(0)))
      return ConstantFoldCastOperand(inst->getOpcode(), operand, type, layout);
  return nullptr;
}

} // namespace triton::intel::spirv
