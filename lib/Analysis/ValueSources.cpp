//===- ValueSources.cpp - Which values may this value be? -----------------===//
// SPDX-License-Identifier: MIT

#include "triton/Analysis/ValueSources.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::triton;

namespace {

/// One way from a region operation or a terminator inside to a region or to the
/// results: operand i becomes input i.
struct Edge {
  OperandRange operands;
  ValueRange inputs;
};

/// Adds edges to where control goes from `terminator`, which ends a block of
/// `op`.
void addEdges(RegionBranchOpInterface op,
              RegionBranchTerminatorOpInterface terminator,
              SmallVectorImpl<Edge> &edges) {
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint(terminator), successors);
  for (RegionSuccessor successor : successors)
    edges.push_back({terminator.getSuccessorOperands(successor),
                     successor.getSuccessorInputs()});
}

/// Adds edges to where control goes when `op` begins.
void addEntryEdges(RegionBranchOpInterface op, SmallVectorImpl<Edge> &edges) {
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor successor : successors)
    edges.push_back({op.getEntrySuccessorOperands(successor),
                     successor.getSuccessorInputs()});
}

/// Returns all edges into regions of `op` and back to its results.
SmallVector<Edge> getEdges(RegionBranchOpInterface op) {
  SmallVector<Edge> edges;
  addEntryEdges(op, edges);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      // A block in construction may have no terminator.
      if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(
              block.empty() ? nullptr : &block.back()))
        addEdges(op, terminator, edges);
  return edges;
}

/// Returns the place of `value` among `inputs`, which are neighbouring
/// arguments of one block or neighbouring results of one operation.
std::optional<unsigned> findInput(ValueRange inputs, Value value) {
  if (inputs.empty())
    return std::nullopt;
  // The neighbourhood makes this a comparison of positions.
  Value first = inputs.front();
  unsigned begin, index;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto firstArgument = dyn_cast<BlockArgument>(first);
    if (!firstArgument || firstArgument.getOwner() != argument.getOwner())
      return std::nullopt;
    begin = firstArgument.getArgNumber();
    index = argument.getArgNumber();
  } else {
    auto firstResult = dyn_cast<OpResult>(first);
    if (!firstResult || firstResult.getOwner() != value.getDefiningOp())
      return std::nullopt;
    begin = firstResult.getResultNumber();
    index = cast<OpResult>(value).getResultNumber();
  }
  // An argument such as an induction variable is no input of any edge.
  if (index < begin || index - begin >= inputs.size())
    return std::nullopt;
  return index - begin;
}

/// Adds the values that the edges of `op` pass on to `value`.
bool getIncoming(RegionBranchOpInterface op, Value value,
                 ValueSources::Values &sources) {
  bool isInput = false;
  for (const Edge &edge : getEdges(op))
    if (std::optional<unsigned> input = findInput(edge.inputs, value)) {
      sources.push_back(edge.operands[*input]);
      isInput = true;
    }
  return isInput;
}

/// Adds what becomes of `use`, an operand of `edges`.
bool getOutgoing(ArrayRef<Edge> edges, OpOperand &use,
                 ValueSources::Values &destinations) {
  bool isHandedOn = false;
  for (const Edge &edge : edges) {
    // An edge without operands has no first one to count from.
    if (edge.operands.empty())
      continue;
    unsigned begin = edge.operands.getBeginOperandIndex();
    unsigned index = use.getOperandNumber();
    if (index < begin || index - begin >= edge.operands.size())
      continue;
    destinations.push_back(edge.inputs[index - begin]);
    isHandedOn = true;
  }
  return isHandedOn;
}

} // namespace

ValueSources::ValueSources(Operation *root) : root(root) {
  // Calls may come from anywhere in the module, so the root is the outermost
  // operation.
  while (Operation *parent = this->root->getParentOp())
    this->root = parent;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Region *ValueSources::getCallee(CallOpInterface call) {
  // Null for indirect calls and those of unknown functions.
  auto callable = dyn_cast_or_null<CallableOpInterface>(
      call.resolveCallableInTable(&symbols));
  return callable ? callable.getCallableRegion() : nullptr;
}

const ValueSources::Calls *ValueSources::getCalls(Operation *function) {
  auto symbol = dyn_cast<SymbolOpInterface>(function);
  // Public functions are called from outside too.
  if (!symbol || !symbol.isPrivate())
    return nullptr;
  // All calls are collected once, on the first question.
  if (!calls) {
    calls.emplace();
    root->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallableInTable(&symbols))
        (*calls)[callee].push_back(call);
    });
  }
  return &(*calls)[function];
}

