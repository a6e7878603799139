//===- CopyFirstElements.cpp - Vectors that are not computed as a whole ---===//
// SPDX-License-Identifier: MIT
//
// IGC computes elements of vectors one by one, and joins such scalars to
// operations on vectors again (IGCVectorizer.cpp): it begins at a vector that
// is put together, and goes on to the operands of its elements, as long as all
// elements are results of the same operation. Here, a list of such scalars is a
// slice. Six things go wrong, and numbers with them:
//
// - If all scalars of a slice belong to an earlier one, in another order or
//   beside others, it takes the vector of the earlier slice as it is
//   (checkOperandsToBeVectorized).
// - Operands of a slice that are not joined are put together to a vector. If a
//   slice that is joined later begins with one of them, it is taken to be the
//   same vector, and replaces it (checkPrevVectorization).
// - A slice of broadcasts from consecutive lanes becomes one operation whose
//   result has one register for all lanes, but a user that has no other operand
//   computes a register for each element, and all of them in the same one
//   (JointWaveBroadcast, and EmitPass.cpp where all sources are uniform).
// - This register is that of the value that is broadcast. If a selection or
//   arithmetic in the same block is the last to use the value itself, it may
//   write its result to this register (CShader.cpp, reuseSourceVar) before
//   others read the lanes.
// - If a store of such a slice becomes one with the store of what follows in
//   memory (MemOpt.cpp), the registers of that store are not written.
// - IGC unrolls loops before. If all scalars of a slice use one value that the
//   iteration before computed, and that became an element of a slice itself, it
//   takes the vector of this slice for the value.
//
// One thing is slow: phis of what is not joined itself, such as the sums of a
// loop that scales them by fused products. IGC puts each of them into a vector
// and takes it out again, also between two such loops.
//
// This pass replaces the first element of such vectors by a copy, an empty line
// of assembly. IGC does not join its elements then, because they are results of
// different operations. None of the remaining slices has all its scalars in
// another one, nor the first scalar of another one.
//
// The pass follows more operations than IGC does, and does not check where they
// are. So it copies elements of some vectors that IGC would not have joined.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/BlockMessages.h"
#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <deque>
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// An element of a vector, or a scalar with index 0; no value if any will do.
using Element = std::pair<Value *, unsigned>;
using Slice = std::vector<Element>;

unsigned getNumElements(const Value *value) {
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  return vector ? vector->getNumElements() : 1;
}

/// Finds the element that another one is, through operations that only move
/// elements or change their type.
Element getMoved(Value *value, unsigned index) {
  while (true) {
    if (isa<UndefValue>(value))
      return {nullptr, 0};
    if (auto *change = dyn_cast<BitCastInst>(value);
        change &&
        getNumElements(change->getOperand(0)) == getNumElements(change)) {
      value = change->getOperand(0);
    } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(value)) {
      int from = shuffle->getMaskValue(index);
      if (from < 0)
        return {nullptr, 0};
      unsigned count = getNumElements(shuffle->getOperand(0));
      value = shuffle->getOperand(from / count);
      index = from % count;
    } else if (auto *insert = dyn_cast<InsertElementInst>(value);
               insert && isa<ConstantInt>(insert->getOperand(2))) {
      if (cast<ConstantInt>(insert->getOperand(2))->equalsInt(index)) {
        value = insert->getOperand(1);
        index = 0;
      } else {
        value = insert->getOperand(0);
      }
    } else if (auto *extract = dyn_cast<ExtractElementInst>(value);
               extract && isa<ConstantInt>(extract->getIndexOperand())) {
      index = cast<ConstantInt>(extract->getIndexOperand())->getZExtValue();
      value = extract->getVectorOperand();
    } else {
      return {value, index};
    }
  }
}

/// Finds the elements that others are, as IGC simplifies them before it joins
/// scalars.
class ElementSources {
public:
  /// Looks through moves, and through exclusive ors of which all elements but
  /// one cancel out, as in `tl.flip`.
  Element get(Value *value, unsigned index) {
    Element element = getMoved(value, index);
    if (!isXor(element))
      return element;
    const SmallVector<Element> &found = getTerms(element);
    return found.size() == 1 ? found.front() : element;
  }

private:
  static bool isXor(Element element) {
    auto *binary = dyn_cast_or_null<BinaryOperator>(element.first);
    return binary && binary->getOpcode() == Instruction::Xor;
  }

