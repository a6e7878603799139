//===- WorkItem.cpp - Who executes this, and waiting for all --------------===//
// SPDX-License-Identifier: MIT
//
// Everything here is a call of an OpenCL builtin under its mangled name, which
// LLVM's SPIR-V backend turns into the built-in variable or instruction.
//
//===----------------------------------------------------------------------===//

#include "WorkItem.h"

#include "Calls.h"
#include "Constants.h"

#include "intel/Target/BarrierFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

Value getLaneId(RewriterBase &rewriter, Location loc) {
  return callFunction(rewriter, loc, "_Z22get_sub_group_local_idv",
                      rewriter.getI32Type(), {}, /*isPure=*/true,
                      /*isConvergent=*/false);
}

Value getWarpId(RewriterBase &rewriter, Location loc) {
  return callFunction(rewriter, loc, "_Z16get_sub_group_idv",
                      rewriter.getI32Type(), {}, /*isPure=*/true,
                      /*isConvergent=*/false);
}

/// Returns a property of the work-group along an axis.
static Value getAlongAxis(RewriterBase &rewriter, Location loc,
                          StringRef function, int32_t axis) {
  return callFunction(rewriter, loc, function, rewriter.getI64Type(),
                      constantI32(rewriter, loc, axis), /*isPure=*/true,
                      /*isConvergent=*/false);
}

Value getNumPrograms(RewriterBase &rewriter, Location loc, int32_t axis) {
  return getAlongAxis(rewriter, loc, "_Z14get_num_groupsj", axis);
}

Value getLinearProgramId(RewriterBase &rewriter, Location loc) {
  StringRef function = "_Z12get_group_idj";
  Value id = getAlongAxis(rewriter, loc, function, 2);
  for (int32_t axis : {1, 0}) {
    Value rows = arith::MulIOp::create(rewriter, loc, id,
                                       getNumPrograms(rewriter, loc, axis));
    id = arith::AddIOp::create(rewriter, loc, rows,
                               getAlongAxis(rewriter, loc, function, axis));
  }
  return id;
}

void emitBarrier(RewriterBase &rewriter, Location loc, bool fenceGlobal) {
  // CLK_LOCAL_MEM_FENCE = 1, CLK_GLOBAL_MEM_FENCE = 2 (OpenCL C 3.0, 6.15.8).
  callFunction(rewriter, loc, kBarrier, Type(),
               constantI32(rewriter, loc, fenceGlobal ? 3 : 1),
               /*isPure=*/false, /*isConvergent=*/true);
}

} // namespace mlir::triton::gpu::intel
