//===- SideEntries.cpp - Divergent regions with one entry -----------------===//
// SPDX-License-Identifier: MIT
//
// The optimizer merges equal ends of blocks: if both sides of a uniform branch
// end with a store by one lane, they share the block that stores. This block
// then belongs to two divergent regions, and cannot run under the mask of
// either. Such blocks are short, so copying them is cheap.
//
//===----------------------------------------------------------------------===//

#include "SideEntries.h"

#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace triton::intel::cpu {

/// Lets uses of what `block` defines see the copy's value where they come from
/// the copy.
static void repairUses(BasicBlock *block, BasicBlock *copy,
                       ValueToValueMapTy &map) {
  for (Instruction &inst : *block) {
    SmallVector<Use *> uses;
    for (Use &use : inst.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      BasicBlock *at = phi ? phi->getIncomingBlock(use) : user->getParent();
      // Within the block the definition itself is right.
      if (at != block)
        uses.push_back(&use);
    }
    // Puts phis where both versions of a value meet.
    SSAUpdater updater;
    updater.Initialize(inst.getType(), inst.getName());
    updater.AddAvailableValue(block, &inst);
    updater.AddAvailableValue(copy, map[&inst]);
    for (Use *use : uses)
      updater.RewriteUse(*use);
    updater.UpdateDebugValues(&inst);
  }
}

bool splitSideEntry(Function &function, LaneDivergence &shapes) {
  std::optional<SideEntry> entry = shapes.findSideEntry(function);
  if (!entry)
    return false;
  BasicBlock *block = entry->block;
  ValueToValueMapTy map;
  BasicBlock *copy = CloneBasicBlock(block, map, ".side", &function);
  map[block] = copy;
  RemapFlags flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  for (Instruction &inst : *copy) {
    RemapInstruction(&inst, map, flags);
    RemapDbgRecordRange(function.getParent(), inst.getDbgRecordRange(), map,
                        flags);
  }
  // The region keeps the original; edges from outside go to the copy.
  SmallPtrSet<BasicBlock *, 4> outside(llvm::from_range, entry->preds);
  for (PHINode &phi : block->phis()) {
    auto *other = cast<PHINode>(map[&phi]);
    // Of two lists of predecessors, each phi keeps its own.
    for (BasicBlock *pred : SmallVector<BasicBlock *>(phi.blocks()))
      (outside.contains(pred) ? &phi : other)
          ->removeIncomingValue(pred, /*DeletePHIIfEmpty=*/false);
  }
  for (BasicBlock *pred : outside)
    pred->getTerminator()->replaceSuccessorWith(block, copy);
  // Successors have one more predecessor, with the copy's values.
  for (BasicBlock *successor : successors(copy))
    for (PHINode &phi : successor->phis()) {
      Value *value = phi.getIncomingValueForBlock(block);
      Value *copied = map.lookup(value);
      phi.addIncoming(copied ? copied : value, copy);
    }
  repairUses(block, copy, map);
  return true;
}

} // namespace triton::intel::cpu
