//===- InsertGlobalBarriers.cpp - Global barriers before stores -----------===//
// SPDX-License-Identifier: MIT
//
// Analysis/AccessOrder.h decides which loads a store may overtake. One walk
// over the function in program order tracks the loads since the last barrier.
// At the head of a loop all of its loads count as executed, because the
// previous iteration executed them. So no operation is visited twice, however
// deep loops are nested.
//
// Few launches pass tensors that overlap as two arguments. These run a variant
// of the kernel, so that others need no barriers. The barriers order global
// memory: all loads before them have completed. Where tensors do not
// overlap, stores come next to the other uses of their values (DelayStores.h).
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-insert-global-barriers"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "DelayStores.h"

#include "intel/Analysis/Order/AccessOrder.h"
#include "intel/Analysis/Order/OwnerLoads.h"
#include "intel/Analysis/Order/UnorderedLoads.h"
#include "intel/Analysis/Symbolic/LaunchCondition.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUINSERTGLOBALBARRIERS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Loads, and calls of functions with loads, since sub-groups met last.
using Pending = llvm::SetVector<Operation *>;

/// Puts barriers before stores; see the head of the file.
class InsertGlobalBarriers
    : public gpu::intel::impl::TritonIntelGPUInsertGlobalBarriersBase<
          InsertGlobalBarriers> {
public:
  using TritonIntelGPUInsertGlobalBarriersBase::
      TritonIntelGPUInsertGlobalBarriersBase;

  void runOnTTGIR() override {
    module = getOperation();
    kernel = getOnlyKernel(module);
    AccessOrder order(module);
    accesses = &order;
    disjoint.clear();
    disjointOrSame.clear();
    minimums.clear();
    // One sub-group keeps its own order.
    if (lookupNumWarps(module) == 1)
      return;
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (function.isExternal())
        continue;
      Region &body = function.getFunctionBody();
      Pending pending;
      // Jumps between blocks may go back.
      if (!body.hasOneBlock())
        addLoads(body, pending);
      for (Block &block : body) {
        Pending entry = pending;
        visit(block, entry);
      }
    }
    assumeDisjoint();
    if (getContext().getRemarkEngine())
      reportUnordered();
    if (kernel)
      delayStores(kernel, [this](Operation *load, Operation *store) {
        return areAssumedDisjoint(load, store);
      });
  }

