//===- LayoutRewriterRegions.cpp - Loops that carry more or fewer values --===//
// SPDX-License-Identifier: MIT
//
// The part of the rewriter that changes the number of values that a region
// operation carries. A block pointer or an index that is used in two layouts is
// carried twice, and one that is no longer used is not carried. The bodies move
// to the new operation. Types and operands are set later.
//
//===----------------------------------------------------------------------===//

#include "LayoutRewriter.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

namespace {

/// Returns every value as often as its count states.
template <typename Range>
SmallVector<Value> repeat(Range values, ArrayRef<unsigned> counts) {
  SmallVector<Value> repeated;
  for (auto [value, count] : llvm::zip(values, counts))
    repeated.append(count, value);
  return repeated;
}

} // namespace

/// Represents a value that only dead code uses.
Value LayoutRewriter::getPoison(Value value) {
  // Right at the value, where it dominates all uses.
  OpBuilder builder(value.getContext());
  if (auto argument = dyn_cast<BlockArgument>(value))
    builder.setInsertionPointToStart(argument.getOwner());
  else
    builder.setInsertionPointAfterValue(value);
  auto poison = ub::PoisonOp::create(builder, value.getLoc(), value.getType());
  // Removed with everything that uses it.
  dead.push_back(poison);
  return poison;
}

SmallVector<unsigned> LayoutRewriter::countVersions(Operation *op,
                                                    LayoutNode::Kind kind,
                                                    unsigned firstSlot,
                                                    unsigned numSlots) {
  // Slots of both halves of a while loop have separate numbers.
  unsigned family = kind == LayoutNode::Kind::WhileAfterSlot;
  SmallVector<unsigned> counts;
  unsigned begin = 0;
  for (unsigned slot = firstSlot; slot != firstSlot + numSlots; ++slot) {
    // Where the versions of the slot begin among the new operands.
    slotBegins[{op, 2 * slot + family}] = begin;
    counts.push_back(countVersions(op, kind, slot));
    begin += counts.back();
  }
  return counts;
}

/// Lets uses of `old` see the first replacement and records all of them.
void LayoutRewriter::defineVersions(Value old, ValueRange replacements) {
  // All of them, for users that need one in particular.
  if (std::optional<unsigned> number = graph.lookup(old)) {
    versions[*number].clear();
    for (Value replacement : replacements)
      versions[*number].push_back({{}, replacement});
  }
  // No longer carried; uses that are left are dead.
  if (replacements.empty()) {
    if (!old.use_empty())
      old.replaceAllUsesWith(getPoison(old));
  } else if (replacements.front() != old) {
    old.replaceAllUsesWith(replacements.front());
  }
}

void LayoutRewriter::expandArguments(Block &block, unsigned first,
                                     ArrayRef<unsigned> counts) {
  // Positions move as arguments are added and removed.
  unsigned position = first;
  for (unsigned count : counts) {
    BlockArgument argument = block.getArgument(position);
    SmallVector<Value> all;
    if (count != 0)
      all.push_back(argument);
    for (unsigned copy = 1; copy < count; ++copy)
      all.push_back(block.insertArgument(position + copy, argument.getType(),
                                         argument.getLoc()));
    // A single version is the argument itself.
    if (count != 1)
      defineVersions(argument, all);
    if (count == 0)
      block.eraseArgument(position);
    position += count;
  }
}

void LayoutRewriter::expandOperands(Operation *op, unsigned first,
                                    ArrayRef<unsigned> counts) {
  // The values before `first`, such as a condition, stay.
  SmallVector<Value> operands(op->getOperands().take_front(first));
  operands.append(repeat(op->getOperands().drop_front(first), counts));
  op->setOperands(operands);
}

void LayoutRewriter::replaceResults(Operation *from, Operation *to,
                                    ArrayRef<unsigned> counts) {
  unsigned position = 0;
  for (auto [result, count] : llvm::zip(from->getResults(), counts)) {
    defineVersions(result, to->getResults().slice(position, count));
    position += count;
  }
  // Attributes, such as the number of stages, are those of the loop.
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  replacements[from] = to;
  dead.push_back(from);
}

void LayoutRewriter::rebuildFor(scf::ForOp loop) {
  SmallVector<unsigned> counts =
      countVersions(loop, LayoutNode::Kind::ForSlot, 0, loop.getNumResults());
  // Every value is carried once: nothing to do.
  if (llvm::all_equal(counts) && (counts.empty() || counts.front() == 1))
    return;
  OpBuilder builder(loop);
  auto newLoop = scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), repeat(loop.getInitArgs(), counts),
      /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  // The terminator moves with the body.
  Operation *terminator = loop.getBody()->getTerminator();
  newLoop.getRegion().takeBody(loop.getRegion());
  expandArguments(*newLoop.getBody(), loop.getNumInductionVars(), counts);
  expandOperands(terminator, 0, counts);
  replaceResults(loop, newLoop, counts);
}

void LayoutRewriter::rebuildIf(scf::IfOp branch) {
  SmallVector<unsigned> counts = countVersions(branch, LayoutNode::Kind::IfSlot,
                                               0, branch.getNumResults());
  if (llvm::all_equal(counts) && (counts.empty() || counts.front() == 1))
    return;
  OpBuilder builder(branch);
  // Only the types of these are needed.
  SmallVector<Value> results = repeat(branch.getResults(), counts);
  auto newBranch =
      scf::IfOp::create(builder, branch.getLoc(),
                        TypeRange(ValueRange(results)), branch.getCondition());
  expandOperands(branch.thenYield(), 0, counts);
  expandOperands(branch.elseYield(), 0, counts);
  newBranch.getThenRegion().takeBody(branch.getThenRegion());
  newBranch.getElseRegion().takeBody(branch.getElseRegion());
  replaceResults(branch, newBranch, counts);
}

void LayoutRewriter::rebuildWhile(scf::WhileOp loop) {
  // The two halves of the loop carry separate values.
  SmallVector<unsigned> before = countVersions(
      loop, LayoutNode::Kind::WhileBeforeSlot, 0, loop.getInits().size());
  SmallVector<unsigned> after = countVersions(
      loop, LayoutNode::Kind::WhileAfterSlot, 0, loop.getNumResults());
  auto isOne = [](unsigned count) { return count == 1; };
  if (llvm::all_of(before, isOne) && llvm::all_of(after, isOne))
    return;
  OpBuilder builder(loop);
  SmallVector<Value> results = repeat(loop.getResults(), after);
  auto newLoop = scf::WhileOp::create(builder, loop.getLoc(),
                                      TypeRange(ValueRange(results)),
                                      repeat(loop.getInits(), before));
  // Operand 0 is the condition of the loop.
  expandOperands(loop.getConditionOp(), 1, after);
  expandOperands(loop.getYieldOp(), 0, before);
  newLoop.getBefore().takeBody(loop.getBefore());
  newLoop.getAfter().takeBody(loop.getAfter());
  expandArguments(*newLoop.getBeforeBody(), 0, before);
  expandArguments(*newLoop.getAfterBody(), 0, after);
  replaceResults(loop, newLoop, after);
}

void LayoutRewriter::rebuildRegionOperation(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    rebuildFor(loop);
  else if (auto branch = dyn_cast<scf::IfOp>(op))
    rebuildIf(branch);
  else
    rebuildWhile(cast<scf::WhileOp>(op));
}

} // namespace mlir::triton::gpu::intel
