//===- UniformValues.cpp - Values that all lanes share --------------------===//
// SPDX-License-Identifier: MIT
//
// A value is uniform if its operation has no other operands than uniform ones,
// and is none whose result differs between lanes nevertheless. A number that a
// loop carries is uniform if it is so before the loop and after each iteration:
// lanes that are in the loop are in the same iteration. It is not followed to
// uses after the loop, as lanes may leave a loop in different iterations; nor
// are joins of branches, which lanes may take differently.
//
//===----------------------------------------------------------------------===//

#include "UniformValues.h"

#include "Calls.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {

UniformValues::UniformValues(const Function &function, const LoopInfo &loops,
                             const PostDominatorTree &postDominators)
    : function(function), loops(loops), postDominators(postDominators),
      isKernel(function.getCallingConv() == CallingConv::SPIR_KERNEL) {}

bool UniformValues::contains(const Value *value) {
  if (isa<Constant>(value))
    return true;
  if (isa<Argument>(value))
    return isKernel;
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst)
    return false;
  if (varying.contains(value))
    return false;
  // Carried numbers depend on themselves: they are uniform unless something
  // else is not.
  if (!assumed.insert(value).second)
    return true;
  if (compute(*inst))
    return true;
  varying.insert(value);
  // Others may have relied on it.
  assumed.clear();
  return false;
}

bool UniformValues::isRunByAllLanes(const BasicBlock *block) {
  if (!divergent) {
    divergent.emplace();
    for (const BasicBlock &from : function) {
      const Instruction *end = from.getTerminator();
      if (end->getNumSuccessors() < 2 ||
          (isa<BranchInst, SwitchInst>(end) && contains(end->getOperand(0))))
        continue;
      // Lanes are together again in the block that all of them get to. In
      // between, they may run a loop different numbers of times.
      const auto *node = postDominators.getNode(&from);
      const BasicBlock *meeting =
          node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      SmallVector<const BasicBlock *> reached(successors(&from));
      while (!reached.empty()) {
        const BasicBlock *next = reached.pop_back_val();
        if (next != meeting && divergent->insert(next).second)
          append_range(reached, successors(next));
      }
    }
  }
  return !divergent->contains(block);
}

bool UniformValues::compute(const Instruction &inst) {
  auto isUniform = [&](const Value *operand) { return contains(operand); };
  if (auto *phi = dyn_cast<PHINode>(&inst)) {
    const Loop *loop = loops.getLoopFor(phi->getParent());
    return loop && loop->getHeader() == phi->getParent() &&
           phi->getNumIncomingValues() == 2 &&
           all_of(phi->incoming_values(),
                  [&](const Use &value) { return isUniform(value.get()); });
  }
  if (auto *call = dyn_cast<CallInst>(&inst)) {
    StringRef name = getCalleeName(call);
    // Numbers of work-groups and sub-groups.
    if (any_of(ArrayRef<StringRef>{"get_group_id", "get_num_groups",
                                   "get_sub_group_id"},
               [&](StringRef part) { return name.contains(part); }))
      return all_of(call->args(), isUniform);
    return call->getIntrinsicID() && call->doesNotAccessMemory() &&
           !call->isConvergent() && all_of(call->args(), isUniform);
  }
  // Private memory is that of a lane.
  if (auto *load = dyn_cast<LoadInst>(&inst);
      load && (load->getPointerAddressSpace() == 0 || !load->isUnordered()))
    return false;
  // A loop's values may differ after it.
  bool isLeft = any_of(inst.operands(), [&](const Use &operand) {
    auto *source = dyn_cast<Instruction>(operand.get());
    const Loop *loop = source ? loops.getLoopFor(source->getParent()) : nullptr;
    return loop && !loop->contains(&inst);
  });
  return !isLeft &&
         isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst, FreezeInst, LoadInst, ExtractElementInst,
             InsertElementInst, ShuffleVectorInst, ExtractValueInst>(inst) &&
         all_of(inst.operands(),
                [&](const Use &operand) { return isUniform(operand.get()); });
}

} // namespace triton::intel::spirv
