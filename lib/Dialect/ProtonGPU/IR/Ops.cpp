//===- Ops.cpp - Operations of proton_gpu ---------------------------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/ProtonGPU/IR/Dialect.h"

#include "triton/Dialect/Proton/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::proton_gpu;

#define GET_OP_CLASSES
#include "triton/Dialect/ProtonGPU/IR/ProtonGPUOps.cpp.inc"

/// A record is of a scope, whose number it names, or of an event.
template <typename StoreOp> static LogicalResult verifyStore(StoreOp op) {
  if (op.getScope().has_value() == static_cast<bool>(op.getEvent()))
    return op.emitOpError("expected either a scope or an event");
  int64_t limit = proton::ProtonDialect::kMaxScopes;
  if (std::optional<uint32_t> scope = op.getScope(); scope && *scope >= limit)
    return op.emitOpError("expected a scope below ")
           << limit << ", found " << static_cast<int32_t>(*scope);
  return success();
}

LogicalResult CircularStoreOp::verify() { return verifyStore(*this); }

LogicalResult FlushStoreOp::verify() {
  // The segment that is emptied into global memory does not exist yet.
  if (getSegment().getType().getSpace() != MemorySpace::Shared)
    return emitOpError("expected a segment in shared memory");
  return verifyStore(*this);
}

/// The preamble is not read in a program without records.
LogicalResult InitializeOp::canonicalize(InitializeOp op,
                                         PatternRewriter &rewriter) {
  if (!op.getMemory().getDefiningOp<ProfileMemoryOp>() ||
      !op.getMemory().hasOneUse())
    return failure();
  rewriter.eraseOp(op);
  return success();
}

/// A segment that nothing writes to holds nothing to copy.
LogicalResult FinalizeOp::canonicalize(FinalizeOp op,
                                       PatternRewriter &rewriter) {
  auto isFinalize = [](Operation *user) { return isa<FinalizeOp>(user); };
  if (!llvm::all_of(op.getSegment().getUsers(), isFinalize))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
