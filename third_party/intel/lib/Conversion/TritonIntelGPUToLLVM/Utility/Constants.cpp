//===- Constants.cpp - Integers that the lowering knows -------------------===//
// SPDX-License-Identifier: MIT

#include "Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

/// Returns `arith` rather than `llvm` constants: folding and later conversions
/// handle them alike.
Value constantI32(RewriterBase &rewriter, Location loc, int32_t constant) {
  return arith::ConstantOp::create(rewriter, loc,
                                   rewriter.getI32IntegerAttr(constant));
}

Value constantI64(RewriterBase &rewriter, Location loc, int64_t constant) {
  return arith::ConstantOp::create(rewriter, loc,
                                   rewriter.getI64IntegerAttr(constant));
}

} // namespace mlir::triton::gpu::intel
