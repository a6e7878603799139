//===- LowerControlFlow.cpp - Loops and conditions become branches --------===//
// SPDX-License-Identifier: MIT
//
// Applies MLIR's own patterns in another order. An operation with regions
// splits its block, and all code after it moves to a new block. MLIR's pass
// begins with the first operation of a block: if a large tile has thousands of
// masked loads, each of them a branch, most of the block moves thousands of
// times, with a record of every move. This pass begins with the last operation,
// so that every operation moves once.
//
// The resulting branches are the same, in blocks of the same order.
//
// A hint of a loop for LLVM (`llvm.loop_annotation`, from `tl.range` with
// `disable_licm`) moves to the branch back to the loop's head, where LLVM
// expects it. MLIR's patterns move it there. This pass renames it to the
// property of `llvm.br`, which the translation to LLVM IR reads.
//
// A function cannot be left from structured control flow, so the lowering of
// tt.assert leaves a call as a mark. When only branches are left, the mark
// becomes one, too.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-lower-control-flow"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "intel/Dialect/LLVMIR/Transforms/EarlyExit.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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
using namespace mlir::triton::gpu::intel;

namespace {

/// The attribute of the LLVM dialect's branches.
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
      LDBG() << "lowers " << op->getName() << " at " << op->getLoc();
      rewriter.setInsertionPoint(op);
      // Loops that run iterations side by side become other loops first.
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
    lowerEarlyExits();
  }

private:
  /// Makes a branch of each mark of an early exit.
  void lowerEarlyExits() {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      // Collected first, as blocks are split.
      SmallVector<LLVM::CallOp> marks;
      function.walk([&](LLVM::CallOp call) {
        if (call.getCallee() == kEarlyExitFunction)
          marks.push_back(call);
      });
      for (LLVM::CallOp mark : marks)
        branchToEnd(function, mark);
      numEarlyExits += marks.size();
    }
    if (Operation *declaration =
            getOperation().lookupSymbol(kEarlyExitFunction))
      declaration->erase();
  }

  /// Ends `function` at `mark` if the operand is true. Its result is then
  /// undefined: the caller checks the report too.
  static void branchToEnd(LLVM::LLVMFuncOp function, LLVM::CallOp mark) {
    Location loc = mark.getLoc();
    Block *block = mark->getBlock();
    // The code after the mark is a separate block.
    Block *next = block->splitBlock(mark->getNextNode());
    auto builder = OpBuilder::atBlockEnd(block);
    Block *end =
        builder.createBlock(&function.getBody(), function.getBody().end());
    Type result = function.getFunctionType().getReturnType();
    SmallVector<Value> values;
    if (!isa<LLVM::LLVMVoidType>(result))
      values.push_back(LLVM::PoisonOp::create(builder, loc, result));
    LLVM::ReturnOp::create(builder, loc, values);
    builder.setInsertionPointToEnd(block);
    cf::CondBranchOp::create(builder, loc, mark.getOperand(0), end, next);
    mark.erase();
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
