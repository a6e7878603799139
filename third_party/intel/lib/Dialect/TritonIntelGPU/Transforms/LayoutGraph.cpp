//===- LayoutGraph.cpp - Who hands tensors to whom ------------------------===//
// SPDX-License-Identifier: MIT
//
// A walk in program order numbers the values and creates the nodes. A second
// step connects them, because a loop passes values back to its head. Then all
// nodes with cheap operations are marked as cheap. Nodes that depend on data,
// or that take too many operations to be computed twice, are unmarked again.
//
//===----------------------------------------------------------------------===//

#include "LayoutGraph.h"

#include "LayoutTransfer.h"
#include "intel/Analysis/Layouts/LayoutCost.h"
#include "intel/Analysis/Registers/ExecutionWeight.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

/// Longest chain of cheap operations (counted as a tree) that is computed again
/// for another layout.
constexpr unsigned kMaxCheapLength = 64;

/// Returns whether the value is a tensor with a layout.
bool hasLayout(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getEncoding();
}

/// Returns whether operands of `op` are inputs of slots rather than of `op`
/// itself.
bool isSlotTerminator(Operation *op) {
  return (isa<scf::YieldOp>(op) &&
          isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op->getParentOp())) ||
         isa<scf::ConditionOp>(op);
}

/// Returns whether `op` costs next to nothing per element and may be executed
/// anywhere any number of times.
bool isCheapOperation(Operation *op) {
  if (!isLayoutTransparent(op) || !isMemoryEffectFree(op) || isExpensive(op))
    return false;
  // A shape operation on a range is equivalent to a range: an index of
  // `tl.sort` is one with thirteen dimensions.
  return op->hasTrait<mlir::OpTrait::MovesElements>() ||
         isa<SplatOp, MakeRangeOp, AddPtrOp, triton::BitcastOp, IntToPtrOp,
             PtrToIntOp, ub::PoisonOp>(op) ||
         isa<arith::ArithDialect>(op->getDialect());
}

} // namespace

namespace mlir::triton::gpu::intel {

LayoutGraph::LayoutGraph(FunctionOpInterface function) {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Regions of reductions and the like work on scalars.
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op)) {
      addSlots(op);
    } else if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op)) {
      // A conversion is no node: its result is another name of its operand.
      if (std::optional<unsigned> source = lookup(convert.getSrc()))
        valueNumbers[convert.getResult()] = *source;
    } else if (!isSlotTerminator(op)) {
      addOperation(op);
    }
    // Arguments of blocks that are no slots: of functions, or of other regions.
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (hasLayout(argument) && !valueNumbers.contains(argument)) {
            LayoutNode node(LayoutNode::Kind::Argument, nullptr);
            node.slot = argument.getArgNumber();
            node.isFixed = true;
            nodes.push_back(node);
            addOutput(nodes.size() - 1, argument, 0);
          }
  });
  connect();
  findData();
  fixLabels();
}

std::optional<unsigned> LayoutGraph::lookup(Value value) const {
  auto it = valueNumbers.find(value);
  if (it == valueNumbers.end())
    return std::nullopt;
  return it->second;
}

/// A while loop has slots in both halves: even numbers are those of the first
/// one.
std::optional<unsigned> LayoutGraph::lookupSlot(Operation *op,
                                                LayoutNode::Kind kind,
                                                unsigned slot) const {
  auto it = slotNumbers.find(
      {op, 2 * slot + (kind == LayoutNode::Kind::WhileAfterSlot)});
  if (it == slotNumbers.end())
    return std::nullopt;
  return it->second;
}

void LayoutGraph::addOutput(unsigned node, Value value, unsigned index) {
  valueNumbers[value] = values.size();
  nodes[node].outputs.push_back(values.size());
  values.push_back(
      {value,
       node,
       index,
       getExecutionWeight(value.getParentBlock(), /*countsTrips=*/false),
       {}});
}

