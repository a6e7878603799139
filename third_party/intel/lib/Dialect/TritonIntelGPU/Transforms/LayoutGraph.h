//===- LayoutGraph.h - Who hands tensors to whom ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The view of a function on which layouts are chosen. Its nodes are operations
// and *slots*; a slot is a value that a region operation carries (an iteration
// argument of `scf.for` with the result that belongs to it, a result of
// `scf.if`, ...), fed by initial values and terminators. Edges are tensors and
// block pointers. `ttg.convert_layout` is not part of the graph: it has no
// meaning for the program, and is put back wherever the chosen layouts
// disagree.
//
// A node has a label, the one layout that determines those of all its operands
// and results (LayoutTransfer.h). There are two kinds of nodes:
//
//   - *Cheap* nodes compute constants, ranges, indices, masks and addresses
//     from nothing but scalars and other cheap nodes. They are computed once in
//     every requested layout, so they need no label, and their users need not
//     agree on one. All block pointers are cheap, unless they come from a call
//     or a function argument.
//   - *Data* nodes have exactly one label. If two of them that are connected
//     disagree, the tensor between them has to be converted.
//
// The label of a *fixed* node does not change: dots, and operations of unknown
// kind.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTGRAPH_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTGRAPH_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::gpu::intel {

class LayoutCostModel;

/// An input of a slot: operand `index` of `owner`, a region operation or a
/// terminator.
struct SlotInput {
  Operation *owner;
  unsigned index;
};

struct LayoutNode {
  enum class Kind {
    Operation,
    /// A block argument that is no slot.
    Argument,
    ForSlot,
    IfSlot,
    /// The two families of `scf.while`: before arguments, and after arguments
    /// with the results.
    WhileBeforeSlot,
    WhileAfterSlot,
  };
  struct Input {
    unsigned value;
    /// Operand number of an operation, position in `slotInputs` of a slot.
    unsigned index;
  };

  LayoutNode(Kind kind, Operation *op) : kind(kind), op(op) {}

  Kind kind;
  /// The operation; of a slot the region operation; null for an argument.
  Operation *op;
  /// Number of the slot or argument.
  unsigned slot = 0;
  bool isCheap = false;
  bool isFixed = false;
  /// For a node that is not fixed: its dialect infers the layouts of its
  /// results.
  bool isInferred = false;
  /// The layout of a data node that is not fixed.
  Attribute label;
  /// How often the node is executed, relative to others.
  int64_t weight = 0;
  SmallVector<Input, 3> inputs;
  SmallVector<SlotInput, 0> slotInputs;
  /// Values that the node defines.
  SmallVector<unsigned, 1> outputs;

  bool isSlot() const {
    return kind != Kind::Operation && kind != Kind::Argument;
  }
};

struct LayoutValue {
  struct Use {
    unsigned node;
    /// Position in the node's `inputs`.
    unsigned input;
  };
  Value value;
  /// The defining node, and the result number of its operation.
  unsigned node;
  unsigned index;
  /// The weight of a conversion next to the definition.
  int64_t weight;
  SmallVector<Use, 2> uses;
};

class LayoutGraph {
public:
  explicit LayoutGraph(FunctionOpInterface function);

  ArrayRef<LayoutNode> getNodes() const { return nodes; }
  ArrayRef<LayoutValue> getValues() const { return values; }
  LayoutNode &getNode(unsigned node) { return nodes[node]; }
  /// Identifies `value`; a conversion's result counts as its operand.
  std::optional<unsigned> lookup(Value value) const;
  /// Returns the slot node of a region operation, if it carries a layout there.
  std::optional<unsigned> lookupSlot(Operation *op, LayoutNode::Kind kind,
                                     unsigned slot) const;

  /// Returns the layout that an input wants, and that an output has, if `node`
  /// has this label. Null if there is none.
  Attribute getInputLayout(unsigned node, unsigned input,
                           Attribute label) const;
  Attribute getOutputLayout(unsigned value, Attribute label) const;
  /// Returns the label with which that input (output) has this layout.
  Attribute getLabelFromInput(unsigned node, unsigned input,
                              Attribute layout) const;
  Attribute getLabelFromOutput(unsigned value, Attribute layout) const;

  /// Returns the cost of getting `value` in `layout` by loading it once more.
  /// None if this is not possible, or if a conversion from the layout `present`
  /// costs no more.
  std::optional<int64_t> getReloadCost(unsigned value, Attribute present,
                                       Attribute layout,
                                       LayoutCostModel &model) const;

  /// Returns how often a dialect was queried; once per value, layout and
  /// direction.
  unsigned getNumInferences() const {
    return inferredLayouts.size() + inferredLabels.size();
  }

private:
  void addOperation(Operation *op);
  void addSlots(Operation *op);
  void addSlot(Operation *op, LayoutNode::Kind kind, unsigned slot,
               ValueRange outputs, ArrayRef<SlotInput> inputs);
  void addOutput(unsigned node, Value value, unsigned index);
  void connect();
  void findData();
  void fixLabels();

  SmallVector<LayoutNode, 0> nodes;
  SmallVector<LayoutValue, 0> values;
  DenseMap<Value, unsigned> valueNumbers;
  DenseMap<std::pair<Operation *, unsigned>, unsigned> slotNumbers;
  /// Answers of dialects: the layout of a value by the label of its node, and
  /// the other way round.
  using Inferences = DenseMap<std::pair<unsigned, Attribute>, Attribute>;
  mutable Inferences inferredLayouts, inferredLabels;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTGRAPH_H
