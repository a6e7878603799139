//===- SurfaceCheck.h - Can messages address a tensor? ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_ANALYSIS_BLOCKS_SURFACECHECK_H
#define TRITON_INTEL_LIB_ANALYSIS_BLOCKS_SURFACECHECK_H

#include "intel/Analysis/Blocks/BlockAccess.h"

namespace mlir::triton::gpu::intel {

/// Returns a negative answer and its reason for people.
BlockAccess refuse(BlockAccessObstacle obstacle, const Twine &reason);

/// Returns a number that is known to divide a scalar; bytes for a pointer.
int64_t getDivisor(ValueSources &sources, Value value);

/// Returns where the surfaces of an access begin: at the base of its tensor, or
/// at each of its pages.
SmallVector<Value> getSurfaceBases(const BlockAccessQuery &query);

/// Returns the answer for the surfaces of the tensor that is accessed, or those
/// of its pages, by the rules of SurfaceRules.h: a refusal, nothing to check,
/// or what the launch or the kernel has to check. Memory is contiguous along
/// `widthDim`, one of the last two dimensions.
BlockAccess checkSurface(ValueSources &sources, const BlockAccessQuery &query,
                         unsigned widthDim);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_ANALYSIS_BLOCKS_SURFACECHECK_H
