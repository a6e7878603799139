//===- Accumulators.cpp - Values that stay in memory ----------------------===//

#include "Accumulators.h"

#include "Builtins.h"

using namespace llvm;

namespace triton_xe::cpu {

namespace {
constexpr unsigned kAccumulatorOperand = 2;

CallInst *getMatrixMad(Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  return call && getBuiltin(*call).kind == BuiltinKind::MatrixMad ? call
                                                                  : nullptr;
}
} // namespace

Accumulators::Accumulators(LaneShapes &shapes, FunctionShapes &flow)
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

/// May the value be a member: is it computed where all lanes take part, with
/// all of its elements in rows?
bool Accumulators::canStay(Value *value) const {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !inst->getType()->isVectorTy() ||
      flow.maskedBlocks.contains(inst->getParent()))
    return false;
  for (unsigned leaf = 0; leaf < getNumLeaves(inst->getType()); ++leaf)
    if (!shapes.get(inst, leaf).isVarying())
      return false;
  auto *phi = dyn_cast<PHINode>(inst);
  if (!phi)
    return true;
  // What comes out of a divergent region is put together there.
  return !flow.joins.contains(phi->getParent()) &&
         none_of(phi->blocks(), [&](BasicBlock *pred) {
           return flow.maskedBlocks.contains(pred) ||
                  flow.divergentBranches.contains(pred);
         });
}

void Accumulators::collect() {
  SmallVector<Value *> worklist;
  auto add = [&](Value *value) {
    if (!members.insert({value, members.size()}).second)
      return;
    classes.insert(value);
    worklist.push_back(value);
  };
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

void Accumulators::findConflicts() {
  SmallVector<Value *> list;
  for (auto [value, number] : members)
    list.push_back(value);
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
      if (members.contains(&phi) &&
          !leaders.insert(classes.getLeaderValue(&phi)).second)
        conflicting.insert(classes.getLeaderValue(&phi));
    }
  }
}

} // namespace triton_xe::cpu
