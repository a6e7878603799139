//===- Replication.cpp - Who acts for elements that several hold ----------===//
// SPDX-License-Identifier: MIT

#include "Replication.h"

#include "Constants.h"
#include "WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

Replication getReplication(RewriterBase &rewriter, Location loc, Type type) {
  Replication replication;
  // -1 for a scalar: all lanes and warps hold it, so that all bits of the
  // number have to be zero in the one that acts.
  int32_t laneMask = -1, warpMask = -1;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    laneMask = warpMask = 0;
    // The owner among copies is where all free bits are zero; for registers the
    // caller skips the copies.
    for (auto [dim, mask] : toLinearLayout(tensor).getFreeVariableMasks()) {
      if (dim == LayoutDim::Register)
        replication.copyMask = mask;
      else if (dim == LayoutDim::Lane)
        laneMask = mask;
      else if (dim == LayoutDim::Warp)
        warpMask = mask;
    }
  }
  // Adds a term to the condition of ownership; no term for a mask without bits.
  auto require = [&](Value id, int32_t mask) {
    if (mask == 0)
      return;
    if (mask != -1)
      id = arith::AndIOp::create(rewriter, loc, id,
                                 constantI32(rewriter, loc, mask));
    Value isZero =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, id,
                              constantI32(rewriter, loc, 0));
    replication.isOwner =
        replication.isOwner
            ? arith::AndIOp::create(rewriter, loc, replication.isOwner, isZero)
                  .getResult()
            : isZero;
  };
  if (laneMask)
    require(getLaneId(rewriter, loc), laneMask);
  if (warpMask)
    require(getWarpId(rewriter, loc), warpMask);
  return replication;
}

} // namespace mlir::triton::gpu::intel
