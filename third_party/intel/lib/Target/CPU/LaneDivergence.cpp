//===- LaneDivergence.cpp - How a value differs between lanes -------------===//
// SPDX-License-Identifier: MIT

#include "intel/Target/CPU/LaneDivergence.h"

#include "Builtins.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace triton::intel::cpu {

//===----------------------------------------------------------------------===//
// LaneShape
//===----------------------------------------------------------------------===//

/// Zero is a multiple of every power of two.
unsigned LaneShape::getAlignmentOf(int64_t value) {
  return value ? countr_zero(static_cast<uint64_t>(value)) : maxAlignment;
}

LaneShape LaneShape::constant(int64_t value) {
  LaneShape shape(Kind::Affine, nullptr, getAlignmentOf(value));
  shape.constantBase = value;
  return shape;
}

LaneShape LaneShape::known(const LaneOffsets *offsets, int64_t base) {
  LaneShape shape = constant(base);
  shape.offsets = offsets;
  return shape;
}

/// Commutative. Different offsets meet as varying: a base plus offsets that
/// depend on the way would need a separate row.
LaneShape LaneShape::meet(const LaneShape &other) const {
  if (isUnknown())
    return other;
  if (other.isUnknown())
    return *this;
  if (isVarying() || other.isVarying() || offsets != other.offsets)
    return varying();
  // Offsets agree; of the bases the weaker statement holds.
  LaneShape result = *this;
  result.alignment = std::min(alignment, other.alignment);
  if (constantBase != other.constantBase)
    result.constantBase.reset();
  return result;
}

//===----------------------------------------------------------------------===//
// Construction and queries
//===----------------------------------------------------------------------===//

/// Reverse post order: definitions come before uses except for back edges, so
/// that few rounds of the fixed point are needed.
FunctionDivergence::FunctionDivergence(Function &function)
    : function(function), dominators(function), postDominators(function),
      loops(dominators) {
  ReversePostOrderTraversal<Function *> traversal(&function);
  order.assign(traversal.begin(), traversal.end());
}

/// Runs the analysis to its fixed point. Shapes only ever lose, and each has
/// few steps to lose, so it ends.
LaneDivergence::LaneDivergence(Module &module, unsigned numLanes)
    : module(module), numLanes(numLanes) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    auto &entry = functions[&function];
    entry = std::make_unique<FunctionDivergence>(function);
    for (Instruction &inst : instructions(function))
      if (auto *alloca = dyn_cast<AllocaInst>(&inst))
        followPointers(*alloca);
    // Unknown, until a return is seen.
    entry->result.resize(getNumScalars(function.getReturnType()));
    // A kernel's arguments are the same for all; others get theirs from calls.
    for (Argument &argument : function.args()) {
      auto &list = shapes[&argument];
      list.resize(getNumScalars(argument.getType()));
      if (function.getCallingConv() != CallingConv::SPIR_KERNEL)
        continue;
      unsigned alignment = Log2(argument.getParamAlign().valueOrOne());
      list.assign(list.size(), LaneShape::uniform(alignment));
    }
  }
  // All functions until none changes: calls carry shapes to parameters and back
  // from results.
  bool changed = true;
  while (changed) {
    changed = false;
    for (Function &function : module)
      if (!function.isDeclaration())
        changed |= visitFunction(getFunction(function));
  }
}

/// Returns the one list that is equal to `offsets`, so that shapes compare
/// pointers; null for zeros. A set, whose elements never move.
const LaneOffsets *LaneDivergence::intern(LaneOffsets offsets) {
  if (all_of(offsets, [](int64_t offset) { return offset == 0; }))
    return nullptr;
  return &*offsetLists.insert(std::move(offsets)).first;
}

/// Offsets of an operation on two shapes, lane by lane.
const LaneOffsets *
LaneDivergence::combine(const LaneShape &lhs, const LaneShape &rhs,
                        function_ref<int64_t(int64_t, int64_t)> op) {
  LaneOffsets offsets(numLanes);
  for (unsigned lane = 0; lane < numLanes; ++lane)
    offsets[lane] = op(lhs.getOffset(lane), rhs.getOffset(lane));
  return intern(std::move(offsets));
}

