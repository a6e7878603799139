//===- UnobservedElements.h - Elements that no store writes -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Kernels let the rows of a tile wrap around at the end of a matrix (`rows %
// M`) so that their loads need no mask: the mask of the store discards the
// results of the surplus rows. It then does not matter what their loads read.
// This analysis follows the elements of a tensor, from an index of a dimension
// on, to all their uses: through arithmetic, products, reductions of other
// dimensions, loops and branches, up to stores whose masks exclude these
// elements.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_ORDER_UNOBSERVEDELEMENTS_H
#define TRITON_INTEL_ANALYSIS_ORDER_UNOBSERVEDELEMENTS_H

#include "intel/Analysis/Symbolic/AffineAddress.h"

namespace mlir::triton::gpu::intel {

/// Returns whether no effect of the kernel depends on the elements of `tensor`
/// whose index along `dim` is `end` or more.
bool areElementsUnobserved(Value tensor, unsigned dim, const SymbolicExpr &end,
                           AffineAddressReader &reader, ScalarValues &values,
                           ValueSources &sources);

/// Returns whether `mask` is one or several bounds of coordinates, and false
/// only for elements that no effect of the kernel depends on if they are those
/// of `tensor`, which has the same shape.
bool hidesUnobservedElements(Value mask, Value tensor,
                             AffineAddressReader &reader, ScalarValues &values,
                             ValueSources &sources);

/// Returns indices along `dim` of the stored tensor from each of which on `op`
/// writes nothing, by its mask or by the extent of its surface. None if it is
/// no store, or if nothing is proved of it.
SmallVector<SymbolicExpr> findStoreEnds(Operation *op, unsigned dim,
                                        AffineAddressReader &reader);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_ORDER_UNOBSERVEDELEMENTS_H
