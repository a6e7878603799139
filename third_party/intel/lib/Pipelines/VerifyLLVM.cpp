//===- VerifyLLVM.cpp - Check what translates to LLVM IR ------------------===//
// SPDX-License-Identifier: MIT
//
// The last pass of the stage. The lowering is partial: operations that no
// pattern matches stay. This pass reports them as errors, with the line of the
// kernel. It also checks that halves of barriers take turns: a work-group has
// one barrier, and hangs if another one begins before it is over. It changes
// nothing.
//
//===----------------------------------------------------------------------===//

#include "intel/Pipelines/Passes.h"

#include "intel/Target/BarrierFunctions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONXEVERIFYLLVM
#include "intel/Pipelines/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

LogicalResult verifyOperation(Operation *op) {
  if (isa<ModuleOp>(op) || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
    return success();
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
    return cast.emitOpError("is left of a lowering: nobody turns ")
           << cast.getOperandTypes() << " into " << cast.getResultTypes();
  return op->emitOpError("should have been lowered to the LLVM dialect");
}

/// Follows the halves of barriers through a function.
class SplitBarriers {
public:
  explicit SplitBarriers(LLVM::LLVMFuncOp function) : function(function) {}

  /// Reports halves that do not take turns on each path.
  LogicalResult verify() {
    if (function.isExternal())
      return success();
    // At the start of each block that was reached: where its sub-group arrived
    // and does not wait yet, or null.
    llvm::DenseMap<Block *, Operation *> arrivals;
    arrivals[&function.getBody().front()] = nullptr;
    SmallVector<Block *> reached{&function.getBody().front()};
    for (size_t number = 0; number < reached.size(); ++number) {
      Block *block = reached[number];
      FailureOr<Operation *> last = visit(*block, arrivals.lookup(block));
      if (failed(last))
        return failure();
      for (Block *next : block->getSuccessors()) {
        auto [it, isNew] = arrivals.try_emplace(next, *last);
        if (isNew)
          reached.push_back(next);
        else if (!it->second != !*last)
          return (*last ? *last : it->second)
              ->emitError("sub-groups that arrive at a barrier here "
                          "wait for it on some paths only");
      }
    }
    return success();
  }

private:
  /// Returns the arrival that nobody waited for at the end of a block.
  FailureOr<Operation *> visit(Block &block, Operation *arrival) {
    auto refuse = [&](StringRef what) -> LogicalResult {
      return arrival->emitError("sub-groups arrive at a barrier here, and ")
             << what << " before they wait for it";
    };
    for (Operation &op : block) {
      auto call = dyn_cast<LLVM::CallOp>(op);
      StringRef callee = call ? call.getCallee().value_or("") : StringRef();
      if (callee == kWaitBarrier) {
        if (!arrival)
          return op.emitError(
              "sub-groups wait for a barrier that they did not arrive at");
        arrival = nullptr;
      } else if (callee == kArriveBarrier) {
        if (arrival)
          return refuse("at another one");
        arrival = &op;
      } else if (arrival && callee == kBarrier) {
        return refuse("come to another one, which shared memory may need,");
      } else if (arrival && call && mayHaveBarriers(call)) {
        return refuse("call a function");
      } else if (arrival && isa<LLVM::ReturnOp>(op)) {
        return refuse("end");
      }
    }
    return arrival;
  }

  /// Returns whether a function of the module is called.
  bool mayHaveBarriers(LLVM::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
        function, call.getCalleeAttr());
    return !callee || !callee.isExternal();
  }

  LLVM::LLVMFuncOp function;
};

class VerifyLLVM
    : public mlir::triton::gpu::intel::impl::TritonXeVerifyLLVMBase<
          VerifyLLVM> {
public:
  void runOnOperation() override {
    bool isLegal = true;
    getOperation().walk(
        [&](Operation *op) { isLegal &= succeeded(verifyOperation(op)); });
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      isLegal &= succeeded(SplitBarriers(function).verify());
    if (!isLegal)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
