//===- LayoutAssignment.h - Choose the labels of a graph --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Minimizes what layouts cost: the conversions between nodes that disagree, and
// the cost of every operation in its layout (LayoutCost.h), each times how
// often it runs.
//
// The method is that of *expansion moves*, known from labelling pixels: take
// one place where two nodes disagree and let one of the two have the layout of
// the other. Push that layout on, through everything that layouts pass through,
// in all directions; this gives a neighbourhood in which every node has a
// present and a proposed label. Which nodes of it should switch is a question
// of two choices per node with costs between neighbours, and a minimum cut
// answers it exactly: all, none, or those up to the cheapest place to convert,
// be it the narrow side of an extension, the small side of a broadcast or the
// code before a loop. Among the two moves at a place, the search makes the one
// that lowers the total by more, if any does. So the search ends, and its
// outcome depends on nothing but the order of operations.
//
// The layout of a memory access is pushed further, through other nodes that
// have it already: a load that gives up its vectors for the layout of its
// neighbours helps, but all neighbours taking its layout, up to the store, may
// help more, and once one access has given up the others follow.
//
// Nodes that agree give no reason to try anything, however bad their layout is
// for memory. So each access is also proposed the layout that suits it
// (CoalescedLayout.h), and the move spreads from there as any other does.
//
// Labels that no node has can be proposed, too, for functions that combine
// rows: layouts of loads whose rows belong to one sub-group each, as
// far as there are rows for all, without fewer neighbours per lane than before.
// Combining a row needs no shared memory then, and fewer shuffles. Where
// sub-groups share what is scanned, layouts in which each has neighbours: it
// has one sum of them for the others.
//
// A block that 2D block messages load can be loaded once more in another
// layout, which costs messages and no exchange. Where that is less than what a
// conversion takes, it is what a conversion costs. So operands that have uses
// other than their dots, for example by a norm of their rows, need not be had
// as the dots take them, by several sub-groups each.
//
// The search takes rounds. In a round no node is proposed the same label by two
// moves: the cut has decided which nodes take it, and that holds as long as the
// labels around hold, which the next round checks again. So the cost of a round
// is the number of operations times, for each, the layouts that can get to it;
// and there is a limit to the rounds, which programs do not reach (one to five
// were seen).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTASSIGNMENT_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTASSIGNMENT_H

#include "LayoutGraph.h"
#include "intel/Analysis/Layouts/LayoutCost.h"
#include "intel/Analysis/Layouts/MinimumCut.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

class LayoutAssignment {
public:
  LayoutAssignment(LayoutGraph &graph, LayoutCostModel &model)
      : graph(graph), model(model) {}

  /// Changes labels until no move helps. Returns the cost of all operations and
  /// conversions (LayoutCost.h), each times how often it runs.
  int64_t run();

  /// Returns the work that `run` did: labels proposed to nodes.
  unsigned getNumProposals() const { return numProposals; }

private:
  /// The nodes that may switch, with their proposed labels.
  using Move = llvm::MapVector<unsigned, Attribute>;

  /// Bounds the rounds, each of which lowers the cost, and so the time.
  static constexpr unsigned kMaxRounds = 16;

  /// Returns the layout of a node that suits memory; null if it accesses none
  /// or cannot have it.
  Attribute getCoalescedLayout(unsigned node) const;
  /// Changes labels, from those that there are, until no move helps.
  void search();
  void runRounds();
  /// Makes the two ends of each edge agree, where that helps; true if labels
  /// changed.
  bool runRound();
  /// Makes moves of accesses to the layouts that suit memory, where they help;
  /// true if labels changed.
  bool proposeCoalesced();
  /// Makes moves to layouts for rows, where they help; true if labels changed.
  bool proposeRows();
  /// Makes moves for scans along dimensions that sub-groups share: to layouts
  /// in which each of them has neighbours, so that it has one sum for others.
  bool proposeRuns();
  /// Returns the layout in which lanes share the work of a load that would have
  /// this label; null if the node is no such load.
  Attribute getSharedLayout(unsigned node, Attribute label) const;
  /// Makes moves to layouts in which lanes share the work of loads of which
  /// each would have all elements, as scales of rows that run along registers.
  bool proposeLanes();
  /// Makes moves for stores of what all lanes have, to layouts in which lanes
  /// store different elements of it.
  void proposeStoredLanes();
  /// Makes moves for uses of a dot operand other than the dot: to layouts in
  /// which sub-groups have different elements, which they load for themselves.
  bool proposeUnshared();
  /// A move, and by how much it lowers the cost.
  struct Proposal {
    Move move;
    int64_t gain = 0;
  };
  /// Returns the best move around `node` taking `label` from its neighbour
  /// `from`.
  Proposal evaluate(unsigned node, Attribute label, unsigned from);
  /// Returns the best part of a move.
  Proposal evaluate(Move move);
  bool apply(const Proposal &proposal);
  Move grow(unsigned node, Attribute label, bool isWide) const;
  Move findBestSubset(const Move &move);
  void addValue(MinimumCut &cut, const Move &move,
                const llvm::DenseMap<unsigned, unsigned> &vertices,
                unsigned value);

  bool isLegal(unsigned node, Attribute label) const;
  llvm::SetVector<unsigned> getTouchedValues(const Move &move) const;
  int64_t getCost(const Move &move, bool isMoved);
  int64_t getTotalCost();
  int64_t getConversionCost(unsigned value, Attribute from, Attribute to);
  int64_t getNodeCost(unsigned node, Attribute label);
  /// Returns the label of a node now, or after a move.
  Attribute getLabel(unsigned node, const Move *move) const;

  LayoutGraph &graph;
  LayoutCostModel &model;
  /// Proposals that were part of a move in this round.
  DenseSet<std::pair<unsigned, Attribute>> tried;
  unsigned numProposals = 0;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTASSIGNMENT_H
