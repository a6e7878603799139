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
// Divisors of several rows are broadcasts from lanes of one register: its
// scales and reciprocals take the instructions of one row.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Broadcasts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
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

/// Quotients with the same divisor, a scalar if all elements have it.
struct Quotients {
  SmallVector<BinaryOperator *> divisions;
  /// Elements of all of them per element of the divisor.
  unsigned numElements = 0;
};

/// The factors of quotients by a number, or by each number of a vector.
struct Factors {
  Value *scale, *reciprocal;
};

/// Writes the quotients of a function as products.
class ReciprocalSharer {
public:
  ReciprocalSharer(Function &function, const DominatorTree &tree)
      : function(function), tree(tree) {}

  /// Writes the quotients by a divisor as products. Returns false if there is
  /// no place after the divisor.
  bool share(Value *divisor, ArrayRef<BinaryOperator *> divisions) {
    std::optional<Factors> factors =
        createFactors(divisor, divisions.front()->getDebugLoc());
    if (!factors)
      return false;
    for (BinaryOperator *division : divisions) {
      IRBuilder<> builder(division);
      auto spread = [&](Value *value) {
        auto *vector = dyn_cast<FixedVectorType>(division->getType());
        return vector && !value->getType()->isVectorTy()
                   ? builder.CreateVectorSplat(vector->getNumElements(), value)
                   : value;
      };
      Value *scaled =
          builder.CreateFMul(division->getOperand(0), spread(factors->scale));
      Value *quotient = builder.CreateFMul(scaled, spread(factors->reciprocal));
      quotient->takeName(division);
      division->replaceAllUsesWith(quotient);
      division->eraseFromParent();
    }
    return true;
  }

private:
  /// Returns the place after the definition; null if there is no such place.
  Instruction *getPlaceAfter(Value *value) const {
    auto *definition = dyn_cast<Instruction>(value);
    if (!definition)
      return &*function.getEntryBlock().getFirstInsertionPt();
    std::optional<BasicBlock::iterator> place =
        definition->getInsertionPointAfterDef();
    return place ? &**place : nullptr;
  }

  /// Creates the factors for a divisor, or for each of a vector. None if there
  /// is no place for them.
  std::optional<Factors> createFactors(Value *divisor, const DebugLoc &loc) {
    Broadcasts rows = matchBroadcasts(*divisor);
    // All lanes that execute the broadcasts execute the new ones.
    Value *last = divisor;
    if (!rows.calls.empty())
      last = *llvm::max_element(rows.calls, [&](CallInst *one, CallInst *two) {
        return one != two && tree.dominates(one, two);
      });
    Instruction *place = getPlaceAfter(last);
    if (!place)
      return std::nullopt;
    IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(loc);
    if (rows.calls.empty())
      return computeFactors(builder, divisor);
    SmallVector<Value *> scales, reciprocals;
    for (Value *number : rows.registers) {
      auto known = ofRegisters.find(number);
      if (known == ofRegisters.end()) {
        std::optional<Factors> factors = createFactors(number, loc);
        if (!factors)
          return std::nullopt;
        known = ofRegisters.insert({number, *factors}).first;
      }
      scales.push_back(known->second.scale);
      reciprocals.push_back(known->second.reciprocal);
    }
    return Factors{createBroadcasts(builder, scales, rows.places),
                   createBroadcasts(builder, reciprocals, rows.places)};
  }

  static Factors computeFactors(IRBuilder<> &builder, Value *divisor) {
    Type *type = divisor->getType();
    auto constant = [&](double value) { return ConstantFP::get(type, value); };
    Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, divisor);
    Value *small = builder.CreateSelect(
        builder.CreateFCmpOLT(magnitude, constant(kSmallest)), constant(kScale),
        constant(1));
    Value *scale = builder.CreateSelect(
        builder.CreateFCmpOGT(magnitude, constant(kLargest)),
        constant(1 / kScale), small);
    return {scale, builder.CreateFDiv(constant(1),
                                      builder.CreateFMul(divisor, scale))};
  }

  Function &function;
  const DominatorTree &tree;
  /// The factors of registers whose lanes are divisors.
  DenseMap<Value *, Factors> ofRegisters;
};

} // namespace

PreservedAnalyses ShareReciprocalsPass::run(Function &function,
                                            FunctionAnalysisManager &analyses) {
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
  if (shared.empty())
    return PreservedAnalyses::all();
  ReciprocalSharer sharer(function,
                          analyses.getResult<DominatorTreeAnalysis>(function));
  bool hasChanged = false;
  for (auto &[divisor, quotients] : shared)
    if (quotients.numElements > 1 || !matchBroadcasts(*divisor).calls.empty())
      hasChanged |= sharer.share(divisor, quotients.divisions);
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
