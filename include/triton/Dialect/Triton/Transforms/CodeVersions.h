//===- CodeVersions.h - Code that a kernel chooses when it runs -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// What neither the compiler nor the launch knows, a kernel can check: code that
// relies on it is there twice, behind one uniform condition.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_TRANSFORMS_CODEVERSIONS_H
#define TRITON_DIALECT_TRITON_TRANSFORMS_CODEVERSIONS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"

namespace mlir::triton {

/// The outermost operation around `op`, through structured control flow, in
/// whose regions nothing is defined that a check in front of it would need, as
/// `isIndependent` says of each region; `op` itself if there is none.
Operation *getOutermostVersionedOp(Operation *op,
                                   function_ref<bool(Region &)> isIndependent);

/// Moves `ops`, which lie in one block in this order, into a branch that is
/// taken if `condition` is true, and copies of them into the other one. The
/// branch is made at the insertion point of `builder`; users of results behind
/// it get what the branch yields. Returns the way from each operation and value
/// to its copy.
IRMapping createVersions(OpBuilder &builder, Location loc, Value condition,
                         ArrayRef<Operation *> ops);

} // namespace mlir::triton

#endif // TRITON_DIALECT_TRITON_TRANSFORMS_CODEVERSIONS_H
