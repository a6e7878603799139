//===- SaturateConversions.cpp --------------------------------------------===//
// SPDX-License-Identifier: MIT
//
// The conversion of NaN, or of a float that the integer type cannot hold, has
// no defined result: LLVM's fptosi and fptoui return poison, SPIR-V leaves the
// result undefined, and two instruction sets of one compiler do differ (a
// negative f32 as an unsigned integer is 0 with AVX2 and 2^32 - 1 with
// AVX-512). This pass clamps the float to the range of the integer type before
// the conversion, and replaces NaN by 0. LLVM has intrinsics for this, and
// SPIR-V a decoration, but a GPU's compiler takes 14 instructions for 16
// numbers with these, and half of that if the float is clamped.
//
// Runs before the optimizer, which makes use of poison.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {

namespace {

/// Returns the largest number of `semantics` that is below 2^exponent.
APFloat getNumberBelow(const fltSemantics &semantics, unsigned exponent) {
  APFloat number =
      scalbn(APFloat::getOne(semantics), int(exponent), APFloat::rmTowardZero);
  number.next(/*nextDown=*/true);
  return number;
}

/// Returns `inst`'s number as its integer, saturated.
Value *saturate(CastInst *inst) {
  IRBuilder<> builder(inst);
  Value *number = inst->getOperand(0);
  // All integers' bounds are finite in f32.
  if (number->getType()->getScalarType()->isHalfTy())
    number = builder.CreateFPExt(
        number, number->getType()->getWithNewType(builder.getFloatTy()));
  Type *type = number->getType();
  const fltSemantics &semantics = type->getScalarType()->getFltSemantics();

  bool isSigned = isa<FPToSIInst>(inst);
  unsigned bits = inst->getDestTy()->getScalarSizeInBits();
  APInt lowest = isSigned ? APInt::getSignedMinValue(bits) : APInt(bits, 0);
  APInt highest =
      isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  unsigned magnitudeBits = isSigned ? bits - 1 : bits;
  // Either the highest integer is a number, or the next number below the first
  // that is too large is an integer.
  bool isExact = magnitudeBits <= APFloat::semanticsPrecision(semantics);
  APFloat low(semantics), high = getNumberBelow(semantics, magnitudeBits);
  low.convertFromAPInt(lowest, isSigned, APFloat::rmTowardZero);
  if (isExact)
    high.convertFromAPInt(highest, isSigned, APFloat::rmTowardZero);

  // A bound takes the place of NaN, so that 0 as the first one does.
  Constant *zero = Constant::getNullValue(type);
  Value *bounded = builder.CreateMinNum(builder.CreateMaxNum(number, zero),
                                        ConstantFP::get(type, high));
  if (isSigned)
    bounded = builder.CreateFAdd(
        bounded, builder.CreateMaxNum(builder.CreateMinNum(number, zero),
                                      ConstantFP::get(type, low)));
  Value *integer =
      builder.CreateCast(inst->getOpcode(), bounded, inst->getDestTy());
  if (isExact)
    return integer;
  Value *isBeyond = builder.CreateFCmpOGT(number, ConstantFP::get(type, high));
  return builder.CreateSelect(
      isBeyond, ConstantInt::get(inst->getDestTy(), highest), integer);
}

} // namespace

PreservedAnalyses SaturateConversionsPass::run(Function &function,
                                               FunctionAnalysisManager &) {
  SmallVector<CastInst *> conversions;
  for (Instruction &inst : instructions(function))
    if (isa<FPToSIInst, FPToUIInst>(inst))
      conversions.push_back(cast<CastInst>(&inst));
  for (CastInst *inst : conversions) {
    Value *saturated = saturate(inst);
    saturated->takeName(inst);
    inst->replaceAllUsesWith(saturated);
    inst->eraseFromParent();
  }
  return conversions.empty() ? PreservedAnalyses::all()
                             : PreservedAnalyses::none();
}

} // namespace triton::intel::spirv
