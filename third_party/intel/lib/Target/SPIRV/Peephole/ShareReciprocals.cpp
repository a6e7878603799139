//===- ShareReciprocals.cpp - One reciprocal for many quotients -----------===//
// SPDX-License-Identifier: MIT
//
// OpenCL's division of f32 may be off by 2.5 units in the last place. A GPU has
// a reciprocal, and its compiler writes a quotient as one: the divisor is
// scaled so that it has a normal reciprocal, and the dividend likewise. It does
// so for each element of a vector, also where all have the same divisor, as the
// rows of a softmax do, and does not find out that all but the last product are
// the same.
//
// With a scale s of 2^32, 2^-32, or mostly 1,
//
//   x / y = (x * s) * (1 / (y * s))
//
// in which products with s are exact or lie where the quotient is 0 or infinite
// anyway, so that an error of 1 unit in the reciprocal and half a one in the
// product remain. Zeros, infinities and NaN come out as they should.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Divisors beyond these have no normal reciprocal.
constexpr double kLargest = 0x1p126, kSmallest = 0x1p-126;
/// Brings any divisor between both.
constexpr double kScale = 0x1p32;

/// Quotients with the same divisor, a scalar where all elements have it.
struct Quotients {
  SmallVector<BinaryOperator *> divisions;
  /// Elements of all of them per element of the divisor.
  unsigned numElements = 0;
};

/// Returns the place after the definition; null if there is no such place.
Instruction *getPlaceBehind(Value *value, Function &function) {
  auto *definition = dyn_cast<Instruction>(value);
  if (!definition)
    return &*function.getEntryBlock().getFirstInsertionPt();
  std::optional<BasicBlock::iterator> place =
      definition->getInsertionPointAfterDef();
  return place ? &**place : nullptr;
}

/// Writes the quotients as products with one reciprocal.
void share(Value *divisor, ArrayRef<BinaryOperator *> divisions,
           Instruction *place) {
  IRBuilder<> builder(place);
  builder.SetCurrentDebugLocation(divisions.front()->getDebugLoc());
  Type *type = divisor->getType();
  auto constant = [&](double value) { return ConstantFP::get(type, value); };
  Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, divisor);
  Value *small = builder.CreateSelect(
      builder.CreateFCmpOLT(magnitude, constant(kSmallest)), constant(kScale),
      constant(1));
  Value *scale =
      builder.CreateSelect(builder.CreateFCmpOGT(magnitude, constant(kLargest)),
                           constant(1 / kScale), small);
  Value *reciprocal =
      builder.CreateFDiv(constant(1), builder.CreateFMul(divisor, scale));
  for (BinaryOperator *division : divisions) {
    builder.SetInsertPoint(division);
    auto spread = [&](Value *value) {
      auto *vector = dyn_cast<FixedVectorType>(division->getType());
      return vector && !value->getType()->isVectorTy()
                 ? builder.CreateVectorSplat(vector->getNumElements(), value)
                 : value;
    };
    Value *scaled = builder.CreateFMul(division->getOperand(0), spread(scale));
    Value *quotient = builder.CreateFMul(scaled, spread(reciprocal));
    quotient->takeName(division);
    division->replaceAllUsesWith(quotient);
    division->eraseFromParent();
  }
}

} // namespace

PreservedAnalyses ShareReciprocalsPass::run(Function &function,
                                            FunctionAnalysisManager &) {
  MapVector<Value *, Quotients> shared;
  for (Instruction &inst : instructions(function)) {
    Value *divisor =
        inst.getOpcode() == Instruction::FDiv ? inst.getOperand(1) : nullptr;
    // Quotients by constants are the compiler's to write as products.
    if (!divisor || !divisor->getType()->getScalarType()->isFloatTy() ||
        isa<Constant>(divisor))
      continue;
    auto *vector = dyn_cast<FixedVectorType>(divisor->getType());
    unsigned numElements = 1;
    if (Value *scalar = vector ? getSplatValue(divisor) : nullptr) {
      divisor = scalar;
      numElements = vector->getNumElements();
    }
    if (isa<Constant>(divisor))
      continue;
    Quotients &quotients = shared[divisor];
    quotients.divisions.push_back(cast<BinaryOperator>(&inst));
    quotients.numElements += numElements;
  }
  bool hasChanged = false;
  for (auto &[divisor, quotients] : shared) {
    Instruction *place = getPlaceBehind(divisor, function);
    if (quotients.numElements < 2 || !place)
      continue;
    share(divisor, quotients.divisions, place);
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
