//===- SharedMemoryAliases.cpp - Aliases of memdescs ----------------------===//
// SPDX-License-Identifier: MIT
//
// Propagates sets of allocations along views and control flow until nothing
// changes. A memdesc of unknown origin (a function argument, the result of a
// call) may be any memory outside of the function.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/SharedMemoryAliases.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace mlir::triton::gpu {

/// Returns both sets in one.
static llvm::SmallBitVector unite(llvm::SmallBitVector a,
                                  const llvm::SmallBitVector &b) {
  return a |= b;
}

/// Returns whether the value refers to shared memory.
static bool isMemDesc(Value value) { return isa<MemDescType>(value.getType()); }

SharedMemoryAliases::SharedMemoryAliases(FunctionOpInterface function) {
  function.walk<WalkOrder::PreOrder>([&](LocalAllocOp op) {
    numbers[op] = allocations.size();
    allocations.push_back(op);
  });
  // The bit after all allocations represents everything else.
  Targets foreign(allocations.size() + 1);
  foreign.set(allocations.size());
  if (!function.isExternal())
    for (Value argument : function.getArguments())
      if (isMemDesc(argument))
        add(argument, foreign);

  // Sets only grow, so this ends.
  for (bool changed = true; changed;) {
    changed = false;
    function.walk<WalkOrder::PreOrder>(
        [&](Operation *op) { changed |= propagate(op); });
  }
}

SharedMemoryAliases::Targets SharedMemoryAliases::lookup(Value memdesc) const {
  auto it = targetsOf.find(memdesc);
  // A value that nothing is known of yet refers to nothing.
  return it == targetsOf.end() ? Targets(allocations.size() + 1) : it->second;
}

bool SharedMemoryAliases::add(Value memdesc, const Targets &targets) {
  auto [it, isNew] =
      targetsOf.try_emplace(memdesc, Targets(allocations.size() + 1));
  if (isNew)
    // In the order in which they were met, for results that do not depend on
    // addresses.
    values.push_back(memdesc);
  Targets before = it->second;
  it->second |= targets;
  return isNew || before != it->second;
}

bool SharedMemoryAliases::propagate(Operation *op) {
  bool changed = false;
  // Results and region arguments may be any of those that edges pass on.
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchInverseSuccessorMapping mapping;
    branch.getSuccessorInputOperandMapping(mapping);
    // The order in which the map is visited decides at most how many rounds
    // there are.
    auto addInputs = [&](ValueRange inputs) {
      for (Value input : inputs)
        if (isMemDesc(input))
          for (OpOperand *operand : mapping[input])
            changed |= add(input, lookup(operand->get()));
    };
    addInputs(op->getResults());
    for (Region &region : op->getRegions())
      addInputs(region.getArguments());
    return changed;
  }
  // Arguments of blocks are those that jumps pass on.
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (auto [i, successor] : llvm::enumerate(op->getSuccessors())) {
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      for (auto [j, argument] : llvm::enumerate(successor->getArguments()))
        // Values that the branch itself produces have no operand.
        if (isMemDesc(argument) && operands[j])
          changed |= add(argument, lookup(operands[j]));
    }
    return changed;
  }

  for (Value result : op->getResults()) {
    if (!isMemDesc(result))
      continue;
    Targets targets(allocations.size() + 1);
    // An allocation, ...
    if (auto it = numbers.find(op); it != numbers.end())
      targets.set(it->second);
    // ... a view of what its operand is, ...
    else if (op->hasTrait<triton::gpu::OpTrait::MemDescViewTrait>())
      targets = lookup(op->getOperand(0));
    // ... one of two, ...
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      targets =
          unite(lookup(select.getTrueValue()), lookup(select.getFalseValue()));
    else
      // ... or something from elsewhere.
      targets.set(allocations.size());
    changed |= add(result, targets);
  }
  return changed;
}

SmallVector<LocalAllocOp>
SharedMemoryAliases::getAllocations(Value memdesc) const {
  SmallVector<LocalAllocOp> result;
  Targets targets = lookup(memdesc);
  for (auto [i, allocation] : llvm::enumerate(allocations))
    if (targets.test(i))
      result.push_back(allocation);
  return result;
}

bool SharedMemoryAliases::mayBeForeign(Value memdesc) const {
  return lookup(memdesc).test(allocations.size());
}

SmallVector<Value>
SharedMemoryAliases::getAliases(LocalAllocOp allocation) const {
  unsigned number = numbers.lookup(allocation);
  return llvm::filter_to_vector(
      values, [&](Value value) { return lookup(value).test(number); });
}

} // namespace mlir::triton::gpu