private:
  static bool isLoad(Operation *op) {
    return isOrderedLoad(op) || isa<CallOpInterface>(op);
  }

  static void addLoads(Region &region, Pending &pending) {
    region.walk([&](Operation *op) {
      if (isLoad(op))
        pending.insert(op);
    });
  }

  void visit(Block &block, Pending &pending) {
    for (Operation &op : block) {
      if (auto barrier = dyn_cast<BarrierOp>(op)) {
        if (barrier.hasGlobal())
          pending.clear();
      } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
        visitLoop(&op, pending);
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        Pending other = pending;
        visit(*branch.thenBlock(), pending);
        if (Block *block = branch.elseBlock())
          visit(*block, other);
        pending.insert_range(other);
      } else if ((isOrderedStore(&op) || isa<CallOpInterface>(op)) &&
                 mayOvertake(&op, pending)) {
        addBarrier(&op);
        pending.clear();
      }
      if (isLoad(&op))
        pending.insert(&op);
    }
  }

  void visitLoop(Operation *loop, Pending &pending) {
    Pending entry = pending;
    for (Region &region : loop->getRegions())
      addLoads(region, entry);
    for (Region &region : loop->getRegions())
      for (Block &block : region) {
        Pending inside = entry;
        visit(block, inside);
        pending.insert_range(inside);
      }
  }

  /// Returns whether `store`, a store or a call, needs a barrier for one of the
  /// loads.
  bool mayOvertake(Operation *store, const Pending &pending) {
    // Loads beyond the limit count as a conflict.
    if (pending.size() > kMaxComparedAccesses)
      return true;
    SmallVector<std::pair<BlockArgument, BlockArgument>> pairs, equalPairs;
    SmallVector<std::pair<BlockArgument, int64_t>> limits;
    SmallVector<LoadOp> ownerLoads;
    for (Operation *load : pending) {
      AccessConflict conflict = getConflict(load, store);
      if (conflict.kind == AccessConflict::Kind::Always &&
          isOrderedInOwners(load, store, conflict))
        ownerLoads.push_back(cast<LoadOp>(load));
      if (conflict.kind == AccessConflict::Kind::Always)
        return true;
      for (auto [from, to] : conflict.pairs) {
        if (!assumeLaunch || !isKernelArgument(from) || !isKernelArgument(to))
          return true;
        (conflict.maySame ? equalPairs : pairs).push_back(makePair(from, to));
      }
      for (auto [value, minimum] : conflict.minimums) {
        if (!assumeLaunch || !isKernelArgument(value))
          return true;
        limits.push_back({cast<BlockArgument>(value), minimum});
      }
    }
    disjoint.insert_range(pairs);
    disjointOrSame.insert_range(equalPairs);
    minimums.insert_range(limits);
    for (LoadOp load : ownerLoads) {
      LDBG() << "owners alone load at " << load.getLoc();
      loadInOwners(load);
      accesses->addOwnerLoad(load);
      ++numOwnerLoads;
    }
    return false;
  }

  /// Returns whether the load need not come first if only owners execute it,
  /// and whether they may. `conflict` is then that of their load.
  bool isOrderedInOwners(Operation *op, Operation *store,
                         AccessConflict &conflict) {
    auto load = dyn_cast<LoadOp>(op);
    if (!load || isa<CallOpInterface>(store) ||
        getCopiedWarps(load.getResult()) == 0)
      return false;
    AccessConflict inOwners = accesses->findConflictInOwners(load, store);
    if (inOwners.kind == AccessConflict::Kind::Always ||
        !isObservedByOwnersOnly(load))
      return false;
    conflict = inOwners;
    return true;
  }

  /// Returns the conflict between a load and a store. Of calls nothing is known
  /// but whether there are loads, or stores.
  AccessConflict getConflict(Operation *load, Operation *store) {
    if (!isa<CallOpInterface>(load) && !isa<CallOpInterface>(store))
      return accesses->findConflict(load, store);
    AccessConflict conflict;
    if (mayContain(load, isOrderedLoad) && mayContain(store, isOrderedStore))
      conflict.kind = AccessConflict::Kind::Always;
    return conflict;
  }

  /// Returns whether `op` is one, or a call of a function that has one or calls
  /// others.
  bool mayContain(Operation *op, function_ref<bool(Operation *)> isOne) {
    auto call = dyn_cast<CallOpInterface>(op);
    if (!call)
      return isOne(op);
    Operation *callee = call.resolveCallable();
    if (!callee)
      return false;
    return callee
        ->walk([&](Operation *nested) {
          return isOne(nested) || isa<CallOpInterface>(nested)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void addBarrier(Operation *store) {
    LDBG() << "sub-groups wait before " << store->getName() << " at "
           << store->getLoc();
    OpBuilder builder(store);
    BarrierOp::create(builder, store->getLoc(),
                      AddrSpace::GlobalRead | AddrSpace::GlobalWrite);
    remark::analysis(
        store->getLoc(),
        remark::RemarkOpts::name("ordered").category(getArgument()))
        << remark::reason("sub-groups wait for each other: what one of them "
                          "stores here, another one may have yet to load");
    ++numBarriers;
  }

  /// Names loads of what another sub-group may have stored. The barriers exist
  /// by now, and order stores as well.
  void reportUnordered() {
    findUnorderedLoads(
        module, *accesses, [&](Operation *load, Operation *store) {
          std::string place = "a store before it";
          if (auto line = store->getLoc()->findInstanceOf<FileLineColLoc>())
            place = llvm::formatv("the store in {0}:{1}",
                                  llvm::sys::path::filename(line.getFilename()),
                                  line.getLine());
          remark::missed(
              load->getLoc(),
              remark::RemarkOpts::name("unordered").category(getArgument()))
              << remark::reason(
                     "another sub-group may have stored what is loaded here, "
                     "by "
                     "{0}, and no barrier orders the two: unless they access "
                     "different elements, `tl.debug_barrier()` is missing",
                     place);
        });
  }

  /// Returns whether this is an argument of the kernel, which its launches
  /// know; in a module with several kernels it is unknown which one is
  /// launched.
  bool isKernelArgument(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && kernel &&
           argument.getOwner() == &kernel.getBody().front();
  }

  /// Returns two arguments of the kernel, the earlier one first: each pair is
  /// one condition.
  static std::pair<BlockArgument, BlockArgument> makePair(Value from,
                                                          Value to) {
    auto one = cast<BlockArgument>(from), other = cast<BlockArgument>(to);
    if (other.getArgNumber() < one.getArgNumber())
      std::swap(one, other);
    return {one, other};
  }

  /// Requires of launches that the tensors of arguments do not overlap.
  void assumeDisjoint() {
    LaunchCondition condition;
    for (auto [first, second] : disjoint)
      // Two arguments of the kernel, as mayOvertake() has seen to.
      if (!condition.requireDisjoint(first, second))
        llvm_unreachable("launches know the arguments of a kernel");
    for (auto [first, second] : disjointOrSame)
      if (!disjoint.contains({first, second}) &&
          !condition.requireDisjoint(first, second, /*mayBeSame=*/true))
        llvm_unreachable("launches know the arguments of a kernel");
    for (auto [argument, minimum] : minimums) {
      std::optional<AffineExpr> expr = condition.getArgument(argument);
      if (!expr || !condition.requireNonNegative(*expr - minimum))
        llvm_unreachable("arguments of a kernel have expressions");
    }
    if (!condition.create())
      return;
    remark::passed(
        kernel.getLoc(),
        remark::RemarkOpts::name("launch-assumption").category(getArgument()))
        << remark::reason("no barrier orders loads and stores of different "
                          "arguments in launches where {0}",
                          condition.describe());
  }

  /// Returns whether `load` and `store` access tensors that launches keep
  /// disjoint, or the kernel has a variant.
  bool areAssumedDisjoint(Operation *load, Operation *store) {
    AccessConflict conflict = accesses->findConflict(load, store);
    return !conflict.pairs.empty() &&
           llvm::all_of(conflict.pairs, [&](std::pair<Value, Value> pair) {
             auto [from, to] = pair;
             return isKernelArgument(from) && isKernelArgument(to) &&
                    disjoint.contains(makePair(from, to));
           });
  }

  ModuleOp module;
  FuncOp kernel;
  /// The analysis of the module, while the pass runs.
  AccessOrder *accesses = nullptr;
  /// Pairs of arguments whose tensors must not overlap in a launch; those of
  /// the second set may be the same tensor.
  llvm::SetVector<std::pair<BlockArgument, BlockArgument>> disjoint,
      disjointOrSame;
  /// Integer arguments, and the least numbers that a launch may pass for them.
  llvm::SetVector<std::pair<BlockArgument, int64_t>> minimums;
};

} // namespace