  /// Returns the elements whose exclusive or an element is.
  const SmallVector<Element> &getTerms(Element element) {
    auto known = terms.find(element);
    if (known != terms.end())
      return known->second;
    SmallVector<Element> found;
    for (Value *operand : cast<BinaryOperator>(element.first)->operands()) {
      Element moved = getMoved(operand, element.second);
      SmallVector<Element> own =
          isXor(moved) ? getTerms(moved) : SmallVector<Element>{moved};
      for (Element term : own)
        if (auto *same = find(found, term); same != found.end())
          found.erase(same);
        else
          found.push_back(term);
    }
    // Long lists are nothing that cancels out.
    constexpr size_t most = 8;
    if (found.size() > most)
      found = {element};
    return terms[element] = std::move(found);
  }

  DenseMap<Element, SmallVector<Element>> terms;
};

/// Returns whether this is a call of a function whose source name contains
/// `name`.
bool isCallOf(const Value *value, StringRef name) {
  return getCalleeName(value).contains(name);
}

/// Returns whether each element of the result depends on the elements of the
/// operands with the same index alone (or on scalars), so that IGC scalarizes
/// the operation. Exchanges between lanes are such operations.
bool isElementwise(const Instruction &inst) {
  if (isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, PHINode>(inst))
    return true;
  if (auto *change = dyn_cast<CastInst>(&inst))
    return getNumElements(change) == getNumElements(change->getOperand(0));
  auto *call = dyn_cast<CallInst>(&inst);
  if (!call || call->isInlineAsm() || !call->getCalledFunction() ||
      call->getType()->isVoidTy())
    return false;
  if (Intrinsic::ID id = call->getIntrinsicID())
    return isTriviallyVectorizable(id);
  // These take whole vectors. IGC has separate instructions for conversions of
  // bf16, which it does not scalarize.
  if (any_of(ArrayRef<StringRef>{"_matrix_mad_", "dpas", "MatrixMultiply",
                                 "ConvertFToBF16", "ConvertBF16ToF"},
             [&](StringRef name) { return isCallOf(call, name); }))
    return false;
  return all_of(call->args(), [&](Value *operand) {
    return !operand->getType()->isPointerTy() &&
           (getNumElements(operand) == 1 ||
            getNumElements(operand) == getNumElements(call));
  });
}

/// Returns whether IGC joins results of this operation, or of operations that
/// it replaces it by.
bool canJoin(const Instruction &inst) {
  if (isa<FPTruncInst, CmpInst>(inst))
    return true;
  Type *type = inst.getType()->getScalarType();
  if (!type->isFloatTy() && !type->isIntegerTy(32))
    return false;
  if (auto *phi = dyn_cast<PHINode>(&inst))
    return phi->getNumIncomingValues() == 2;
  if (auto *call = dyn_cast<CallInst>(&inst)) {
    switch (call->getIntrinsicID()) {
    case Intrinsic::exp2:
    case Intrinsic::fmuladd:
    case Intrinsic::maxnum:
      return true;
    default:
      // Shuffles may be parts of a reduction.
      return any_of(ArrayRef<StringRef>{"sub_group_broadcast",
                                        "sub_group_reduce", "sub_group_shuffle",
                                        "exp2", "fmax"},
                    [&](StringRef name) { return isCallOf(call, name); });
    }
  }
  return isa<BinaryOperator, UnaryOperator, SelectInst>(inst);
}

bool isSameOperation(const Instruction &a, const Instruction &b) {
  if (a.getOpcode() != b.getOpcode() ||
      a.getNumOperands() != b.getNumOperands())
    return false;
  auto *call = dyn_cast<CallInst>(&a);
  if (!call)
    return true;
  auto *other = cast<CallInst>(&b);
  if (call->getIntrinsicID() || other->getIntrinsicID())
    return call->getIntrinsicID() == other->getIntrinsicID();
  return call->getCalledOperand() == other->getCalledOperand();
}

/// The values that differ between lanes for certain.
class VaryingValues {
public:
  explicit VaryingValues(Function &function) {
    for (Instruction &inst : instructions(function))
      if (isSource(inst))
        insert(inst);
    for (unsigned i = 0; i < values.size(); ++i)
      for (User *user : values[i]->users())
        if (!isShared(*cast<Instruction>(user)))
          insert(*cast<Instruction>(user));
  }
  bool contains(Value *value) const { return values.contains(value); }

private:
  void insert(Instruction &inst) {
    if (!inst.getType()->isVoidTy())
      values.insert(&inst);
  }

