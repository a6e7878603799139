//===- Coalesce.cpp - Layouts for memory ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// Gives every access through a tensor of pointers a blocked layout in which the
// lanes of a sub-group read or write neighbouring memory, each lane as much of
// it as one vector access covers. The layout depends on the access only.
// Conversions around it are left to tritonintelgpu-remove-layout-conversions,
// which also decides whether this layout is worth them.
//
// In a right operand, lanes of the systolic array hold columns. If its rows are
// contiguous in memory, a lane reads as many rows as an instruction takes, as
// far as there are enough elements: they stay together on the way through
// shared memory. With one row per lane, each value had to be moved on its own
// afterwards. Loops of products of 64x64x32 in 8 sub-groups, both operands
// row-major in ordinary loads, had 517 instructions on dg2 and 350 on pvc, and
// have 382 and 281.
//
// Accesses through block pointers do not change. Neither do accesses with the
// layout of an accumulator: its lanes follow rows, and that layout was chosen
// by cost.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "LayoutTransfer.h"
#include "intel/Analysis/AccessPattern.h"
#include "intel/Analysis/DotUses.h"
#include "intel/Analysis/ElementRuns.h"
#include "intel/Analysis/LayoutCost.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUCOALESCE
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

class Coalesce : public gpu::intel::impl::TritonIntelGPUCoalesceBase<Coalesce> {
public:
  using TritonIntelGPUCoalesceBase::TritonIntelGPUCoalesceBase;

  void runOnTTGIR() override {
    // The analysis holds until something changes, so all choices come first.
    ValueSources sources(getOperation());
    ElementRuns runs(sources);
    llvm::MapVector<Operation *, Attribute> layouts;
    getOperation().walk([&](Operation *op) {
      if (Attribute layout = chooseLayout(op, runs, sources))
        layouts.insert({op, layout});
    });
    for (auto [op, layout] : layouts) {
      if (!mayRewrite(op))
        continue;
      setLayout(op, layout);
      ++numCoalesced;
    }
  }

private:
  /// Returns the layout that `op` should get; null if it should keep its own.
  Attribute chooseLayout(Operation *op, ElementRuns &runs,
                         ValueSources &sources) {
    RankedTensorType type = getAccessedTensor(op);
    if (!type || !type.getEncoding() || type.getRank() == 0 ||
        isTensorPointerType(getAccessedPointer(op).getType()) ||
        isAccumulatorLayout(type.getEncoding()))
      return {};

    AccessPattern pattern = getAccessPattern(op, runs);
    unsigned fastest = pattern.getFastestDim();
    int64_t numWarps = ttg::lookupNumWarps(op);
    int64_t lanes = ttg::lookupThreadsPerWarp(op);
    int64_t bits = getIntOrFloatOrPtrBitWidth(type.getElementType());
    int64_t maxVectorBits = getTargetDesc(op).getMaxVectorBits();
    int64_t maxPerThread =
        std::max<int64_t>(1, type.getNumElements() / (numWarps * lanes));
    int64_t perThread =
        std::min({pattern.vector[fastest],
                  std::max<int64_t>(1, maxVectorBits / bits), maxPerThread});
    SmallVector<unsigned> sizePerThread(type.getRank(), 1);
    sizePerThread[fastest] = perThread;
    if (type.getRank() >= 2 && fastest + 1 == type.getRank())
      sizePerThread[fastest - 1] =
          std::max<int64_t>(1, std::min(getRowsOfInstruction(op, sources),
                                        maxPerThread / perThread));
    auto layout = ttg::BlockedEncodingAttr::get(op->getContext(),
                                                type.getShape(), sizePerThread,
                                                pattern.order, numWarps, lanes);
    if (layout == type.getEncoding())
      return {};
    return layout;
  }

  /// Returns the number of rows of a right operand that an instruction of the
  /// systolic array takes, if such operands are all that `op` loads; otherwise
  /// 1.
  static int64_t getRowsOfInstruction(Operation *op, ValueSources &sources) {
    if (!isa<LoadOp>(op))
      return 1;
    DotUses uses = findDotUses(op->getResult(0), sources, [](Operation *user) {
      return isa<ttg::ConvertLayoutOp>(user) ||
             user->hasTrait<mlir::OpTrait::Elementwise>();
    });
    if (uses.isLeft || !uses.isDotOperandOnly())
      return 1;
    int64_t rows = 1;
    for (DotOpInterface dot : uses.dots)
      if (auto dpas = dyn_cast_if_present<DpasEncodingAttr>(
              dot.getType().getEncoding()))
        rows = std::max<int64_t>(rows, dpas.getDPASInstShapeB().front());
    return rows;
  }

  /// Runs `op` in another layout, between conversions.
  void setLayout(Operation *op, Attribute layout) {
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands())
      if (getTensorEncoding(operand.get().getType()))
        operand.set(ttg::ConvertLayoutOp::create(
            builder, op->getLoc(),
            getTypeWithLayout(operand.get().getType(), layout), operand.get()));
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      Type type = result.getType();
      if (!getTensorEncoding(type))
        continue;
      result.setType(getTypeWithLayout(type, layout));
      auto back =
          ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, result);
      result.replaceAllUsesExcept(back, back);
    }
  }
};

} // namespace
