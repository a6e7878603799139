//===- PlaceBlockLoads.cpp - Load factors where dots use them -------------===//
// SPDX-License-Identifier: MIT
//
// A block that was prefetched, or loaded before, is in the cache. Loading it
// long before a dot uses it has no advantage, and occupies registers in
// between. Conversions of other factors contain barriers, which the lowered
// code could not move the load across.
//
// Outside of loops blocks are not prefetched. A load moves down there only if
// the registers do not suffice for it and the other values that are live at the
// dot.
//
// A factor that stays the same in all iterations is loaded in front of a loop,
// such as the queries of flash attention, or the keys and values of its
// gradient. If the loop and the factor do not fit into the registers together,
// the device compiler keeps some of the live values in scratch memory. A 2D
// block message can load the factor again instead, in the layout of the dot,
// matrix by matrix.
//
// Measured with ocloc 26.27, 256 registers, bf16: the loop of flash attention
// with 128 rows in 16 sub-groups, a head of 256 and blocks of 64 has 1319
// instructions and no message to scratch memory, and 1668 and 32 without this
// pass. The gradients of keys and values, a head of 128, 32 rows in 8
// sub-groups: 392 and none, 422 and 38. A latent cache: 1091 and none, 1308 and
// 267.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/LoopRegisters.h"
#include "intel/Analysis/MemoryEffects.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUPLACEBLOCKLOADS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Whether memory is the same when `load` runs and anywhere in `loop`, which
/// comes after it.
bool isMemoryTheSame(Operation *load, scf::ForOp loop) {
  // From the loop outwards to the block of the load: everything in front of the
  // loop, and everything that may run again before it does.
  Operation *op = loop;
  for (;; op = op->getParentOp()) {
    if (mayWrite(op))
      return false;
    if (op->getBlock() == load->getBlock())
      break;
  }
  return isMemoryTheSameBetween(load, op);
}

/// Moves loads of factors; see the head of the file.
class PlaceBlockLoads
    : public gpu::intel::impl::TritonIntelGPUPlaceBlockLoadsBase<
          PlaceBlockLoads> {
public:
  using TritonIntelGPUPlaceBlockLoadsBase::TritonIntelGPUPlaceBlockLoadsBase;

  void runOnTTGIR() override {
    getOperation().walk([&](scf::ForOp loop) {
      reloadIn(loop);
      sinkLoads(*loop.getBody(), [](Operation *) { return true; });
    });
    int64_t usable = getUsableBytes(getOperation(), registers);
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      for (Block &block : function.getFunctionBody()) {
        std::optional<llvm::DenseMap<Operation *, int64_t>> alive;
        sinkLoads(block, [&](Operation *dot) {
          if (!alive)
            alive = getBytesAliveAtDots(block);
          return alive->lookup(dot) > usable;
        });
      }
  }

private:
  /// Moves loads of the block down to the first dots that use them, where
  /// `isBetter` says so of the dot.
  void sinkLoads(Block &block, function_ref<bool(Operation *)> isBetter) {
    SmallVector<Operation *> loads;
    for (Operation &op : block)
      if (loadsSameBlock(&op))
        loads.push_back(&op);
    // From behind: those of one dot keep their order.
    llvm::DenseMap<Operation *, Operation *> places;
    for (Operation *load : llvm::reverse(loads))
      if (Operation *dot = findFirstDot(load); dot && isBetter(dot))
        sink(load, dot, places);
  }

  /// The first of the dots that use `load`; null where something else does.
  static Operation *findFirstDot(Operation *load) {
    Operation *first = nullptr;
    for (Operation *user : load->getUsers()) {
      // Nested, or computed with first: where it is used is another matter.
      if (!isa<DotOpInterface>(user) || user->getBlock() != load->getBlock())
        return nullptr;
      if (!first || user->isBeforeInBlock(first))
        first = user;
    }
    return first;
  }

  /// Moves a load down to its first dot. `places` has the first of the loads
  /// that stand in front of a dot.
  void sink(Operation *load, Operation *first,
            llvm::DenseMap<Operation *, Operation *> &places) {
    Operation *place = places.lookup_or(first, first);
    if (place != load->getNextNode()) {
      if (!isMemoryTheSameBetween(load, place) || !mayRewrite(load))
        return;
      load->moveBefore(place);
      ++numSunk;
    }
    places[first] = load;
  }

  /// As many of the factors that the loop uses from outside as it has no
  /// registers for, largest first.
  void reloadIn(scf::ForOp loop) {
    // The loop that uses a factor: others would only move it further in.
    if (loop.getBody()->getOps<DotOpInterface>().empty())
      return;
    int64_t usable = getUsableBytes(getOperation(), registers);
    int64_t inFlight =
        getTargetDesc(getOperation()).getCompiler().messagesInFlight;
    int64_t alive = getBytesAlive(loop) + inFlight * kMatrixBytes;
    if (alive <= usable)
      return;
    SmallVector<Operation *> loads = getReloadable(loop);
    llvm::stable_sort(loads, [](Operation *lhs, Operation *rhs) {
      return getRegisterBytes(lhs->getResult(0)) >
             getRegisterBytes(rhs->getResult(0));
    });
    for (Operation *load : loads) {
      if (alive <= usable)
        return;
      if (!mayRewrite(load))
        continue;
      alive -= getRegisterBytes(load->getResult(0));
      reload(load, loop);
    }
  }

  /// The smallest messages that the loads of a loop can be made of, so that it
  /// does not need this pass: a matrix of 16 columns and 32 bytes of rows.
  static constexpr int64_t kMatrixBytes = 512;

  /// Loads in front of the loop that nobody else uses, of blocks that are the
  /// same in memory whenever a dot of the loop uses them.
  static SmallVector<Operation *> getReloadable(scf::ForOp loop) {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    SmallVector<Operation *> loads;
    for (Value value : used) {
      Operation *load = value.getDefiningOp();
      if (load && loadsSameBlock(load) &&
          llvm::all_of(value.getUsers(),
                       [&](Operation *user) {
                         return isa<DotOpInterface>(user) &&
                                user->getBlock() == loop.getBody();
                       }) &&
          isMemoryTheSame(load, loop))
        loads.push_back(load);
    }
    return loads;
  }

  /// Loads in front of each dot: between two of them nothing is kept.
  void reload(Operation *load, scf::ForOp loop) {
    for (OpOperand &use : llvm::make_early_inc_range(load->getUses())) {
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(*load)->getResult(0));
    }
    remark::passed(load->getLoc(),
                   remark::RemarkOpts::name("reloaded").category(getArgument()))
        << remark::reason("loaded again in each iteration of a loop: the "
                          "registers that it takes, {0} bytes, are more than "
                          "the loop leaves",
                          getRegisterBytes(load->getResult(0)));
    load->erase();
    ++numReloaded;
  }
};

} // namespace
