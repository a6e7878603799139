//===- LayoutRewriter.h - Give a function the chosen layouts ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Turns the labels of a LayoutGraph into types. Cheap operations are computed
// once per requested layout; region operations carry one value per layout of a
// carried value (none, without a request); operations on data change their
// types in place; and where data is wanted in another layout than it has, it is
// converted, once per layout, as late as possible but outside of the loops that
// it comes into.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTREWRITER_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTREWRITER_H

#include "LayoutGraph.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

class LayoutRewriter {
public:
  LayoutRewriter(const LayoutGraph &graph, LayoutCostModel &model)
      : graph(graph), model(model) {}

  void run(FunctionOpInterface function);

private:
  /// A value in one of the layouts that it is computed in.
  struct Version {
    Attribute layout;
    Value value;
  };

  void collectRequests();
  void request(unsigned value, Attribute layout);
  unsigned countVersions(Operation *op, LayoutNode::Kind kind,
                         unsigned slot) const;

  // Region operations that carry another number of values than before.
  void rebuildRegionOperation(Operation *op);
  void rebuildFor(scf::ForOp loop);
  void rebuildIf(scf::IfOp branch);
  void rebuildWhile(scf::WhileOp loop);
  SmallVector<unsigned> countVersions(Operation *op, LayoutNode::Kind kind,
                                      unsigned firstSlot, unsigned numSlots);
  void expandArguments(Block &block, unsigned first, ArrayRef<unsigned> counts);
  void expandOperands(Operation *op, unsigned first, ArrayRef<unsigned> counts);
  void replaceResults(Operation *from, Operation *to,
                      ArrayRef<unsigned> counts);
  void defineVersions(Value old, ValueRange replacements);
  Value getPoison(Value value);

  bool isLoadedAgain(unsigned value, Attribute layout);
  void sinkReloads();

  void retypeSlot(unsigned node);
  void retypeOperation(unsigned node);
  void computeVersions(unsigned node);
  void retype(Operation *op, unsigned node, Attribute label);

  void setInputs(unsigned node);
  void setOperand(Operation *op, unsigned index, unsigned value,
                  Attribute layout);
  Value findVersion(unsigned value, Attribute layout) const;
  void createConversions();
  void eraseDead(FunctionOpInterface function);

  const LayoutGraph &graph;
  LayoutCostModel &model;
  /// Per node, its labels: those requested for a cheap node, else the one, and
  /// those that a block is loaded once more with.
  SmallVector<SmallVector<Attribute, 1>, 0> labels;
  /// Per node and input, the layout wanted with its (first) label; recorded
  /// before types change.
  SmallVector<SmallVector<Attribute, 3>, 0> wanted;
  /// Per value.
  SmallVector<SmallVector<Version, 1>, 0> versions;
  /// Region operations by what took their place.
  DenseMap<Operation *, Operation *> replacements;
  /// Per region operation and slot family, where the values of a slot begin.
  DenseMap<std::pair<Operation *, unsigned>, unsigned> slotBegins;
  /// Operands that need a value in a layout that it does not have.
  llvm::MapVector<std::pair<unsigned, Attribute>,
                  SmallVector<std::pair<Operation *, unsigned>>>
      conversions;
  /// Loads that were derived from others.
  SmallVector<Operation *> reloads;
  SmallVector<Operation *> dead;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTREWRITER_H