  /// The number of the lane, products, and what messages write to registers.
  static bool isSource(const Instruction &inst) {
    if (auto *load = dyn_cast<LoadInst>(&inst))
      return load->getPointerAddressSpace() == 0;
    return any_of(ArrayRef<StringRef>{"get_sub_group_local_id", "get_local_id",
                                      "get_global_id", "LocalInvocationId",
                                      "sub_group_block_read", "_matrix_mad_",
                                      "dpas", "MatrixMultiply"},
                  [&](StringRef name) { return isCallOf(&inst, name); });
  }

  /// Returns whether all lanes get the same result.
  static bool isShared(const Instruction &inst) {
    if (isCallOf(&inst, "sub_group_shuffle"))
      return !isCallOf(&inst, "shuffle_xor") &&
             isa<Constant>(inst.getOperand(1));
    return isCallOf(&inst, "sub_group_broadcast") ||
           isCallOf(&inst, "sub_group_reduce") ||
           isCallOf(&inst, "sub_group_all") ||
           isCallOf(&inst, "sub_group_any") ||
           isCallOf(&inst, "sub_group_ballot");
  }

  SetVector<Value *> values;
};

/// Broadcasts from constant lanes.
bool areBroadcasts(ArrayRef<Element> slice) {
  return all_of(slice, [](Element element) {
    return element.first && isCallOf(element.first, "sub_group_broadcast") &&
           isa<ConstantInt>(cast<CallInst>(element.first)->getArgOperand(1));
  });
}

/// Broadcasts of one value, each from the next lane: IGC joins no others.
bool areJointBroadcasts(ArrayRef<Element> slice) {
  if (!areBroadcasts(slice))
    return false;
  auto getCall = [&](size_t index) {
    return cast<CallInst>(slice[index].first);
  };
  auto getLane = [&](size_t index) {
    return cast<ConstantInt>(getCall(index)->getArgOperand(1))->getZExtValue();
  };
  return all_of(seq<size_t>(0, slice.size()), [&](size_t index) {
    return getLane(index) == getLane(0) + index &&
           getCall(index)->getArgOperand(0) == getCall(0)->getArgOperand(0);
  });
}

/// Returns whether a result may be written to the register of a slice of joint
/// broadcasts before its lanes are read, other than what is `joined`.
bool isOverwritten(ArrayRef<Element> slice,
                   const SmallPtrSetImpl<Value *> &joined) {
  Value *source = cast<CallInst>(slice.front().first)->getArgOperand(0);
  auto *definition = dyn_cast<Instruction>(source);
  if (!definition || isa<PHINode>(definition))
    return false;
  bool isUsed = false;
  for (User *user : source->users()) {
    if (areBroadcasts(Element(user, 0)))
      continue;
    auto *inst = cast<Instruction>(user);
    // Then the register is needed after the block.
    if (isa<PHINode>(inst) || inst->getParent() != definition->getParent())
      return false;
    isUsed |= isa<BinaryOperator, SelectInst, CastInst>(inst) &&
              !joined.contains(inst);
  }
  return isUsed;
}

/// Elements `index` of the operands of an element, for all of `slice`.
Slice getOperands(ArrayRef<Element> slice, unsigned number,
                  ElementSources &sources) {
  Slice operands;
  for (auto [value, index] : slice) {
    Value *operand = cast<Instruction>(value)->getOperand(number);
    operands.push_back(
        sources.get(operand, getNumElements(operand) == 1 ? 0 : index));
  }
  return operands;
}

unsigned getNumOperands(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  return call ? call->arg_size() : inst.getNumOperands();
}

/// Returns whether a slice has all elements of a vector, in order.
bool isWholeVector(ArrayRef<Element> slice) {
  Value *value = slice.front().first;
  if (getNumElements(value) != slice.size())
    return false;
  for (auto [index, element] : enumerate(slice))
    if (element != Element(value, index))
      return false;
  return true;
}

