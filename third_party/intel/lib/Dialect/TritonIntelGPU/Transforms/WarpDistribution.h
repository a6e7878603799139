//===- WarpDistribution.h - Distribution of warps over dots -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// How the warps (sub-groups) of a program are distributed over the result of a
// dot decides what it reads: a square part of the result needs the fewest
// elements of both operands. It also decides what happens to the result. If
// that is the left operand of another dot, no warp needs the rows of another
// one where each has whole rows in both. If it is added to another dot's
// result, both had better be distributed alike. Otherwise the tensor goes
// through shared local memory. And it decides who computes operands that are
// not loaded: each warp converts the weights of 8 bits that it reads, and has
// to keep everything that it needs of an operand that a loop carries. A block
// that several dots load is read once if their layouts have the same elements
// in each lane, else once for each layout.
//
// The distributions of all dots are chosen together, by the cycles of a vector
// engine and its matrix engine that a warp takes:
//
//   in a block of operations    the most of what the matrix engine takes, what
//                               the engine's share of L1 takes for the bytes of
//                               the operands, and the instructions of messages
//                               and of arithmetic on operands; in addition,
//                               what registers without room cost
//   between dots                what a conversion moves, by LayoutCost.h, while
//                               both engines wait; once for all dots that have
//                               the same operand in the same layout
//
// times the iterations of the loops around it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_WARPDISTRIBUTION_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_WARPDISTRIBUTION_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// A dot and the layouts that it can have, one for each distribution of warps.
/// There is at least one.
struct DotDistributions {
  DotOpInterface dot;
  SmallVector<DpasEncodingAttr> layouts;
  /// The index of the chosen layout in `layouts`.
  unsigned chosen = 0;
  /// This is true if the product starts from zero, and is added to its
  /// accumulator.
  bool startsFromZero = false;
};

/// Changes the chosen layouts where this lowers the cost. Only dots whose
/// results or operands meet those of other dots, and dots with operands that
/// are more than loads, change.
void improveWarpDistributions(ModuleOp module,
                              MutableArrayRef<DotDistributions> dots);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_WARPDISTRIBUTION_H
