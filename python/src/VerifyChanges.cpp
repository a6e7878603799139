//===- VerifyChanges.cpp - Verify modules that passes change --------------===//
// SPDX-License-Identifier: MIT
//
// MLIR's pass manager verifies the whole module after each pass, which takes
// more time than the passes themselves. Most passes change nothing in most
// kernels. A pass may state so (`markAllAnalysesPreserved`), but hardly any
// does, and one that states so wrongly would hide an error.
//
// Here a hash of everything that verifiers read is compared with that of the
// operation as it was last verified. It takes a small part of the time. If both
// are equal, the pass is marked as one that preserves all analyses. The first
// pass of a module is always verified, and so is one after an attribute was set
// between pipelines.
//
//===----------------------------------------------------------------------===//

#include "VerifyChanges.h"

#include "mlir/IR/Action.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace triton::intel {
namespace {

/// Gives access to what passes state of themselves.
struct PassAccess : Pass {
  using Pass::markAllAnalysesPreserved;
};

/// Returns the hash of an operation without its regions. A location is part of
/// it: the verifier of calls in the dialect of LLVM reads that of the caller.
llvm::hash_code hashOperation(Operation &op) {
  llvm::hash_code hash = llvm::hash_combine(
      &op, op.getName().getAsOpaquePointer(), op.getLoc().getAsOpaquePointer(),
      op.getDiscardableAttrDictionary().getAsOpaquePointer(),
      op.hashProperties(), op.getNumOperands(), op.getNumResults(),
      op.getNumSuccessors(), op.getNumRegions());
  for (Value operand : op.getOperands())
    hash = llvm::hash_combine(hash, operand.getAsOpaquePointer());
  for (Type type : op.getResultTypes())
    hash = llvm::hash_combine(hash, type.getAsOpaquePointer());
  for (Block *successor : op.getSuccessors())
    hash = llvm::hash_combine(hash, successor);
  return hash;
}

/// Returns the hash of an operation and everything inside of it, in order.
llvm::hash_code hashTree(Operation &op) {
  llvm::hash_code hash = hashOperation(op);
  for (Region &region : op.getRegions())
    for (Block &block : region) {
      hash = llvm::hash_combine(hash, &region, &block);
      for (BlockArgument argument : block.getArguments())
        hash = llvm::hash_combine(hash, argument.getAsOpaquePointer(),
                                  argument.getType().getAsOpaquePointer());
      for (Operation &inner : block)
        hash = llvm::hash_combine(hash, hashTree(inner));
    }
  return hash;
}

/// Runs each pass, and marks it if the operation is still as it was verified.
class ChangeDetector {
public:
  void operator()(function_ref<void()> run, const tracing::Action &action) {
    run();
    const auto *execution = dyn_cast<PassExecutionAction>(&action);
    if (!execution)
      return;
    Operation *op = execution->getOp();
    llvm::hash_code hash = hashTree(*op);
    if (op == verified && hash == verifiedHash) {
      // The state of a pass belongs to its execution.
      auto &pass = const_cast<Pass &>(execution->getPass());
      (pass.*(&PassAccess::markAllAnalysesPreserved))();
      return;
    }
    // MLIR verifies it next, unless the pass has failed, which ends all.
    verified = op;
    verifiedHash = hash;
  }

private:
  Operation *verified = nullptr;
  llvm::hash_code verifiedHash = 0;
};

} // namespace

void verifyChanges(MLIRContext &context) {
  context.registerActionHandler(ChangeDetector());
}

} // namespace triton::intel
