//===- ShareAddresses.cpp - Addresses at constant distances ---------------===//
// SPDX-License-Identifier: MIT
//
// A lane that loads several vectors of a row computes the address of each in 64
// bits, from the sum of a position and a constant:
//
//   base + (row + (k + 8)) * 2
//
// The device compiler does not know that this is 16 more than the address of
// the first vector, and adds and shifts for each of them, in several cycles per
// operation of 64 bits. Sums of the same parts are computed once here, and the
// other addresses are a constant away.
//
// In a loop, many addresses are sums of a part that each iteration computes and
// of parts that it does not change, such as the distance of a row. The latter
// are added up before the loop, if that makes no more values than there are.
//
// The optimizer leaves vectors in which positions of a lane's elements were
// computed, although only the first element of each is part of an address.
// Parts are elements of such vectors, too.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// Operations of one address.
constexpr unsigned kMaxOperations = 32;

/// Represents values of 64 bits as sums of parts and a constant.
class AddressSums {
public:
  /// A part is a value (by its number), an element of it or -1, and the bits by
  /// which it is shifted to the left.
  using Part = std::tuple<unsigned, int, unsigned>;
  struct Sum {
    SmallVector<Part> parts;
    uint64_t constant = 0;
    /// Counts the operations that other values do not need.
    unsigned numOperations = 0;
  };

  /// Returns the value of a part, without its shift.
  Value *getValue(const Part &part) const {
    return std::next(numbers.begin(), std::get<0>(part))->first;
  }

  Sum getSum(Value *number) {
    Sum sum;
    numVisited = 0;
    collect(number, /*element=*/-1, /*shift=*/0, /*isOwn=*/true, sum);
    llvm::sort(sum.parts);
    return sum;
  }

private:
  void collect(Value *number, int element, unsigned shift, bool isOwn,
               Sum &sum);
  bool collectElement(Value *vector, int element, unsigned shift, Sum &sum);

  /// Numbers values in the order in which they occur.
  MapVector<Value *, unsigned> numbers;
  unsigned numVisited = 0;
};

/// Follows a vector to the value that one of its elements has.
bool AddressSums::collectElement(Value *vector, int element, unsigned shift,
                                 Sum &sum) {
  Value *scalar = findScalarElement(vector, element);
  if (!scalar)
    return false;
  collect(scalar, /*element=*/-1, shift, /*isOwn=*/false, sum);
  return true;
}

void AddressSums::collect(Value *number, int element, unsigned shift,
                          bool isOwn, Sum &sum) {
  Value *lhs, *rhs;
  const APInt *amount;
  uint64_t index;
  bool isScalar = !number->getType()->isVectorTy();
  if (++numVisited <= kMaxOperations) {
    if (auto *known = dyn_cast<ConstantInt>(number)) {
      sum.constant += known->getZExtValue() << shift;
      return;
    }
    if (match(number, m_ExtractElt(m_Value(lhs), m_ConstantInt(index))) &&
        index < cast<FixedVectorType>(lhs->getType())->getNumElements())
      return collect(lhs, index, shift, /*isOwn=*/false, sum);
    if (auto *known = isScalar ? nullptr : dyn_cast<Constant>(number))
      if (auto *constant = dyn_cast_or_null<ConstantInt>(
              known->getAggregateElement(element))) {
        sum.constant += constant->getZExtValue() << shift;
        return;
      }
    isOwn &= number->hasOneUse();
    if (match(number, m_AddLike(m_Value(lhs), m_Value(rhs)))) {
      sum.numOperations += isOwn;
      collect(lhs, element, shift, isOwn, sum);
      collect(rhs, element, shift, isOwn, sum);
      return;
    }
    if (match(number, m_Shl(m_Value(lhs), m_APInt(amount))) &&
        shift + amount->getZExtValue() < 64) {
      sum.numOperations += isOwn;
      collect(lhs, element, shift + amount->getZExtValue(), isOwn, sum);
      return;
    }
    if (!isScalar && isa<ShuffleVectorInst, InsertElementInst>(number) &&
        collectElement(number, element, shift, sum))
      return;
  }
  unsigned id = numbers.insert({number, numbers.size()}).first->second;
  sum.parts.push_back({id, element, shift});
}

/// Returns the addresses that integers are converted to, in an order in which
/// those that dominate others come first.
SmallVector<Instruction *> getAddresses(Function &function) {
  SetVector<Instruction *> found;
  SmallPtrSet<Value *, 16> numbers;
  ReversePostOrderTraversal<Function *> blocks(&function);
  for (BasicBlock *block : blocks)
    for (Instruction &inst : *block)
      if (auto *address = dyn_cast<IntToPtrInst>(&inst);
          address && address->getSrcTy()->isIntegerTy(64))
        numbers.insert(address->getOperand(0));
  for (BasicBlock *block : blocks)
    for (Instruction &inst : *block)
      if (numbers.contains(&inst))
        found.insert(&inst);
  return found.takeVector();
}

} // namespace

