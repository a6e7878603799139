//===- AccessWidths.h - How wide a lane may access memory -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A lane loads or stores registers that are neighbours in memory as one vector.
// The analysis proves their number from the addresses, the masks and the
// layouts of a whole module before it is lowered (ElementRuns.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_LAYOUTS_ACCESSWIDTHS_H
#define TRITON_INTEL_ANALYSIS_LAYOUTS_ACCESSWIDTHS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::gpu::intel {

/// The most bits that a message loads for a lane. Vectors of the messages of
/// all Xe GPUs with lane addresses have 1, 2, 3, 4 or 8 words of 32 bits; IGC
/// emits `load.ugm.d32x8` for the last. Layouts do not aim at it, since
/// neighbouring lanes would be further apart: that limit is the target's
/// `maxVectorBits`.
inline constexpr int64_t kMaxLoadBits = 256;

/// Analyses a module whose layouts are final. Passes that change neither
/// accesses nor addresses may preserve the result.
class AccessWidths {
public:
  /// Finds the widths of all accesses of the module.
  explicit AccessWidths(Operation *module);

  /// Returns the number of consecutive registers that a load or a store through
  /// a tensor of pointers moves at once: they are contiguous in memory, begin
  /// at a multiple of their size, have equal masks, and fit a message. It is a
  /// power of two, and 1 for other operations.
  unsigned getWidth(Operation *op) const { return widths.lookup(op).equal; }
  /// Returns the same if masks of a vector may differ, as long as one is true
  /// only if those before it are.
  unsigned getEnabledWidth(Operation *op) const {
    return widths.lookup(op).enabled;
  }

  /// Returns how many a load of a tensor moves at once that is not volatile, if
  /// a message may be as long as any of loads; 1 for other operations. Without
  /// a mask, the vectors need not begin at a multiple of their size: their
  /// addresses are multiples of `getWidth` elements. Masks of a vector may
  /// differ as above, unless `hasEqualMasks`.
  unsigned getJoinedWidth(Operation *op) const {
    return widths.lookup(op).joined;
  }
  bool hasEqualMasks(Operation *op) const {
    return widths.lookup(op).hasEqualMasks;
  }

private:
  struct Widths {
    unsigned equal = 1, enabled = 1, joined = 1;
    bool hasEqualMasks = true;
  };
  llvm::DenseMap<Operation *, Widths> widths;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_LAYOUTS_ACCESSWIDTHS_H
