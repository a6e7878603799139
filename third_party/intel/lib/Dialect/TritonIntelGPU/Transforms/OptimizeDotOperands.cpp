//===- OptimizeDotOperands.cpp - Transposed loads of dot operands ---------===//
// SPDX-License-Identifier: MIT
//
// `dot(trans(load_block %s))` loads a block and transposes it in registers,
// which moves data between lanes. A surface can describe the transposed tensor
// instead: its extents, strides and offsets are exchanged, and the load
// delivers what the dot needs. Row-major memory becomes column-major, and vice
// versa.
//
// If the load has another use (the backward pass of attention multiplies by Q
// and by its transpose), a right operand is loaded a second time: 2D block
// messages transpose a block on its way from a cache, which costs less than an
// exchange between sub-groups. The same holds for a latent cache, whose columns
// are keys and whose rows are values: its rows are loaded once more without a
// transpose. Whether messages can address the tensor is analyzed later, of both
// loads alike.
//
// Does not change the code if no dot uses the result.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-optimize-dot-operands"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "AccessAnswers.h"
#include "LayoutTransfer.h"
#include "intel/Analysis/Blocks/BlockAccess.h"
#include "intel/Analysis/Layouts/AccessPattern.h"
#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUOPTIMIZEDOTOPERANDS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

/// Returns the number of the operand of dots that `value` ends in, through
/// operations on single elements; nothing if it is both operands, or is used
/// otherwise.
std::optional<unsigned> findDotOperand(Value value, ValueSources &sources) {
  DotUses uses = findDotUses(value, sources, [](Operation *user) {
    return (isa<ttg::ConvertLayoutOp>(user) ||
            user->hasTrait<OpTrait::Elementwise>()) &&
           user->getNumResults() == 1;
  });
  if (!uses.isDotOperandOnly() || (uses.isLeft && uses.isRight))
    return std::nullopt;
  return uses.isRight;
}

/// Lets loads deliver transposed blocks where only a transposition uses them.
class OptimizeDotOperands
    : public gpu::intel::impl::TritonIntelGPUOptimizeDotOperandsBase<
          OptimizeDotOperands> {
public:
  using TritonIntelGPUOptimizeDotOperandsBase::
      TritonIntelGPUOptimizeDotOperandsBase;

  void runOnTTGIR() override {
    // Collected first, since transpositions are erased.
    SmallVector<TransOp> transposes;
    getOperation().walk([&](TransOp op) { transposes.push_back(op); });
    ValueSources sources(getOperation());
    for (TransOp op : transposes)
      transposeLoad(op, sources);
  }

private:
  /// Lets the load before `trans` deliver the transposed block.
  void transposeLoad(TransOp trans, ValueSources &sources) {
    auto load = trans.getSrc().getDefiningOp<LoadBlockOp>();
    auto type = dyn_cast<RankedTensorType>(trans.getType());
    // Blocks of two dimensions, without a mask, which would have to be
    // transposed, too.
    if (!load || load.getRows() || load.getMask() || load.getIsVolatile() ||
        !type || type.getRank() != 2)
      return;
    std::optional<unsigned> operand = findDotOperand(trans, sources);
    if (!operand)
      return;
    auto surface = load.getSurface().getDefiningOp<SurfaceOp>();
    if (!surface)
      return;
    bool isShared = !load->hasOneUse();
    if (isShared && (*operand != 1 || !isWorthLoading(trans, surface))) {
      LDBG() << "kept the transpose at " << trans.getLoc()
             << ": others use the load, and a second one is worth less";
      return;
    }
    if (!mayRewrite(trans))
      return;
    LDBG() << "the load at " << load.getLoc() << " transposes";
    OpBuilder builder(load);
    if (isShared) {
      builder.setInsertionPointAfter(load);
      load = cast<LoadBlockOp>(builder.clone(*load));
    }
    builder.setInsertionPoint(load);
    auto reversed = [](ValueRange values) {
      return llvm::to_vector(llvm::reverse(values));
    };
    load.getSurfaceMutable().assign(SurfaceOp::create(
        builder, surface.getLoc(), surface.getBase(),
        reversed(surface.getExtents()), reversed(surface.getStrides())));
    load.getOffsetsMutable().assign(reversed(load.getOffsets()));
    // The analysis of accesses comes later.
    resetAnswer(load);
    SmallVector<int32_t> checked = llvm::map_to_vector(
        load.getBoundaryCheck(), [](int32_t dim) { return 1 - dim; });
    llvm::sort(checked);
    load.setBoundaryCheck(checked);
    if (!load.getPages().empty())
      load.setPageDim(1 - load.getPageDim());
    load.getResult().setType(type);
    trans.replaceAllUsesWith(load.getResult());
    trans.erase();
    if (surface->use_empty())
      surface.erase();
    ++numTransposed;
  }

  /// Returns whether a second load of the same block, for `trans` alone, is
  /// worth it: messages transpose it.
  static bool isWorthLoading(TransOp trans, SurfaceOp surface) {
    std::optional<unsigned> dim = getContiguousDim(surface.getStrides());
    // Columns of memory become rows. The other way round, a message transposes
    // only elements of more than 8 bits.
    return getTargetDesc(trans).supports2DBlockIO() && dim &&
           (*dim == 0 || surface.getElementBits() != 8);
  }
};

} // namespace
