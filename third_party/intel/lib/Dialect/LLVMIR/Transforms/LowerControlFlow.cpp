//===- LowerControlFlow.cpp - Loops and conditions become branches --------===//
// SPDX-License-Identifier: MIT
//
// MLIR's own patterns, in another order. An operation with regions splits its
// block, and all that stands behind it moves to a new one. MLIR's pass takes
// the first operation of a block first: where a large tile has thousands of
// masked loads, each of them a branch, most of the block moves thousands of
// times, with a record of every move. From the last one to the first, every
// operation moves once.
//
// The branches that come out are the same, in blocks of the same order.
//
// What a loop says to LLVM (`llvm.loop_annotation`, of `tl.range` with
// `disable_licm`) goes to the branch back to its head, where LLVM looks for it.
// MLIR's patterns take it there; here it gets the name that it has as a
// property of `llvm.br`, or its translation would not see it.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPULOWERCONTROLFLOW
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;

namespace {

/// Of the LLVM dialect's branches.
constexpr llvm::StringLiteral kBranchAnnotation = "loop_annotation";

class LowerControlFlow
    : public triton::gpu::intel::impl::TritonIntelGPULowerControlFlowBase<
          LowerControlFlow> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateSCFToControlFlowConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // The last one of a block first, and ahead of those inside of it: a loop
    // has to find its condition in the block that it starts with.
    SmallVector<Operation *> structured;
    getOperation().walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) {
          if (isa_and_nonnull<scf::SCFDialect>(op->getDialect()) &&
              op->getNumRegions() > 0)
            structured.push_back(op);
        });
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    for (Operation *op : structured) {
      rewriter.setInsertionPoint(op);
      // What runs iterations side by side becomes other loops first.
      bool isParallel = isa<scf::ParallelOp, scf::ForallOp>(op);
      if (isParallel || failed(applicator.matchAndRewrite(op, rewriter))) {
        op->emitOpError("cannot be lowered to branches");
        return signalPassFailure();
      }
      ++numLowered;
    }
    getOperation().walk([](cf::BranchOp branch) {
      if (Attribute annotation = branch->removeAttr(
              triton::TritonDialect::getLoopAnnotationAttrName()))
        branch->setAttr(kBranchAnnotation, annotation);
    });
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
