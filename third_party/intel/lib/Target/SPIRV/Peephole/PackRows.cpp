//===- PackRows.cpp - One instruction for a number of each row ------------===//
// SPDX-License-Identifier: MIT
//
// The maximum of each row of a tile is a number that all lanes have. Reductions
// of several rows are computed together: their results are in different lanes
// of one register, from which each is broadcast. A computation on them row by
// row, such as the change of the maximum and its exponential in attention,
// takes the device compiler an instruction of one lane for each row, and the
// values that a loop carries take one move each.
//
// Here such computations are done before the broadcasts, in one instruction for
// all rows, and loops carry the register:
//
//     for each row r: new[r] = max(old[r], broadcast(x, lane[r]))
// becomes
//     new' = max(old', x)
//     for each row r: new[r] = broadcast(new', lane[r])
//
// A broadcast costs nothing where an instruction can read the lane. Lanes that
// have no row compute something that is not used.
//
// A broadcast is executed by all lanes. So is what dominates it: computations
// move up to their operands, after which all lanes execute them, too.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Broadcasts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns the type of an element of a vector; null for other values.
Type *getElement(const Value &value) {
  auto *vector = dyn_cast<FixedVectorType>(value.getType());
  return vector ? vector->getElementType() : nullptr;
}

/// Returns the scalar that all elements of a vector are, if all lanes have it.
Value *getSharedScalar(Value *vector) {
  Value *scalar = getSplatValue(vector);
  return scalar && (isa<Constant>(scalar) || isa<Argument>(scalar)) ? scalar
                                                                    : nullptr;
}

/// Returns whether an operation computes each element from those at the same
/// place, and may be executed by lanes that have no row.
bool isElementwise(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return false;
  case Instruction::PHI:
  case Instruction::Select:
    return true;
  }
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
    return isTriviallyVectorizable(intrinsic->getIntrinsicID());
  return isa<UnaryOperator, BinaryOperator, CmpInst>(inst);
}

/// Packs the numbers of rows that are in the same places.
class RowPacker {
public:
  RowPacker(Function &function, const LoopInfo &loops,
            const DominatorTree &tree, Places places)
      : function(function), loops(loops), tree(tree),
        places(std::move(places)) {}

  void add(Instruction &vector, const Broadcasts &found) {
    packed[&vector] = found.registers;
    broadcasts[&vector] = found.calls.front();
  }

  /// Returns the instructions that it has created.
  SmallVector<Instruction *> run() {
    findOperations();
    if (operations.empty())
      return {};
    ReversePostOrderTraversal<Function *> order(&function);
    SmallVector<Instruction *> ordered;
    for (BasicBlock *block : order)
      for (Instruction &inst : *block)
        if (operations.contains(&inst))
          ordered.push_back(&inst);
    unsigned numRegisters = packed.front().second.size();
    for (Instruction *inst : ordered)
      for (unsigned number = 0; number < numRegisters; ++number)
        packed[inst].push_back(pack(*inst, number));
    for (Instruction *inst : ordered)
      if (auto *phi = dyn_cast<PHINode>(inst))
        for (auto [number, own] : llvm::enumerate(packed[phi]))
          for (auto [value, block] :
               llvm::zip_equal(phi->incoming_values(), phi->blocks()))
            cast<PHINode>(own)->addIncoming(getPacked(value, number), block);
    for (Instruction *inst : ordered)
      unpack(*inst);
    for (Instruction *inst : ordered) {
      inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
      inst->eraseFromParent();
    }
    for (auto &[vector, first] : broadcasts)
      RecursivelyDeleteTriviallyDeadInstructions(vector);
    return created;
  }

private:
  bool isCandidate(Value *user) const {
    auto *inst = dyn_cast<Instruction>(user);
    auto *type = inst ? dyn_cast<FixedVectorType>(inst->getType()) : nullptr;
    return type && type->getNumElements() == places.size() &&
           isElementwise(*inst) && !packed.contains(inst);
  }

  /// Returns whether the loop of a phi executes broadcasts in each iteration:
  /// so do all lanes then.
  bool isInLoopOfAll(const PHINode &phi) const {
    const Loop *loop = loops.getLoopFor(phi.getParent());
    const BasicBlock *latch = loop ? loop->getLoopLatch() : nullptr;
    return latch && loop->getHeader() == phi.getParent() &&
           llvm::any_of(broadcasts, [&](const auto &entry) {
             const BasicBlock *block = entry.second->getParent();
             return loop->contains(block) && tree.dominates(block, latch);
           });
  }

