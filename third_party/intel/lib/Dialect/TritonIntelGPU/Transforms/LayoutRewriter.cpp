//===- LayoutRewriter.cpp - Give a function the chosen layouts ------------===//
// SPDX-License-Identifier: MIT
//
// The steps are, in this order: find the layouts that are needed of cheap
// values; give region operations the values that this takes; set the types of
// every node, in program order, and create its copies; set operands; create the
// conversions that are needed; remove operations that are no longer used.
//
//===----------------------------------------------------------------------===//

#include "LayoutRewriter.h"

#include "LayoutTransfer.h"
#include "intel/Analysis/Layouts/LayoutCost.h"
#include "intel/Analysis/Order/MemoryEffects.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void LayoutRewriter::collectRequests() {
  // One entry per node or value of the graph.
  ArrayRef<LayoutNode> nodes = graph.getNodes();
  labels.resize(nodes.size());
  wanted.resize(nodes.size());
  versions.resize(graph.getValues().size());
  // Cheap nodes have the requested labels; see `request`.
  for (auto [node, own] : llvm::zip(nodes, labels))
    if (!node.isCheap)
      own.push_back(node.label);
  for (unsigned number = 0, e = nodes.size(); number != e; ++number) {
    if (nodes[number].isCheap)
      continue;
    // Queried now, while the graph's values still have their old types.
    for (unsigned i = 0, inputs = nodes[number].inputs.size(); i != inputs; ++i)
      wanted[number].push_back(
          graph.getInputLayout(number, i, nodes[number].label));
    for (auto [input, layout] : llvm::zip(nodes[number].inputs, wanted[number]))
      request(input.value, layout);
  }
}

/// Notes that `value` is needed in `layout`, and what that needs in turn.
void LayoutRewriter::request(unsigned value, Attribute layout) {
  // A separate list, since chains of cheap operations are long.
  SmallVector<std::pair<unsigned, Attribute>> worklist{{value, layout}};
  while (!worklist.empty()) {
    auto [current, requested] = worklist.pop_back_val();
    unsigned number = graph.getValues()[current].node;
    const LayoutNode &node = graph.getNodes()[number];
    // Other data has the one layout of its label.
    if (!node.isCheap && !isLoadedAgain(current, requested))
      continue;
    Attribute label = graph.getLabelFromOutput(current, requested);
    // No label gives this layout: computed as it is, and converted.
    if (!label)
      label = getLabel(node.op);
    // It was already requested, with everything that it needs.
    if (llvm::is_contained(labels[number], label))
      continue;
    labels[number].push_back(label);
    for (auto [i, input] : llvm::enumerate(node.inputs))
      worklist.push_back({input.value, graph.getInputLayout(number, i, label)});
  }
}

/// Returns whether `value` is loaded once more to have `layout`.
bool LayoutRewriter::isLoadedAgain(unsigned value, Attribute layout) {
  Attribute present = graph.getOutputLayout(
      value, graph.getNodes()[graph.getValues()[value].node].label);
  return graph.getReloadCost(value, present, layout, model).has_value();
}

