//===- Replication.h - Who acts for elements that several hold --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REPLICATION_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REPLICATION_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// Which work-items and registers hold a tensor element that others hold too.
/// Side effects must happen once: in owners, and not for copies.
struct Replication {
  /// i1, true where the work-item is the one to act; null if all are.
  Value isOwner;
  /// Register bits that do not change the element.
  int32_t copyMask = 0;

  /// Returns whether the element in register `index` is in a lower register
  /// already.
  bool isCopy(unsigned index) const { return (index & copyMask) != 0; }
};

/// Returns the replication of a tensor or scalar (every work-item holds a
/// scalar).
Replication getReplication(RewriterBase &rewriter, Location loc, Type type);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REPLICATION_H
