//===- WidenHalves.cpp - Arithmetic of f16 in f32 -------------------------===//
// SPDX-License-Identifier: MIT
//
// Processors with AVX2 or AVX-512 can convert f16, but compute in f32. LLVM's
// back end does this for sums and products. For minima, maxima, roundings and
// similar operations it calls a function of the C library, lane by lane, which
// kernels do not have.
//
// The vectorizer cannot widen these operations: LLVM narrows f32 arithmetic
// between conversions of f16 to f16 arithmetic wherever the result is the same.
// So this pass runs after the last pass over LLVM IR, and widens all such
// operations.
//
//===----------------------------------------------------------------------===//

#include "WidenHalves.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

bool isHalf(Type *type) { return type->getScalarType()->isHalfTy(); }

/// Returns whether the function computes with numbers of f16. Numbers of which
/// only the bits are moved or changed (a sign, or a load under a mask) need no
/// wider ones.
bool computesInHalf(const IntrinsicInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::fabs || id == Intrinsic::copysign ||
      id == Intrinsic::is_fpclass || !isTriviallyVectorizable(id))
    return false;
  return isHalf(call.getType()) || any_of(call.args(), [](Value *argument) {
           return isHalf(argument->getType());
         });
}

void widen(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  auto inFloat = [&](Type *type) {
    return isHalf(type) ? type->getWithNewType(builder.getFloatTy()) : type;
  };
  SmallVector<Value *> arguments;
  for (Value *argument : call.args())
    arguments.push_back(
        isHalf(argument->getType())
            ? builder.CreateFPExt(argument, inFloat(argument->getType()))
            : argument);
  CallInst *wide = builder.CreateIntrinsic(inFloat(call.getType()),
                                           call.getIntrinsicID(), arguments);
  if (isa<FPMathOperator>(wide) && isa<FPMathOperator>(call))
    wide->copyFastMathFlags(&call);
  Value *result = wide;
  if (isHalf(call.getType()))
    result = builder.CreateFPTrunc(wide, call.getType());
  result->takeName(&call);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

void triton::intel::cpu::widenHalves(Module &module) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && computesInHalf(*call))
        calls.push_back(call);
  for (IntrinsicInst *call : calls)
    widen(*call);
}
