//===- LayoutAssignment.cpp - Choose the labels of a graph ----------------===//
// SPDX-License-Identifier: MIT
//
// See the header for the method. In the network of a move, a vertex on the
// source side takes the proposed label. A tensor that several users need in the
// same layout is converted once. Such a group of users has a separate vertex,
// which represents the conversion.
//
//===----------------------------------------------------------------------===//

#include "LayoutAssignment.h"

#include "intel/Analysis/Layouts/AccessPattern.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

/// Returns whether a layout is proposed for what an operation, which may be
/// null, loads.
static bool isLoad(Operation *op) {
  return op && (isa<LoadOp>(op) || loadsBlock(op));
}

Attribute LayoutAssignment::getLabel(unsigned node, const Move *move) const {
  // Null for labels as they are.
  if (move)
    if (auto it = move->find(node); it != move->end())
      return it->second;
  return graph.getNodes()[node].label;
}

int64_t LayoutAssignment::getConversionCost(unsigned number, Attribute from,
                                            Attribute to) {
  const LayoutValue &value = graph.getValues()[number];
  if (from == to)
    return 0;
  if (std::optional<int64_t> cost =
          graph.getReloadCost(number, from, to, model))
    return value.weight * *cost;
  auto type = cast<RankedTensorType>(value.value.getType());
  return value.weight * model.getConversionCost(type, from, to);
}

int64_t LayoutAssignment::getNodeCost(unsigned number, Attribute label) {
  const LayoutNode &node = graph.getNodes()[number];
  // Slots and arguments do nothing; what their values cost is in conversions.
  if (node.isSlot() || !node.op)
    return 0;
  return node.weight * model.getOperationCost(node.op, label);
}

/// Returns whether a node can have a label: all its inputs and outputs then
/// have a layout, and memory can be accessed so.
bool LayoutAssignment::isLegal(unsigned number, Attribute label) const {
  const LayoutNode &node = graph.getNodes()[number];
  // Cheap nodes have no label, fixed ones keep theirs.
  if (node.isFixed || node.isCheap || !label ||
      !isa<DistributedEncodingInterface>(label))
    return false;
  // Memory cannot be accessed in any layout.
  if (!node.isSlot() && !model.isLegalMemoryLayout(node.op, label))
    return false;
  for (unsigned i = 0, e = node.inputs.size(); i != e; ++i)
    if (!graph.getInputLayout(number, i, label))
      return false;
  return llvm::all_of(node.outputs, [&](unsigned output) {
    return graph.getOutputLayout(output, label) != nullptr;
  });
}

/// Pushes `label` from `node` as far as layouts pass and was not tried before.
/// With `isWide` also through nodes that have it already, which are in the
/// result.
LayoutAssignment::Move LayoutAssignment::grow(unsigned node, Attribute label,
                                              bool isWide) const {
  Move reached;
  auto propose = [&](unsigned node, Attribute label) {
    if (reached.contains(node) || tried.contains({node, label}))
      return;
    if (label == graph.getNodes()[node].label ? isWide : isLegal(node, label))
      reached.insert({node, label});
  };
  propose(node, label);
  // Grows while it is read: breadth first, so that labels come the shortest
  // way.
  ArrayRef<LayoutNode> nodes = graph.getNodes();
  ArrayRef<LayoutValue> values = graph.getValues();
  for (unsigned head = 0; head != reached.size(); ++head) {
    auto [current, proposed] = reached.begin()[head];
    // Up to producers of data, ...
    for (auto [i, input] : llvm::enumerate(nodes[current].inputs)) {
      unsigned source = values[input.value].node;
      if (nodes[source].isCheap || nodes[source].isFixed)
        continue;
      Attribute layout = graph.getInputLayout(current, i, proposed);
      propose(source, graph.getLabelFromOutput(input.value, layout));
    }
    // ... and down to users.
    for (unsigned output : nodes[current].outputs) {
      Attribute layout = graph.getOutputLayout(output, proposed);
      for (LayoutValue::Use use : values[output].uses)
        if (!nodes[use.node].isCheap && !nodes[use.node].isFixed)
          propose(use.node,
                  graph.getLabelFromInput(use.node, use.input, layout));
    }
  }
  return reached;
}