void LayoutGraph::addOperation(Operation *op) {
  // Scalars take no part.
  if (llvm::none_of(op->getOperands(), hasLayout) &&
      llvm::none_of(op->getResults(), hasLayout))
    return;
  LayoutNode node(LayoutNode::Kind::Operation, op);
  node.weight = getExecutionWeight(op->getBlock(), /*countsTrips=*/false);
  nodes.push_back(node);
  for (OpResult result : op->getResults())
    if (hasLayout(result))
      addOutput(nodes.size() - 1, result, result.getResultNumber());
}

void LayoutGraph::addSlot(Operation *op, LayoutNode::Kind kind, unsigned slot,
                          ValueRange outputs, ArrayRef<SlotInput> inputs) {
  if (!hasLayout(outputs.front()))
    return;
  LayoutNode node(kind, op);
  node.slot = slot;
  node.slotInputs.append(inputs.begin(), inputs.end());
  slotNumbers[{op, 2 * slot + (kind == LayoutNode::Kind::WhileAfterSlot)}] =
      nodes.size();
  nodes.push_back(node);
  for (Value output : outputs)
    // All of them have the layout of the slot.
    addOutput(nodes.size() - 1, output, 0);
}

void LayoutGraph::addSlots(Operation *op) {
  // The value that enters, and what the body yields.
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned firstInit = loop.getNumControlOperands();
    for (unsigned i = 0, e = loop.getNumResults(); i != e; ++i)
      addSlot(op, LayoutNode::Kind::ForSlot, i,
              {loop.getRegionIterArg(i), loop.getResult(i)},
              {{op, firstInit + i}, {loop.getBody()->getTerminator(), i}});
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    // Adds what both branches yield.
    for (unsigned i = 0, e = branch.getNumResults(); i != e; ++i)
      addSlot(op, LayoutNode::Kind::IfSlot, i, branch.getResult(i),
              {{branch.thenYield(), i}, {branch.elseYield(), i}});
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    // Before the condition, and after it.
    for (unsigned i = 0, e = loop.getInits().size(); i != e; ++i)
      addSlot(op, LayoutNode::Kind::WhileBeforeSlot, i,
              loop.getBeforeArguments()[i], {{op, i}, {loop.getYieldOp(), i}});
    // Operand 0 of the terminator is the condition.
    for (unsigned i = 0, e = loop.getNumResults(); i != e; ++i)
      addSlot(op, LayoutNode::Kind::WhileAfterSlot, i,
              {loop.getAfterArguments()[i], loop.getResult(i)},
              {{loop.getConditionOp(), i + 1}});
  }
}

void LayoutGraph::connect() {
  // The nodes are all there, so loops find what they are fed with.
  for (auto [number, node] : llvm::enumerate(nodes)) {
    auto addInput = [&, number = unsigned(number)](
                        LayoutNode &node, Value value, unsigned index) {
      // Values without layout are no inputs.
      std::optional<unsigned> source = lookup(value);
      if (!source)
        return;
      values[*source].uses.push_back({number, unsigned(node.inputs.size())});
      node.inputs.push_back({*source, index});
    };
    if (node.isSlot()) {
      for (auto [i, input] : llvm::enumerate(node.slotInputs))
        addInput(node, input.owner->getOperand(input.index), i);
    } else if (node.op) {
      for (OpOperand &operand : node.op->getOpOperands())
        addInput(node, operand.get(), operand.getOperandNumber());
    }
  }
}

/// Decides which nodes are cheap.
void LayoutGraph::findData() {
  // Data spreads from producers to users.
  SmallVector<unsigned> worklist;
  SmallVector<unsigned> length(nodes.size(), 1);
  for (auto [number, node] : llvm::enumerate(nodes)) {
    // A node that no other takes as input is not computed for others.
    node.isCheap = node.isSlot() || (node.op && !node.outputs.empty() &&
                                     isCheapOperation(node.op));
    // As a tree: an operand that is used twice counts twice, as it may be
    // computed twice.
    if (!node.isSlot())
      for (LayoutNode::Input input : node.inputs)
        length[number] =
            std::min(length[number] + length[values[input.value].node],
                     kMaxCheapLength + 1);
    if (length[number] > kMaxCheapLength)
      node.isCheap = false;
    if (!node.isCheap)
      worklist.push_back(number);
  }
  // A node that depends on data is data.
  while (!worklist.empty()) {
    for (unsigned output : nodes[worklist.pop_back_val()].outputs)
      for (LayoutValue::Use use : values[output].uses)
        if (nodes[use.node].isCheap) {
          nodes[use.node].isCheap = false;
          worklist.push_back(use.node);
        }
  }
}

