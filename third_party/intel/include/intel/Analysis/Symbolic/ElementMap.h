//===- ElementMap.h - Where operations move elements ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Some operations only move the elements of their operand: each element of the
// result is one of the operand, whose indices are expressions of those of the
// result. Analyses that follow elements get the indices here.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_ELEMENTMAP_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_ELEMENTMAP_H

#include "intel/Analysis/Symbolic/SymbolicExpr.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::triton::gpu::intel {

/// Returns whether every element of the operands is one of the only result, and
/// each of the result is one of theirs.
bool keepsElements(Operation *op);

/// Returns the indices of the element of the first operand that is the element
/// `indices` of the result. Nothing if `op` does anything but move elements.
std::optional<llvm::SmallVector<SymbolicExpr>>
mapElement(Operation *op, llvm::ArrayRef<SymbolicExpr> indices,
           SymbolicFacts &facts);

/// Returns the dimension of the first operand whose index is that of dimension
/// `dim` of the result. None if no dimension has just this index, or if `op`
/// does anything but move elements.
std::optional<unsigned> mapDim(Operation *op, unsigned dim);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_ELEMENTMAP_H
