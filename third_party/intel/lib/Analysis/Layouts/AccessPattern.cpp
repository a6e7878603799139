//===- AccessPattern.cpp - How an access walks through memory -------------===//
// SPDX-License-Identifier: MIT
//
// A block has a check of bounds where a tensor of pointers has a mask. The
// answer is about ordinary accesses: it is the same for both.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Layouts/AccessPattern.h"

#include "intel/Analysis/Symbolic/ElementRuns.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

/// Returns the mask of a memory operation, if it has one.
static Value getMask(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getMask();
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getMask();
  if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    return atomic.getMask();
  if (auto load = dyn_cast<AtomicLoadOp>(op))
    return load.getMask();
  if (auto store = dyn_cast<AtomicStoreOp>(op))
    return store.getMask();
  return {};
}

/// Returns whether elements along `dim` of a block need not follow each other
/// in the tensor.
static bool isScattered(gpu::intel::BlockAccessOpInterface block,
                        unsigned dim) {
  return (dim == 0 && block.getRows()) ||
         (dim == block.getPageDim() && !block.getPages().empty());
}

namespace mlir::triton::gpu::intel {

Value getAccessedPointer(Operation *op) {
  // The pointer comes first in all of these.
  if (isa<LoadOp, StoreOp, AtomicRMWOp, AtomicCASOp, AtomicLoadOp,
          AtomicStoreOp, AtomicPollOp, PrefetchOp>(op))
    return op->getOperand(0);
  return {};
}

bool accessesMemory(Operation *op) {
  return isa<BlockAccessOpInterface>(op) || getAccessedPointer(op);
}

/// Returns null for scalars: a pointer to a scalar has no tensor. Nothing is
/// known of a block pointer, which the first pass replaces.
RankedTensorType getAccessedTensor(Operation *op) {
  if (auto block = dyn_cast<BlockAccessOpInterface>(op))
    return block.getBlockType();
  Value pointer = getAccessedPointer(op);
  if (pointer && isTensorPointerType(pointer.getType()))
    return {};
  return pointer ? dyn_cast<RankedTensorType>(getPointeeType(pointer.getType()))
                 : RankedTensorType();
}

AccessPattern getAccessPattern(Operation *op, ElementRuns &runs) {
  RankedTensorType type = getAccessedTensor(op);
  unsigned rank = type.getRank();
  AccessPattern pattern;
  // Without any knowledge, the last dimension is the fastest.
  for (unsigned dim = rank; dim-- > 0;)
    pattern.order.push_back(dim);
  pattern.contiguity.assign(rank, 1);
  pattern.constancy.assign(rank, 1);
  pattern.steps.assign(rank, 1);
  pattern.distance.assign(rank, 0);

  auto block = dyn_cast<BlockAccessOpInterface>(op);
  Value mask = block ? block.getMask() : getMask(op);
  Elements elements =
      block ? Elements(block) : Elements(getAccessedPointer(op));
  pattern.isMasked = mask || (block && !block.getBoundaryCheck().empty());
  for (unsigned dim = 0; dim != rank; ++dim) {
    // Nothing is known of where rows and pages lie.
    if (block && isScattered(block, dim)) {
      pattern.vector.push_back(1);
      pattern.enabled.push_back(1);
      continue;
    }
    pattern.contiguity[dim] = runs.getContiguity(elements, dim);
    pattern.constancy[dim] = runs.getConstancy(elements, dim);
    ElementRuns::Steps steps = runs.getSteps(elements, dim);
    pattern.steps[dim] = steps.size;
    pattern.distance[dim] = steps.distance;
    // The elements of a message start at a multiple of their size, and have
    // one mask.
    int64_t vector = runs.getAlignedContiguity(elements, dim);
    // A column has one element along the other dimensions.
    if (mask && vector > 1 &&
        cast<RankedTensorType>(mask.getType()).getDimSize(dim) != 1)
      vector = std::min(vector, runs.getConstancy(mask, dim));
    if (block && vector > 1 &&
        llvm::is_contained(block.getBoundaryCheck(), int32_t(dim)))
      vector = std::min(vector, runs.getBoundsConstancy(block, dim));
    pattern.vector.push_back(vector);
    auto load = dyn_cast<LoadOp>(op);
    if (mask && (isa<StoreOp>(op) || (load && !load.getIsVolatile())))
      vector = std::max(
          vector, runs.getEnabledContiguity(elements.getTensor(), mask, dim));
    pattern.enabled.push_back(vector);
    if (vector > pattern.contiguity[dim]) {
      pattern.contiguity[dim] = pattern.steps[dim] = vector;
      pattern.distance[dim] = 1;
    }
  }
  // By contiguity; of equal ones the later dimension is the faster one.
  llvm::sort(pattern.order, [&](unsigned a, unsigned b) {
    return std::tuple(pattern.contiguity[a], a) >
           std::tuple(pattern.contiguity[b], b);
  });
  return pattern;
}

} // namespace mlir::triton::gpu::intel