/// Returns data that a node of the move defines or uses.
llvm::SetVector<unsigned>
LayoutAssignment::getTouchedValues(const Move &move) const {
  // Values of cheap nodes are computed again in each layout, and cost no
  // conversion.
  llvm::SetVector<unsigned> touched;
  for (auto [number, label] : move) {
    const LayoutNode &node = graph.getNodes()[number];
    touched.insert_range(node.outputs);
    for (LayoutNode::Input input : node.inputs)
      if (!graph.getNodes()[graph.getValues()[input.value].node].isCheap)
        touched.insert(input.value);
  }
  return touched;
}

/// Returns what the nodes of the move and the conversions around them cost,
/// before or after it.
int64_t LayoutAssignment::getCost(const Move &move, bool isMoved) {
  // Null for the present labels.
  const Move *labels = isMoved ? &move : nullptr;
  int64_t cost = 0;
  // First the nodes, then each conversion once per layout that is requested.
  for (auto [number, label] : move)
    cost += getNodeCost(number, getLabel(number, labels));
  for (unsigned number : getTouchedValues(move)) {
    const LayoutValue &value = graph.getValues()[number];
    Attribute has = graph.getOutputLayout(number, getLabel(value.node, labels));
    llvm::SmallSetVector<Attribute, 4> wanted;
    for (LayoutValue::Use use : value.uses)
      wanted.insert(graph.getInputLayout(use.node, use.input,
                                         getLabel(use.node, labels)));
    for (Attribute layout : wanted)
      cost += getConversionCost(number, has, layout);
  }
  return cost;
}

/// Adds what the conversions of one value cost, depending on who switches.
void LayoutAssignment::addValue(
    MinimumCut &cut, const Move &move,
    const llvm::DenseMap<unsigned, unsigned> &vertices, unsigned number) {
  /// The nodes that request a layout: always, or if a vertex switches or does
  /// not.
  struct Requests {
    bool always = false;
    SmallVector<unsigned, 2> ifProposed, ifPresent;
  };
  const LayoutValue &value = graph.getValues()[number];
  // The layouts of the value, without and with the move.
  Attribute present =
      graph.getOutputLayout(number, getLabel(value.node, nullptr));
  Attribute proposed =
      graph.getOutputLayout(number, getLabel(value.node, &move));
  // The requesting users, by layout.
  llvm::SmallMapVector<Attribute, Requests, 4> requests;
  for (LayoutValue::Use use : value.uses) {
    Attribute before =
        graph.getInputLayout(use.node, use.input, getLabel(use.node, nullptr));
    Attribute after =
        graph.getInputLayout(use.node, use.input, getLabel(use.node, &move));
    // Not in the move, or the same in both cases.
    if (before == after) {
      requests[before].always = true;
      continue;
    }
    unsigned vertex = vertices.lookup(use.node);
    requests[before].ifPresent.push_back(vertex);
    requests[after].ifProposed.push_back(vertex);
  }

  // The defining node may be fixed, or may give the same layout in both cases.
  auto source = vertices.find(value.node);
  bool isSourceMoving = source != vertices.end() && present != proposed;
  for (auto &[layout, request] : requests) {
    int64_t ifPresent = getConversionCost(number, present, layout);
    int64_t ifProposed = getConversionCost(number, proposed, layout);
    // There is always a request: the cost depends on the defining node alone.
    if (request.always) {
      if (isSourceMoving) {
        cut.addSinkSideCost(source->second, ifPresent);
        cut.addSourceSideCost(source->second, ifProposed);
      }
      continue;
    }
    // The cost that does not depend on the defining node lies on the
    // conversion's vertex, the rest between the two.
    if (!request.ifProposed.empty() && (ifPresent || ifProposed)) {
      unsigned conversion = cut.addVertex();
      for (unsigned user : request.ifProposed)
        cut.addEdge(user, conversion, MinimumCut::kInfinite);
      cut.addSourceSideCost(conversion,
                            isSourceMoving ? ifProposed : ifPresent);
      if (isSourceMoving)
        cut.addEdge(conversion, source->second, ifPresent - ifProposed);
    }
    // Users that do not switch are treated alike, with the sides exchanged.
    if (!request.ifPresent.empty() && (ifPresent || ifProposed)) {
      unsigned conversion = cut.addVertex();
      for (unsigned user : request.ifPresent)
        cut.addEdge(conversion, user, MinimumCut::kInfinite);
      cut.addSinkSideCost(conversion, ifPresent);
      if (isSourceMoving)
        cut.addEdge(source->second, conversion, ifProposed - ifPresent);
    }
  }
}

