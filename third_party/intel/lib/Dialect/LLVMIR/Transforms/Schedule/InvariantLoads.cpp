//===- InvariantLoads.cpp - Load again instead of keeping -----------------===//
// SPDX-License-Identifier: MIT

#include "InvariantLoads.h"

#include "MemoryOrder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

/// Returns whether global memory is the same when `load` is executed and
/// anywhere in `loop`, which comes after it.
static bool isMemoryTheSame(Operation *load, Operation *loop) {
  // From the loop outwards to the block of the load: everything that may be
  // executed again before the loop is, and everything in between.
  Operation *op = loop;
  for (; op->getBlock() != load->getBlock(); op = op->getParentOp())
    if (getFencedMemory(op) & Global)
      return false;
  for (; op != load; op = op->getPrevNode())
    if (getFencedMemory(op) & Global)
      return false;
  return true;
}

/// Appends the operands of operations that use registers of `value`, which may
/// be a part of what has them. Marks of variables must not change the code.
static void collectUses(Value value, SmallVectorImpl<OpOperand *> &uses) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<LLVM::DbgValueOp>(user))
      continue;
    bool isPart =
        user->getNumResults() == 1 &&
        FragmentRegisters::getOwner(user->getResult(0)) != user->getResult(0);
    if (isPart)
      collectUses(user->getResult(0), uses);
    else
      uses.push_back(&use);
  }
}

BlockLoadOp mlir::triton::gpu::intel::findReloadable(
    Block &body, const BlockLiveness &liveness, ArrayRef<unsigned> order,
    size_t position) {
  BlockLoadOp largest;
  int64_t most = 0;
  Operation *peak = liveness.getNodes()[order[position]].op;
  for (const BlockLiveness::Range &range : liveness.getRanges()) {
    auto load = range.value.getDefiningOp<BlockLoadOp>();
    if (!load || load->getBlock() == &body || range.bytes <= most)
      continue;
    SmallVector<OpOperand *> uses;
    collectUses(load, uses);
    bool isMovable = llvm::all_of(uses, [&](OpOperand *use) {
      return use->getOwner()->getBlock() == &body && use->getOwner() != peak;
    });
    if (!isMovable || !isMemoryTheSame(load, body.getParentOp()))
      continue;
    largest = load;
    most = range.bytes;
  }
  return largest;
}

/// Erases `op` and what it uses, as far as nothing else does.
static void eraseDead(Operation *op, FragmentRegisters &registers) {
  SmallVector<Operation *> open = {op};
  while (!open.empty()) {
    Operation *dead = open.pop_back_val();
    // An operation can be erased once its users have been.
    SmallVector<Operation *> users(dead->user_begin(), dead->user_end());
    if (users.empty()) {
      registers.erase(dead);
      continue;
    }
    open.push_back(dead);
    for (Operation *user : users)
      if (!llvm::is_contained(open, user))
        open.push_back(user);
  }
}

void mlir::triton::gpu::intel::reload(BlockLoadOp load, Block &body,
                                      const BlockLiveness &liveness,
                                      ArrayRef<unsigned> order, size_t position,
                                      FragmentRegisters &registers) {
  SmallVector<OpOperand *> uses;
  collectUses(load, uses);
  // In the order of the block, which has been scheduled.
  llvm::DenseMap<Operation *, size_t> places;
  for (auto [place, number] : llvm::enumerate(order))
    places[liveness.getNodes()[number].op] = place;
  llvm::sort(uses, [&](OpOperand *left, OpOperand *right) {
    return std::pair(places.lookup(left->getOwner()),
                     left->getOperandNumber()) <
           std::pair(places.lookup(right->getOwner()),
                     right->getOperandNumber());
  });
  for (bool isBehind : {false, true}) {
    IRMapping copies;
    OpBuilder builder(load.getContext());
    std::function<Value(Value)> copy = [&](Value value) {
      if (copies.contains(value))
        return copies.lookup(value);
      Operation *op = value.getDefiningOp();
      // Other operands than the parts', such as constants, stay as they are.
      if (!op || (op != load &&
                  FragmentRegisters::getOwner(value) != load.getResult()))
        return value;
      for (Value operand : op->getOperands())
        copy(operand);
      registers.add(builder.clone(*op, copies));
      return copies.lookup(value);
    };
    for (OpOperand *use : uses) {
      if ((places.lookup(use->getOwner()) > position) != isBehind)
        continue;
      // All copies stand in front of the first use.
      if (!builder.getInsertionBlock())
        builder.setInsertionPoint(use->getOwner());
      use->set(copy(use->get()));
    }
  }
  eraseDead(load, registers);
}
