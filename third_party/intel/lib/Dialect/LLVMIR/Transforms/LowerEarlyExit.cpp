//===- LowerEarlyExit.cpp - Return early where an assertion failed --------===//
// SPDX-License-Identifier: MIT
//
// The lowering of tt.assert works on structured control flow, which cannot
// return from a function early. It leaves a call as a mark. This pass runs when
// only branches are left, and replaces the mark by a branch.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "intel/Dialect/LLVMIR/Transforms/LowerEarlyExit.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPULOWEREARLYEXIT
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

/// Makes a branch of each mark.
class LowerEarlyExit
    : public mlir::triton::gpu::intel::impl::TritonIntelGPULowerEarlyExitBase<
          LowerEarlyExit> {
public:
  void runOnOperation() override {
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

private:
  /// Ends `function` at `mark` if the operand is true. What it returns then
  /// means nothing: the caller looks at the report too.
  static void branchToEnd(LLVM::LLVMFuncOp function, LLVM::CallOp mark) {
    Location loc = mark.getLoc();
    Block *block = mark->getBlock();
    // What comes behind the mark is a block of its own.
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
};

} // namespace
