//===- ExchangeMoves.cpp - Exchanges that can share a barrier -------------===//
// SPDX-License-Identifier: MIT

#include "ExchangeMoves.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu {

/// Returns whether an operation only loads from global memory, or only loads
/// and stores.
static bool accessesGlobalMemoryOnly(Operation *op, bool mayStore) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return !effects.empty() &&
         llvm::all_of(effects,
                      [&](const MemoryEffects::EffectInstance &effect) {
                        return isa<GlobalMemory>(effect.getResource()) &&
                               (mayStore ||
                                isa<MemoryEffects::Read>(effect.getEffect()));
                      });
}

std::optional<SmallVector<Operation *>> findMoves(Operation *first,
                                                  Operation *second) {
  // Loads stay after the first operation that may store.
  Operation *store = nullptr;
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode()) {
    if (isMemoryEffectFree(op))
      continue;
    if (!accessesGlobalMemoryOnly(op, /*mayStore=*/true))
      return std::nullopt;
    if (!store && !accessesGlobalMemoryOnly(op, /*mayStore=*/false))
      store = op;
  }
  auto canMove = [&](Operation *op) {
    if (op->getNumRegions() != 0)
      return false;
    return isPure(op) || (accessesGlobalMemoryOnly(op, /*mayStore=*/false) &&
                          (!store || op->isBeforeInBlock(store)));
  };
  llvm::SmallSetVector<Operation *, 16> moves;
  moves.insert(second);
  // Grows while it is read.
  for (size_t i = 0; i < moves.size(); ++i)
    for (Value operand : moves[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || producer->getBlock() != first->getBlock() ||
          producer->isBeforeInBlock(first))
        continue;
      if (producer == first || !canMove(producer))
        return std::nullopt;
      moves.insert(producer);
    }
  SmallVector<Operation *> result(llvm::drop_begin(moves));
  llvm::sort(result,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return result;
}

} // namespace mlir::triton::gpu
