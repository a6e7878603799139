//===- TranslateToLLVMIR.cpp - The LLVM dialect to LLVM IR ----------------===//
// SPDX-License-Identifier: MIT
//
// The lowering is partial: operations that no pattern matches stay, and a user
// may have made the module. Before it is translated, operations outside of the
// LLVM dialect are therefore reported as errors, with the line of the kernel.
// Halves of barriers have to take turns on each path through a function, and
// nothing between them is another barrier, or a call of a function that may
// have one: a work-group has one barrier, and hangs if another one begins
// before it is over.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/LLVMIR/LLVMIR.h"

#include "intel/Target/BarrierFunctions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/XeVM/XeVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

LogicalResult verifyOperation(Operation *op) {
  if (isa<ModuleOp>(op) || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
    return success();
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
    return cast.emitOpError("is left of a lowering: no pass turns ")
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
  /// Returns the arrival without a wait at the end of a block.
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

} // namespace

/// Reports everything that has no translation, or would hang.
static LogicalResult verifyModule(ModuleOp module) {
  bool isLegal = true;
  module.walk(
      [&](Operation *op) { isLegal &= succeeded(verifyOperation(op)); });
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    isLegal &= succeeded(SplitBarriers(function).verify());
  return success(isLegal);
}

namespace mlir::triton::gpu::intel {

void registerAllTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  // Cache controls and the like stay on operations of the LLVM dialect.
  registerXeVMDialectTranslation(registry);
}

std::unique_ptr<llvm::Module> translateToLLVMIR(ModuleOp module,
                                                llvm::LLVMContext &context) {
  if (failed(verifyModule(module)))
    return nullptr;
  return translateModuleToLLVMIR(module, context);
}

} // namespace mlir::triton::gpu::intel
