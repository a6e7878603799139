//===- OrdinaryAccesses.cpp - Accesses of blocks by pointers --------------===//
// SPDX-License-Identifier: MIT

#include "OrdinaryAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/Transforms/ElementAddresses.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

void gpu::intel::reportOrdinaryAccess(Operation *op, const BlockAccess &access,
                                      StringRef category) {
  remark::missed(
      op->getLoc(),
      remark::RemarkOpts::name(stringify(access.obstacle)).category(category))
      << remark::reason("block pointer rewritten to a tensor of pointers: {0}",
                        access.reason);
}

/// Creates the conjunction of two masks; either may be null.
static Value combineMasks(OpBuilder &builder, Location loc, Value lhs,
                          Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

/// Returns a mask, which may be a column or null, for all elements of `block`.
static Value spreadMask(OpBuilder &builder, Location loc,
                        RankedTensorType block, Value mask) {
  auto type = block.clone(builder.getI1Type());
  if (!mask || mask.getType() == type)
    return mask;
  return triton::BroadcastOp::create(builder, loc, type, mask);
}

LogicalResult gpu::intel::replaceByOrdinaryAccess(BlockAccessOpInterface op) {
  if (isa<PrefetchBlockOp>(op.getOperation())) {
    op->erase();
    return success();
  }
  OpBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType block = op.getBlockType();
  auto surface = op.getSurface().getDefiningOp<SurfaceOp>();
  if (!surface) {
    InFlightDiagnostic error = op->emitOpError(
        "cannot be 2D block messages, and its surface does not come from "
        "`ttig.surface`");
    error.attachNote(op.getSurface().getLoc()) << "the surface comes from here";
    return error;
  }
  ElementAddresses addresses(
      builder, loc, block,
      {surface.getBase(), surface.getExtents(), surface.getStrides()});
  // The block starts at the offset, in each dimension, save where the numbers
  // of rows count.
  for (auto [dim, offset] : llvm::enumerate(op.getOffsets())) {
    if (dim == 0 && op.getRows())
      addresses.setNumbers(0, op.getRows());
    else
      addresses.setBlock(dim, offset);
  }
  if (!op.getPages().empty())
    addresses.setPages(op.getPageDim(), op.getPages());
  // Both the bounds and what the kernel leaves out.
  Value mask =
      combineMasks(builder, loc, addresses.createMask(op.getBoundaryCheck()),
                   spreadMask(builder, loc, block, op.getMask()));
  if (auto store = dyn_cast<StoreBlockOp>(op.getOperation())) {
    StoreOp::create(builder, loc, addresses.createPointers(), store.getValue(),
                    mask, store.getCache(), store.getEvict());
  } else {
    auto load = cast<LoadBlockOp>(op.getOperation());
    Value other;
    if (mask)
      other = ElementAddresses::createPadding(
          builder, loc, block,
          load.getPadding().value_or(PaddingOption::PAD_ZERO));
    load.getResult().replaceAllUsesWith(
        LoadOp::create(builder, loc, addresses.createPointers(), mask, other,
                       load.getCache(), load.getEvict(), load.getIsVolatile()));
  }
  op->erase();
  return success();
}