/// Undefined constants are unknown: they may become whatever suits. Integers of
/// up to 64 bits are known.
LaneShape LaneDivergence::getConstantShape(Constant *constant,
                                           unsigned element) const {
  if (isa<UndefValue>(constant))
    return LaneShape();
  // Structs and arrays: scalar elements are not looked at one by one.
  if (constant->getType()->isAggregateType())
    return LaneShape::uniform();
  if (constant->getType()->isVectorTy()) {
    constant = constant->getAggregateElement(element);
    // A constant expression.
    if (!constant)
      return LaneShape::uniform();
    return getConstantShape(constant, 0);
  }
  if (auto *integer = dyn_cast<ConstantInt>(constant))
    if (integer->getBitWidth() <= 64)
      return LaneShape::constant(integer->getSExtValue());
  return LaneShape::uniform();
}

LaneShape LaneDivergence::get(Value *value, unsigned element) const {
  if (auto *constant = dyn_cast<Constant>(value))
    return getConstantShape(constant, element);
  auto found = shapes.find(value);
  // Not visited so far, or nothing to visit: labels, metadata.
  if (found == shapes.end() || element >= found->second.size())
    return LaneShape();
  return found->second[element];
}

/// Returns whether all scalar elements of all operands are the same for all
/// lanes.
bool LaneDivergence::areOperandsUniform(User &user) const {
  for (Value *operand : user.operands())
    for (unsigned element = 0; element < getNumScalars(operand->getType());
         ++element)
      if (!operand->getType()->isLabelTy() &&
          !operand->getType()->isMetadataTy() &&
          !get(operand, element).isUniform())
        return false;
  return true;
}

/// Returns whether the fixed point has still to reach an operand, without which
/// nothing is known about a result.
bool LaneDivergence::isAnyOperandUnknown(User &user) const {
  return any_of(user.operands(), [&](Value *operand) {
    unsigned count = getNumScalars(operand->getType());
    if (isa<Constant>(operand) || operand->getType()->isLabelTy() ||
        operand->getType()->isMetadataTy())
      return false;
    // Some elements of a vector may stay unknown: they were never given a
    // value.
    return all_of(seq(0u, count), [&](unsigned element) {
      return get(operand, element).isUnknown();
    });
  });
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

/// Lowers the shapes of a value to what holds for the old and the new ones.
/// Returns whether any did change.
bool LaneDivergence::update(Value *value, ArrayRef<LaneShape> news) {
  auto &list = shapes[value];
  list.resize(news.size());
  bool changed = false;
  // Never upwards: a value that was varying once stays so, or the fixed point
  // may not end.
  for (auto [old, shape] : zip_equal(list, news)) {
    LaneShape merged = old.meet(shape);
    changed |= merged != old;
    old = merged;
  }
  return changed;
}

/// One round over a function; returns whether anything changed.
bool LaneDivergence::visitFunction(FunctionDivergence &function) {
  bool changed = false;
  for (BasicBlock *block : function.order) {
    for (Instruction &inst : *block) {
      if (auto *branch = dyn_cast<BranchInst>(&inst)) {
        changed |= visitBranch(function, *branch);
        continue;
      }
      if (auto *store = dyn_cast<StoreInst>(&inst)) {
        changed |= visitStore(function, *store);
        continue;
      }
      // One return per function, but other rounds came here before.
      if (auto *ret = dyn_cast<ReturnInst>(&inst)) {
        for (unsigned element = 0; element < function.result.size();
             ++element) {
          LaneShape merged = function.result[element].meet(
              get(ret->getReturnValue(), element));
          changed |= merged != function.result[element];
          function.result[element] = merged;
        }
        continue;
      }
      if (auto *call = dyn_cast<CallInst>(&inst)) {
        Function *callee = call->getCalledFunction();
        // Shapes of arguments, and whether all lanes take part.
        if (callee && !callee->isDeclaration())
          changed |= visitCallee(*call, getFunction(*callee),
                                 function.maskedBlocks.contains(block));
      }
      unsigned numElements = getNumScalars(inst.getType());
      if (numElements)
        changed |= update(&inst, transfer(function, inst));
    }
  }
  return changed;
}

/// Carries shapes of arguments to the parameters of a function of the module,
/// joined over all calls. A call under a mask makes all of its body masked,
/// since lanes that do not take part must not store.
bool LaneDivergence::visitCallee(CallInst &call, FunctionDivergence &callee,
                                 bool isMasked) {
  bool changed = false;
  for (Argument &argument : callee.function.args()) {
    SmallVector<LaneShape> news;
    Value *operand = call.getArgOperand(argument.getArgNo());
    // Affine arguments would need their offsets in the signature.
    for (unsigned element = 0; element < getNumScalars(argument.getType());
         ++element) {
      LaneShape shape = get(operand, element);
      news.push_back(shape.isUnknown()   ? shape
                     : shape.isUniform() ? LaneShape::uniform()
                                         : LaneShape::varying());
    }
    changed |= update(&argument, news);
  }
  if (isMasked && !callee.isMasked) {
    changed = callee.isMasked = true;
    for (BasicBlock *block : callee.order) {
      callee.maskedBlocks.insert(block);
      // Lanes may differ in every block: phis choose by lane. Phis of headers
      // are loop-carried and do not change.
      if (!callee.loops.isLoopHeader(block))
        callee.joins.insert(block);
      // Whether lanes leave a loop together no longer matters.
      if (Loop *loop = callee.loops.getLoopFor(block))
        callee.divergentLoops.insert(loop);
    }
  }
  return changed;
}

/// Finds all pointers into the alloca, unless something has one that may write
/// unseen: a call, or a phi of pointers into several allocas.
void LaneDivergence::followPointers(AllocaInst &alloca) {
  SmallVector<Value *> pointers = {&alloca};
  bool isStored = false;
  for (unsigned i = 0; i < pointers.size(); ++i)
    for (User *user : pointers[i]->users()) {
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(user)) {
        pointers.push_back(user);
        continue;
      }
      auto *store = dyn_cast<StoreInst>(user);
      auto *intrinsic = dyn_cast<IntrinsicInst>(user);
      bool isAccess = isa<LoadInst>(user) ||
                      (store && store->getValueOperand() != pointers[i]) ||
                      (intrinsic && intrinsic->isLifetimeStartOrEnd());
      if (!isAccess)
        return;
      isStored |= store != nullptr;
    }
  // A value that was never stored is undefined, and may differ between lanes.
  if (!isStored)
    return;
  for (Value *pointer : pointers)
    followed[pointer] = &alloca;
}

