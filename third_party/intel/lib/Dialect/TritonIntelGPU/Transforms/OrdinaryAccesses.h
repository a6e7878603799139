//===- OrdinaryAccesses.h - Accesses of blocks by pointers ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_ORDINARYACCESSES_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_ORDINARYACCESSES_H

#include "intel/Analysis/Blocks/BlockAccess.h"

namespace mlir::triton::gpu::intel {

/// Reports a missed remark with the obstacle's name and its reason, for people
/// and for tools that count. `category` is the name of a pass.
void reportOrdinaryAccess(Operation *op, const BlockAccess &access,
                          StringRef category);

/// Replaces an access of a block by one through a tensor of pointers, with the
/// checks of the block as its mask:
///   %mask = 0 <= offset + i < extent, in each checked dimension
/// A prefetch is erased: it is a hint, which costs more than it gains through
/// scattered pointers. Fails with an error at the access if its surface does
/// not come from `ttig.surface`, which has the tensor's address.
LogicalResult replaceByOrdinaryAccess(BlockAccessOpInterface op);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_ORDINARYACCESSES_H
