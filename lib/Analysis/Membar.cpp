//===- Membar.cpp - Where shared memory needs a barrier -------------------===//
// SPDX-License-Identifier: MIT
//
// A forward data-flow analysis of the accesses since the last barrier. Each
// region is swept in program order, at first without what loops carry back: so
// conflicts within an iteration get their barriers first, and a conflict
// between iterations that one of these resolves needs no separate one. Once an
// operation is known to need a barrier, it keeps it.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/Membar.h"

#include "triton/Analysis/SharedMemoryAliases.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <limits>
#include <set>
#include <tuple>

using namespace mlir;

namespace mlir::triton::gpu {

namespace {

/// Bytes of shared memory from `begin` to before `end`.
struct Interval {
  int64_t begin, end;
};

/// The memory that a memdesc of unknown origin may refer to.
constexpr Interval kAllMemory{0, std::numeric_limits<int64_t>::max()};

/// One access of an operation, by any work-item of the program.
struct Access {
  Interval interval;
  bool isWrite;
  /// The operation, if it has several places and iterations take turns: then
  /// what it did in the iteration before it did elsewhere. Its barrier
  /// separates accesses from before that.
  Operation *takesTurns = nullptr;

  /// Returns whether the order of the two matters: they overlap, and one of
  /// them writes. Two sub-groups that write the same bytes would leave either
  /// value.
  bool conflictsWith(const Access &other) const {
    if (takesTurns && takesTurns == other.takesTurns)
      return false;
    return (isWrite || other.isWrite) && interval.begin < other.interval.end &&
           other.interval.begin < interval.end;
  }
  /// Any order will do; sets of accesses need one.
  bool operator<(const Access &other) const {
    return std::tie(interval.begin, interval.end, isWrite, takesTurns) <
           std::tie(other.interval.begin, other.interval.end, other.isWrite,
                    other.takesTurns);
  }
};

/// Accesses that no barrier separates from the current point.
using PendingAccesses = std::set<Access>;

/// Returns whether any of `accesses` conflicts with a pending one.
bool haveConflict(const PendingAccesses &pending, ArrayRef<Access> accesses) {
  return llvm::any_of(accesses, [&](const Access &access) {
    return llvm::any_of(pending, [&](const Access &earlier) {
      return access.conflictsWith(earlier);
    });
  });
}

/// Adds `source` to `target`; has `target` changed?
bool join(PendingAccesses &target, const PendingAccesses &source) {
  size_t before = target.size();
  target.insert(source.begin(), source.end());
  return target.size() != before;
}

/// The effects of an operation on shared memory.
struct OperationEffects {
  /// Before any barrier that the operation itself contains.
  SmallVector<Access> before;
  bool hasBarrier = false;
  /// After it; without one everything counts as `before`.
  SmallVector<Access> after;
};

/// Finds the operations of a module that need a barrier before them.
class ModuleMembar {
public:
  ModuleMembar(ModuleOp module, const SharedMemoryAllocation &allocation)
      : module(module), allocation(allocation) {}
  /// Returns them function by function, in program order.
  SmallVector<Operation *> run();

private:
  /// Returns all accesses of a function and of those that it calls.
  PendingAccesses summarize(FunctionOpInterface function);
  /// Returns the callee; null for indirect calls and functions of other
  /// modules.
  FunctionOpInterface getCallee(CallOpInterface call);

  /// The functions are looked up in it.
  ModuleOp module;
  /// The places of all operations with shared memory.
  const SharedMemoryAllocation &allocation;
  /// The pending accesses of each function; see `summarize`.
  llvm::DenseMap<Operation *, PendingAccesses> summaries;
  /// The effects of the operations that have any.
  llvm::DenseMap<Operation *, OperationEffects> effects;
};

/// Finds the missing barriers of one function.
class FunctionMembar {
public:
  FunctionMembar(const llvm::DenseMap<Operation *, OperationEffects> &effects,
                 FunctionOpInterface function)
      : effects(effects), function(function) {}

