//===- SurfaceCheck.h - Can messages address a tensor? ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_LIB_ANALYSIS_SURFACECHECK_H
#define INTEL_LIB_ANALYSIS_SURFACECHECK_H

#include "intel/Analysis/BlockAccess.h"

namespace mlir::triton::gpu::intel {

/// Returns a negative answer and its reason for people.
BlockAccess refuse(BlockAccessObstacle obstacle, const Twine &reason);

/// Returns a number that is known to divide a scalar; bytes for a pointer.
int64_t getDivisor(ValueSources &sources, Value value);

/// Returns where the surfaces behind an access begin: at the base of its
/// tensor, or at each of its pages.
SmallVector<Value> getSurfaceBases(BlockAccessOpInterface op,
                                   MakeTensorPtrOp maker);

/// Returns the answer for the surfaces behind the block pointer of an access,
/// or those of its pages, by the rules of SurfaceRules.h: a refusal, nothing to
/// check, or what the launch or the kernel has to check. Memory is contiguous
/// along `widthDim`, one of the last two dimensions.
BlockAccess checkSurface(ValueSources &sources, BlockAccessOpInterface op,
                         MakeTensorPtrOp maker, unsigned widthDim);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_LIB_ANALYSIS_SURFACECHECK_H