bool ValueSources::getReturned(CallOpInterface call, unsigned index,
                               Values &sources) {
  Region *body = getCallee(call);
  // A callee without a body may return anything.
  if (!body)
    return false;
  for (Block &block : *body)
    if (!block.empty() && block.back().hasTrait<OpTrait::ReturnLike>() &&
        index < block.back().getNumOperands())
      sources.push_back(block.back().getOperand(index));
  return true;
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

bool ValueSources::getSources(BlockArgument argument, Values &sources) {
  Block *block = argument.getOwner();
  unsigned index = argument.getArgNumber();
  Operation *parent = block->getParentOp();
  // The block is reached by branches only, which name the values for its
  // arguments.
  if (!block->isEntryBlock()) {
    size_t before = sources.size();
    for (auto it = block->pred_begin(), end = block->pred_end(); it != end;
         ++it) {
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      Value source =
          branch ? branch.getSuccessorOperands(it.getSuccessorIndex())[index]
                 : Value();
      if (!source) {
        // A source that is not known makes all of them worthless.
        sources.truncate(before);
        return false;
      }
      sources.push_back(source);
    }
    return true;
  }
  // The entry block of a region: of a loop, a branch, ...
  if (auto regions = dyn_cast_or_null<RegionBranchOpInterface>(parent))
    return getIncoming(regions, argument, sources);
  // ... or of a function, whose arguments are those of its calls.
  if (!isa_and_nonnull<FunctionOpInterface>(parent))
    return false;
  const Calls *callers = getCalls(parent);
  if (!callers)
    return false;
  for (CallOpInterface call : *callers)
    if (index < call.getArgOperands().size())
      sources.push_back(call.getArgOperands()[index]);
  return true;
}

bool ValueSources::getSources(OpResult result, Values &sources) {
  Operation *op = result.getOwner();
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // Elements of two tensors are a new tensor.
    if (!select.getCondition().getType().isInteger(1))
      return false;
    sources.append({select.getTrueValue(), select.getFalseValue()});
    return true;
  }
  if (auto regions = dyn_cast<RegionBranchOpInterface>(op))
    return getIncoming(regions, result, sources);
  if (auto call = dyn_cast<CallOpInterface>(op))
    return getReturned(call, result.getResultNumber(), sources);
  return false;
}

bool ValueSources::getSources(Value value, Values &sources) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getSources(argument, sources);
  return getSources(cast<OpResult>(value), sources);
}

llvm::SetVector<Value> ValueSources::getOrigins(Value value) {
  llvm::SetVector<Value> origins;
  llvm::SetVector<Value> seen;
  seen.insert(value);
  // Values that are not handed on by anything else are the origins.
  SmallVector<Value> sources;
  for (size_t i = 0; i != seen.size(); ++i) {
    sources.clear();
    if (getSources(seen[i], sources))
      seen.insert_range(sources);
    else
      origins.insert(seen[i]);
  }
  return origins;
}

//===----------------------------------------------------------------------===//
// Forwards
//===----------------------------------------------------------------------===//

bool ValueSources::getDestinations(OpOperand &use, Values &destinations) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // Operand 0 is the condition.
    if (index == 0 || !select.getCondition().getType().isInteger(1))
      return false;
    destinations.push_back(select.getResult());
    return true;
  }
  SmallVector<Edge> edges;
  // Operands that enter a region operation.
  if (auto regions = dyn_cast<RegionBranchOpInterface>(op)) {
    addEntryEdges(regions, edges);
    return getOutgoing(edges, use, destinations);
  }
  // Operands of jumps become arguments of blocks.
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    std::optional<BlockArgument> argument =
        branch.getSuccessorBlockArgument(index);
    if (argument)
      destinations.push_back(*argument);
    return argument.has_value();
  }
  // Operands of calls become arguments of the callee.
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    OperandRange arguments = call.getArgOperands();
    Region *callee = getCallee(call);
    if (!callee || arguments.empty() ||
        index < arguments.getBeginOperandIndex())
      return false;
    // The callee itself may be an operand before the arguments.
    index -= arguments.getBeginOperandIndex();
    if (index >= arguments.size() || index >= callee->getNumArguments())
      return false;
    destinations.push_back(callee->getArgument(index));
    return true;
  }
  Operation *parent = op->getParentOp();
  // Operands of terminators go on to other regions, or to the results.
  if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op))
    if (auto regions = dyn_cast_or_null<RegionBranchOpInterface>(parent)) {
      addEdges(regions, terminator, edges);
      return getOutgoing(edges, use, destinations);
    }
  // Operands of returns become results of all calls.
  if (!op->hasTrait<OpTrait::ReturnLike>() ||
      !isa_and_nonnull<FunctionOpInterface>(parent))
    return false;
  const Calls *callers = getCalls(parent);
  if (!callers)
    return false;
  for (CallOpInterface call : *callers)
    if (index < call->getNumResults())
      destinations.push_back(call->getResult(index));
  return true;
}

//===----------------------------------------------------------------------===//
// Webs
//===----------------------------------------------------------------------===//

ValueWebs::ValueWebs(Operation *module, llvm::function_ref<bool(Type)> isMember,
                     SourcesFn getSources) {
  SmallVector<Value> sources;
  auto add = [&](Value value) {
    if (!isMember(value.getType()))
      return;
    // Every member is at least a separate web, .....
    values.push_back(value);
    classes.insert(value.getAsOpaquePointer());
    sources.clear();
    getSources(value, sources);
    // ... and one with all its sources.
    for (Value source : sources)
      classes.unionSets(value.getAsOpaquePointer(),
                        source.getAsOpaquePointer());
  };
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
}

ValueWebs::ValueWebs(Operation *module, llvm::function_ref<bool(Type)> isMember,
                     ValueSources &sources)
    : ValueWebs(module, isMember,
                [&](Value value, SmallVectorImpl<Value> &found) {
                  sources.getSources(value, found);
                }) {}