/// Slots without layout are carried once.
unsigned LayoutRewriter::countVersions(Operation *op, LayoutNode::Kind kind,
                                       unsigned slot) const {
  std::optional<unsigned> node = graph.lookupSlot(op, kind, slot);
  return node ? labels[*node].size() : 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Gives the results of `op`, which is a node's operation or a copy of it, the
/// layouts that the label means.
void LayoutRewriter::retype(Operation *op, unsigned number, Attribute label) {
  for (unsigned output : graph.getNodes()[number].outputs) {
    Value result = op->getResult(graph.getValues()[output].index);
    Attribute layout = graph.getOutputLayout(output, label);
    result.setType(
        cast<RankedTensorType>(result.getType()).cloneWithEncoding(layout));
    versions[output].push_back({layout, result});
  }
  // A splat has its type in its value too.
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    constant.setValueAttr(
        cast<SplatElementsAttr>(constant.getValue())
            .resizeSplat(cast<ShapedType>(constant.getType())));
}

/// Computes an operation that is executed for each label: itself for the first
/// one, copies for the others.
void LayoutRewriter::computeVersions(unsigned number) {
  const LayoutNode &node = graph.getNodes()[number];
  // It is not requested, so it goes, perhaps with a chain of others.
  if (labels[number].empty()) {
    dead.push_back(node.op);
    return;
  }
  Operation *last = node.op;
  for (auto [i, label] : llvm::enumerate(labels[number])) {
    Operation *op = node.op;
    // Copies follow one another in the order of labels.
    if (i != 0) {
      op = node.op->clone();
      last->getBlock()->getOperations().insertAfter(last->getIterator(), op);
      last = op;
      if (!node.isCheap)
        reloads.push_back(op);
    }
    retype(op, number, label);
    // Operands that do not exist in this layout yet wait for their conversion.
    for (auto [index, input] : llvm::enumerate(node.inputs))
      setOperand(op, input.index, input.value,
                 graph.getInputLayout(number, index, label));
  }
}

void LayoutRewriter::retypeOperation(unsigned number) {
  const LayoutNode &node = graph.getNodes()[number];
  if (node.isCheap || labels[number].size() > 1)
    return computeVersions(number);
  if (!node.isFixed)
    return retype(node.op, number, node.label);
  // A fixed operation keeps its types, which are noted for its users.
  for (unsigned output : node.outputs) {
    Value result = graph.getValues()[output].value;
    versions[output].push_back({getTensorEncoding(result.getType()), result});
  }
}

/// The values of a slot exist by now; they only need their types.
void LayoutRewriter::retypeSlot(unsigned number) {
  const LayoutNode &node = graph.getNodes()[number];
  for (unsigned output : node.outputs) {
    // Without several versions the value is still the old one.
    if (versions[output].empty() && !labels[number].empty())
      versions[output].push_back({{}, graph.getValues()[output].value});
    for (auto [version, label] : llvm::zip(versions[output], labels[number])) {
      version.layout = label;
      version.value.setType(cast<RankedTensorType>(version.value.getType())
                                .cloneWithEncoding(label));
    }
  }
}

//===----------------------------------------------------------------------===//
// Operands and conversions
//===----------------------------------------------------------------------===//

/// Returns null if the value does not exist in this layout.
Value LayoutRewriter::findVersion(unsigned value, Attribute layout) const {
  for (const Version &version : versions[value])
    if (version.layout == layout)
      return version.value;
  return {};
}

/// Sets the operand now, or notes that it needs a conversion. All users of one
/// conversion are collected, so that it is made once.
void LayoutRewriter::setOperand(Operation *op, unsigned index, unsigned value,
                                Attribute layout) {
  if (Value version = findVersion(value, layout))
    op->setOperand(index, version);
  else
    conversions[{value, layout}].push_back({op, index});
}

void LayoutRewriter::setInputs(unsigned number) {
  const LayoutNode &node = graph.getNodes()[number];
  if (!node.isSlot()) {
    // The operands of operations with several versions are set.
    if (!node.isCheap && labels[number].size() == 1)
      for (auto [input, layout] : llvm::zip(node.inputs, wanted[number]))
        setOperand(node.op, input.index, input.value, layout);
    return;
  }
  // Values that the slot carries begin at another place where slots before
  // it have more or fewer versions.
  unsigned family = node.kind == LayoutNode::Kind::WhileAfterSlot;
  unsigned begin = node.slot;
  if (auto it = slotBegins.find({node.op, 2 * node.slot + family});
      it != slotBegins.end())
    begin = it->second;
  for (LayoutNode::Input input : node.inputs) {
    SlotInput slotInput = node.slotInputs[input.index];
    // The operation may have been rebuilt.
    Operation *owner = slotInput.owner;
    if (auto it = replacements.find(owner); it != replacements.end())
      owner = it->second;
    unsigned first = slotInput.index - node.slot + begin;
    for (auto [i, label] : llvm::enumerate(labels[number]))
      setOperand(owner, first + i, input.value, label);
  }
}

/// Returns the operation before which a conversion of `value` for these users
/// is placed: in the innermost block that has all of them, but before every
/// loop that does not have the value itself. Users in several blocks of a
/// function share the block that defines the value.
static Operation *
findPlaceOfConversion(Value value,
                      ArrayRef<std::pair<Operation *, unsigned>> users) {
  Block *block = users.front().first->getBlock();
  auto hasAllUsers = [&](Block *block) {
    return llvm::all_of(users, [&](auto user) {
      return block->findAncestorOpInBlock(*user.first) != nullptr;
    });
  };
  Block *definition = value.getParentBlock();
  auto isOutside = [&](Block *block) {
    return block->getParent() != definition->getParent();
  };
  // Outwards, to the first block around all users; ...
  while (isOutside(block) && !hasAllUsers(block))
    block = block->getParentOp()->getBlock();
  // ... then out of loops that the value comes from outside of: a conversion in
  // a loop would run in each iteration.
  for (Block *outer = block; isOutside(outer);) {
    Operation *parent = outer->getParentOp();
    outer = parent->getBlock();
    if (isa<scf::ForOp, scf::WhileOp>(parent))
      block = outer;
  }
  // Users in blocks that follow each other without one around them.
  if (!hasAllUsers(block))
    block = definition;
  // Before the first user.
  Operation *place = block->getTerminator();
  for (auto [user, index] : users) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (ancestor && ancestor->isBeforeInBlock(place))
      place = ancestor;
  }
  return place;
}

