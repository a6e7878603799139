//===- LayoutDescription.h - A layout that is spelled out -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Describes where an encoding, given as text, puts the elements of a tensor,
// for tools that draw it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_LAYOUTDESCRIPTION_H
#define TRITON_ANALYSIS_LAYOUTDESCRIPTION_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"
#include "triton/Tools/LinearLayout.h"

namespace mlir::triton::gpu {

struct LayoutDescription {
  /// Offsets in shared memory, rather than registers of lanes of warps.
  bool isShared;
  LinearLayout layout;
  /// Pairs of an interval and a padding: after every `first` offsets, `second`
  /// offsets stay free.
  SmallVector<std::pair<unsigned, unsigned>> paddings;
};

/// Describes the attribute in `text` on a tensor of `shape` (elements per
/// dimension). Fails with a diagnostic on `context` if it does not parse, is no
/// layout, or does not fit the shape. Loads the dialects of the attribute,
/// which the registry of `context` must have.
FailureOr<LayoutDescription>
describeLayout(MLIRContext &context, StringRef text, ArrayRef<int64_t> shape);

} // namespace mlir::triton::gpu

#endif // TRITON_ANALYSIS_LAYOUTDESCRIPTION_H