LayoutAssignment::Move LayoutAssignment::findBestSubset(const Move &move) {
  // One vertex per node of the move; on the source side it takes the new label.
  MinimumCut cut;
  llvm::DenseMap<unsigned, unsigned> vertices;
  for (auto [node, label] : move) {
    unsigned vertex = cut.addVertex();
    vertices[node] = vertex;
    // Adds what the nodes themselves cost on either side.
    cut.addSourceSideCost(vertex, getNodeCost(node, label));
    cut.addSinkSideCost(vertex, getNodeCost(node, getLabel(node, nullptr)));
  }
  for (unsigned value : getTouchedValues(move))
    addValue(cut, move, vertices, value);
  cut.compute();

  Move subset;
  // Takes only what pays of the proposal.
  for (auto [node, label] : move)
    if (cut.isOnSourceSide(vertices[node]))
      subset.insert({node, label});
  return subset;
}

LayoutAssignment::Proposal
LayoutAssignment::evaluate(unsigned node, Attribute label, unsigned from) {
  Operation *op = graph.getNodes()[from].op;
  Move move = grow(node, label, op && accessesMemory(op));
  // The same proposal comes up from every edge along the way.
  tried.insert_range(move);
  return evaluate(std::move(move));
}

LayoutAssignment::Proposal LayoutAssignment::evaluate(Move move) {
  // Nodes that have the label already are no part of the move.
  move.remove_if([&](const auto &entry) {
    return entry.second == graph.getNodes()[entry.first].label;
  });
  if (move.empty())
    return {};
  numProposals += move.size();
  Move subset = findBestSubset(move);
  if (subset.empty())
    return {};
  // Where proposals contradict each other the cut is only an estimate.
  int64_t gain = getCost(subset, false) - getCost(subset, true);
  return {std::move(subset), gain};
}

/// Only a real gain counts: equal costs could go back and forth for ever.
bool LayoutAssignment::apply(const Proposal &proposal) {
  if (proposal.gain <= 0)
    return false;
  for (auto [switched, label] : proposal.move)
    graph.getNode(switched).label = label;
  return true;
}

bool LayoutAssignment::runRound() {
  bool changed = false;
  // A round may try again what did not pay in the round before.
  tried.clear();
  for (unsigned number = 0, e = graph.getValues().size(); number != e;
       ++number) {
    const LayoutValue &value = graph.getValues()[number];
    if (graph.getNodes()[value.node].isCheap)
      continue;
    // Every edge at whose ends the layouts differ is a reason to try.
    for (LayoutValue::Use use : value.uses) {
      Attribute has =
          graph.getOutputLayout(number, getLabel(value.node, nullptr));
      Attribute wants = graph.getInputLayout(use.node, use.input,
                                             getLabel(use.node, nullptr));
      if (has == wants)
        continue;
      // A small improvement may prevent a larger one.
      Proposal forward, backward;
      // Downwards: the user takes what there is.
      if (!graph.getNodes()[use.node].isFixed)
        forward = evaluate(use.node,
                           graph.getLabelFromInput(use.node, use.input, has),
                           value.node);
      // Upwards: the producer gives the requested layout.
      if (!graph.getNodes()[value.node].isFixed)
        backward = evaluate(value.node, graph.getLabelFromOutput(number, wants),
                            use.node);
      changed |= apply(forward.gain >= backward.gain ? forward : backward);
    }
  }
  return changed;
}

/// Returns the layouts of `type` like `label`, but with lanes along rows,
/// `perLane` neighbours each, and sub-groups along other dimensions as far as
/// these are long enough.
static Attribute getRowLayout(RankedTensorType type,
                              gpu::BlockedEncodingAttr label, int64_t perLane,
                              int64_t numLanes, int64_t numWarps) {
  ArrayRef<unsigned> order = label.getOrder();
  unsigned rank = type.getRank();
  SmallVector<unsigned> elements(rank, 1), lanes(rank, 1), warps(rank, 1);
  elements[order[0]] = perLane;
  // Returns what a dimension takes of `count`; all are powers of two.
  auto take = [](int64_t &count, int64_t size) -> unsigned {
    int64_t taken = std::max<int64_t>(1, std::min(count, size));
    count /= taken;
    return taken;
  };
  for (unsigned dim : order)
    lanes[dim] = take(numLanes, type.getDimSize(dim) / elements[dim]);
  // From the slowest dimension on: what is combined next is a faster one.
  for (unsigned dim : llvm::reverse(order.drop_front()))
    warps[dim] = take(numWarps, type.getDimSize(dim) / lanes[dim]);
  warps[order[0]] = numWarps;
  // Of lanes that are left over, there are copies.
  lanes[order[0]] *= numLanes;
  return gpu::BlockedEncodingAttr::get(type.getContext(), elements, lanes,
                                       warps, order);
}

