//===- ComputeInLanes.cpp - Masks of words, one of which a lane computes --===//
// SPDX-License-Identifier: MIT
//
// A lane that loads several narrow elements of a row clears those that a mask
// excludes by masks of whole words. Where a dimension of a tile lies in
// registers alone, all lanes compute the same masks:
//
//   sext(k + 0 < end), sext(k + 1 < end), sext(k + 2 < end), ...
//
// Each takes three instructions, for one lane. Instead lane i computes the mask
// of word i, and all lanes read it from there, which is an operand of the
// instruction that clears: 16 words of two elements each take 7 instructions
// instead of 96.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"
#include "../GroupSizes.h"
#include "../UniformValues.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

constexpr unsigned kWordBits = 32;

/// A vector of i32 whose element i is `base + first + i * step`, modulo 2^32.
struct Sequence {
  Value *base;
  uint32_t first, step;
};

/// Returns the sequence that a vector is; none for others.
std::optional<Sequence> getSequence(Value *vector) {
  auto length = cast<FixedVectorType>(vector->getType())->getNumElements();
  if (Value *scalar = getSplatValue(vector))
    return Sequence{scalar, 0, 0};
  Value *numbers;
  Constant *offsets;
  if (!match(vector, m_AddLike(m_Value(numbers), m_Constant(offsets))))
    return std::nullopt;
  std::optional<Sequence> result = getSequence(numbers);
  if (!result)
    return std::nullopt;
  SmallVector<uint32_t> values;
  for (unsigned i : seq(length)) {
    auto *number =
        dyn_cast_or_null<ConstantInt>(offsets->getAggregateElement(i));
    if (!number)
      return std::nullopt;
    values.push_back(number->getZExtValue());
  }
  uint32_t step = values[1] - values[0];
  for (unsigned i : seq(1u, length))
    if (values[i] - values[i - 1] != step)
      return std::nullopt;
  result->first += values[0];
  result->step += step;
  return result;
}

/// A comparison of vectors: element i is `lhs + (first + i) * step` compared
/// with `rhs`.
struct Comparison {
  CmpInst::Predicate predicate;
  Value *lhs, *rhs;
  uint32_t step;
  int64_t first;

  auto getKey() const { return std::tuple(predicate, lhs, rhs, step); }
};

/// Returns the comparison that a vector is, or that the parts are which it
/// joins; none for others.
std::optional<Comparison> getComparison(Value *vector) {
  auto *join = dyn_cast<ShuffleVectorInst>(vector);
  if (join && join->isConcat()) {
    auto part = cast<FixedVectorType>(join->getOperand(0)->getType());
    std::optional<Comparison> low = getComparison(join->getOperand(0)),
                              high = getComparison(join->getOperand(1));
    if (!low || !high || low->getKey() != high->getKey() ||
        high->first != low->first + part->getNumElements())
      return std::nullopt;
    return low;
  }
  Value *lhs, *rhs;
  CmpPredicate predicate;
  if (!match(vector, m_ICmp(predicate, m_Value(lhs), m_Value(rhs))) ||
      !lhs->getType()->getScalarType()->isIntegerTy(32))
    return std::nullopt;
  std::optional<Sequence> left = getSequence(lhs), right = getSequence(rhs);
  if (!left || !right)
    return std::nullopt;
  CmpInst::Predicate order = predicate;
  if (left->step == 0) {
    std::swap(left, right);
    order = CmpInst::getSwappedPredicate(order);
  }
  // The side that changes counts from zero.
  int64_t step = static_cast<int32_t>(left->step);
  int64_t first = static_cast<int32_t>(left->first);
  if (right->step != 0 || right->first != 0 || step == 0 || first % step != 0)
    return std::nullopt;
  return Comparison{order, left->base, right->base, left->step, first / step};
}

/// Masks of words.
struct Masks {
  /// The words, a vector of i32.
  Instruction *words;
  unsigned elementBits;
  Comparison comparison;

  unsigned getElementsPerWord() const { return kWordBits / elementBits; }
  /// Returns the parts that masks share which lanes compute together.
  auto getKey() const {
    return std::pair(std::pair(words->getParent(), elementBits),
                     comparison.getKey());
  }
};

