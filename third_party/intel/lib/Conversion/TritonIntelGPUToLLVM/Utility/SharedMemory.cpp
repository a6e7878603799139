//===- SharedMemory.cpp - The shared local memory of a module -------------===//
// SPDX-License-Identifier: MIT

#include "SharedMemory.h"

#include "Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/Allocation.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

/// Returns 0 or 1, or whatever numbers the `places` that iterations of the loop
/// around `op` take by turns.
static Value getTurn(RewriterBase &rewriter, Operation *op, int64_t places) {
  Location loc = op->getLoc();
  auto loop = op->getParentOfType<scf::ForOp>();
  Value distance = arith::SubIOp::create(rewriter, loc, loop.getInductionVar(),
                                         loop.getLowerBound());
  Value iteration =
      arith::DivUIOp::create(rewriter, loc, distance, loop.getStep());
  Type i32 = rewriter.getI32Type();
  Type type = iteration.getType();
  if (type.isIndex())
    iteration = arith::IndexCastOp::create(rewriter, loc, i32, iteration);
  else if (type.getIntOrFloatBitWidth() > 32)
    iteration = arith::TruncIOp::create(rewriter, loc, i32, iteration);
  else if (type.getIntOrFloatBitWidth() < 32)
    iteration = arith::ExtUIOp::create(rewriter, loc, i32, iteration);
  return arith::RemUIOp::create(rewriter, loc, iteration,
                                constantI32(rewriter, loc, places));
}

Value getPlaceOffset(RewriterBase &rewriter, Operation *op, int64_t bytes) {
  int64_t places = getAllocationPlaces(op);
  if (places == 1)
    return Value();
  Location loc = op->getLoc();
  return arith::MulIOp::create(rewriter, loc, getTurn(rewriter, op, places),
                               constantI32(rewriter, loc, bytes));
}

Value getSharedMemoryPointer(RewriterBase &rewriter, Location loc,
                             Operation *user, int64_t offset,
                             Value placeOffset) {
  // Address space 3 is the one of shared local memory.
  auto type = LLVM::LLVMPointerType::get(rewriter.getContext(), 3);
  Value base =
      LLVM::AddressOfOp::create(rewriter, loc, type, kSharedMemorySymbol);
  // One global per module represents all of it; the allocation pass has decided
  // the places in it.
  auto advance = [&](LLVM::GEPArg bytes) {
    base = LLVM::GEPOp::create(rewriter, loc, type, rewriter.getI8Type(), base,
                               bytes);
  };
  if (offset != 0)
    advance(static_cast<int32_t>(offset));
  if (placeOffset)
    advance(placeOffset);
  return base;
}

} // namespace mlir::triton::gpu::intel
