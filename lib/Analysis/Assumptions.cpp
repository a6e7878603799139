//===- Assumptions.cpp - What a kernel says of its values -----------------===//
// SPDX-License-Identifier: MIT

#include "triton/Analysis/Assumptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::triton;

/// An assumption in the block of the value holds wherever the value is used.
bool mlir::triton::isAssumedNonNegative(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    if (!compare || compare->getBlock() != value.getParentBlock())
      return false;
    // Canonicalization puts constants on the right.
    APInt bound;
    if (compare.getLhs() != value ||
        !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
      return false;
    // value >= 0, or any larger bound; value > -1, or any larger one.
    bool isLowerBound = (compare.getPredicate() == arith::CmpIPredicate::sge &&
                         bound.isNonNegative()) ||
                        (compare.getPredicate() == arith::CmpIPredicate::sgt &&
                         (bound.isNonNegative() || bound.isAllOnes()));
    return isLowerBound &&
           llvm::any_of(compare->getUsers(), [&](Operation *assumption) {
             return isa<LLVM::AssumeOp>(assumption) &&
                    assumption->getBlock() == value.getParentBlock();
           });
  });
}