Attribute LayoutAssignment::getCoalescedLayout(unsigned number) const {
  const LayoutNode &node = graph.getNodes()[number];
  // Slots belong to operations that access nothing, and arguments to none.
  if (node.isSlot() || !node.op)
    return nullptr;
  Attribute layout = model.getCoalescedLayout(node.op);
  return isLegal(number, layout) ? layout : nullptr;
}

int64_t LayoutAssignment::getTotalCost() {
  Move all;
  for (unsigned number = 0, e = graph.getNodes().size(); number != e; ++number)
    if (const LayoutNode &node = graph.getNodes()[number]; !node.isCheap)
      all.insert({number, node.label});
  return getCost(all, false);
}

bool LayoutAssignment::proposeCoalesced() {
  bool changed = false;
  tried.clear();
  for (unsigned number = 0, e = graph.getNodes().size(); number != e; ++number)
    if (Attribute layout = getCoalescedLayout(number);
        layout && layout != graph.getNodes()[number].label)
      changed |= apply(evaluate(number, layout, number));
  return changed;
}

bool LayoutAssignment::proposeRows() {
  // Without a reduction or a scan, whole rows are not needed.
  if (llvm::none_of(graph.getNodes(), [](const LayoutNode &node) {
        return isa_and_nonnull<ReduceOp, ScanOp>(node.op);
      }))
    return false;
  bool changed = false;
  tried.clear();
  // Few nodes are loads, and those of one neighbourhood are tried together.
  for (unsigned number = 0, e = graph.getNodes().size(); number != e;
       ++number) {
    const LayoutNode &node = graph.getNodes()[number];
    Operation *load = isLoad(node.op) ? node.op : nullptr;
    RankedTensorType type = load ? getAccessedTensor(load) : RankedTensorType();
    if (node.isFixed || node.isSlot() || !type || type.getRank() < 2)
      continue;
    auto label = dyn_cast<gpu::BlockedEncodingAttr>(node.label);
    if (!label)
      continue;
    unsigned fastest = label.getOrder()[0];
    int64_t lanes = gpu::lookupThreadsPerWarp(load);
    int64_t numWarps = gpu::lookupNumWarps(load);
    int64_t present = label.getSizePerThread()[fastest];
    // The maximum number of neighbours in a message.
    int64_t most = std::clamp<int64_t>(
        type.getDimSize(fastest) / lanes, 1,
        getTargetDesc(load).getMaxVectorBits() /
            getIntOrFloatOrPtrBitWidth(type.getElementType()));
    // The second one starts from what the first one made.
    for (int64_t perLane : {present, most}) {
      Attribute rows = getRowLayout(type, label, perLane, lanes, numWarps);
      if (rows != graph.getNodes()[number].label && isLegal(number, rows))
        changed |= apply(evaluate(number, rows, number));
    }
  }
  return changed;
}

bool LayoutAssignment::proposeRuns() {
  bool changed = false;
  tried.clear();
  for (unsigned number = 0, e = graph.getNodes().size(); number != e;
       ++number) {
    const LayoutNode &node = graph.getNodes()[number];
    auto scan = dyn_cast_or_null<ScanOp>(node.op);
    auto label = dyn_cast_or_null<gpu::BlockedEncodingAttr>(node.label);
    if (!scan || !label || node.isFixed || node.isSlot())
      continue;
    unsigned axis = scan.getAxis();
    auto type = cast<RankedTensorType>(scan.getSrcs().front().getType());
    SmallVector<unsigned> elements(label.getSizePerThread());
    int64_t most = type.getDimSize(axis) / label.getThreadsPerWarp()[axis] /
                   label.getWarpsPerCTA()[axis];
    if (label.getWarpsPerCTA()[axis] == 1 || most <= elements[axis])
      continue;
    elements[axis] = most;
    auto runs = gpu::BlockedEncodingAttr::get(
        type.getContext(), elements, label.getThreadsPerWarp(),
        label.getWarpsPerCTA(), label.getOrder());
    if (isLegal(number, runs))
      changed |= apply(evaluate(number, runs, number));
  }
  return changed;
}

