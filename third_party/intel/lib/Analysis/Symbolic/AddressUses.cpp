//===- AddressUses.cpp - Numbers that are parts of addresses --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/AddressUses.h"

#include "intel/Analysis/Symbolic/ElementMap.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Returns whether the owner of `use` takes it for a number of elements or of
/// rows.
static bool isIndex(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto add = dyn_cast<AddPtrOp>(op))
    return use.get() == add.getOffset();
  if (auto block = dyn_cast<BlockAccessOpInterface>(op))
    return llvm::is_contained(block.getOffsets(), use.get());
  if (auto load = dyn_cast<DescriptorLoadOp>(op))
    return llvm::is_contained(load.getIndices(), use.get());
  if (auto store = dyn_cast<DescriptorStoreOp>(op))
    return llvm::is_contained(store.getIndices(), use.get());
  if (auto reduce = dyn_cast<DescriptorReduceOp>(op))
    return llvm::is_contained(reduce.getIndices(), use.get());
  if (auto gather = dyn_cast<DescriptorGatherOp>(op))
    return use.get() == gather.getXOffsets() ||
           use.get() == gather.getYOffset();
  if (auto scatter = dyn_cast<DescriptorScatterOp>(op))
    return use.get() == scatter.getXOffsets() ||
           use.get() == scatter.getYOffset();
  return false;
}

AddressParts::AddressParts(Value pointer) {
  SmallVector<Value> worklist;
  auto add = [&](Value value) {
    if (parts.insert(value).second)
      worklist.push_back(value);
  };
  if (pointer)
    add(pointer);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument != loop.getInductionVar()) {
        add(loop.getTiedLoopInit(argument)->get());
        add(loop.getTiedLoopYieldedValue(argument)->get());
      }
      continue;
    }
    Operation *op = value.getDefiningOp();
    // A branch or a selection may have taken the other value, and a dividend
    // may have wrapped around.
    if (isa<AddPtrOp, arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
        keepsElements(op))
      llvm::for_each(op->getOperands(), add);
    else if (isa<arith::ExtSIOp, arith::IndexCastOp, arith::ShLIOp, SplatOp>(
                 op))
      add(op->getOperand(0));
  }
}

bool AddressParts::contains(Value value) const {
  while (!parts.contains(value)) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<arith::ExtSIOp, SplatOp, triton::BroadcastOp,
                         ExpandDimsOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

bool isPartOfAddress(Value value, ValueSources &sources) {
  llvm::SetVector<Value> parts;
  parts.insert(value);
  for (unsigned index = 0; index < parts.size(); ++index)
    for (OpOperand &use : parts[index].getUses()) {
      if (isIndex(use))
        return true;
      Operation *user = use.getOwner();
      SmallVector<Value> destinations;
      if (sources.getDestinations(use, destinations))
        parts.insert_range(destinations);
      else if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp,
                   arith::IndexCastOp, SplatOp>(user) ||
               keepsElements(user) ||
               (isa<arith::ShLIOp>(user) && use.getOperandNumber() == 0))
        parts.insert(user->getResult(0));
    }
  return false;
}

} // namespace mlir::triton::gpu::intel
