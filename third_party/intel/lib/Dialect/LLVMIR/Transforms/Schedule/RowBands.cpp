//===- RowBands.cpp - Some rows of a loop's tiles at a time ---------------===//
// SPDX-License-Identifier: MIT

#include "RowBands.h"

#include "MemoryOrder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

/// Returns whether an operation has its place among others with effects.
static bool isFixed(Operation *op) {
  return !isComputation(op) && !isa<DpasOp>(op) && !getNearMemory(op) &&
         !op->hasTrait<mlir::OpTrait::IsTerminator>();
}

/// Appends the operations that use the result of a message, or a part of it.
static void collectUsers(Value value, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    if (isa<LLVM::DbgValueOp>(user))
      continue;
    if (user->getNumResults() == 1 &&
        FragmentRegisters::getOwner(user->getResult(0)) != user->getResult(0))
      collectUsers(user->getResult(0), users);
    else
      users.push_back(user);
  }
}

/// Joins the operations that need products and each other. Returns whether each
/// operation needs one; nothing if the order of some has effects.
static std::optional<SmallVector<bool>>
joinDependent(const BlockLiveness &liveness, llvm::IntEqClasses &classes) {
  SmallVector<bool> needsProduct;
  for (auto [number, node] : llvm::enumerate(liveness.getNodes())) {
    if (node.op->hasTrait<mlir::OpTrait::IsTerminator>()) {
      needsProduct.push_back(false);
      continue;
    }
    bool needs = isa<DpasOp>(node.op);
    for (unsigned producer : node.producers)
      if (needsProduct[producer]) {
        needs = true;
        classes.join(number, producer);
      }
    bool isOrdered = isFixed(node.op) || getNearMemory(node.op);
    if (getFencedMemory(node.op) != None || (needs && isOrdered))
      return std::nullopt;
    needsProduct.push_back(needs);
  }
  return needsProduct;
}

/// Returns whether a result of the systolic array adds to registers that are
/// occupied anyway: its chain of instructions begins with no constant.
static bool isInPlace(Operation *op) {
  auto product = dyn_cast<DpasOp>(op);
  if (!product)
    return false;
  Value start = product.getC();
  while (auto before = start.getDefiningOp<DpasOp>())
    start = before.getC();
  return !matchPattern(start, m_Constant());
}

/// Returns whether values of several bands are live at the operation at
/// `position` that only the block needs.
static bool
areSeveralLive(const BlockLiveness &liveness, ArrayRef<unsigned> order,
               size_t position,
               const llvm::DenseMap<Operation *, unsigned> &bandOf) {
  SmallVector<size_t> places(order.size());
  for (auto [place, number] : llvm::enumerate(order))
    places[number] = place;
  std::optional<unsigned> found;
  for (const BlockLiveness::Range &range : liveness.getRanges()) {
    Operation *op = range.value.getDefiningOp();
    auto band = bandOf.find(op);
    if (band == bandOf.end() || range.bytes == 0 || range.users.empty() ||
        isInPlace(op))
      continue;
    unsigned last =
        *llvm::max_element(range.users, [&](unsigned left, unsigned right) {
          return places[left] < places[right];
        });
    if (places[liveness.getNumber(op)] > position || places[last] < position ||
        liveness.getNodes()[last].op->hasTrait<mlir::OpTrait::IsTerminator>())
      continue;
    if (found && *found != band->second)
      return true;
    found = band->second;
  }
  return false;
}

std::optional<RowBands>
mlir::triton::gpu::intel::findRowBands(const BlockLiveness &liveness,
                                       ArrayRef<unsigned> order,
                                       size_t position, unsigned count) {
  ArrayRef<BlockLiveness::Node> nodes = liveness.getNodes();
  llvm::IntEqClasses classes(nodes.size());
  std::optional<SmallVector<bool>> needsProduct =
      joinDependent(liveness, classes);
  if (!needsProduct)
    return std::nullopt;
  // In the order of their first operations.
  llvm::MapVector<unsigned, SmallVector<Operation *>> members;
  RowBands result;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if ((*needsProduct)[number])
      members[classes.findLeader(number)].push_back(node.op);
    else
      result.others.push_back(node.op);
  }
  if (members.size() < count)
    return std::nullopt;
  result.bands.resize(count);
  llvm::DenseMap<Operation *, unsigned> bandOf;
  for (auto [index, entry] : llvm::enumerate(members)) {
    unsigned band = index * count / members.size();
    for (Operation *op : entry.second)
      bandOf[op] = band;
  }
  if (!areSeveralLive(liveness, order, position, bandOf))
    return std::nullopt;
  for (const BlockLiveness::Node &node : nodes)
    if (auto band = bandOf.find(node.op); band != bandOf.end())
      result.bands[band->second].push_back(node.op);
  for (Operation *op : result.others) {
    auto load = dyn_cast<BlockLoadOp>(op);
    if (!load)
      continue;
    SmallVector<Operation *> users;
    collectUsers(load, users);
    bool isSeparable = llvm::all_of(
        users, [&](Operation *user) { return bandOf.contains(user); });
    if (isSeparable && !llvm::all_equal(llvm::map_range(
                           users, [&](Operation *op) { return bandOf[op]; })))
      result.shared.push_back(load);
  }
  if (result.shared.empty())
    return std::nullopt;
  return result;
}

void mlir::triton::gpu::intel::separate(const RowBands &bands,
                                        FragmentRegisters &registers) {
  Block *block = bands.others.front()->getBlock();
  Operation *last = block->getTerminator();
  auto moveToEnd = [&](ArrayRef<Operation *> operations) {
    for (Operation *op : operations)
      if (op != last)
        op->moveBefore(last);
  };
  moveToEnd(bands.others);
  for (auto [number, band] : llvm::enumerate(bands.bands)) {
    moveToEnd(band);
    if (number == 0)
      continue;
    OpBuilder builder(band.front());
    IRMapping copies;
    llvm::DenseSet<Value> shared;
    for (BlockLoadOp load : bands.shared)
      shared.insert(load);
    std::function<Value(Value)> copy = [&](Value value) -> Value {
      if (copies.contains(value))
        return copies.lookup(value);
      Operation *op = value.getDefiningOp();
      // Other operands than the parts', such as constants, stay as they are.
      if (!op || !shared.contains(FragmentRegisters::getOwner(value)))
        return value;
      if (!shared.contains(value))
        for (Value operand : op->getOperands())
          copy(operand);
      registers.add(builder.clone(*op, copies));
      return copies.lookup(value);
    };
    for (Operation *op : band)
      for (OpOperand &operand : op->getOpOperands())
        operand.set(copy(operand.get()));
  }
}