/// Returns a layout of `type` like `label`, except for elements of registers in
/// the place of copies in lanes; null if there are no copies, or too few
/// elements.
static Attribute shareLanes(RankedTensorType type, Attribute label) {
  if (!isa_and_nonnull<DistributedEncodingInterface>(label))
    return nullptr;
  LinearLayout layout = gpu::toLinearLayout(type.getShape(), label);
  LinearLayout::BasesMap bases = layout.getBases();
  auto get = [&](LayoutDim in) -> LinearLayout::Bases & {
    return llvm::find_if(bases, [&](auto &entry) { return entry.first == in; })
        ->second;
  };
  LinearLayout::Bases &lanes = get(LayoutDim::Lane);
  LinearLayout::Bases &registers = get(LayoutDim::Register);
  auto isCopy = [](ArrayRef<int32_t> basis) {
    return llvm::all_of(basis, [](int32_t step) { return step == 0; });
  };
  unsigned numMoved = 0;
  for (auto &lane : lanes) {
    if (!isCopy(lane))
      continue;
    auto *element = llvm::find_if_not(registers, isCopy);
    if (element == registers.end())
      break;
    lane = *element;
    registers.erase(element);
    ++numMoved;
  }
  // A move for each of two elements is no less than another message.
  constexpr unsigned minMoved = 2;
  if (numMoved < minMoved)
    return nullptr;
  return gpu::LinearEncodingAttr::get(
      type.getContext(),
      LinearLayout(std::move(bases), layout.getOutDimSizes()));
}

/// Returns whether what `load` loads is used in loops that it is not in. Device
/// compilers would make the moves to all lanes there, in each iteration.
static bool isUsedInLoop(Operation *load) {
  auto loop = load->getParentOfType<LoopLikeOpInterface>();
  llvm::SetVector<Value> reached;
  reached.insert(load->getResult(0));
  for (size_t i = 0; i != reached.size(); ++i)
    for (Operation *user : reached[i].getUsers()) {
      if (user->getParentOfType<LoopLikeOpInterface>() != loop)
        return true;
      if (user->hasTrait<mlir::OpTrait::MovesElements>() ||
          isa<gpu::ConvertLayoutOp>(user))
        reached.insert_range(user->getResults());
    }
  return false;
}

Attribute LayoutAssignment::getSharedLayout(unsigned number,
                                            Attribute label) const {
  const LayoutNode &node = graph.getNodes()[number];
  Operation *load = isLoad(node.op) ? node.op : nullptr;
  RankedTensorType type = load ? getAccessedTensor(load) : RankedTensorType();
  if (node.isFixed || node.isSlot() || !type || isUsedInLoop(load))
    return nullptr;
  Attribute shared = shareLanes(type, label);
  return shared && isLegal(number, shared) ? shared : nullptr;
}

/// A number of each row, such as the maximum, is in all lanes, which store it
/// next to each other. Neither sub-groups nor lanes need numbers of others.
void LayoutAssignment::proposeStoredLanes() {
  tried.clear();
  for (unsigned number = 0, e = graph.getValues().size(); number != e;
       ++number) {
    const LayoutValue &value = graph.getValues()[number];
    // A cheap value is computed where it is used, in any layout.
    if (graph.getNodes()[value.node].isCheap)
      continue;
    auto type = cast<RankedTensorType>(value.value.getType());
    Attribute layout =
        graph.getOutputLayout(number, getLabel(value.node, nullptr));
    for (LayoutValue::Use use : value.uses) {
      const LayoutNode &user = graph.getNodes()[use.node];
      auto store = dyn_cast_or_null<StoreOp>(user.op);
      if (!store || user.isFixed || graph.lookup(store.getValue()) != number)
        continue;
      // Without a conversion, nothing is exchanged.
      if (graph.getInputLayout(use.node, use.input, user.label) == layout)
        continue;
      Attribute shared = shareLanes(type, layout);
      if (!shared || shared == user.label || !isLegal(use.node, shared))
        continue;
      // Loops keep what they carry: device compilers compute with numbers of
      // several rows in lanes of one register anyway.
      Move move = grow(use.node, shared, /*isWide=*/false);
      move.remove_if([&](const auto &entry) {
        const LayoutNode &reached = graph.getNodes()[entry.first];
        return reached.isSlot() || !reached.op ||
               reached.op->getBlock() != store->getBlock();
      });
      apply(evaluate(std::move(move)));
    }
  }
}

