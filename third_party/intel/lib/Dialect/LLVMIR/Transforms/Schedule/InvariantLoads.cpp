//===- InvariantLoads.cpp - Load again instead of keeping -----------------===//
// SPDX-License-Identifier: MIT

#include "InvariantLoads.h"

#include "SplitLoads.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

/// Returns whether what `load` reads is the same when it is executed and at the
/// begin of `op`, which comes after it or is in an operation that does.
static bool isMemoryTheSameBefore(Operation *load, Operation *op,
                                  MemoryOrder &memory) {
  auto mayChange = [&](Operation *other) {
    return memory.mustNotCross(load, memory.getFence(other));
  };
  for (;;) {
    for (Operation *other = op->getPrevNode(); other && other != load;
         other = other->getPrevNode())
      if (mayChange(other))
        return false;
    if (op->getBlock() == load->getBlock())
      return true;
    // A loop executes its later operations again before this one.
    op = op->getParentOp();
    if (!isa<scf::IfOp>(op) && mayChange(op))
      return false;
  }
}

/// Returns whether what `load` reads is the same when it is executed and
/// anywhere in `loop`, which comes after it.
static bool isMemoryTheSame(Operation *load, Operation *loop,
                            MemoryOrder &memory) {
  return !memory.mustNotCross(load, memory.getFence(loop)) &&
         isMemoryTheSameBefore(load, loop, memory);
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

/// Returns whether `user` is only executed where `loop` is not: in the other
/// branch of an operation around both, which no loop executes again.
static bool isInOtherBranch(Operation *user, Operation *loop, Operation *load) {
  bool isExclusive = false, isFound = false;
  for (Operation *op = loop; op->getBlock() != load->getBlock();
       op = op->getParentOp()) {
    Operation *parent = op->getParentOp();
    if (isa<LoopLikeOpInterface>(parent))
      return false;
    if (!isFound && parent->isProperAncestor(user)) {
      isFound = true;
      isExclusive = isa<scf::IfOp>(parent) &&
                    !op->getParentRegion()->isAncestor(user->getParentRegion());
    }
  }
  return isExclusive;
}

/// Returns the operation of the load's block that has `user`, if it comes after
/// the one that has `loop`, and memory is the same there: it can use a separate
/// message. Returns null if not.
static Operation *getAfterLoop(Operation *user, Operation *loop,
                               Operation *load, MemoryOrder &memory) {
  Block *block = load->getBlock();
  Operation *own = block->findAncestorOpInBlock(*user);
  Operation *other = block->findAncestorOpInBlock(*loop);
  return own && own != other && other->isBeforeInBlock(own) &&
                 isMemoryTheSameBefore(load, own, memory)
             ? own
             : nullptr;
}

/// Returns whether a block uses only some elements of what `load` brings.
static bool isUsedInPart(BlockLoadOp load, Block &body) {
  llvm::BitVector used(cast<VectorType>(load.getType()).getNumElements());
  for (Operation *user : load->getUsers()) {
    auto part = dyn_cast<LLVM::ShuffleVectorOp>(user);
    if (!part || part.getV1() != load.getResult())
      return false;
    SmallVector<OpOperand *> uses;
    collectUses(part.getResult(), uses);
    if (llvm::any_of(uses, [&](OpOperand *use) {
          return use->getOwner()->getBlock() == &body;
        }))
      for (int32_t element : part.getMask())
        if (element >= 0 && element < int32_t(used.size()))
          used.set(element);
  }
  return !used.all();
}

SmallVector<BlockLoadOp> mlir::triton::gpu::intel::findReloadable(
    Block &body, const BlockLiveness &liveness, ArrayRef<unsigned> order,
    size_t position, MemoryOrder &memory, int64_t needed, bool onlyParts) {
  SmallVector<std::pair<BlockLoadOp, int64_t>> found;
  Operation *peak = liveness.getNodes()[order[position]].op;
  Operation *loop = body.getParentOp();
  for (const BlockLiveness::Range &range : liveness.getRanges()) {
    auto load = range.value.getDefiningOp<BlockLoadOp>();
    if (!load || load->getBlock() == &body)
      continue;
    // After a branch of a kernel that may end early, it is not known what was
    // executed in between.
    if (!load->getBlock()->findAncestorOpInBlock(*loop))
      continue;
    SmallVector<OpOperand *> uses;
    collectUses(load, uses);
    // Without its uses in the body, the block is no longer live there.
    bool isMovable = llvm::all_of(uses, [&](OpOperand *use) {
      Operation *user = use->getOwner();
      return user->getBlock() == &body
                 ? user != peak
                 : isInOtherBranch(user, loop, load) ||
                       getAfterLoop(user, loop, load, memory);
    });
    if (!isMovable || !isMemoryTheSame(load, loop, memory) ||
        (onlyParts && !isUsedInPart(load, body)))
      continue;
    found.emplace_back(load, range.bytes);
  }
  llvm::stable_sort(found, [](const auto &left, const auto &right) {
    return left.second > right.second;
  });
  SmallVector<BlockLoadOp> chosen;
  for (auto [load, bytes] : found) {
    chosen.push_back(load);
    needed -= bytes;
    if (needed <= 0)
      break;
  }
  return chosen;
}

/// Erases the parts of `op` that nothing uses, and `op` if it has no user left.
static void eraseDead(Operation *op, FragmentRegisters &registers) {
  llvm::SetVector<Operation *> users(op->user_begin(), op->user_end());
  for (Operation *user : users)
    if (user->getNumResults() == 1 &&
        FragmentRegisters::getOwner(user->getResult(0)) != user->getResult(0))
      eraseDead(user, registers);
  // A mark of a variable is no use, and goes with what it marks.
  users = llvm::SetVector<Operation *>(op->user_begin(), op->user_end());
  if (!llvm::all_of(users, llvm::IsaPred<LLVM::DbgValueOp>))
    return;
  llvm::for_each(users, [&](Operation *mark) { registers.erase(mark); });
  registers.erase(op);
}

/// Sends the part of `load` that `uses` need again, at `place`.
static void copyFor(BlockLoadOp load, ArrayRef<OpOperand *> uses,
                    Operation *place, FragmentRegisters &registers) {
  IRMapping copies;
  OpBuilder builder(place);
  std::function<Value(Value)> copy = [&](Value value) {
    if (copies.contains(value))
      return copies.lookup(value);
    Operation *op = value.getDefiningOp();
    // Other operands than the parts', such as constants, stay as they are.
    if (!op ||
        (op != load && FragmentRegisters::getOwner(value) != load.getResult()))
      return value;
    for (Value operand : op->getOperands())
      copy(operand);
    registers.add(builder.clone(*op, copies));
    return copies.lookup(value);
  };
  for (OpOperand *use : uses)
    use->set(copy(use->get()));
  narrowLoad(copies.lookup(load.getResult()).getDefiningOp<BlockLoadOp>(),
             registers);
}

/// Returns the bytes that a loop carries; -1 for other operations.
static int64_t countCarried(Operation *op, const FragmentRegisters &registers) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return -1;
  int64_t bytes = 0;
  for (Value value : loop.getRegionIterArgs())
    bytes += registers.getBytes(value);
  return bytes;
}

