//===- HiddenElements.h - Elements that no store writes ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Kernels let the rows of a tile wrap around where a matrix ends (`rows % M`)
// so that their loads need no mask: what comes of the surplus rows is thrown
// away by the mask of the store. Then it does not matter what those loads
// read. This analysis follows a tensor's elements from some index of a
// dimension on to all their uses: through arithmetic, products, reductions of
// other dimensions, loops and branches, up to stores whose masks leave exactly
// these elements out.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_HIDDENELEMENTS_H
#define INTEL_ANALYSIS_HIDDENELEMENTS_H

#include "intel/Analysis/AddressForm.h"

namespace mlir::triton::gpu::intel {

/// Whether nothing that a kernel does depends on the elements of `tensor` whose
/// index along `dim` is `end` or more.
bool areElementsHidden(Value tensor, unsigned dim, const UniformSum &end,
                       AddressFormReader &reader, UniformValues &values,
                       ValueSources &sources);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_HIDDENELEMENTS_H