bool LayoutAssignment::proposeLanes() {
  bool changed = false;
  tried.clear();
  for (unsigned number = 0, e = graph.getNodes().size(); number != e; ++number)
    if (Attribute shared =
            getSharedLayout(number, graph.getNodes()[number].label))
      changed |= apply(evaluate(number, shared, number));
  // If a conversion brings what all lanes want, loads could share the work, and
  // the nodes between them and the user could have the layout that it wants.
  for (unsigned number = 0, e = graph.getValues().size(); number != e;
       ++number) {
    const LayoutValue &value = graph.getValues()[number];
    const LayoutNode &node = graph.getNodes()[value.node];
    if (node.isCheap || node.isFixed)
      continue;
    for (LayoutValue::Use use : value.uses) {
      Attribute wants = graph.getInputLayout(use.node, use.input,
                                             getLabel(use.node, nullptr));
      if (wants == graph.getOutputLayout(number, getLabel(value.node, nullptr)))
        continue;
      Move move = grow(value.node, graph.getLabelFromOutput(number, wants),
                       /*isWide=*/false);
      bool isShared = false;
      for (auto &[reached, label] : move)
        if (Attribute shared = getSharedLayout(reached, label)) {
          label = shared;
          isShared = true;
        }
      if (isShared)
        changed |= apply(evaluate(std::move(move)));
    }
  }
  return changed;
}

/// Returns the layout of a dot's operand like `label`, but with sub-groups
/// along the dimension that belongs to this operand as far as there are
/// elements for all, where sub-groups of `label` have the same elements; null
/// otherwise.
static Attribute getUnsharedLayout(RankedTensorType type, Attribute label) {
  auto operand = dyn_cast_or_null<gpu::DotOperandEncodingAttr>(label);
  auto dpas = operand ? dyn_cast<DpasEncodingAttr>(operand.getParent())
                      : DpasEncodingAttr();
  if (!dpas)
    return nullptr;
  unsigned rank = type.getRank();
  bool isRight = operand.getOpIdx() == 1;
  unsigned own = isRight ? rank - 1 : rank - 2;
  unsigned other = isRight ? rank - 2 : rank - 1;
  SmallVector<unsigned> warps(dpas.getWarpsPerCTA());
  if (warps[other] == 1)
    return nullptr;
  int64_t size = dpas.getDPASInstShapeC()[isRight];
  unsigned most = std::max<int64_t>(1, type.getDimSize(own) / size);
  unsigned numWarps = warps[own] * warps[other];
  warps[own] = std::min(numWarps, most);
  warps[other] = numWarps / warps[own];
  SmallVector<unsigned> cluster(dpas.getRepCluster());
  cluster[own] = std::clamp<unsigned>(most / warps[own], 1, cluster[own]);
  auto parent = DpasEncodingAttr::get(
      type.getContext(), dpas.getRepeatCount(), dpas.getSystolicDepth(),
      dpas.getExecutionSize(), dpas.getOpsPerChannel(), warps, cluster,
      dpas.getThreadsPerWarp());
  return gpu::DotOperandEncodingAttr::get(type.getContext(), operand.getOpIdx(),
                                          parent, operand.getKWidth());
}

bool LayoutAssignment::proposeUnshared() {
  bool changed = false;
  tried.clear();
  for (unsigned number = 0, e = graph.getValues().size(); number != e;
       ++number) {
    const LayoutValue &value = graph.getValues()[number];
    const LayoutNode &node = graph.getNodes()[value.node];
    if (node.isFixed || node.isCheap || node.isSlot() ||
        !loadsSameBlock(node.op))
      continue;
    Attribute unshared = getUnsharedLayout(
        cast<RankedTensorType>(value.value.getType()), node.label);
    if (!unshared || unshared == node.label)
      continue;
    for (LayoutValue::Use use : value.uses) {
      const LayoutNode &user = graph.getNodes()[use.node];
      if (user.isFixed || user.isCheap)
        continue;
      Attribute label = graph.getLabelFromInput(use.node, use.input, unshared);
      if (isLegal(use.node, label))
        changed |= apply(evaluate(use.node, label, value.node));
    }
  }
  return changed;
}

void LayoutAssignment::runRounds() {
  // Until nothing changes; the limit is for kernels that would take too long.
  for (unsigned round = 0; round != kMaxRounds && runRound(); ++round)
    ;
}

void LayoutAssignment::search() {
  runRounds();
  if (proposeCoalesced())
    runRounds();
  // Compared with what is best without.
  if (proposeRows())
    runRounds();
  if (proposeRuns())
    runRounds();
  if (proposeLanes())
    runRounds();
  if (proposeUnshared())
    runRounds();
  // Last, since loops would take these layouts over.
  proposeStoredLanes();
}

int64_t LayoutAssignment::run() {
  search();
  return getTotalCost();
}

} // namespace mlir::triton::gpu::intel