  /// Returns the operations in program order.
  SmallVector<Operation *> run();

private:
  PendingAccesses analyzeRegion(Region &region, const PendingAccesses &entry);
  PendingAccesses analyzeBlock(Block &block, PendingAccesses pending);
  PendingAccesses analyzeRegionBranch(RegionBranchOpInterface op,
                                      const PendingAccesses &entry);
  PendingAccesses analyzeLoop(RegionBranchOpInterface op,
                              const PendingAccesses &entry);
  /// Lets `op` see the pending accesses: notes whether it needs a barrier, and
  /// adds its own.
  void visit(Operation *op, PendingAccesses &pending);

  /// The effects of the operations of the whole module.
  const llvm::DenseMap<Operation *, OperationEffects> &effects;
  /// The function that is looked at.
  FunctionOpInterface function;
  /// Only ever grows, apart from an experiment in `analyzeLoop`.
  llvm::DenseSet<Operation *> needsBarrier;
};

/// The bytes to which a memdesc may refer.
class IntervalFinder {
public:
  /// All memdescs are those of one function.
  IntervalFinder(FunctionOpInterface function,
                 const SharedMemoryAllocation &allocation)
      : allocation(allocation), aliases(function) {}

  SmallVector<Interval> find(Value memdesc) const;

private:
  const SharedMemoryAllocation &allocation;
  /// The allocations that each memdesc of the function may stem from.
  SharedMemoryAliases aliases;
};

} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

SmallVector<Interval> IntervalFinder::find(Value memdesc) const {
  // One buffer of several, if it is known which.
  if (auto index = memdesc.getDefiningOp<MemDescIndexOp>()) {
    SmallVector<Interval> whole = find(index.getSrc());
    APInt constant;
    if (!matchPattern(index.getIndex(), m_ConstantInt(&constant)))
      return whole;
    int64_t stride = getBufferStrideBytes(index.getSrc().getType());
    for (Interval &interval : whole) {
      // An interval that is a part already, or all of memory, does not show
      // where the buffers begin.
      bool isWhole = interval.end - interval.begin ==
                     getAllocationBytes(index.getSrc().getType());
      int64_t begin = interval.begin + constant.getSExtValue() * stride;
      // An index out of range keeps the whole.
      if (isWhole && begin >= interval.begin && begin + stride <= interval.end)
        interval = {begin, begin + stride};
    }
    return whole;
  }
  // Other views are within what they are views of.
  if (Operation *op = memdesc.getDefiningOp();
      op && op->hasTrait<triton::gpu::OpTrait::MemDescViewTrait>())
    return find(op->getOperand(0));

  SmallVector<Interval> intervals;
  for (LocalAllocOp alloc : aliases.getAllocations(memdesc)) {
    const SharedMemoryBuffer *buffer = allocation.lookup(alloc);
    intervals.push_back({buffer->offset, buffer->end()});
  }
  if (aliases.mayBeForeign(memdesc))
    intervals.push_back(kAllMemory);
  return intervals;
}

/// Adds the accesses of `op` through its memdesc operands, and initializing
/// stores.
static void addMemDescAccesses(Operation *op, const IntervalFinder &finder,
                               OperationEffects &effects) {
  // The accesses of one operand.
  auto add = [&](Value memdesc, bool isWrite) {
    for (Interval interval : finder.find(memdesc))
      effects.before.push_back({interval, isWrite});
  };
  // An allocation without an operand writes nothing.
  if (auto alloc = dyn_cast<LocalAllocOp>(op)) {
    if (alloc.getSrc())
      add(alloc.getResult(), /*isWrite=*/true);
    return;
  }
  // An operation describes its effects on values, of which only memdescs matter
  // here.
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return;
  SmallVector<MemoryEffects::EffectInstance> instances;
  interface.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    Value memdesc = instance.getValue();
    bool isWrite = isa<MemoryEffects::Write>(instance.getEffect());
    if (memdesc && isa<MemDescType>(memdesc.getType()) &&
        (isWrite || isa<MemoryEffects::Read>(instance.getEffect())))
      add(memdesc, isWrite);
  }
}

