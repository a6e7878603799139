//===- UnorderedLoads.cpp - Loads of what others may store ----------------===//
// SPDX-License-Identifier: MIT
//
// The effect of a piece of code on the set of stores that no barrier has
// completed is described by two facts, whatever the set is when it begins: the
// stores that it adds, and whether it has a barrier on each path. These are
// found once for each piece. The stores that reach the head of a loop are those
// that reach the loop, and those that its body adds.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Order/UnorderedLoads.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

using Stores = llvm::SetVector<Operation *>;

/// Returns whether all stores before `op` have completed after it. Nothing is
/// known of calls, which count as barriers.
bool isBarrier(Operation *op) {
  auto ordersMemory = [](auto atomic) {
    return atomic.getSem() != MemSemantic::RELAXED;
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case<BarrierOp>([](BarrierOp barrier) { return barrier.hasGlobal(); })
      .Case<AtomicRMWOp, AtomicCASOp, AtomicLoadOp, AtomicStoreOp,
            AtomicPollOp>(ordersMemory)
      .Case<CallOpInterface>([](CallOpInterface) { return true; })
      .Default([](Operation *) { return false; });
}

/// The effect of code on the set of stores that have not completed.
struct Effect {
  Stores added;
  /// Whether each path has a barrier.
  bool completes = false;

  void applyTo(Stores &stores) const {
    if (completes)
      stores.clear();
    stores.insert_range(added);
  }
  /// Appends the effect of what follows.
  void append(const Effect &next) {
    next.applyTo(added);
    completes |= next.completes;
  }
};

/// Walks over one function; see the head of the file.
class LoadFinder {
public:
  LoadFinder(AccessOrder &accesses,
             function_ref<void(Operation *, Operation *)> report)
      : accesses(accesses), report(report) {}

  void visitFunction(Region &body) {
    // Jumps between blocks may go back.
    llvm::DenseMap<Block *, Stores> entries;
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (Block &block : body) {
        Stores stores = entries.lookup(&block);
        getEffect(block).applyTo(stores);
        for (Block *next : block.getSuccessors()) {
          Stores &entry = entries[next];
          size_t size = entry.size();
          entry.insert_range(stores);
          hasChanged |= entry.size() != size;
        }
      }
    }
    for (Block &block : body)
      visit(block, entries.lookup(&block));
  }

private:
  /// Returns the effect of a block, which is found once.
  const Effect &getEffect(Block &block) {
    auto entry = effects.find(&block);
    if (entry != effects.end())
      return entry->second;
    Effect effect;
    for (Operation &op : block)
      effect.append(getEffect(&op));
    return effects[&block] = std::move(effect);
  }

  Effect getEffect(Operation *op) {
    Effect effect;
    if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op)) {
      bool isSkipped = isa<scf::ForOp>(op);
      effect.completes = true;
      for (Region &region : op->getRegions()) {
        isSkipped |= region.empty();
        for (Block &block : region) {
          const Effect &nested = getEffect(block);
          effect.added.insert_range(nested.added);
          effect.completes &= nested.completes;
        }
      }
      effect.completes &= !isSkipped;
      return effect;
    }
    effect.completes = isBarrier(op);
    if (isOrderedStore(op))
      effect.added.insert(op);
    return effect;
  }

  /// Looks for loads of a block that `stores` reach.
  void visit(Block &block, Stores stores) {
    for (Operation &op : block) {
      if (isOrderedLoad(&op))
        visitLoad(&op, stores);
      Stores nested = stores;
      Effect effect = getEffect(&op);
      // An iteration follows others.
      if (isa<scf::ForOp, scf::WhileOp>(op))
        nested.insert_range(effect.added);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner, nested);
      effect.applyTo(stores);
    }
  }

  void visitLoad(Operation *load, const Stores &stores) {
    for (Operation *store :
         stores.getArrayRef().take_front(kMaxComparedAccesses)) {
      if (accesses.findConflict(load, store).kind !=
          AccessConflict::Kind::Always)
        continue;
      report(load, store);
      return;
    }
  }

  AccessOrder &accesses;
  function_ref<void(Operation *, Operation *)> report;
  /// The effects of blocks. References stay valid while more come.
  std::map<Block *, Effect> effects;
};

} // namespace

void mlir::triton::gpu::intel::findUnorderedLoads(
    ModuleOp module, AccessOrder &accesses,
    function_ref<void(Operation *, Operation *)> report) {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      LoadFinder(accesses, report).visitFunction(function.getFunctionBody());
}
