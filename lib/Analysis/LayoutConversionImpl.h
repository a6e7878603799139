//===- LayoutConversionImpl.h - Parts of a conversion plan ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Declarations that the files that plan conversions share: a layout as packed
// F2 columns by kind of input, and the planners for the two hard cases.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_LIB_ANALYSIS_LAYOUTCONVERSIONIMPL_H
#define TRITON_LIB_ANALYSIS_LAYOUTCONVERSIONIMPL_H

#include "triton/Analysis/LayoutConversion.h"
#include "triton/Tools/F2Matrix.h"

namespace mlir::triton::conversion {

/// The columns of a layout's matrix; tensor coordinates are packed.
struct HardwareColumns {
  F2Columns reg, lane, warp;

  F2Columns threads() const {
    F2Columns all = lane;
    all.append(warp.begin(), warp.end());
    return all;
  }
};

/// A place in a warp of `src`, as bits of register and lane numbers.
struct Source {
  uint64_t reg = 0;
  uint64_t lane = 0;
};

/// For every input bit of `dst` a place in the same warp of `src` that holds
/// the element (for a warp bit: in the warp with that number). Together they
/// make up C restricted to one warp.
struct WarpLocalSources {
  llvm::SmallVector<Source> reg, lane, warp;
};

/// Returns none if data has to cross warps.
std::optional<WarpLocalSources>
findWarpLocalSources(const HardwareColumns &src, const HardwareColumns &dst);

/// How many steps of either kind a plan has.
struct ShuffleCounts {
  int64_t shuffles = 0;
  int64_t selects = 0;
  /// The number of shuffles in which all lanes read from the same lane.
  int64_t broadcasts = 0;
};
ShuffleCounts countShuffles(const HardwareColumns &dst,
                            const WarpLocalSources &sources);

/// Fills `steps` and `results`.
void planShuffles(const HardwareColumns &dst, const WarpLocalSources &sources,
                  LayoutConversionPlan &plan);

/// The scratch that a plan takes at a time, how many times it is filled, and
/// the accesses to it: see LayoutConversionEstimate.
struct ScratchNeed {
  int64_t bytes = 0;
  int32_t numIterations = 1;
  int64_t numAccesses = 0, numPasses = 0;
};
ScratchNeed getScratchNeed(const HardwareColumns &src,
                           const HardwareColumns &dst, unsigned numBits,
                           int32_t elementBits,
                           const LayoutConversionOptions &options);

/// Fills `shared` and `results`.
void planSharedMemory(const LinearLayout &srcLayout,
                      const LinearLayout &dstLayout, const HardwareColumns &src,
                      const HardwareColumns &dst, int32_t elementBits,
                      const LayoutConversionOptions &options,
                      LayoutConversionPlan &plan);

} // namespace mlir::triton::conversion

#endif // TRITON_LIB_ANALYSIS_LAYOUTCONVERSIONIMPL_H
