//===- SharedMemory.cpp - The shared local memory of a module -------------===//
// SPDX-License-Identifier: MIT

#include "SharedMemory.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

Value getSharedMemoryPointer(RewriterBase &rewriter, Location loc,
                             Operation *user, int64_t offset) {
  // Address space 3 is the one of shared local memory.
  auto type = LLVM::LLVMPointerType::get(rewriter.getContext(), 3);
  Value base =
      LLVM::AddressOfOp::create(rewriter, loc, type, kSharedMemorySymbol);
  // One global per module stands for all of it; what is where, the allocation
  // pass has decided.
  if (offset == 0)
    return base;
  // In bytes.
  return LLVM::GEPOp::create(
      rewriter, loc, type, rewriter.getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

} // namespace mlir::triton::gpu::intel
