//===- MinimumCutTest.cpp - Minimum cuts against enumeration --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Layouts/MinimumCut.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

using mlir::triton::gpu::intel::MinimumCut;

namespace {

/// A network on few vertices, kept beside the one under test.
struct Network {
  struct Edge {
    int from, to; // -1 is the source, -2 the sink.
    int64_t capacity;
  };
  int size;
  std::vector<Edge> edges;

  static bool isSourceSide(int vertex, uint32_t sides) {
    return vertex == -1 || (vertex >= 0 && (sides >> vertex & 1));
  }
  int64_t getCost(uint32_t sides) const {
    int64_t cost = 0;
    for (const Edge &edge : edges)
      if (isSourceSide(edge.from, sides) && !isSourceSide(edge.to, sides))
        cost += edge.capacity;
    return cost;
  }
};

/// The vertices that the implementation puts on the source side.
uint32_t computeSides(const Network &network) {
  MinimumCut cut;
  std::vector<unsigned> vertices;
  for (int i = 0; i != network.size; ++i)
    vertices.push_back(cut.addVertex());
  for (const Network::Edge &edge : network.edges) {
    if (edge.from == -1)
      cut.addSinkSideCost(vertices[edge.to], edge.capacity);
    else if (edge.to == -2)
      cut.addSourceSideCost(vertices[edge.from], edge.capacity);
    else
      cut.addEdge(vertices[edge.from], vertices[edge.to], edge.capacity);
  }
  cut.compute();
  uint32_t sides = 0;
  for (int i = 0; i != network.size; ++i)
    sides |= uint32_t(cut.isOnSourceSide(vertices[i])) << i;
  return sides;
}

// No division of a random network is cheaper, and of the cheapest ones it is
// that with the fewest vertices on the source side.
TEST(MinimumCutTest, RandomNetworks) {
  std::mt19937 random(1);
  auto pick = [&](int bound) { return static_cast<int>(random() % bound); };
  for (int round = 0; round != 300; ++round) {
    Network network{2 + pick(7), {}};
    for (int i = 0, e = pick(25); i != e; ++i) {
      int from = pick(network.size + 1) - 1;
      int to = pick(network.size + 1);
      if (to == network.size)
        to = -2;
      if (from != to && !(from == -1 && to == -2))
        network.edges.push_back({from, to, pick(6)});
    }
    uint32_t sides = computeSides(network);
    for (uint32_t other = 0; other != 1u << network.size; ++other) {
      ASSERT_LE(network.getCost(sides), network.getCost(other));
      if (network.getCost(sides) == network.getCost(other))
        ASSERT_EQ(sides & other, sides);
    }
  }
}

// A path as long as a large kernel needs no recursion, and an infinite edge is
// never cut.
TEST(MinimumCutTest, LongPath) {
  constexpr int length = 100000;
  MinimumCut cut;
  std::vector<unsigned> vertices;
  for (int i = 0; i != length; ++i) {
    vertices.push_back(cut.addVertex());
    if (i != 0)
      cut.addEdge(vertices[i - 1], vertices[i],
                  i == length / 2 ? 3 : MinimumCut::kInfinite);
  }
  cut.addSinkSideCost(vertices.front(), 5);
  cut.addSourceSideCost(vertices.back(), 4);
  cut.compute();
  EXPECT_TRUE(cut.isOnSourceSide(vertices[length / 2 - 1]));
  EXPECT_FALSE(cut.isOnSourceSide(vertices[length / 2]));
}

} // namespace