/// Decides which data nodes are fixed; gives the others their present label.
void LayoutGraph::fixLabels() {
  // Cheap nodes have no label: they exist in each requested layout.
  for (LayoutNode &node : nodes) {
    if (node.isCheap || node.isFixed)
      continue;
    if (node.isSlot()) {
      Type type = values[node.outputs.front()].value.getType();
      node.label = getTensorEncoding(type);
      continue;
    }
    node.isFixed = !isLayoutTransparent(node.op);
    if (!node.isFixed)
      node.label = getLabel(node.op);
  }
  // Only these need the caches of inferred layouts.
  for (LayoutNode &node : nodes)
    node.isInferred =
        !node.isFixed && !node.isSlot() && node.op && isLayoutInferred(node.op);
}

std::optional<int64_t>
LayoutGraph::getReloadCost(unsigned value, Attribute present, Attribute layout,
                           LayoutCostModel &model) const {
  const LayoutNode &node = nodes[values[value].node];
  // Addresses that are data would have to be converted.
  if (node.isSlot() || node.isCheap || node.isFixed || !node.op ||
      present == layout ||
      llvm::any_of(node.inputs, [&](LayoutNode::Input input) {
        return !nodes[values[input.value].node].isCheap;
      }))
    return std::nullopt;
  std::optional<int64_t> cost = model.getReloadCost(node.op, present, layout);
  auto type = cast<RankedTensorType>(values[value].value.getType());
  if (cost && *cost < model.getConversionCost(type, present, layout))
    return cost;
  return std::nullopt;
}

Attribute LayoutGraph::getInputLayout(unsigned number, unsigned input,
                                      Attribute label) const {
  const LayoutNode &node = nodes[number];
  unsigned index = node.inputs[input].index;
  if (node.isSlot())
    return node.isFixed
               ? getTensorEncoding(values[node.outputs.front()].value.getType())
               : label;
  // A fixed node takes its present layouts.
  if (node.isFixed)
    return getTensorEncoding(node.op->getOperand(index).getType());
  return getOperandLayout(node.op, index, label);
}

Attribute LayoutGraph::getOutputLayout(unsigned value, Attribute label) const {
  const LayoutNode &node = nodes[values[value].node];
  if (node.isFixed)
    return getTensorEncoding(values[value].value.getType());
  if (node.isSlot())
    return label;
  unsigned index = values[value].index;
  if (!node.isInferred)
    return getResultLayout(node.op, index, label);
  auto [entry, isNew] = inferredLayouts.try_emplace({value, label});
  if (isNew)
    entry->second = getResultLayout(node.op, index, label);
  return entry->second;
}

Attribute LayoutGraph::getLabelFromInput(unsigned number, unsigned input,
                                         Attribute layout) const {
  const LayoutNode &node = nodes[number];
  if (node.isSlot())
    return layout;
  return intel::getLabelFromOperand(node.op, node.inputs[input].index, layout);
}

Attribute LayoutGraph::getLabelFromOutput(unsigned value,
                                          Attribute layout) const {
  const LayoutNode &node = nodes[values[value].node];
  if (node.isSlot())
    return layout;
  unsigned index = values[value].index;
  if (!node.isInferred)
    return intel::getLabelFromResult(node.op, index, layout);
  auto [entry, isNew] = inferredLabels.try_emplace({value, layout});
  if (isNew)
    entry->second = intel::getLabelFromResult(node.op, index, layout);
  return entry->second;
}

} // namespace mlir::triton::gpu::intel