  bool canPack(Instruction &inst) const {
    if (auto *phi = dyn_cast<PHINode>(&inst); phi && !isInLoopOfAll(*phi))
      return false;
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    for (Value *operand : intrinsic ? SmallVector<Value *>(intrinsic->args())
                                    : SmallVector<Value *>(inst.operands()))
      if (!getElement(*operand) ||
          (!packed.contains(operand) && !getSharedScalar(operand) &&
           !operations.contains(dyn_cast<Instruction>(operand))))
        return false;
    return hasBroadcast(getElement(inst)) || !isUsedOutside(inst);
  }

  bool isUsedOutside(const Instruction &inst) const {
    return llvm::any_of(inst.users(), [&](const User *user) {
      return !operations.contains(cast<Instruction>(user));
    });
  }

  /// Finds everything that is computed from broadcasts, and removes what needs
  /// others.
  void findOperations() {
    SmallVector<Value *> work(llvm::make_first_range(packed));
    while (!work.empty())
      for (User *user : work.pop_back_val()->users())
        if (isCandidate(user) && operations.insert(cast<Instruction>(user)))
          work.push_back(user);
    while (operations.remove_if(
        [&](Instruction *inst) { return !canPack(*inst); }))
      ;
  }

  /// Returns the register with this number that has elements of a vector.
  Value *getPacked(Value *vector, unsigned number) const {
    auto *it = packed.find(vector);
    return it != packed.end() ? it->second[number] : getSharedScalar(vector);
  }

  /// Returns the point after the last of the operands that a packed value is
  /// computed from.
  BasicBlock::iterator getPointBehind(ArrayRef<Value *> operands) {
    Instruction *last = nullptr;
    for (Value *operand : operands)
      if (auto *inst = dyn_cast<Instruction>(operand);
          inst && (!last || tree.dominates(last, inst)))
        last = inst;
    return last ? *last->getInsertionPointAfterDef()
                : function.getEntryBlock().getFirstInsertionPt();
  }

  /// Returns a point after the loops around `point` that none of the users is
  /// in: a computation would be executed in each iteration there. All lanes
  /// leave such a loop at the same time.
  BasicBlock::iterator leaveLoops(BasicBlock::iterator point,
                                  ArrayRef<Instruction *> users) const {
    const Loop *loop = loops.getLoopFor(point->getParent());
    while (loop && loop->getExitBlock() &&
           llvm::all_of(users, [&](Instruction *user) {
             return !isa<PHINode>(user) && !loop->contains(user) &&
                    tree.dominates(loop->getExitBlock(), user->getParent());
           })) {
      point = loop->getExitBlock()->getFirstInsertionPt();
      loop = loops.getLoopFor(point->getParent());
    }
    return point;
  }

  /// Computes one of the registers of an operation.
  Value *pack(Instruction &inst, unsigned number) {
    IRBuilder<> builder(&inst);
    Type *type = getElement(inst);
    if (auto *phi = dyn_cast<PHINode>(&inst))
      return created.emplace_back(
          builder.CreatePHI(type, phi->getNumIncomingValues()));
    SmallVector<Value *> operands;
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    for (Value *operand : intrinsic ? SmallVector<Value *>(intrinsic->args())
                                    : SmallVector<Value *>(inst.operands()))
      operands.push_back(getPacked(operand, number));
    BasicBlock::iterator point = leaveLoops(getPointBehind(operands), &inst);
    builder.SetInsertPoint(point->getParent(), point);
    builder.SetCurrentDebugLocation(inst.getDebugLoc());
    Value *result;
    if (intrinsic) {
      result =
          builder.CreateIntrinsic(type, intrinsic->getIntrinsicID(), operands);
    } else if (auto *compare = dyn_cast<CmpInst>(&inst)) {
      result =
          builder.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
    } else if (isa<SelectInst>(inst)) {
      result = builder.CreateSelect(operands[0], operands[1], operands[2]);
    } else {
      result = builder.CreateNAryOp(inst.getOpcode(), operands);
    }
    if (auto *own = dyn_cast<Instruction>(result)) {
      own->copyIRFlags(&inst);
      created.push_back(own);
    }
    return result;
  }

