//===- SymbolicTypes.h - Bounds from types ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_SYMBOLICTYPES_H
#define TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_SYMBOLICTYPES_H

#include "intel/Analysis/Symbolic/SymbolicExpr.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::triton::gpu::intel {

/// Returns the bits of integers that expressions describe, which have up to 64;
/// none for other types.
std::optional<unsigned> getWidth(Type type);

/// Returns the bounds of a value by its type and its operation, whatever the
/// operands are.
SymbolicRange getResultRange(Value value);

/// Returns the bytes of what pointers of a type point to; 1 for block pointers
/// and for other types.
int64_t getUnitBytes(Type type);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_SYMBOLICTYPES_H