void mlir::triton::gpu::intel::reload(BlockLoadOp load, Block &body,
                                      const BlockLiveness &liveness,
                                      ArrayRef<unsigned> order, size_t position,
                                      FragmentRegisters &registers,
                                      MemoryOrder &memory) {
  SmallVector<OpOperand *> uses, later;
  collectUses(load, uses);
  Operation *loop = body.getParentOp(), *next = nullptr;
  llvm::MapVector<Block *, SmallVector<OpOperand *>> inLoops;
  llvm::erase_if(uses, [&](OpOperand *use) {
    Operation *user = use->getOwner();
    if (user->getBlock() == &body)
      return false;
    Operation *own = getAfterLoop(user, loop, load, memory);
    if (!own)
      return true;
    // Another loop that carries the same has no room for it, either.
    Operation *parent = user->getParentOp();
    if (countCarried(parent, registers) >= countCarried(loop, registers) &&
        isMemoryTheSame(load, parent, memory)) {
      inLoops[user->getBlock()].push_back(use);
      return true;
    }
    next = !next || own->isBeforeInBlock(next) ? own : next;
    later.push_back(use);
    return true;
  });
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
  auto isLater = [&](OpOperand *use) {
    return places.lookup(use->getOwner()) > position;
  };
  auto *firstLater = llvm::find_if(uses, isLater);
  for (auto part :
       {ArrayRef(uses.begin(), firstLater), ArrayRef(firstLater, uses.end())})
    // All copies come before the first use.
    if (!part.empty())
      copyFor(load, part, part.front()->getOwner(), registers);
  for (auto &[block, own] : inLoops) {
    OpOperand *first = *llvm::min_element(own, [](OpOperand *a, OpOperand *b) {
      return a->getOwner()->isBeforeInBlock(b->getOwner());
    });
    copyFor(load, own, first->getOwner(), registers);
  }
  if (next)
    copyFor(load, later, next, registers);
  eraseDead(load, registers);
}
