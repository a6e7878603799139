//===- WidenSums.cpp - Sums of narrow floats are rounded once -------------===//
// SPDX-License-Identifier: MIT
//
// A sum of floats with 16 or 8 bits that is rounded to its type after each
// addition loses terms: 256 and 1 are 256 in bf16. Some versions of Triton
// widen operands of scans to f32, others leave this to the target. Here the
// regions of reductions and scans that add or multiply such floats compute in
// f32, so that each result is rounded once, and does not depend on the order in
// which elements meet more than an f32 does.
//
// A region is widened as a whole or not at all. One that converts between types
// itself defines where it rounds, and stays as it is. Regions that only choose
// an element are exact in any type.
//
// Runs after the passes that look for reductions of a carried sum, which the
// conversions would hide, and before the emulation of types that the target
// does not compute in, which rounds after each operation.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-widen-sums"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELWIDENSUMS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;

namespace {

bool isNarrow(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() < 32;
}

/// Returns the type with elements of f32 in place of narrower floats.
Type getWide(Type type) {
  if (!isNarrow(type))
    return type;
  Type wide = Float32Type::get(type.getContext());
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(wide)) : wide;
}

/// Returns whether the result may differ from the exact one.
bool isRounding(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             math::FmaOp>(op);
}

/// Returns whether the operation has a meaning in each type of floats, which is
/// that of its operands and results.
bool isGeneric(Operation *op) {
  return isRounding(op) ||
         isa<arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp, arith::SelectOp,
             arith::ConstantOp, math::AbsFOp, ReduceReturnOp, ScanReturnOp>(op);
}

/// Returns whether the region of a reduction or scan rounds narrow floats after
/// each step, and computes with f32 as well.
bool canWiden(Region &region) {
  bool isRounded = false;
  WalkResult result = region.walk([&](Operation *op) -> WalkResult {
    if (llvm::none_of(op->getOperandTypes(), isNarrow) &&
        llvm::none_of(op->getResultTypes(), isNarrow))
      return WalkResult::advance();
    isRounded |= isRounding(op);
    // A narrow value from outside of the region would keep its type.
    bool isInside = llvm::all_of(op->getOperands(), [&](Value operand) {
      return !isNarrow(operand.getType()) ||
             operand.getParentRegion() == &region;
    });
    return isGeneric(op) && isInside && op->getParentRegion() == &region
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return isRounded && !result.wasInterrupted();
}

/// Gives all narrow floats of the region the type f32.
void widenRegion(Region &region) {
  for (BlockArgument argument : region.getArguments())
    argument.setType(getWide(argument.getType()));
  region.walk([](Operation *op) {
    for (OpResult result : op->getResults()) {
      if (!isNarrow(result.getType()))
        continue;
      result.setType(getWide(result.getType()));
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        double number = cast<FloatAttr>(constant.getValue()).getValueAsDouble();
        constant.setValueAttr(FloatAttr::get(result.getType(), number));
      }
    }
  });
}

/// Widens the operands of a reduction or scan and rounds its results.
void widen(Operation *op) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isNarrow(operand.get().getType()))
      operand.set(arith::ExtFOp::create(builder, op->getLoc(),
                                        getWide(operand.get().getType()),
                                        operand.get()));
  widenRegion(op->getRegion(0));
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type type = result.getType();
    if (!isNarrow(type))
      continue;
    result.setType(getWide(type));
    auto rounded = arith::TruncFOp::create(builder, op->getLoc(), type, result);
    result.replaceAllUsesExcept(rounded, rounded);
  }
}

/// Widens the reductions and scans of a module; see the head of the file.
class WidenSumsPass
    : public triton::intel::impl::TritonIntelWidenSumsBase<WidenSumsPass> {
public:
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!isa<ReduceOp, ScanOp>(op) || !canWiden(op->getRegion(0)))
        return;
      LDBG() << "widened " << op->getName() << " at " << op->getLoc();
      widen(op);
      ++numWidened;
    });
  }
};

} // namespace
