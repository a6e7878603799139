//===- TestLayoutCost.cpp - Print what layouts cost -----------------------===//
// SPDX-License-Identifier: MIT
//
// A remark on every layout conversion and on every operation with a layout: its
// cost in units of the model of LayoutCost.h.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Layouts/LayoutCost.h"
#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

namespace {

/// The first layout among the values of `op`: with elementwise operations and
/// accesses all are equal, and of a reduction it is the operand's.
Attribute getFirstLayout(Operation *op) {
  for (auto values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      if (Attribute layout = getTensorEncoding(value.getType()))
        return layout;
  return {};
}

class TestPrintLayoutCost
    : public PassWrapper<TestPrintLayoutCost, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPrintLayoutCost)

  StringRef getArgument() const final { return "test-print-layout-cost"; }
  StringRef getDescription() const final {
    return "print what operations and conversions cost in their layouts";
  }

  void runOnOperation() override {
    intel::LayoutCostModel model(getOperation());
    getOperation().walk([&](Operation *op) {
      if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
        auto type = cast<RankedTensorType>(convert.getSrc().getType());
        op->emitRemark() << "conversion costs "
                         << model.getConversionCost(
                                type, type.getEncoding(),
                                getTensorEncoding(convert.getType()));
      } else if (Attribute layout = getFirstLayout(op)) {
        op->emitRemark() << "costs " << model.getOperationCost(op, layout);
      }
    });
  }
};

} // namespace

namespace mlir::triton::test {
void registerTestLayoutCostPass() { PassRegistration<TestPrintLayoutCost>(); }
} // namespace mlir::triton::test
