//===- AnnotateMemoryAccess.cpp - How wide a lane may access memory -------===//
// SPDX-License-Identifier: MIT
//
// Records on every access through a tensor of pointers how many consecutive
// registers may be loaded or stored at once (ElementRuns.h). The
// lowering then only has to inspect the operation. Runs last, when layouts are
// final.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/AccessPattern.h"
#include "intel/Analysis/ElementRuns.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Builders.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUANNOTATEMEMORYACCESS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

/// Returns how many registers, from each multiple of that number on, are
/// successive elements along dimension `dim`, the first of them at a multiple
/// of the number.
int64_t countSuccessiveRegisters(const LinearLayout &layout, unsigned dim) {
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

/// Sets `ttig.vector_width` on each access through a tensor of pointers:
/// registers per message, a power of two.
class AnnotateMemoryAccess
    : public gpu::intel::impl::TritonIntelGPUAnnotateMemoryAccessBase<
          AnnotateMemoryAccess> {
public:
  using TritonIntelGPUAnnotateMemoryAccessBase::
      TritonIntelGPUAnnotateMemoryAccessBase;

  void runOnTTGIR() override {
    ValueSources sources(getOperation());
    ElementRuns runs(sources);
    int64_t maxVectorBits = getTargetDesc(getOperation()).getMaxVectorBits();
    Builder builder(&getContext());
    getOperation().walk([&](Operation *op) {
      RankedTensorType type = getAccessedTensor(op);
      // Block pointers have messages of their own.
      if (!type || !type.getEncoding() || type.getRank() == 0 ||
          isTensorPointerType(getAccessedPointer(op).getType()))
        return;
      int64_t width = getVectorWidth(op, type, maxVectorBits, runs);
      op->setAttr(TritonIntelGPUDialect::getVectorWidthAttrName(),
                  builder.getI32IntegerAttr(width));
      if (width > 1)
        ++numVectorized;
    });
  }

private:
  /// Returns the number of registers that are neighbours in memory, share a
  /// mask, and fit a message.
  static int64_t getVectorWidth(Operation *op, RankedTensorType type,
                                int64_t maxVectorBits, ElementRuns &runs) {
    AccessPattern pattern = getAccessPattern(op, runs);
    LinearLayout layout = ttg::toLinearLayout(type);
    int64_t bits = getIntOrFloatOrPtrBitWidth(type.getElementType());
    int64_t limit = std::max<int64_t>(1, maxVectorBits / bits);
    int64_t width = 1;
    // The dimension that gives most.
    for (unsigned dim = 0, rank = type.getRank(); dim != rank; ++dim)
      width =
          std::max(width, std::min({limit, pattern.vector[dim],
                                    countSuccessiveRegisters(layout, dim)}));
    return width;
  }
};

} // namespace
