//===- AddToLanes.cpp - Sums with a number in one lane --------------------===//
// SPDX-License-Identifier: MIT
//
// A row of an identity matrix is a number in one lane, and zeros in the others.
// A GPU compares the lane's number, selects, and adds, in three instructions;
// the 16 conditions of a matrix are more than the flags of a thread. An
// instruction can also write one lane of a register:
//
//   %c = icmp eq i32 %lane, 5                 add 1.0 to lane 5 of %x
//   %e = uitofp i1 %c to float          =>    %s = fadd float %x, 0.0
//   %s = fadd float %x, %e
//
// The sum with zero remains, since it changes a negative zero. It comes last:
// its result may be a part of a larger value, and that of the other instruction
// is a variable. That one writes its lane whether this lane is active or not.
// So all lanes have to run the block.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../GroupSizes.h"
#include "../LaneEvaluator.h"
#include "../UniformValues.h"

#include "intel/Target/KnownTargets.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// A number of 32 bits, other than zero, that one lane has; the others have
/// zeros.
struct LaneNumber {
  unsigned lane;
  uint32_t bits;
};

/// Finds sums with such numbers in a function.
class LaneSums {
public:
  LaneSums(Function &function, unsigned numLanes)
      : evaluator(numLanes, function.getDataLayout()), numLanes(numLanes) {}

  /// Returns the number of each element of an operand, which has one use;
  /// nothing if an element is no such number.
  std::optional<SmallVector<LaneNumber>> match(Value *operand);

private:
  std::optional<unsigned> findLane(Value *lanes, Constant *number);

  LaneEvaluator evaluator;
  unsigned numLanes;
};

/// Returns the only lane in which `lanes` is `number`.
std::optional<unsigned> LaneSums::findLane(Value *lanes, Constant *number) {
  Constant *values = evaluator.evaluate(lanes);
  std::optional<unsigned> found;
  for (unsigned lane : seq(values ? numLanes : 0))
    if (values->getAggregateElement(lane) == number) {
      if (found)
        return std::nullopt;
      found = lane;
    }
  return found;
}

std::optional<SmallVector<LaneNumber>> LaneSums::match(Value *operand) {
  Value *condition;
  Constant *number = nullptr;
  if (PatternMatch::match(operand, m_OneUse(m_UIToFP(m_Value(condition)))))
    number = ConstantFP::get(operand->getType(), 1.0);
  else if (!PatternMatch::match(
               operand, m_OneUse(m_Select(m_Value(condition),
                                          m_Constant(number), m_PosZeroFP()))))
    return std::nullopt;
  Value *lanes;
  Constant *places;
  if (!PatternMatch::match(condition,
                           m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(lanes),
                                          m_Constant(places))))
    return std::nullopt;
  auto *vector = dyn_cast<FixedVectorType>(operand->getType());
  if (vector)
    lanes = const_cast<Value *>(getSplatValue(lanes));
  SmallVector<LaneNumber> result;
  for (unsigned element : seq(vector ? vector->getNumElements() : 1)) {
    Constant *place = vector ? places->getAggregateElement(element) : places;
    auto *own = dyn_cast_or_null<ConstantFP>(
        vector ? number->getAggregateElement(element) : number);
    std::optional<unsigned> lane;
    if (lanes && place)
      lane = findLane(lanes, place);
    if (!lane || !own || !own->getType()->isFloatTy() || own->isZero())
      return std::nullopt;
    result.push_back(
        {*lane, static_cast<uint32_t>(
                    own->getValueAPF().bitcastToAPInt().getZExtValue())});
  }
  return result;
}

/// Adds a number to one lane of a float.
Value *addToLane(IRBuilder<> &builder, Value *sum, LaneNumber number,
                 unsigned numLanes) {
  std::string text = ("{\n.decl F v_type=G type=F num_elts=" + Twine(numLanes) +
                      " alias=<$0,0>\nadd (M1_NM, 1) F(0," +
                      Twine(number.lane) + ")<1> F(0," + Twine(number.lane) +
                      ")<0;1,0> 0x" + Twine::utohexstr(number.bits) + ":f\n}\n")
                         .str();
  Type *bits = builder.getInt32Ty();
  auto *code = InlineAsm::get(
      FunctionType::get(bits, {bits}, /*isVarArg=*/false), text, "=rw,0",
      /*hasSideEffects=*/false);
  CallInst *call = builder.CreateCall(code, {builder.CreateBitCast(sum, bits)});
  call->setConvergent();
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  return builder.CreateBitCast(call, sum->getType());
}

} // namespace

PreservedAnalyses AddToLanesPass::run(Function &function,
                                      FunctionAnalysisManager &analyses) {
  constexpr unsigned elementBytes = 4;
  unsigned numLanes = getSubGroupSize(function);
  // A value of a lane is an element of one register.
  if (!target ||
      numLanes * elementBytes != target->registerModes.front().registerBytes)
    return PreservedAnalyses::all();
  struct Candidate {
    Instruction *sum;
    unsigned operand;
    SmallVector<LaneNumber> numbers;
  };
  SmallVector<Candidate> candidates;
  LaneSums sums(function, numLanes);
  for (Instruction &inst : instructions(function)) {
    if (inst.getOpcode() != Instruction::FAdd)
      continue;
    for (unsigned operand : seq(2))
      if (auto numbers = sums.match(inst.getOperand(operand))) {
        candidates.push_back({&inst, operand, std::move(*numbers)});
        break;
      }
  }
  if (candidates.empty())
    return PreservedAnalyses::all();
  UniformValues uniform(
      function, analyses.getResult<LoopAnalysis>(function),
      analyses.getResult<PostDominatorTreeAnalysis>(function));
  bool isChanged = false;
  for (const auto &[inst, operand, numbers] : candidates) {
    if (!uniform.isRunByAllLanes(inst->getParent()))
      continue;
    Value *row = inst->getOperand(operand);
    Value *other = inst->getOperand(1 - operand);
    IRBuilder<> builder(inst);
    builder.setFastMathFlags(inst->getFastMathFlags());
    Value *sum = PoisonValue::get(inst->getType());
    if (!inst->getType()->isVectorTy())
      sum = addToLane(builder, other, numbers.front(), numLanes);
    else
      for (auto [element, number] : enumerate(numbers))
        sum = builder.CreateInsertElement(
            sum,
            addToLane(builder, builder.CreateExtractElement(other, element),
                      number, numLanes),
            element);
    Value *result =
        builder.CreateFAdd(sum, Constant::getNullValue(inst->getType()));
    inst->replaceAllUsesWith(result);
    inst->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(row);
    isChanged = true;
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