/// Returns whether IGC may join these scalars to a vector.
bool isJoined(ArrayRef<Element> slice) {
  auto *first = dyn_cast_or_null<Instruction>(slice.front().first);
  if (!first)
    return false;
  if (!isElementwise(*first)) {
    Type *type = first->getType()->getScalarType();
    return (type->isFloatTy() || type->isIntegerTy(32)) && isWholeVector(slice);
  }
  if (!canJoin(*first) ||
      DenseSet<Element>(slice.begin(), slice.end()).size() != slice.size())
    return false;
  return all_of(slice,
                [&](Element element) {
                  auto *inst = dyn_cast_or_null<Instruction>(element.first);
                  return inst && isSameOperation(*first, *inst);
                }) &&
         (!areBroadcasts(slice) || areJointBroadcasts(slice));
}

/// A slice at the least number of steps from the root.
struct Step {
  Slice slice;
  unsigned depth;
};

/// Visits the root and the operands of what IGC may join, nearest ones first,
/// until `visit` returns false. Returns whether it visited all of them but
/// those beyond slices that `isKnown`.
bool visitSteps(const Slice &root, ElementSources &sources,
                function_ref<bool(const Slice &)> isKnown,
                function_ref<bool(const Step &)> visit) {
  std::deque<Step> steps = {{root, 0}};
  std::set<Slice> seen = {root};
  while (!steps.empty()) {
    Step step = std::move(steps.front());
    steps.pop_front();
    if (!visit(step))
      return false;
    if (!isJoined(step.slice))
      continue;
    auto &first = *cast<Instruction>(step.slice.front().first);
    for (unsigned number = 0;
         isElementwise(first) && number < getNumOperands(first); ++number) {
      Slice operands = getOperands(step.slice, number, sources);
      if (!isKnown(operands) && seen.insert(operands).second)
        steps.push_back({std::move(operands), step.depth + 1});
    }
  }
  return true;
}

/// IGC goes from the farthest slice to the root, and ends where it cannot join
/// one: what is nearer stays scalar. The least depth of such a slice, or 0. Its
/// broadcasts must not belong to another one, for IGC looks at a scalar once.
unsigned getEnd(ArrayRef<Step> steps) {
  DenseMap<Element, unsigned> counts;
  for (const Step &step : steps)
    for (Element element : step.slice)
      ++counts[element];
  for (const Step &step : steps)
    if (areBroadcasts(step.slice) && !areJointBroadcasts(step.slice) &&
        all_of(step.slice,
               [&](Element element) { return counts.at(element) == 1; }))
      return step.depth;
  return 0;
}

/// Returns whether a slice that is joined uses joint broadcasts, and nothing
/// that differs between lanes.
bool hasSharedOperands(const Slice &slice, const VaryingValues &varying,
                       ElementSources &sources) {
  auto &first = *cast<Instruction>(slice.front().first);
  bool hasBroadcasts = false, isVarying = false;
  for (unsigned number = 0;
       isElementwise(first) && number < getNumOperands(first); ++number) {
    Slice operands = getOperands(slice, number, sources);
    hasBroadcasts |= areJointBroadcasts(operands);
    isVarying |= any_of(operands, [&](Element element) {
      return element.first && varying.contains(element.first);
    });
  }
  return hasBroadcasts && !isVarying;
}

/// Returns whether `slice` holds all elements of `use`, so that IGC would take
/// its vector for that of `use`.
bool holds(const Slice &slice, const Slice &use) {
  return all_of(use,
                [&](Element element) { return is_contained(slice, element); });
}

/// Returns whether `use` may be put together with the first element of `slice`,
/// so that the vector of `slice` would replace it.
bool replaces(const Slice &slice, const Slice &use) {
  return isElementwise(*cast<Instruction>(slice.front().first)) &&
         is_contained(use, slice.front()) && all_of(use, [](Element element) {
           return isa_and_nonnull<Instruction>(element.first);
         });
}

/// Returns whether a loop carries the value, directly or by a selection, other
/// than a counter.
bool isCarried(Value *value, SmallPtrSetImpl<Value *> &visited) {
  if (!visited.insert(value).second)
    return false;
  if (auto *select = dyn_cast<SelectInst>(value))
    return isCarried(select->getTrueValue(), visited) ||
           isCarried(select->getFalseValue(), visited);
  auto *phi = dyn_cast<PHINode>(value);
  return phi && any_of(phi->incoming_values(), [&](const Use &use) {
           auto *next = dyn_cast<Instruction>(use);
           return next && !match(next, m_Add(m_Specific(phi), m_Constant())) &&
                  !isa<LoadInst>(next);
         });
}

/// Returns whether `use` is one value that a loop carries, for all elements.
bool repeatsCarried(const Slice &use) {
  SmallPtrSet<Value *, 8> visited;
  return use.front().first && all_equal(use) &&
         isCarried(use.front().first, visited);
}

