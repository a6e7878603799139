//===- Accumulators.cpp - Values that stay in memory ----------------------===//
// SPDX-License-Identifier: MIT

#include "Accumulators.h"

#include "Builtins.h"

using namespace llvm;

namespace triton::intel::cpu {

namespace {
/// Position of the accumulator in intel_sub_group_*_matrix_mad_*(a, b, acc).
constexpr unsigned kAccumulatorOperand = 2;

/// Returns the value as a DPAS; null if it is anything else.
CallInst *getMatrixMad(Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  return call && getBuiltin(*call).kind == BuiltinKind::MatrixMad ? call
                                                                  : nullptr;
}
} // namespace

/// Webs are collected as if all members could share a place; then those are
/// given up in which two members are live at a time.
Accumulators::Accumulators(LaneDivergence &shapes, FunctionDivergence &flow)
    : shapes(shapes), flow(flow) {
  collect();
  if (members.empty())
    return;
  computeLiveness();
  findConflicts();
  for (auto [value, number] : members) {
    Value *leader = classes.getLeaderValue(value);
    if (!conflicting.contains(leader))
      webs[value] = leader;
  }
}

/// Returns whether the value may be a member: it is computed where all lanes
/// take part, with all of its elements in rows.
bool Accumulators::canStay(Value *value) const {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !inst->getType()->isVectorTy() ||
      flow.maskedBlocks.contains(inst->getParent()))
    return false;
  for (unsigned element = 0; element < getNumScalars(inst->getType());
       ++element)
    if (!shapes.get(inst, element).isVarying())
      return false;
  auto *phi = dyn_cast<PHINode>(inst);
  if (!phi)
    return true;
  // The values that leave a divergent region are combined there.
  return !flow.joins.contains(phi->getParent()) &&
         none_of(phi->blocks(), [&](BasicBlock *pred) {
           return flow.maskedBlocks.contains(pred) ||
                  flow.divergentBranches.contains(pred);
         });
}

/// Joins values that should have one place, starting from DPAS and going
/// through accumulators and phis in both directions.
void Accumulators::collect() {
  SmallVector<Value *> worklist;
  // Numbered in the order in which they are found.
  auto add = [&](Value *value) {
    if (!members.insert({value, members.size()}).second)
      return;
    classes.insert(value);
    worklist.push_back(value);
  };
  // Another type has another number of rows, hence another place.
  auto join = [&](Value *value, Value *other) {
    if (other->getType() != value->getType() || !canStay(other))
      return;
    add(other);
    classes.unionSets(value, other);
  };
  for (BasicBlock *block : flow.order)
    for (Instruction &inst : *block)
      if (getMatrixMad(&inst) && canStay(&inst))
        add(&inst);
  // A phi and its operands, and phis that take the value: what goes around a
  // loop stays where it is.
  while (!worklist.empty()) {
    Value *value = worklist.pop_back_val();
    if (CallInst *call = getMatrixMad(value))
      join(value, call->getArgOperand(kAccumulatorOperand));
    if (auto *phi = dyn_cast<PHINode>(value))
      for (Value *incoming : phi->incoming_values())
        join(value, incoming);
    for (User *user : value->users())
      if (isa<PHINode>(user))
        join(value, user);
  }
}

/// Finds which members are needed at the end of each block. It goes backwards
/// through the blocks until nothing changes.
void Accumulators::computeLiveness() {
  unsigned count = members.size();
  auto getNumber = [&](Value *value) -> int {
    auto found = members.find(value);
    return found == members.end() ? -1 : static_cast<int>(found->second);
  };
  DenseMap<BasicBlock *, BitVector> liveIn;
  for (BasicBlock *block : flow.order) {
    liveIn[block].resize(count);
    liveOut[block].resize(count);
  }
  // Operands of a phi are needed at the end of the predecessor they come from,
  // not in the phi's block.
  bool changed = true;
  while (changed) {
    changed = false;
    for (BasicBlock *block : reverse(flow.order)) {
      BitVector live(count);
      for (BasicBlock *successor : successors(block)) {
        live |= liveIn[successor];
        for (PHINode &phi : successor->phis())
          if (int number = getNumber(phi.getIncomingValueForBlock(block));
              number >= 0)
            live.set(number);
      }
      liveOut[block] = live;
      // From the last instruction up: a definition ends liveness, a use begins
      // it.
      for (Instruction &inst : reverse(*block)) {
        if (int number = getNumber(&inst); number >= 0)
          live.reset(number);
        if (isa<PHINode>(inst))
          continue;
        for (Value *operand : inst.operands())
          if (int number = getNumber(operand); number >= 0)
            live.set(number);
      }
      changed |= live != liveIn[block];
      liveIn[block] = std::move(live);
    }
  }
}

/// Finds webs with two members that are needed at the same time, of which one
/// place can hold only one.
void Accumulators::findConflicts() {
  SmallVector<Value *> list;
  for (auto [value, number] : members)
    list.push_back(value);
  // Again from the end of each block, this time looking at every definition.
  for (BasicBlock *block : flow.order) {
    BitVector live = liveOut.lookup(block);
    auto define = [&](Instruction &inst) {
      auto found = members.find(&inst);
      if (found == members.end())
        return;
      live.reset(found->second);
      // Writing the value would destroy another one.
      Value *leader = classes.getLeaderValue(&inst);
      for (unsigned other : live.set_bits())
        if (classes.getLeaderValue(list[other]) == leader)
          conflicting.insert(leader);
    };
    // Phis are looked at together, below.
    for (Instruction &inst : reverse(*block)) {
      if (isa<PHINode>(inst))
        break;
      define(inst);
      for (Value *operand : inst.operands())
        if (auto used = members.find(operand); used != members.end())
          live.set(used->second);
    }
    // All of a block's phis get their values at once.
    SmallPtrSet<Value *, 8> leaders;
    for (PHINode &phi : block->phis()) {
      define(phi);
      // Two of one web would have to be in one place at once.
      if (members.contains(&phi) &&
          !leaders.insert(classes.getLeaderValue(&phi)).second)
        conflicting.insert(classes.getLeaderValue(&phi));
    }
  }
}

} // namespace triton::intel::cpu
