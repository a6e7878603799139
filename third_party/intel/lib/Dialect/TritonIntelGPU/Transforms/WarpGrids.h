//===- WarpGrids.h - Sub-groups of dots that go together --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// How the sub-groups of a program lie over the result of a dot decides what it
// reads: a square part of the result takes the fewest elements of both factors.
// It also decides what happens to the result. If that is the left factor of
// another dot, no sub-group needs the rows of another one where each has whole
// rows in both; if it is added to another dot's result, both had better lie
// alike. Otherwise the tensor goes through shared local memory. And it decides
// who computes factors that are no loads: each sub-group converts the weights
// of 8 bits that it reads, and has to keep all that it needs of a factor that a
// loop carries.
//
// The grids of all dots are chosen together, by the cycles of a vector engine
// and its matrix engine that a sub-group takes:
//
//   in a block of operations    the most of what the matrix engine takes, what
//                               the engine's share of L1 takes for the bytes of
//                               the factors, and the instructions of messages
//                               and of arithmetic on factors; besides, what
//                               registers without room cost
//   between dots                what a conversion moves, by LayoutCost.h, while
//                               both engines wait
//
// times the iterations of the loops around it.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_WARPGRIDS_H
#define INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_WARPGRIDS_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// A dot and its layouts to choose from, one for each grid, none empty.
struct DotGrids {
  DotOpInterface dot;
  SmallVector<DpasEncodingAttr> layouts;
  /// The layout in `layouts` that is taken.
  unsigned chosen = 0;
};

/// Changes what is chosen where it costs less, if dots have to do with another
/// one, or have factors that are more than loads. A sub-group has so many
/// registers.
void improveWarpGrids(ModuleOp module, MutableArrayRef<DotGrids> dots,
                      int64_t registers);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_WARPGRIDS_H