/// Returns whether a slice has phis of values that IGC does not join, as it
/// does not join what a loop computes by fused products: it would put a vector
/// together, and take it apart where the phis of the loop begin with it.
bool gathersScalars(const Slice &slice, ElementSources &sources) {
  auto *phi = dyn_cast<PHINode>(slice.front().first);
  if (!phi)
    return false;
  for (unsigned number = 0; number < phi->getNumIncomingValues(); ++number) {
    Slice operands = getOperands(slice, number, sources);
    // A load, or a product of matrices, has a vector.
    bool areScalars = any_of(operands, [](Element element) {
      auto *inst = dyn_cast_or_null<Instruction>(element.first);
      return inst && isElementwise(*inst);
    });
    if (areScalars && !isJoined(operands))
      return true;
  }
  return false;
}

/// The slices of vectors that IGC begins at, of which none is confused with
/// another one: `isConfused` returns for a slice and the uses of another one
/// whether that would happen.
class JoinedSlices {
public:
  using Check = bool (*)(const Slice &slice, const Slice &use);
  explicit JoinedSlices(Check isConfused) : isConfused(isConfused) {}

  bool contains(const Slice &use) const { return uses.count(use) != 0; }

  /// Adds the operands `use`, which are joined to a slice or not. Returns false
  /// if a slice would be confused.
  bool add(const Slice &use, bool isSlice) {
    if (isOneOf(slicesOf, use,
                [&](const Slice &slice) { return isConfused(slice, use); }) ||
        (isSlice && isOneOf(usesOf, use, [&](const Slice &other) {
           return isConfused(use, other);
         })))
      return false;
    auto [place, isNew] = uses.insert(use);
    if (!isNew)
      return true;
    pending.push_back({place, isSlice});
    addTo(usesOf, *place);
    if (isSlice)
      addTo(slicesOf, *place);
    return true;
  }

  /// Keeps what was added since the last call, or drops it.
  void commit(bool isKept) {
    while (!isKept && !pending.empty()) {
      auto [place, isSlice] = pending.pop_back_val();
      removeFrom(usesOf, *place);
      if (isSlice)
        removeFrom(slicesOf, *place);
      uses.erase(place);
    }
    pending.clear();
  }

private:
  /// The slices with an element, each of them once.
  using Index = DenseMap<Element, SmallVector<const Slice *, 2>>;

  static void addTo(Index &index, const Slice &slice) {
    for (Element element : slice) {
      SmallVector<const Slice *, 2> &list = index[element];
      if (list.empty() || list.back() != &slice)
        list.push_back(&slice);
    }
  }

  /// Removes the slice that was added last.
  static void removeFrom(Index &index, const Slice &slice) {
    for (Element element : slice) {
      SmallVector<const Slice *, 2> &list = index[element];
      if (!list.empty() && list.back() == &slice)
        list.pop_back();
    }
  }

  /// Returns whether `check` holds for another list that shares an element.
  static bool isOneOf(const Index &index, const Slice &slice,
                      function_ref<bool(const Slice &)> check) {
    return any_of(slice, [&](Element element) {
      auto found = index.find(element);
      return found != index.end() &&
             any_of(found->second, [&](const Slice *other) {
               return *other != slice && check(*other);
             });
    });
  }

  Check isConfused;
  /// Operands and slices, of which all are operands or roots.
  std::set<Slice> uses;
  Index slicesOf, usesOf;
  SmallVector<std::pair<std::set<Slice>::iterator, bool>> pending;
};

/// Returns whether the operation needs the vector in separate registers.
bool needsWholeVector(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (isa<CallInst, BitCastInst>(user))
    return !isElementwise(*user);
  return isa<StoreInst, PHINode, ReturnInst>(user);
}

/// Returns the vectors that are used as a whole. Vectors that products and
/// messages use come first: they are to be computed as vectors rather than
/// others.
SetVector<Instruction *> findWholeVectors(Function &function) {
  SetVector<Instruction *> vectors;
  auto insert = [&](Instruction &inst) {
    for (Use &use : inst.operands())
      if (getNumElements(use) > 1 && isa<Instruction>(use) &&
          needsWholeVector(use))
        vectors.insert(cast<Instruction>(use));
  };
  for (Instruction &inst : instructions(function))
    if (isa<CallInst>(inst))
      insert(inst);
  for (Instruction &inst : instructions(function))
    insert(inst);
  return vectors;
}

