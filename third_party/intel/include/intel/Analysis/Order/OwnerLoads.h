//===- OwnerLoads.h - Loads that only owners need ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// All sub-groups hold a scalar, and several may hold an element of a small
// tensor. Each of them loads it, but a store of it happens in one sub-group
// alone, the owner: that whose free bits are all 0
// (LinearLayout::getFreeVariableMasks). If every value that is computed from a
// load ends in such stores, it does not matter what other sub-groups have
// loaded.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_ORDER_OWNERLOADS_H
#define TRITON_INTEL_ANALYSIS_ORDER_OWNERLOADS_H

#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// Returns the bits of the number of a sub-group that are 0 in the owners of
/// the elements of a value. For a scalar, these are all bits.
int32_t getCopiedWarps(Value value);

/// Returns whether sub-groups that are no owners of the result of `load` may do
/// without it: each use ends in a store that none of them executes.
bool isObservedByOwnersOnly(LoadOp load);

/// Adds a mask to `load` that is false in sub-groups that are no owners.
void loadInOwners(LoadOp load);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_ORDER_OWNERLOADS_H
