//===- TestAxisInfo.cpp - Print what the axis analysis knows --------------===//
// SPDX-License-Identifier: MIT
//
// A remark on every operation with integer, pointer or tensor results, and on
// every function for its arguments and every block for its own.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/AxisInfo.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::triton;

namespace {

struct TestAxisInfo : PassWrapper<TestAxisInfo, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestAxisInfo)

  TestAxisInfo() = default;
  TestAxisInfo(const TestAxisInfo &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-print-axis-info"; }
  StringRef getDescription() const override {
    return "Emit remarks with the axis facts of all values";
  }

  void runOnOperation() override {
    ModuleAxisInfoAnalysis analysis(getOperation());
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { printInfos(analysis, op); });
  }

  void printInfos(ModuleAxisInfoAnalysis &analysis, Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (AxisInfo *info = analysis.getAxisInfo(argument))
            op->emitRemark("argument ")
                << argument.getArgNumber() << ": " << toString(*info);
    for (Value result : op->getResults())
      if (AxisInfo *info = analysis.getAxisInfo(result))
        op->emitRemark(toString(*info));
  }

  static std::string toString(const AxisInfo &info) {
    std::string text;
    llvm::raw_string_ostream(text) << info;
    return text;
  }
};

} // namespace

namespace mlir::triton::test {
void registerTestAxisInfoPass() { PassRegistration<TestAxisInfo>(); }
} // namespace mlir::triton::test
