//===- SkipRows.cpp - No loops for rows that no store writes --------------===//
// SPDX-License-Identifier: MIT
//
// If loops of a sub-group were divided, some rows of its tile are finished, and
// stored, before the loops of the others begin. Stores write no row beyond the
// end of their surface, and the last tile of a sequence often has only few rows
// inside: then the loops of the other rows have no effect, and the sub-group
// goes to the end of the block instead.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-skip-rows"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "Schedule/MemoryOrder.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUSKIPROWS
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// The number of a row of a surface, and how many rows the surface has.
using Row = std::pair<Value, Value>;

} // namespace

/// Adds the first row of each block that `op`, or an operation in it, stores.
/// Fails if it has another effect, or if the rows of a surface are not known.
static LogicalResult collectRows(Operation *op, llvm::SetVector<Row> &rows) {
  WalkResult result = op->walk([&](Operation *nested) {
    if (auto store = dyn_cast<BlockStoreOp>(nested)) {
      auto surface = store.getSurface().getDefiningOp<MakeSurfaceOp>();
      if (!surface)
        return WalkResult::interrupt();
      rows.insert({store.getY(), surface.getHeight()});
      return WalkResult::advance();
    }
    bool hasEffect =
        nested->getNumRegions() == 0 &&
        !nested->hasTrait<mlir::OpTrait::IsTerminator>() &&
        (isa<LLVM::StoreOp>(nested) || getFencedMemory(nested) != None);
    return hasEffect ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Returns the first rows of the blocks that the operations from `first` to the
/// end of its block store, if they have no other effect.
static std::optional<llvm::SetVector<Row>> findRows(Operation *first) {
  Block *block = first->getBlock();
  llvm::SetVector<Row> rows;
  auto isInside = [&](Operation *user) {
    Operation *own = block->findAncestorOpInBlock(*user);
    return own && own != block->getTerminator();
  };
  for (Operation *op = first; op != block->getTerminator();
       op = op->getNextNode())
    if (failed(collectRows(op, rows)) ||
        !llvm::all_of(op->getUsers(), isInside))
      return std::nullopt;
  return rows;
}

/// Returns the computations from `first` on that the rows need, in their order;
/// nothing if they need another operation from there on.
static std::optional<SmallVector<Operation *>>
findComputations(ArrayRef<Row> rows, Operation *first) {
  llvm::SetVector<Operation *> found;
  auto add = [&](Value value) {
    // A value from another block exists before this one, where its users are.
    Operation *producer = value.getDefiningOp();
    if (producer && producer->getBlock() == first->getBlock() &&
        !producer->isBeforeInBlock(first))
      found.insert(producer);
  };
  for (auto [row, end] : rows) {
    add(row);
    add(end);
  }
  for (size_t index = 0; index < found.size(); ++index) {
    if (!isComputation(found[index]))
      return std::nullopt;
    llvm::for_each(found[index]->getOperands(), add);
  }
  SmallVector<Operation *> ordered(found.getArrayRef());
  llvm::sort(ordered, [](Operation *left, Operation *right) {
    return left->isBeforeInBlock(right);
  });
  return ordered;
}

namespace {

/// Puts loops under conditions; see the head of the file.
class SkipRows : public gpu::intel::impl::TritonIntelGPUSkipRowsBase<SkipRows> {
public:
  using TritonIntelGPUSkipRowsBase::TritonIntelGPUSkipRowsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      llvm::SetVector<Block *> blocks;
      function.walk([&](scf::ForOp loop) { blocks.insert(loop->getBlock()); });
      for (Block *block : blocks)
        skipLoops(block);
    }
  }

private:
  /// Puts the loops of a block, with everything after them, under the
  /// condition that they store a row, if stores before them write others.
  void skipLoops(Block *block) {
    llvm::SetVector<Row> written;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (!isa<scf::ForOp>(op) || written.empty()) {
        // This code stays unconditional, so that its other effects do not
        // matter.
        (void)collectRows(&op, written);
        continue;
      }
      std::optional<llvm::SetVector<Row>> rows = findRows(&op);
      if (!rows || rows->empty() || llvm::any_of(*rows, [&](const Row &row) {
            return written.contains(row);
          }))
        continue;
      std::optional<SmallVector<Operation *>> computations =
          findComputations(rows->getArrayRef(), &op);
      if (!computations || !mayRewrite(&op))
        continue;
      for (Operation *computation : *computations)
        computation->moveBefore(&op);
      skipLoops(skip(&op, rows->getArrayRef()));
      return;
    }
  }

  /// Puts all from `first` to the end of its block under the condition that one
  /// of the rows is inside of its surface. Returns the block that it is in
  /// then.
  Block *skip(Operation *first, ArrayRef<Row> rows) {
    Location loc = first->getLoc();
    LDBG() << "loops whose stores begin at " << rows.size()
           << " rows are skipped if none is inside, from " << loc << " on";
    OpBuilder builder(first);
    Value isAnyInside;
    for (auto [row, end] : rows) {
      Value isInside = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt, row, end);
      isAnyInside = isAnyInside ? arith::OrIOp::create(builder, loc,
                                                       isAnyInside, isInside)
                                      .getResult()
                                : isInside;
    }
    auto branch = scf::IfOp::create(builder, loc, isAnyInside,
                                    /*withElseRegion=*/false);
    Block *block = branch->getBlock();
    branch.thenBlock()->getOperations().splice(
        branch.thenBlock()->begin(), block->getOperations(),
        first->getIterator(), block->getTerminator()->getIterator());
    remark::passed(loc,
                   remark::RemarkOpts::name("skipped").category(getArgument()))
        << remark::reason("sub-groups skip the loops of rows that no store "
                          "writes");
    ++numSkipped;
    return branch.thenBlock();
  }
};

} // namespace
