//===- MovedElements.cpp - Vectors that repeat elements -------------------===//
// SPDX-License-Identifier: MIT

#include "MovedElements.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {

Value *getMoved(Value *value) {
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(value))
    return isa<PoisonValue>(shuffle->getOperand(1)) ? shuffle->getOperand(0)
                                                    : nullptr;
  auto *insert = dyn_cast<InsertElementInst>(value);
  return insert && isa<PoisonValue>(insert->getOperand(0))
             ? insert->getOperand(1)
             : nullptr;
}

Value *moveAlike(IRBuilder<> &builder, Value *value, Value *moved) {
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(value))
    return builder.CreateShuffleVector(moved, shuffle->getShuffleMask());
  auto *insert = cast<InsertElementInst>(value);
  Type *type = insert->getType()->getWithNewType(moved->getType());
  return builder.CreateInsertElement(PoisonValue::get(type), moved,
                                     insert->getOperand(2));
}

} // namespace triton::intel::spirv