void LayoutRewriter::createConversions() {
  for (auto &[key, users] : conversions) {
    auto [number, layout] = key;
    // Data has one version, and of cheap values any will do.
    Value value = versions[number].front().value;
    Operation *place = findPlaceOfConversion(value, users);
    OpBuilder builder(place);
    // Block arguments are no operations, which have a place in the source.
    Location loc = value.getDefiningOp() ? value.getLoc() : place->getLoc();
    Value converted = ConvertLayoutOp::create(
        builder, loc,
        cast<RankedTensorType>(value.getType()).cloneWithEncoding(layout),
        value);
    for (auto [user, index] : users)
      user->setOperand(index, converted);
  }
}

/// Puts loads that were derived from others where they are used first, so that
/// they take no registers before.
void LayoutRewriter::sinkReloads() {
  for (Operation *load : reloads) {
    SmallVector<std::pair<Operation *, unsigned>> users;
    for (OpOperand &use : load->getUses())
      users.push_back({use.getOwner(), use.getOperandNumber()});
    if (users.empty())
      continue;
    Operation *place = findPlaceOfConversion(load->getResult(0), users);
    if (place->getBlock() == load->getBlock() &&
        isMemoryTheSameBetween(load, place))
      load->moveBefore(place);
  }
}

void LayoutRewriter::eraseDead(FunctionOpInterface function) {
  // Dead operations may use each other.
  for (Operation *op : dead)
    op->dropAllReferences();
  for (Operation *op : dead)
    op->erase();
}

void LayoutRewriter::run(FunctionOpInterface function) {
  // All old conversions go; those that are needed are created again.
  function->walk([&](ConvertLayoutOp op) { dead.push_back(op); });
  collectRequests();

  // Outer operations first, since their bodies move with what is in them.
  SmallVector<Operation *> regionOperations;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
      regionOperations.push_back(op);
  });
  for (Operation *op : regionOperations)
    rebuildRegionOperation(op);

  // Producers come before users in the graph, loops aside.
  for (unsigned number = 0, e = graph.getNodes().size(); number != e;
       ++number) {
    const LayoutNode &node = graph.getNodes()[number];
    if (node.isSlot())
      retypeSlot(number);
    else
      retypeOperation(number);
  }
  // All versions exist now.
  for (unsigned number = 0, e = graph.getNodes().size(); number != e; ++number)
    setInputs(number);
  createConversions();
  sinkReloads();
  eraseDead(function);
}

} // namespace mlir::triton::gpu::intel