/// Returns the effects of `op`, without those of its regions and callees.
static OperationEffects getEffects(Operation *op, const IntervalFinder &finder,
                                   const SharedMemoryAllocation &allocation) {
  OperationEffects effects;
  // A barrier of the operation's own, if it orders shared memory.
  if (auto barrier = dyn_cast<BarrierOp>(op)) {
    effects.hasBarrier = barrier.hasLocal();
    return effects;
  }
  addMemDescAccesses(op, finder, effects);
  const SharedMemoryBuffer *buffer = allocation.lookup(op);
  if (!buffer || isa<LocalAllocOp>(op))
    return effects;
  // Scratch memory is written, then a barrier, then read: what every lowering
  // with such a need does.
  Interval interval{buffer->offset, buffer->end()};
  Operation *takesTurns = buffer->places > 1 ? op : nullptr;
  effects.before.push_back({interval, /*isWrite=*/true, takesTurns});
  effects.hasBarrier = true;
  effects.after.push_back({interval, /*isWrite=*/false, takesTurns});
  return effects;
}

//===----------------------------------------------------------------------===//
// Data flow
//===----------------------------------------------------------------------===//

void FunctionMembar::visit(Operation *op, PendingAccesses &pending) {
  auto it = effects.find(op);
  if (it == effects.end())
    return;
  const OperationEffects &opEffects = it->second;
  // Only what happens before an operation's own barrier can conflict.
  if (!needsBarrier.contains(op) && haveConflict(pending, opEffects.before))
    needsBarrier.insert(op);
  // A barrier before or within separates all earlier accesses.
  if (needsBarrier.contains(op) || opEffects.hasBarrier)
    pending.clear();
  const SmallVector<Access> &remaining =
      opEffects.hasBarrier ? opEffects.after : opEffects.before;
  pending.insert(remaining.begin(), remaining.end());
}

PendingAccesses FunctionMembar::analyzeBlock(Block &block,
                                             PendingAccesses pending) {
  // Loops and branches represent all accesses in them.
  for (Operation &op : block) {
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      pending = branch.hasLoop() ? analyzeLoop(branch, pending)
                                 : analyzeRegionBranch(branch, pending);
    else
      visit(&op, pending);
  }
  return pending;
}

/// Returns the state where control leaves the region.
PendingAccesses FunctionMembar::analyzeRegion(Region &region,
                                              const PendingAccesses &entry) {
  // The accesses that are pending at the beginning of each block; until nothing
  // is added, since jumps may go back.
  llvm::DenseMap<Block *, PendingAccesses> entries;
  entries[&region.front()] = entry;
  PendingAccesses exit;
  for (bool changed = true; changed;) {
    changed = false;
    exit.clear();
    for (Block &block : region) {
      PendingAccesses pending = analyzeBlock(block, entries[&block]);
      // Blocks without successors leave the region.
      if (block.getNumSuccessors() == 0)
        join(exit, pending);
      for (Block *successor : block.getSuccessors())
        changed |= join(entries[successor], pending);
    }
  }
  return exit;
}