  /// Gives the uses that are not packed a vector of broadcasts.
  void unpack(Instruction &inst) {
    SmallVector<Instruction *> users;
    for (User *user : inst.users())
      if (auto *own = cast<Instruction>(user); !operations.contains(own))
        users.push_back(own);
    if (users.empty())
      return;
    ArrayRef<Value *> registers = packed[&inst];
    BasicBlock::iterator point = leaveLoops(getPointBehind(registers), users);
    IRBuilder<> builder(point->getParent(), point);
    builder.SetCurrentDebugLocation(inst.getDebugLoc());
    Value *vector = createBroadcasts(builder, registers, places);
    inst.replaceUsesWithIf(vector, [&](const Use &use) {
      return !operations.contains(cast<Instruction>(use.getUser()));
    });
  }

  Function &function;
  const LoopInfo &loops;
  const DominatorTree &tree;
  const Places places;
  /// The vectors of broadcasts, each with one of these.
  MapVector<Instruction *, CallInst *> broadcasts;
  /// The values that are computed from them.
  SmallSetVector<Instruction *, 16> operations;
  /// The registers that have the elements of vectors.
  MapVector<Value *, SmallVector<Value *>> packed;
  SmallVector<Instruction *> created;
};

/// Returns whether two values are equal if two phis are.
bool areEqual(Value *one, Value *two, const PHINode &phi, const PHINode &other,
              unsigned depth) {
  if (one == two || (one == &phi && two == &other))
    return true;
  auto *first = dyn_cast<Instruction>(one),
       *second = dyn_cast<Instruction>(two);
  return depth > 0 && first && second && !isa<PHINode>(first) &&
         first->isSameOperationAs(second) && !first->mayReadOrWriteMemory() &&
         llvm::all_of(llvm::zip_equal(first->operands(), second->operands()),
                      [&](auto operands) {
                        return areEqual(std::get<0>(operands),
                                        std::get<1>(operands), phi, other,
                                        depth - 1);
                      });
}

/// Returns whether two phis are equal in every iteration.
bool areEqual(const PHINode &phi, const PHINode &other) {
  // Loops compute little from one value of a row to the next.
  constexpr unsigned maxDepth = 8;
  return phi.getType() == other.getType() &&
         llvm::all_of(phi.blocks(), [&](const BasicBlock *block) {
           return areEqual(phi.getIncomingValueForBlock(block),
                           other.getIncomingValueForBlock(block), phi, other,
                           maxDepth);
         });
}

/// Merges identical computations of vectors of rows from the same registers.
/// The newest instruction comes first, as it directly follows its operands.
void mergeEqual(SmallVector<Instruction *> created) {
  for (bool mergesPhis : {true, false})
    for (size_t i = 0; i < created.size(); ++i)
      for (size_t j = 0; created[i] && j < i; ++j) {
        Instruction *kept = created[i], *other = created[j];
        if (!other || other->getParent() != kept->getParent())
          continue;
        auto *phi = dyn_cast<PHINode>(kept);
        auto *otherPhi = dyn_cast<PHINode>(other);
        if (mergesPhis ? !phi || !otherPhi || !areEqual(*phi, *otherPhi)
                       : phi || !kept->isIdenticalTo(other) ||
                             !kept->comesBefore(other))
          continue;
        other->replaceAllUsesWith(kept);
        other->eraseFromParent();
        created[j] = nullptr;
      }
}

} // namespace

PreservedAnalyses PackRowsPass::run(Function &function,
                                    FunctionAnalysisManager &analyses) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  const auto &tree = analyses.getResult<DominatorTreeAnalysis>(function);
  MapVector<Places, RowPacker> packers;
  for (Instruction &inst : instructions(function)) {
    if (!isa<InsertElementInst>(inst))
      continue;
    Broadcasts found = matchBroadcasts(inst);
    if (!found.calls.empty())
      packers.try_emplace(found.places, function, loops, tree, found.places)
          .first->second.add(inst, found);
  }
  SmallVector<Instruction *> created;
  for (RowPacker &packer : llvm::make_second_range(packers))
    llvm::append_range(created, packer.run());
  bool hasChanged = !created.empty();
  mergeEqual(std::move(created));
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
