//===- MinimumCut.cpp - Cheapest separation of a network ------------------===//
// SPDX-License-Identifier: MIT
//
// Dinic's algorithm: saturate all shortest paths from source to sink, until no
// path is left; what the source then still reaches is its side of the cut.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Layouts/MinimumCut.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mlir::triton::gpu::intel {

/// Source and sink are the first two vertices.
MinimumCut::MinimumCut() { outgoing.resize(2); }

unsigned MinimumCut::addVertex() {
  outgoing.emplace_back();
  return outgoing.size() - 1;
}

void MinimumCut::addEdge(unsigned from, unsigned to, int64_t capacity) {
  // Edges without capacity separate nothing. A loop at one vertex never crosses
  // a cut.
  if (capacity <= 0 || from == to)
    return;
  // Each edge and its reverse are neighbours in the list: the index of one is
  // that of the other with the last bit flipped.
  outgoing[from].push_back(edges.size());
  // Infinity has a bound, so that sums of capacities do not overflow.
  edges.push_back({to, std::min(capacity, kInfinite)});
  outgoing[to].push_back(edges.size());
  edges.push_back({from, 0});
}

bool MinimumCut::computeLevels() {
  // Breadth first over edges that still have room; -1 is out of reach.
  level.assign(outgoing.size(), -1);
  level[kSource] = 0;
  llvm::SmallVector<unsigned> queue{kSource};
  for (unsigned head = 0; head != queue.size(); ++head)
    for (unsigned index : outgoing[queue[head]]) {
      const Edge &edge = edges[index];
      if (edge.residual == 0 || level[edge.to] >= 0)
        continue;
      level[edge.to] = level[queue[head]] + 1;
      queue.push_back(edge.to);
    }
  return level[kSink] >= 0;
}

/// Saturates one shortest path; false if there is none left. The path is a
/// stack of edges, as it may be as long as the kernel.
bool MinimumCut::augment() {
  llvm::SmallVector<unsigned> path;
  unsigned vertex = kSource;
  while (vertex != kSink) {
    // The first edge of the vertex that has not proved a dead end yet: each
    // edge is given up once per phase.
    unsigned &cursor = next[vertex];
    while (cursor != outgoing[vertex].size()) {
      const Edge &edge = edges[outgoing[vertex][cursor]];
      if (edge.residual > 0 && level[edge.to] == level[vertex] + 1)
        break;
      ++cursor;
    }
    if (cursor != outgoing[vertex].size()) {
      path.push_back(outgoing[vertex][cursor]);
      vertex = edges[path.back()].to;
      continue;
    }
    // A dead end: step back and do not come here again.
    if (path.empty())
      return false;
    vertex = edges[path.pop_back_val() ^ 1].to;
    ++next[vertex];
  }

  // The narrowest edge limits how much more fits through the path.
  int64_t flow = kInfinite;
  for (unsigned index : path)
    flow = std::min(flow, edges[index].residual);
  // Flow that is sent forward may be sent back later on.
  for (unsigned index : path) {
    edges[index].residual -= flow;
    edges[index ^ 1].residual += flow;
  }
  return true;
}

void MinimumCut::compute() {
  // Each phase makes the shortest path longer, so the number of phases is at
  // most that of the vertices.
  while (computeLevels()) {
    next.assign(outgoing.size(), 0);
    while (augment())
      ;
  }
}

} // namespace mlir::triton::gpu::intel
