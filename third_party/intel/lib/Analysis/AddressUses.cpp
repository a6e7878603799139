//===- AddressUses.cpp - Numbers that are parts of addresses --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/AddressUses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
  if (auto maker = dyn_cast<MakeTensorPtrOp>(op))
    return llvm::is_contained(maker.getOffsets(), use.get());
  if (auto advance = dyn_cast<AdvanceOp>(op))
    return llvm::is_contained(advance.getOffsets(), use.get());
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
                   arith::IndexCastOp, SplatOp, BroadcastOp, ExpandDimsOp,
                   ReshapeOp, TransOp>(user) ||
               (isa<arith::ShLIOp>(user) && use.getOperandNumber() == 0))
        parts.insert(user->getResult(0));
    }
  return false;
}

} // namespace mlir::triton::gpu::intel
