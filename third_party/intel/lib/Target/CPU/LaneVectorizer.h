//===- LaneVectorizer.h - Code of a lane for a sub-group --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Writes a function that does for all lanes of a sub-group what the source does
// for one. Scalars and elements of vectors become, by their shapes:
//
//   uniform, affine   a scalar: the value, or the base
//   varying           a row: <lanes x T>
//
// A vector of n elements thus becomes n rows, and what moves elements about
// within a lane costs nothing. Private memory has rows for elements, too.
//
// Control flow that is the same for all lanes stays as it is. A divergent
// region becomes a line of blocks under masks: each block runs for the lanes
// whose way leads through it, phis select, loops run as long as a lane is left.
// Memory is accessed, and functions with effects are called, for lanes in the
// mask only; arithmetic is done for all lanes.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEVECTORIZER_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEVECTORIZER_H

#include "LaneContext.h"

namespace triton::intel::cpu {

/// Fills `target`, whose signature createVectorFunction made, with the code of
/// `source` for all lanes.
llvm::Error vectorizeFunction(LaneDivergence &shapes, llvm::Function &source,
                              llvm::Function &target,
                              const FunctionMap &functions,
                              VectorTarget vectorTarget);

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEVECTORIZER_H