/// Returns the masks that an instruction computes; none for others.
std::optional<Masks> getMasks(Instruction &inst) {
  Value *mask;
  auto *type = dyn_cast<FixedVectorType>(inst.getType());
  if (!type || !type->getElementType()->isIntegerTy(kWordBits) ||
      !match(&inst, m_BitCast(m_SExt(m_Value(mask)))))
    return std::nullopt;
  auto *elements = dyn_cast<FixedVectorType>(mask->getType());
  if (!elements || elements->getNumElements() <= type->getNumElements())
    return std::nullopt;
  std::optional<Comparison> comparison = getComparison(mask);
  if (!comparison)
    return std::nullopt;
  Masks masks{&inst,
              kWordBits * type->getNumElements() / elements->getNumElements(),
              *comparison};
  if (comparison->first < 0 ||
      comparison->first % masks.getElementsPerWord() != 0)
    return std::nullopt;
  return masks;
}

/// Computes masks of one kind in lanes.
class LaneMasks {
public:
  /// `first` are the first masks of their kind in the block.
  LaneMasks(const Masks &first, unsigned numLanes)
      : kind(first), numLanes(numLanes), builder(first.words->getNextNode()) {}

  /// Returns what replaces the words of masks of this kind.
  Value *replace(const Masks &masks);

private:
  /// Returns the masks of one word for each lane.
  Value *compute(unsigned group);

  Masks kind;
  unsigned numLanes;
  /// Inserts where the first masks are.
  IRBuilder<> builder;
  /// The masks by the number of their group.
  DenseMap<unsigned, Value *> groups;
};

Value *LaneMasks::compute(unsigned group) {
  Value *&result = groups[group];
  if (result)
    return result;
  // The number of a lane is computed once.
  BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> entryBuilder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  CallInst *id =
      callBuiltin(entryBuilder, kLaneId, entryBuilder.getInt32Ty(), {});
  id->setDoesNotAccessMemory();
  unsigned perWord = kind.getElementsPerWord();
  Value *lane = entryBuilder.CreateMul(
      id, entryBuilder.getInt32(perWord * kind.comparison.step));
  for (unsigned element : seq(perWord)) {
    uint32_t number = group * numLanes * perWord + element;
    Value *lhs = builder.CreateAdd(
        builder.CreateAdd(kind.comparison.lhs,
                          builder.getInt32(number * kind.comparison.step)),
        lane);
    APInt bits = APInt::getBitsSet(kWordBits, element * kind.elementBits,
                                   (element + 1) * kind.elementBits);
    Value *part = builder.CreateSelect(
        builder.CreateICmp(kind.comparison.predicate, lhs, kind.comparison.rhs),
        builder.getInt(bits), builder.getInt32(0));
    result = result ? builder.CreateOr(result, part) : part;
  }
  return result;
}

Value *LaneMasks::replace(const Masks &masks) {
  auto *type = cast<FixedVectorType>(masks.words->getType());
  IRBuilder<> broadcaster(masks.words->getNextNode());
  Value *result = PoisonValue::get(type);
  for (unsigned i : seq(type->getNumElements())) {
    unsigned word = masks.comparison.first / masks.getElementsPerWord() + i;
    Value *group = compute(word / numLanes);
    CallInst *mask = callBuiltin(broadcaster, "_Z19sub_group_broadcastij",
                                 builder.getInt32Ty(),
                                 {group, builder.getInt32(word % numLanes)});
    mask->setConvergent();
    mask->setDoesNotAccessMemory();
    result = broadcaster.CreateInsertElement(result, mask, i);
  }
  return result;
}

} // namespace

PreservedAnalyses ComputeInLanesPass::run(Function &function,
                                          FunctionAnalysisManager &analyses) {
  unsigned numLanes = getSubGroupSize(function);
  MapVector<decltype(std::declval<Masks>().getKey()), SmallVector<Masks>> kinds;
  if (numLanes)
    for (Instruction &inst : instructions(function))
      if (std::optional<Masks> masks = getMasks(inst))
        kinds[masks->getKey()].push_back(*masks);
  if (kinds.empty())
    return PreservedAnalyses::all();
  UniformValues uniform(
      function, analyses.getResult<LoopAnalysis>(function),
      analyses.getResult<PostDominatorTreeAnalysis>(function));
  bool isChanged = false;
  for (auto &[key, list] : kinds) {
    unsigned numWords = 0;
    for (const Masks &masks : list)
      numWords +=
          cast<FixedVectorType>(masks.words->getType())->getNumElements();
    // Few words are computed where they are used.
    const Masks &first = list.front();
    if (numWords < numLanes / 2 || !uniform.contains(first.comparison.lhs) ||
        !uniform.contains(first.comparison.rhs) ||
        !uniform.isRunByAllLanes(first.words->getParent()))
      continue;
    LaneMasks lanes(first, numLanes);
    for (const Masks &masks : list) {
      masks.words->replaceAllUsesWith(lanes.replace(masks));
      RecursivelyDeleteTriviallyDeadInstructions(masks.words);
    }
    isChanged = true;
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
