//===- CodeVersions.h - Code that a kernel chooses when it runs -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel can check facts that neither the compiler nor the launch knows. Code
// that relies on such a fact exists in two versions, under one uniform
// condition.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_TRANSFORMS_CODEVERSIONS_H
#define TRITON_DIALECT_TRITON_TRANSFORMS_CODEVERSIONS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"

namespace mlir::triton {

/// Returns the outermost operation around `op` in structured control flow whose
/// regions define nothing that a check before it would need.
/// `isIndependent` decides this for each region. Returns `op` if there is none.
Operation *getOutermostVersionedOp(Operation *op,
                                   function_ref<bool(Region &)> isIndependent);

/// Moves `ops`, which lie in one block in this order, into a branch that is
/// taken if `condition` is true, and copies of them into the other one. The
/// branch is made at the insertion point of `builder`, and its results replace
/// the results of `ops` after it. Returns the mapping from each operation and
/// value to its copy.
IRMapping createVersions(OpBuilder &builder, Location loc, Value condition,
                         ArrayRef<Operation *> ops);

} // namespace mlir::triton

#endif // TRITON_DIALECT_TRITON_TRANSFORMS_CODEVERSIONS_H
