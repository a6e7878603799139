//===- MinimumCut.h - Cheapest separation of a network ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Given a directed network with capacities, divides its vertices into a source
// side and a sink side so that the edges from the first to the second are as
// cheap as possible. Among cheapest cuts the one with the smallest source side
// is found.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_LAYOUTS_MINIMUMCUT_H
#define TRITON_INTEL_ANALYSIS_LAYOUTS_MINIMUMCUT_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::triton::gpu::intel {

class MinimumCut {
public:
  /// More than any sum of costs, and far from overflow.
  static constexpr int64_t kInfinite = int64_t(1) << 50;

  MinimumCut();
  unsigned addVertex();

  /// Costs `capacity` if `from` is on the source side and `to` is not.
  void addEdge(unsigned from, unsigned to, int64_t capacity);
  /// Costs `capacity` if `vertex` is on the source (sink) side.
  void addSourceSideCost(unsigned vertex, int64_t capacity) {
    addEdge(vertex, kSink, capacity);
  }
  void addSinkSideCost(unsigned vertex, int64_t capacity) {
    addEdge(kSource, vertex, capacity);
  }

  /// Finds the cut; afterwards `isOnSourceSide` answers.
  void compute();
  bool isOnSourceSide(unsigned vertex) const { return level[vertex] >= 0; }

private:
  static constexpr unsigned kSource = 0, kSink = 1;

  /// Edge `i` and its reverse `i ^ 1` share one flow.
  struct Edge {
    unsigned to;
    int64_t residual;
  };
  bool computeLevels();
  bool augment();

  llvm::SmallVector<Edge, 0> edges;
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 0> outgoing;
  /// Distance from the source in the residual network, -1 if out of reach.
  llvm::SmallVector<int, 0> level;
  /// The first outgoing edge of a vertex that may still carry more.
  llvm::SmallVector<unsigned, 0> next;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_LAYOUTS_MINIMUMCUT_H
