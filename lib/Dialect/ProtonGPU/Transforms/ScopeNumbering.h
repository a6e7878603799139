//===- ScopeNumbering.h - Pair and number scopes ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An end closes the last scope of its name that is open at this point of the
// function's text. Whether both are on one control path is then decided by
// dominance in one region: loops are regions, and early exits of a function are
// blocks of one.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SCOPENUMBERING_H
#define TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SCOPENUMBERING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::triton::proton_gpu {

/// A record of a scope or of an event, or the allocation of an event.
struct Mark {
  Operation *op;
  /// The number of the scope or of the allocated event. The record of an event
  /// has none here, because its operand is the number.
  std::optional<int32_t> scope;
};

/// Numbers the scopes and the allocations of events in the order of their
/// begins. The marks are in the order of the module's text. Returns the name,
/// the parent and the line of each scope, by number. If a scope does not end
/// where it has to, or if there are too many, emits an error at its record, and
/// fails.
FailureOr<ArrayAttr> numberScopes(MutableArrayRef<Mark> marks,
                                  const DominanceInfo &dominance,
                                  const PostDominanceInfo &postDominance,
                                  MLIRContext *context);

} // namespace mlir::triton::proton_gpu

#endif // TRITON_LIB_DIALECT_PROTONGPU_TRANSFORMS_SCOPENUMBERING_H