/// Returns whether the vector is still one when IGC joins scalars: it takes the
/// coordinates of 2D block messages apart before.
bool isSeed(const Instruction &vector) {
  return any_of(vector.uses(), [](const Use &use) {
    return needsWholeVector(use) && !isa<BlockMessageCall>(use.getUser());
  });
}

/// Returns whether IGC may make one store of a store of the vector and another
/// one.
bool hasStoreToMerge(const Instruction &vector) {
  return any_of(vector.users(), [](const User *user) {
    auto *store = dyn_cast<StoreInst>(user);
    return store && any_of(*store->getParent(), [&](const Instruction &inst) {
             auto *other = dyn_cast<StoreInst>(&inst);
             return other && other != store &&
                    other->getPointerAddressSpace() ==
                        store->getPointerAddressSpace();
           });
  });
}

/// Decides which vectors IGC may join.
class VectorJoiner {
public:
  explicit VectorJoiner(Function &function)
      : varying(function),
        hasBroadcasts(any_of(instructions(function), [](Instruction &inst) {
          return isCallOf(&inst, "sub_group_broadcast");
        })) {}

  /// Returns false if wrong numbers, or slow code, would result.
  bool add(Instruction &vector) {
    Slice root;
    for (unsigned i = 0; i < getNumElements(&vector); ++i)
      root.push_back(sources.get(&vector, i));
    if (!isJoined(root))
      return true;
    if (areJointBroadcasts(root) && hasStoreToMerge(vector))
      return false;
    bool isOne = isSeed(vector);
    // The operands of an added vector are already available, unless the end
    // depends on the root.
    auto isKnown = [&](const Slice &slice) {
      return isOne && !hasBroadcasts && replaced.contains(slice);
    };
    unsigned end = hasBroadcasts ? getEnd(collectSteps(root)) : 0;
    SmallPtrSet<Value *, 16> joined;
    bool isRight = visitSteps(root, sources, isKnown, [&](const Step &step) {
      if (step.depth < end)
        return true;
      if (repeatsCarried(step.slice))
        return false;
      bool isSlice = isJoined(step.slice);
      if (isSlice && (gathersScalars(step.slice, sources) ||
                      (areJointBroadcasts(step.slice) &&
                       isOverwritten(step.slice, joined))))
        return false;
      if (isSlice)
        joined.insert_range(make_first_range(step.slice));
      return !(hasBroadcasts && isSlice &&
               hasSharedOperands(step.slice, varying, sources)) &&
             held.add(step.slice, isSlice) &&
             (!isOne || replaced.add(step.slice, isSlice));
    });
    held.commit(isRight);
    replaced.commit(isRight);
    return isRight;
  }

private:
  std::vector<Step> collectSteps(const Slice &root) {
    std::vector<Step> steps;
    visitSteps(
        root, sources, [](const Slice &) { return false; },
        [&](const Step &step) {
          steps.push_back(step);
          return true;
        });
    return steps;
  }

  VaryingValues varying;
  ElementSources sources;
  bool hasBroadcasts;
  JoinedSlices held{holds}, replaced{replaces};
};

/// Inserts the copy before the user, whose block may run less often than
/// that of the vector.
void copyFirstElement(Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    user = phi->getIncomingBlock(use)->getTerminator();
  IRBuilder<> builder(user);
  Value *element = builder.CreateExtractElement(use, uint64_t(0));
  Type *type = element->getType();
  Type *bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
  Value *copied = builder.CreateBitCast(
      createOpaqueCopy(builder, builder.CreateBitCast(element, bits)), type);
  use.set(builder.CreateInsertElement(use, copied, uint64_t(0)));
}

} // namespace

PreservedAnalyses CopyFirstElementsPass::run(Function &function,
                                             FunctionAnalysisManager &) {
  SetVector<Instruction *> vectors = findWholeVectors(function);
  if (vectors.empty())
    return PreservedAnalyses::all();
  VectorJoiner joiner(function);
  SmallVector<Instruction *> apart;
  for (Instruction *vector : vectors)
    if (!joiner.add(*vector))
      apart.push_back(vector);
  // Copies come last, since slices consist of the values without them.
  for (Instruction *vector : apart)
    for (Use &use : make_early_inc_range(vector->uses()))
      if (needsWholeVector(use))
        copyFirstElement(use);
  if (apart.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
