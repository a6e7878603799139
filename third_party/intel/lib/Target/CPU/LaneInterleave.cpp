//===- LaneInterleave.cpp - Neighbours in memory as one vector ------------===//
// SPDX-License-Identifier: MIT
//
// If a lane accesses several neighbouring elements, a vector access holds them
// lane by lane, while rows hold the first elements of all lanes, then the
// second ones. Shuffles convert between both orders. A store needs no shuffles
// if its rows were all computed by the same elementwise operations from vectors
// that were loaded in this order: the operations can then be applied to the
// vectors as they are in memory. So a store traces its rows back to their
// origin.
//
//===----------------------------------------------------------------------===//

#include "LaneInterleave.h"

#include "LaneRows.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace triton::intel::cpu {

namespace {

/// The distance to look back from a store.
constexpr unsigned kMaxDepth = 12;

/// Returns the number of elements of a vector.
unsigned getWidth(Value *value) {
  return cast<FixedVectorType>(value->getType())->getNumElements();
}

/// Returns the vector of which `rows[i]` are the elements i, i + n, i + 2n, ...
Value *getSource(ArrayRef<Value *> rows) {
  unsigned count = rows.size(), width = getWidth(rows[0]);
  Value *source = nullptr;
  for (auto [i, row] : enumerate(rows)) {
    auto *shuffle = dyn_cast<ShuffleVectorInst>(row);
    if (!shuffle || (source && shuffle->getOperand(0) != source))
      return nullptr;
    source = shuffle->getOperand(0);
    if (getWidth(source) != count * width)
      return nullptr;
    for (auto [lane, element] : enumerate(shuffle->getShuffleMask()))
      if (element != int(i + lane * count))
        return nullptr;
  }
  return source;
}

/// The instructions that define `rows` if they are the same operation on
/// elements. Operands have to be vectors, so that all of them can be looked
/// for.
bool areAlike(ArrayRef<Value *> rows) {
  auto *first = dyn_cast<Instruction>(rows[0]);
  if (!first ||
      !isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst>(first))
    return false;
  return all_of(rows, [&](Value *row) {
    auto *inst = dyn_cast<Instruction>(row);
    return inst && inst->isSameOperationAs(first) &&
           all_of(inst->operands(), [](Use &operand) {
             return operand->getType()->isVectorTy();
           });
  });
}

} // namespace

/// Returns element i of all rows, for one i after the other, without a shuffle
/// if it can be had; null otherwise.
Value *LaneInterleave::findInterleaved(ArrayRef<Value *> rows, unsigned depth) {
  if (Value *source = getSource(rows))
    return source;
  unsigned count = rows.size(), width = getWidth(rows[0]);
  // Constants are put in order here and now.
  if (all_of(rows, IsaPred<Constant>)) {
    SmallVector<Constant *> elements;
    for (unsigned lane = 0; lane < width; ++lane)
      for (Value *row : rows)
        elements.push_back(cast<Constant>(row)->getAggregateElement(lane));
    if (is_contained(elements, nullptr))
      return nullptr;
    return ConstantVector::get(elements);
  }
  // One value everywhere has any order.
  if (Value *scalar = getSplatValue(rows[0]);
      scalar &&
      all_of(rows, [&](Value *row) { return getSplatValue(row) == scalar; }))
    return builder.CreateVectorSplat(count * width, scalar);
  if (all_equal(rows)) {
    // A mask: one bit per lane, for all of its elements.
    SmallVector<int> indices;
    for (unsigned i = 0; i < count * width; ++i)
      indices.push_back(i / count);
    if (rows[0]->getType()->isIntOrIntVectorTy(1))
      return builder.CreateShuffleVector(rows[0], indices);
  }
  if (depth == kMaxDepth || !areAlike(rows))
    return nullptr;
  auto *first = cast<Instruction>(rows[0]);
  // The operation on operands that are found in the same way. If one is not,
  // what was emitted for others is dead code.
  SmallVector<Value *> operands;
  for (unsigned index = 0; index < first->getNumOperands(); ++index) {
    SmallVector<Value *> parts;
    for (Value *row : rows)
      parts.push_back(cast<Instruction>(row)->getOperand(index));
    Value *operand = findInterleaved(parts, depth + 1);
    if (!operand)
      return nullptr;
    operands.push_back(operand);
  }
  Type *type =
      FixedVectorType::get(first->getType()->getScalarType(), count * width);
  return arithmetic.emitWithOperands(*first, operands, type);
}

/// Returns the rows' elements lane by lane: row 0's first, row 1's first, ...
Value *LaneInterleave::interleave(ArrayRef<Value *> rows) {
  if (rows.size() == 1)
    return rows.front();
  if (Value *found = findInterleaved(rows, /*depth=*/0))
    return found;
  // The general way: side by side, then a shuffle.
  unsigned width = getWidth(rows.front());
  Value *all = concatenate(context, rows);
  SmallVector<int> indices;
  for (unsigned i = 0; i < width; ++i)
    for (unsigned j = 0; j < rows.size(); ++j)
      indices.push_back(j * width + i);
  return builder.CreateShuffleVector(all, indices);
}

} // namespace triton::intel::cpu
