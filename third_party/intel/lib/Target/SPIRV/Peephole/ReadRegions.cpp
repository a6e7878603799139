//===- ReadRegions.cpp - Shuffles that one instruction does ---------------===//
// SPDX-License-Identifier: MIT
//
// An instruction of a GPU reads the lanes of an operand by a region: lane i
// gets the element
//
//   first + (i / width) * vertical stride + (i % width) * horizontal stride
//
// of the register. A shuffle from lanes that follow this formula, such as those
// of a scan (each run of lanes reads the last one of the run before), is a move
// with a region. IGC knows only those from one lane and from a multiple of the
// own number (CodeGenPatternMatch::MatchRegisterRegion in PatternMatchPass.cpp,
// CISACodeGen). It computes addresses for all others and reads by them, in four
// instructions. So this pass emits the move as assembly.
//
// A region that reads all lanes in another order, such as <1;8,2>, stays a
// shuffle: vISA, the last stage of IGC (of ocloc 26.27), takes it for one that
// reads them in order, if the operand is a copy of halves of 64 bits, and the
// move is lost.
//
// The numbers of the lanes are computed here, for each lane, from the
// expression that the shuffle has.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"
#include "../GroupSizes.h"

#include "intel/Target/KnownTargets.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Evaluates scalars that depend on nothing but the number of the lane.
class LaneEvaluator {
public:
  LaneEvaluator(unsigned numLanes, const DataLayout &layout)
      : numLanes(numLanes), layout(layout) {}

  /// Returns a vector of the values in all lanes; null if they are not known.
  Constant *evaluate(Value *value);

private:
  Constant *compute(Value *value);

  unsigned numLanes;
  const DataLayout &layout;
  /// The vectors that `evaluate` has returned, by value; null if unknown.
  DenseMap<Value *, Constant *> results;
};

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
  if (isa<TruncInst, ZExtInst, SExtInst>(inst))
    if (Constant *operand = evaluate(inst->getOperand(0)))
      return ConstantFoldCastOperand(inst->getOpcode(), operand, type, layout);
  return nullptr;
}

/// A region of a register, in elements.
struct Region {
  unsigned first, verticalStride, width, horizontalStride;

  unsigned getElement(unsigned lane) const {
    return first + lane / width * verticalStride +
           lane % width * horizontalStride;
  }
};

/// Returns whether lanes read each other's elements, each once.
bool isPermutation(ArrayRef<unsigned> lanes) {
  SmallVector<unsigned> sorted(lanes);
  llvm::sort(sorted);
  return equal(sorted, seq<unsigned>(0, lanes.size()));
}

/// Returns the region that reads the element `lanes[i]` in lane i; none if no
/// region does, or if IGC would lose it.
std::optional<Region> findRegion(ArrayRef<unsigned> lanes) {
  if (isPermutation(lanes))
    return std::nullopt;
  // Strides count forwards; an instruction encodes powers of two and zero.
  auto getStride = [&](unsigned from,
                       unsigned largest) -> std::optional<unsigned> {
    if (lanes[from] < lanes[0])
      return std::nullopt;
    unsigned stride = lanes[from] - lanes[0];
    if (stride > largest || (stride != 0 && !isPowerOf2_32(stride)))
      return std::nullopt;
    return stride;
  };
  constexpr unsigned maxHorizontalStride = 4;
  for (unsigned width = 1; width < lanes.size(); width *= 2) {
    std::optional<unsigned> vertical = getStride(width, lanes.size());
    std::optional<unsigned> horizontal =
        width == 1 ? 0 : getStride(1, maxHorizontalStride);
    if (!vertical || !horizontal)
      continue;
    Region region{lanes[0], *vertical, width, *horizontal};
    if (all_of(enumerate(lanes), [&](auto lane) {
          return region.getElement(lane.index()) == lane.value();
        }))
      return region;
  }
  return std::nullopt;
}

/// Returns the region that a call of a shuffle of 32 bits reads; none for other
/// instructions.
std::optional<Region> getRegion(const CallInst &call, LaneEvaluator &evaluator,
                                unsigned numLanes) {
  StringRef name = getCalleeName(&call);
  // The device compiler reads one lane in place.
  if ((name != "_Z17sub_group_shufflefj" &&
       name != "_Z17sub_group_shuffleij") ||
      isa<Constant>(call.getArgOperand(1)))
    return std::nullopt;
  Constant *values = evaluator.evaluate(call.getArgOperand(1));
  if (!values)
    return std::nullopt;
  SmallVector<unsigned> lanes;
  for (unsigned lane : seq(numLanes)) {
    auto *number =
        dyn_cast_or_null<ConstantInt>(values->getAggregateElement(lane));
    if (!number || number->getValue().uge(numLanes))
      return std::nullopt;
    lanes.push_back(number->getZExtValue());
  }
  return findRegion(lanes);
}

/// Moves a region of the register that holds `value`, for the lanes that are
/// active. The assembly is in terms of bits, whatever their type is. LLVM's
/// backend extends integers that assembly returns in the wrong type, so the
/// result is a float first.
Value *createMove(IRBuilder<> &builder, Value *value, const Region &region,
                  unsigned numLanes) {
  Type *bits = builder.getInt32Ty();
  std::string text =
      ("{\nmov (M1, " + Twine(numLanes) + ") $0(0,0)<1> $1(0," +
       Twine(region.first) + ")<" + Twine(region.verticalStride) + ";" +
       Twine(region.width) + "," + Twine(region.horizontalStride) + ">\n}\n")
          .str();
  auto *code = InlineAsm::get(FunctionType::get(bits, {bits},
                                                /*isVarArg=*/false),
                              text, "=rw,rw", /*hasSideEffects=*/false);
  CallInst *call =
      builder.CreateCall(code, {builder.CreateBitCast(value, bits)});
  call->setConvergent();
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  return builder.CreateBitCast(
      builder.CreateBitCast(call, builder.getFloatTy()), value->getType());
}
} // namespace

PreservedAnalyses ReadRegionsPass::run(Function &function,
                                       FunctionAnalysisManager &) {
  constexpr unsigned elementBytes = 4;
  unsigned numLanes = getSubGroupSize(function);
  // A value of a lane is an element of one register.
  if (!target ||
      numLanes * elementBytes != target->registerModes.front().registerBytes)
    return PreservedAnalyses::all();
  LaneEvaluator evaluator(numLanes, function.getDataLayout());
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call)
      continue;
    std::optional<Region> region = getRegion(*call, evaluator, numLanes);
    if (!region)
      continue;
    IRBuilder<> builder(call);
    Value *result =
        createMove(builder, call->getArgOperand(0), *region, numLanes);
    result->takeName(call);
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    isChanged = true;
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