namespace {

/// Adds up parts of addresses that loops do not change before these.
class InvariantParts {
public:
  InvariantParts(AddressSums &sums, const DominatorTree &dominators,
                 const LoopInfo &loops)
      : sums(sums), dominators(dominators), loops(loops) {}

  /// Collects an address of a loop.
  void add(Instruction *address, const AddressSums::Sum &sum) {
    Loop *loop = loops.getLoopFor(address->getParent());
    if (!loop || !loop->getLoopPreheader() || sum.numOperations < 2)
      return;
    Found found{address, {}, {}, sum.constant};
    for (const AddressSums::Part &part : sum.parts)
      (loop->isLoopInvariant(sums.getValue(part)) ? found.fixed : found.moving)
          .push_back(part);
    if (!found.fixed.empty() && !found.moving.empty())
      addresses[loop].push_back(std::move(found));
  }

  /// Replaces the addresses, and appends them to `replaced`.
  void replace(SmallVectorImpl<WeakTrackingVH> &replaced) {
    for (auto &[loop, found] : addresses) {
      std::map<Key, Value *> fixed;
      std::set<AddressSums::Part> parts;
      for (const Found &each : found) {
        fixed[{each.fixed, each.constant}] = nullptr;
        parts.insert(each.fixed.begin(), each.fixed.end());
      }
      // They take registers in all of the loop, as the parts do now.
      if (fixed.size() > parts.size())
        continue;
      Instruction *before = loop->getLoopPreheader()->getTerminator();
      std::map<SmallVector<AddressSums::Part>, Instruction *> moving;
      for (const Found &each : found) {
        Value *&own = fixed[{each.fixed, each.constant}];
        if (!own)
          own = create(each.fixed, each.constant, before);
        Instruction *&first = moving[each.moving];
        if (!first || !dominators.dominates(first, each.address)) {
          // A separate sum, which later addresses find before them.
          Value *sum = create(each.moving, /*constant=*/0, each.address);
          first = dyn_cast<Instruction>(sum);
          if (!first)
            continue;
        }
        IRBuilder<> builder(each.address);
        each.address->replaceAllUsesWith(builder.CreateAdd(first, own));
        replaced.push_back(each.address);
      }
    }
  }

private:
  struct Found {
    Instruction *address;
    SmallVector<AddressSums::Part> moving, fixed;
    uint64_t constant;
  };
  using Key = std::pair<SmallVector<AddressSums::Part>, uint64_t>;

  Value *create(ArrayRef<AddressSums::Part> parts, uint64_t constant,
                Instruction *before) {
    Value *sum = createSum(parts, before);
    IRBuilder<> builder(before);
    return constant ? builder.CreateAdd(sum, builder.getInt64(constant)) : sum;
  }

  /// Adds up parts before an instruction. Sums with the same first parts have
  /// these once.
  Value *createSum(ArrayRef<AddressSums::Part> parts, Instruction *before) {
    // The elements of a `std::map` stay where they are while others are added.
    Value *&sum = created[{before, SmallVector<AddressSums::Part>(parts)}];
    if (sum)
      return sum;
    IRBuilder<> builder(before);
    if (parts.size() > 1) {
      Value *first = createSum(parts.drop_back(), before);
      Value *last = createSum(parts.back(), before);
      return sum = builder.CreateAdd(first, last);
    }
    auto [number, element, shift] = parts.front();
    Value *value = sums.getValue(parts.front());
    if (element >= 0)
      value = builder.CreateExtractElement(value, element);
    return sum = shift ? builder.CreateShl(value, shift) : value;
  }

  AddressSums &sums;
  const DominatorTree &dominators;
  const LoopInfo &loops;
  MapVector<Loop *, SmallVector<Found>> addresses;
  std::map<std::pair<Instruction *, SmallVector<AddressSums::Part>>, Value *>
      created;
};

} // namespace

PreservedAnalyses ShareAddressesPass::run(Function &function,
                                          FunctionAnalysisManager &analyses) {
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  struct Known {
    Instruction *address;
    uint64_t constant;
  };
  std::map<SmallVector<AddressSums::Part>, SmallVector<Known>> known;
  AddressSums sums;
  InvariantParts invariants(sums, dominators,
                            analyses.getResult<LoopAnalysis>(function));
  SmallVector<WeakTrackingVH> replaced;
  for (Instruction *address : getAddresses(function)) {
    AddressSums::Sum sum = sums.getSum(address);
    SmallVector<Known> &others = known[sum.parts];
    const Known *base = find_if(others, [&](const Known &other) {
      return dominators.dominates(other.address, address);
    });
    if (base == others.end()) {
      others.push_back({address, sum.constant});
      invariants.add(address, sum);
      continue;
    }
    if (sum.parts.empty() || sum.numOperations < 2)
      continue;
    IRBuilder<> builder(address);
    address->replaceAllUsesWith(builder.CreateAdd(
        base->address, builder.getInt64(sum.constant - base->constant)));
    replaced.push_back(address);
  }
  invariants.replace(replaced);
  if (replaced.empty())
    return PreservedAnalyses::all();
  RecursivelyDeleteTriviallyDeadInstructions(replaced);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
