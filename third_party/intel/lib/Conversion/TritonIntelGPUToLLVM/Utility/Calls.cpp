//===- Calls.cpp - Calls of functions that others define ------------------===//
// SPDX-License-Identifier: MIT

#include "Calls.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

LLVM::LLVMFuncOp lookupOrDeclareFunction(RewriterBase &rewriter,
                                         Operation *user, StringRef name,
                                         Type result, ArrayRef<Type> arguments,
                                         bool isPure, bool isConvergent) {
  auto module = user->getParentOfType<ModuleOp>();
  // Declarations are shared: the same name always has the same type and
  // attributes.
  if (auto func = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return func;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(module.getBody());
  // These attributes are what lets LLVM move and merge the calls. That
  // functions return and do not throw holds for all builtins of a device.
  auto func =
      LLVM::LLVMFuncOp::create(rewriter, module.getLoc(), name,
                               LLVM::LLVMFunctionType::get(result, arguments));
  func.setCConv(LLVM::CConv::SPIR_FUNC);
  func.setNoUnwind(true);
  func.setWillReturn(true);
  func.setConvergent(isConvergent);
  // No kind of memory is read or written.
  if (isPure)
    func.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        rewriter.getContext(), LLVM::ModRefInfo::NoModRef,
        LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
        LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
        LLVM::ModRefInfo::NoModRef));
  return func;
}

/// Calls the function `name`, which returns `result` if that is a type.
static LLVM::CallOp emitCall(RewriterBase &rewriter, Location loc,
                             StringRef name, Type result, ValueRange arguments,
                             bool isPure, bool isConvergent) {
  Type resultType =
      result ? result : LLVM::LLVMVoidType::get(rewriter.getContext());
  // Any operation within the module serves for the look-up.
  Operation *user = rewriter.getInsertionBlock()->getParentOp();
  auto func = lookupOrDeclareFunction(rewriter, user, name, resultType,
                                      llvm::to_vector(arguments.getTypes()),
                                      isPure, isConvergent);
  auto call = LLVM::CallOp::create(rewriter, loc, func, arguments);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  // The attributes of a call count on their own in LLVM.
  call.setConvergent(isConvergent);
  call.setNoUnwind(true);
  call.setWillReturn(true);
  // The call of a function that reads no memory may be removed or merged as
  // well.
  if (isPure)
    call.setMemoryEffectsAttr(func.getMemoryEffectsAttr());
  return call;
}

Value callFunction(RewriterBase &rewriter, Location loc, StringRef name,
                   Type result, ValueRange arguments, bool isPure,
                   bool isConvergent) {
  LLVM::CallOp call =
      emitCall(rewriter, loc, name, result, arguments, isPure, isConvergent);
  return result ? call.getResult() : Value();
}

LLVM::CallOp callProcedure(RewriterBase &rewriter, Location loc, StringRef name,
                           ValueRange arguments, bool isConvergent) {
  return emitCall(rewriter, loc, name, Type(), arguments, /*isPure=*/false,
                  isConvergent);
}

} // namespace mlir::triton::gpu::intel