/// Lanes whose values differ, or of which some do not store theirs, have
/// different contents of their memory from then on.
bool LaneDivergence::visitStore(FunctionDivergence &function,
                                StoreInst &store) {
  AllocaInst *alloca = followed.lookup(store.getPointerOperand());
  if (!alloca || (areOperandsUniform(store) &&
                  !function.maskedBlocks.contains(store.getParent())))
    return false;
  return varyingMemory.insert(alloca).second;
}

/// A branch that lanes take differently, seen for the first time, changes
/// shapes after it.
bool LaneDivergence::visitBranch(FunctionDivergence &function,
                                 BranchInst &branch) {
  if (!branch.isConditional() || get(branch.getCondition()).isUniform())
    return false;
  return markDivergent(function, branch.getParent());
}

/// `block` ends in a branch that lanes take differently. The code between it
/// and the block where all ways meet again becomes masked.
bool LaneDivergence::markDivergent(FunctionDivergence &function,
                                   BasicBlock *block) {
  if (!function.divergentBranches.insert(block).second)
    return false;
  auto *node = function.postDominators.getNode(block);
  // No way leads to a return.
  if (!node || !node->getIDom())
    return true;
  BasicBlock *exit = node->getIDom()->getBlock();
  BasicBlock *entry = block;
  Loop *loop = function.loops.getLoopFor(block);
  // Ways that leave a loop meet after it: lanes leave in different iterations,
  // and the region is all of the loop.
  while (loop && exit && !loop->contains(exit)) {
    function.divergentLoops.insert(loop);
    entry = loop->getHeader();
    exit = function.postDominators.findNearestCommonDominator(entry, exit);
    loop = loop->getParentLoop();
  }
  if (exit)
    markRegion(function, entry, exit);
  return true;
}

