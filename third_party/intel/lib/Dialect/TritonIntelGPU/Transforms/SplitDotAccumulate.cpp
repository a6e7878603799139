//===- SplitDotAccumulate.cpp - Add the result of a dot separately --------===//
// SPDX-License-Identifier: MIT
//
// An accumulator that a loop only adds products to stays in its registers,
// where DPAS reads and writes it. If the loop also scales it, as flash
// attention does in every iteration, it exists twice: DPAS needs the rows of an
// accumulator side by side, so the scaled accumulator gets registers of its own
// before the last element of the old one has been read. At the end all of it is
// copied back (64 of 605 moves, and the additional registers, with a head of
// 128 and 8 rows per sub-group).
//
// This pass lets the dot start from zero. Scaling the accumulator and adding
// the product to it are then elementwise operations, which happen in place.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUSPLITDOTACCUMULATE
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether an iteration computes `value`, element by element, from what
/// the one before has left.
bool isMadeFromCarried(Value value, scf::ForOp loop) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == loop.getBody() &&
           argument != loop.getInductionVar();
  Operation *op = value.getDefiningOp();
  // Tensors of one shape: what is spread over rows is no accumulator.
  return op && op->getParentOp() == loop &&
         op->hasTrait<mlir::OpTrait::Elementwise>() &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return operand.getType() == value.getType() &&
                  isMadeFromCarried(operand, loop);
         });
}

/// Lets accumulators be changed in place.
class SplitDotAccumulate
    : public gpu::intel::impl::TritonIntelGPUSplitDotAccumulateBase<
          SplitDotAccumulate> {
public:
  void runOnTTGIR() override {
    SmallVector<DotOpInterface> dots;
    getOperation().walk([&](DotOpInterface dot) { dots.push_back(dot); });
    for (DotOpInterface dot : dots)
      if (shouldSplit(dot) && mayRewrite(dot)) {
        split(dot);
        ++numSplit;
      }
  }

private:
  static bool shouldSplit(DotOpInterface dot) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    Value c = dot.getC();
    // As it was carried, it stays where it is. Other types than f32 would be
    // rounded once more.
    return loop && isa<DpasEncodingAttr>(dot.getType().getEncoding()) &&
           dot.getType().getElementType().isF32() && c.hasOneUse() &&
           c.getDefiningOp() && isMadeFromCarried(c, loop);
  }

  static void split(DotOpInterface dot) {
    OpBuilder builder(dot);
    Location loc = dot.getLoc();
    auto type = cast<RankedTensorType>(dot.getType());
    Value c = dot.getC();
    Value zero = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, builder.getF32FloatAttr(0)));
    dot.getCMutable().assign(zero);
    builder.setInsertionPointAfter(dot);
    Operation *sum;
    // Both at once where it is scaled.
    if (auto scaled = c.getDefiningOp<arith::MulFOp>()) {
      sum = math::FmaOp::create(builder, loc, scaled.getLhs(), scaled.getRhs(),
                                dot.getResult());
      dot.getResult().replaceAllUsesExcept(sum->getResult(0), sum);
      scaled.erase();
    } else {
      sum = arith::AddFOp::create(builder, loc, c, dot.getResult());
      dot.getResult().replaceAllUsesExcept(sum->getResult(0), sum);
    }
  }
};

} // namespace