/// Returns the state after an operation whose regions are entered as its
/// interface states: loops and branches.
PendingAccesses
FunctionMembar::analyzeRegionBranch(RegionBranchOpInterface op,
                                    const PendingAccesses &entry) {
  // The accesses that are pending at the beginning of each region, and whether
  // control gets there at all.
  SmallVector<PendingAccesses> entries(op->getNumRegions());
  SmallVector<bool> isReached(op->getNumRegions(), false);
  PendingAccesses exit;
  bool changed = true;
  // Control goes from one point to any of its successors.
  auto flow = [&](ArrayRef<RegionSuccessor> successors,
                  const PendingAccesses &pending) {
    for (const RegionSuccessor &successor : successors) {
      if (successor.isParent()) {
        join(exit, pending);
        continue;
      }
      unsigned number = successor.getSuccessor()->getRegionNumber();
      // The first arrival counts as a change even if nothing is pending.
      changed |= join(entries[number], pending) || !isReached[number];
      isReached[number] = true;
    }
  };
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  flow(successors, entry);
  // Until no region receives anything new. The outgoing state is recomputed in
  // each round, as barriers may have been found meanwhile.
  while (std::exchange(changed, false)) {
    exit.clear();
    flow(successors, entry);
    for (Region &region : op->getRegions()) {
      unsigned number = region.getRegionNumber();
      if (!isReached[number] || region.empty())
        continue;
      SmallVector<RegionSuccessor> next;
      op.getSuccessorRegions(region, next);
      flow(next, analyzeRegion(region, entries[number]));
    }
  }
  return exit;
}

/// A barrier that only what happens before the loop makes necessary is better
/// executed once, before the loop.
PendingAccesses FunctionMembar::analyzeLoop(RegionBranchOpInterface op,
                                            const PendingAccesses &entry) {
  // First as if nothing were pending: these barriers are needed anyway.
  PendingAccesses exit = analyzeRegionBranch(op, {});
  if (entry.empty() || needsBarrier.contains(op))
    return exit;
  llvm::DenseSet<Operation *> neededInside = needsBarrier;
  PendingAccesses exitWithEntry = analyzeRegionBranch(op, entry);
  // Nothing in the loop conflicts with what came before it.
  if (needsBarrier.size() == neededInside.size())
    return exitWithEntry;
  // Otherwise one barrier before the loop takes the place of those that
  // this experiment has found.
  needsBarrier = std::move(neededInside);
  needsBarrier.insert(op);
  return exit;
}

SmallVector<Operation *> FunctionMembar::run() {
  analyzeRegion(function.getFunctionBody(), {});
  SmallVector<Operation *> result;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (needsBarrier.contains(op))
      result.push_back(op);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

FunctionOpInterface ModuleMembar::getCallee(CallOpInterface call) {
  auto symbol = dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
  return symbol ? module.lookupSymbol<FunctionOpInterface>(
                      symbol.getRootReference())
                : FunctionOpInterface();
}

PendingAccesses ModuleMembar::summarize(FunctionOpInterface function) {
  // Callees are summarized once, however many calls there are.
  if (auto it = summaries.find(function); it != summaries.end())
    return it->second;
  PendingAccesses all;
  IntervalFinder finder(function, allocation);
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function.getOperation())
      return;
    OperationEffects opEffects;
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      FunctionOpInterface callee = getCallee(call);
      if (!callee)
        return;
      // The analysis does not look at the barriers of the callee, whose loops
      // start again with each call.
      for (Access access : summarize(callee)) {
        access.takesTurns = nullptr;
        opEffects.before.push_back(access);
      }
    } else {
      // Any other operation.
      opEffects = getEffects(op, finder, allocation);
    }
    // For the callers: all accesses, without order.
    all.insert(opEffects.before.begin(), opEffects.before.end());
    all.insert(opEffects.after.begin(), opEffects.after.end());
    if (!opEffects.before.empty() || opEffects.hasBarrier)
      effects[op] = std::move(opEffects);
  });
  return summaries[function] = std::move(all);
}

SmallVector<Operation *> ModuleMembar::run() {
  SmallVector<Operation *> missing;
  // Callees are summarized on the way.
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    summarize(function);
    llvm::append_range(missing, FunctionMembar(effects, function).run());
  }
  return missing;
}

SmallVector<Operation *>
findMissingBarriers(ModuleOp module, const SharedMemoryAllocation &allocation) {
  return ModuleMembar(module, allocation).run();
}

} // namespace mlir::triton::gpu
