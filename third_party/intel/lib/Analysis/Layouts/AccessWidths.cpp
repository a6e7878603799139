//===- AccessWidths.cpp - How wide a lane may access memory ---------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Layouts/AccessWidths.h"

#include "intel/Analysis/Layouts/AccessPattern.h"
#include "intel/Analysis/Symbolic/ElementRuns.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// Returns how many registers, from each multiple of that number on, are
/// successive elements along dimension `dim`, the first of them at a multiple
/// of the number.
static int64_t countSuccessiveRegisters(const LinearLayout &layout,
                                        unsigned dim) {
  LayoutDim along = tensorDim(dim);
  int32_t low = 0;
  // The next register bit doubles what there is, along this dimension alone.
  auto isNext = [&](LayoutDim out) {
    return layout.getBasis(LayoutDim::Register, low, out) ==
           (out == along ? 1 << low : 0);
  };
  while (low != layout.getInDimSizeLog2(LayoutDim::Register) &&
         llvm::all_of(layout.getOutDims(), isNext))
    ++low;
  int64_t count = int64_t(1) << low;
  // Whatever else moves an element must move it by whole groups.
  for (LayoutDim in : layout.getInDims())
    for (int32_t bit = in == LayoutDim::Register ? low : 0,
                 bits = layout.getInDimSizeLog2(in);
         bit != bits; ++bit)
      while (layout.getBasis(in, bit, along) % count != 0)
        count /= 2;
  return count;
}

/// Returns the number of registers that are neighbours in memory, at most
/// `limit`. `neighbours` counts them per dimension.
static unsigned computeWidth(const LinearLayout &layout, int64_t limit,
                             ArrayRef<int64_t> neighbours) {
  int64_t width = 1;
  // The dimension that gives most counts.
  for (auto [dim, count] : llvm::enumerate(neighbours))
    width = std::max(
        width, std::min({limit, count, countSuccessiveRegisters(layout, dim)}));
  return width;
}

AccessWidths::AccessWidths(Operation *module) {
  ValueSources sources(module);
  ElementRuns runs(sources);
  int64_t maxVectorBits = getTargetDesc(module).getMaxVectorBits();
  module->walk([&](Operation *op) {
    if (!isa<LoadOp, StoreOp>(op))
      return;
    RankedTensorType type = getAccessedTensor(op);
    if (!type || type.getRank() == 0 ||
        !isa_and_nonnull<DistributedEncodingInterface>(type.getEncoding()))
      return;
    AccessPattern pattern = getAccessPattern(op, runs);
    LinearLayout layout = toLinearLayout(type);
    // The number of elements that a message has room for.
    int64_t limit = std::max<int64_t>(
        1, maxVectorBits / getIntOrFloatOrPtrBitWidth(type.getElementType()));
    widths[op] = {computeWidth(layout, limit, pattern.vector),
                  computeWidth(layout, limit, pattern.enabled)};
    widths[op].joined = widths[op].enabled;
    auto load = dyn_cast<LoadOp>(op);
    if (!load || load.getIsVolatile())
      return;
    int64_t bits = getIntOrFloatOrPtrBitWidth(type.getElementType());
    auto widen = [&](ArrayRef<int64_t> neighbours) {
      return computeWidth(layout, std::max<int64_t>(1, kMaxLoadBits / bits),
                          neighbours);
    };
    if (load.getMask())
      widths[op].joined = widen(pattern.enabled);
    else if (widths[op].equal * bits >= 32)
      // Whole words, which are aligned.
      widths[op].joined = widen(pattern.contiguity);
    widths[op].hasEqualMasks =
        !load.getMask() || widths[op].joined <= widen(pattern.vector);
  });
}