/// Marks what can be reached from `entry` ahead of `exit`: blocks under masks,
/// and joins, where phis have a value per lane.
void LaneDivergence::markRegion(FunctionDivergence &function, BasicBlock *entry,
                                BasicBlock *exit) {
  SmallVector<BasicBlock *> worklist(successors(entry));
  // A loop as a whole is masked from its header on, since lanes that left do
  // not run it again.
  if (function.divergentLoops.contains(function.loops.getLoopFor(entry)) &&
      function.loops.isLoopHeader(entry))
    function.maskedBlocks.insert(entry);
  SmallPtrSet<BasicBlock *, 8> seen;
  while (!worklist.empty()) {
    BasicBlock *block = worklist.pop_back_val();
    if (!seen.insert(block).second || block == entry)
      continue;
    // A header's phis take what came in or around, for the lanes that are left.
    if (!function.loops.isLoopHeader(block) || block == exit)
      function.joins.insert(block);
    if (block == exit)
      continue;
    function.maskedBlocks.insert(block);
    // Loops inside are run by all lanes that come to them.
    if (function.loops.isLoopHeader(block))
      function.divergentLoops.insert(function.loops.getLoopFor(block));
    append_range(worklist, successors(block));
  }
}

/// Returns the outermost regions, side entries or not.
Expected<SmallVector<DivergentRegion>>
LaneDivergence::findRegions(Function &llvmFunction) {
  FunctionDivergence &function = getFunction(llvmFunction);
  SmallVector<DivergentRegion> regions;
  // An entry belongs to its region, but may be the exit of another one.
  auto contains = [&](BasicBlock *block) {
    return any_of(regions, [&](const DivergentRegion &region) {
      return region.blocks.contains(block) && region.entry != block;
    });
  };
  // In this order an outer region comes before those inside of it.
  for (BasicBlock *block : function.order) {
    Loop *loop = function.loops.getLoopFor(block);
    bool isLoop = loop && loop->getHeader() == block &&
                  function.divergentLoops.contains(loop);
    // A region begins with a divergent loop or a divergent branch.
    if (!isLoop && !function.divergentBranches.contains(block))
      continue;
    if (contains(block))
      continue;
    // Lanes meet at the first block that all ways lead through.
    BasicBlock *exit = nullptr;
    if (auto *node = function.postDominators.getNode(block);
        node && node->getIDom())
      exit = node->getIDom()->getBlock();
    // For a loop, the first such block after it.
    if (isLoop)
      while (exit && loop->contains(exit)) {
        auto *node = function.postDominators.getNode(exit);
        exit = node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      }
    if (!exit)
      return createStringError("divergent control flow never meets again");

    // Blocks between, by what is reachable.
    DivergentRegion region{block, exit, {}};
    SmallVector<BasicBlock *> worklist = {block};
    while (!worklist.empty()) {
      BasicBlock *current = worklist.pop_back_val();
      if (current == exit || !region.blocks.insert(current).second)
        continue;
      append_range(worklist, successors(current));
    }
    regions.push_back(std::move(region));
  }
  return regions;
}

/// Returns whether there is a way into the region to `block` that does not lead
/// through its entry.
static bool isSideEntry(const DivergentRegion &region, BasicBlock *block) {
  return block != region.entry && region.blocks.contains(block) &&
         any_of(predecessors(block), [&](BasicBlock *pred) {
           return !region.blocks.contains(pred);
         });
}

Expected<SmallVector<DivergentRegion>>
LaneDivergence::getDivergentRegions(Function &function) {
  Expected<SmallVector<DivergentRegion>> regions = findRegions(function);
  if (!regions)
    return regions.takeError();
  for (const DivergentRegion &region : *regions)
    for (BasicBlock *block : region.blocks)
      if (isSideEntry(region, block))
        return createStringError("divergent control flow has two entries");
  return regions;
}

/// Side entries are taken out (see SideEntries.h) before vector code is
/// written; a header cannot be copied without its loop.
std::optional<SideEntry> LaneDivergence::findSideEntry(Function &llvmFunction) {
  FunctionDivergence &function = getFunction(llvmFunction);
  Expected<SmallVector<DivergentRegion>> regions = findRegions(llvmFunction);
  if (!regions) {
    // getDivergentRegions reports it.
    consumeError(regions.takeError());
    return std::nullopt;
  }
  for (const DivergentRegion &region : *regions)
    for (BasicBlock *block : function.order) {
      if (!isSideEntry(region, block) || function.loops.isLoopHeader(block))
        continue;
      SideEntry entry{block, {}};
      for (BasicBlock *pred : predecessors(block))
        if (!region.blocks.contains(pred))
          entry.preds.push_back(pred);
      return entry;
    }
  return std::nullopt;
}

} // namespace triton::intel::cpu
