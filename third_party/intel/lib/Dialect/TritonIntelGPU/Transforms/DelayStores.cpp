//===- DelayStores.cpp - Stores next to the other uses of values ----------===//
// SPDX-License-Identifier: MIT

#include "DelayStores.h"

#include "intel/Analysis/Order/AccessOrder.h"
#include "intel/Analysis/Registers/FragmentRegisters.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

/// Returns the first operation of the store's block that uses its value after
/// the store; null if there is none.
static Operation *findNextUser(StoreBlockOp store) {
  Operation *next = nullptr;
  for (Operation *user : store.getValue().getUsers()) {
    Operation *own = store->getBlock()->findAncestorOpInBlock(*user);
    if (own && store->isBeforeInBlock(own) &&
        (!next || own->isBeforeInBlock(next)))
      next = own;
  }
  return next;
}

/// Returns whether `op` and what is in it may be executed before `store`, which
/// comes before it.
static bool mayCross(Operation *op, StoreBlockOp store,
                     function_ref<bool(Operation *, Operation *)> areDisjoint) {
  return !op->walk([&](Operation *nested) {
              bool isHarmless =
                  nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(nested) || isa<PrefetchBlockOp>(nested) ||
                  (isOrderedLoad(nested) && areDisjoint(nested, store));
              return isHarmless ? WalkResult::advance()
                                : WalkResult::interrupt();
            }).wasInterrupted();
}

/// Returns whether `op` is a load, or an address of one, that nothing needs
/// before the operation after it.
static bool isForLater(Operation *op) {
  return isOrderedLoad(op) || isa<PrefetchBlockOp>(op) ||
         (isMemoryEffectFree(op) &&
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>));
}

/// Returns whether the registers hold what the loop around the store carries,
/// its value, and the tensors that operations up to `place` leave for later: a
/// store that separates products keeps all of their accumulators.
static bool fitsRegisters(StoreBlockOp store, Operation *place) {
  auto getBytes = [](Value value) -> int64_t {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getElementType().isIntOrFloat() ? getRegisterBytes(type)
                                                        : 0;
  };
  int64_t bytes = getBytes(store.getValue());
  for (BlockArgument carried : store->getBlock()->getArguments())
    bytes += getBytes(carried);
  Block *block = store->getBlock();
  for (Operation *op = store->getNextNode(); op != place;
       op = op->getNextNode())
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *own = block->findAncestorOpInBlock(*user);
            return own && !own->isBeforeInBlock(place);
          }))
        bytes += getBytes(result);
  return bytes <= getRegistersPerThread(store->getParentOfType<ModuleOp>()) *
                      getTargetDesc(store).getBlockIOLimits().registerBytes;
}

/// Moves what computes the value of a delayed store before it, if nothing
/// needs it earlier, and its operands are needed later anyway.
static void moveProducer(StoreBlockOp store) {
  Operation *producer = store.getValue().getDefiningOp();
  Block *block = store->getBlock();
  if (!producer || producer->getBlock() != block ||
      producer->getNumRegions() != 0 || !isMemoryEffectFree(producer))
    return;
  auto comesEarlier = [&](Operation *user) {
    Operation *own = block->findAncestorOpInBlock(*user);
    return own && own->isBeforeInBlock(store);
  };
  auto isNeededLater = [&](Value operand) {
    return llvm::any_of(operand.getUsers(), [&](Operation *user) {
      Operation *own = block->findAncestorOpInBlock(*user);
      return own && store->isBeforeInBlock(own);
    });
  };
  if (llvm::none_of(producer->getUsers(), comesEarlier) &&
      llvm::all_of(producer->getOperands(), isNeededLater))
    producer->moveBefore(store);
}

void mlir::triton::gpu::intel::delayStores(
    Operation *function,
    function_ref<bool(Operation *load, Operation *store)> areDisjoint) {
  SmallVector<StoreBlockOp> stores;
  function->walk([&](StoreBlockOp store) { stores.push_back(store); });
  // The last ones first, so that they are no obstacle to those before them.
  for (StoreBlockOp store : llvm::reverse(stores)) {
    Operation *place = findNextUser(store);
    if (!place)
      continue;
    auto crossed =
        llvm::make_range(std::next(store->getIterator()), place->getIterator());
    if (!llvm::all_of(crossed, [&](Operation &op) {
          return mayCross(&op, store, areDisjoint);
        }))
      continue;
    // Loads stay after the store that nothing needs before it: the scheduler
    // lets no load cross a store, and they would be in registers early.
    while (place->getPrevNode() != store && isForLater(place->getPrevNode()))
      place = place->getPrevNode();
    if (place == store->getNextNode() || !fitsRegisters(store, place))
      continue;
    store->moveBefore(place);
    moveProducer(store);
  }
}
