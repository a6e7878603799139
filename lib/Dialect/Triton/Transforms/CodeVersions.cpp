//===- CodeVersions.cpp - Code that a kernel chooses when it runs ---------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/Triton/Transforms/CodeVersions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

Operation *mlir::triton::getOutermostVersionedOp(
    Operation *op, function_ref<bool(Region &)> isIndependent) {
  // Out of loops and branches, as long as nothing in them is what the choice
  // depends on.
  while (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op->getParentOp()) &&
         llvm::all_of(op->getParentOp()->getRegions(), isIndependent))
    op = op->getParentOp();
  return op;
}

IRMapping mlir::triton::createVersions(OpBuilder &builder, Location loc,
                                       Value condition,
                                       ArrayRef<Operation *> ops) {
  // All operations are in one block; users may be nested anywhere.
  Block *block = ops.front()->getBlock();
  llvm::SmallPtrSet<Operation *, 8> inside(ops.begin(), ops.end());
  auto isOutside = [&](Operation *user) {
    return !inside.contains(block->findAncestorOpInBlock(*user));
  };
  // Only results that are used elsewhere leave the branches.
  SmallVector<Value> results;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isOutside))
        results.push_back(result);

  auto choice = scf::IfOp::create(builder, loc, ValueRange(results).getTypes(),
                                  condition, /*withElseRegion=*/true);
  for (auto [from, to] : llvm::zip_equal(results, choice.getResults()))
    from.replaceUsesWithIf(
        to, [&](OpOperand &use) { return isOutside(use.getOwner()); });
  // Blocks without results come with their end.
  for (Block *branch : {choice.thenBlock(), choice.elseBlock()})
    branch->clear();
  // The copy first: it is of what there is.
  OpBuilder::InsertionGuard guard(builder);
  IRMapping mapping;
  builder.setInsertionPointToEnd(choice.elseBlock());
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  scf::YieldOp::create(builder, loc,
                       llvm::map_to_vector(results, [&](Value result) {
                         return mapping.lookup(result);
                       }));
  builder.setInsertionPointToEnd(choice.thenBlock());
  Operation *end = scf::YieldOp::create(builder, loc, results);
  for (Operation *op : ops)
    op->moveBefore(end);
  return mapping;
}
