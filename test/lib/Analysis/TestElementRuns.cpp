//===- TestElementRuns.cpp - Print groups of elements ---------------------===//
// SPDX-License-Identifier: MIT
//
// A remark on every operation with a tensor, or a block pointer, as its result,
// and for every argument of a block that is one.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Symbolic/ElementRuns.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

struct TestElementRuns : PassWrapper<TestElementRuns, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestElementRuns)

  TestElementRuns() = default;
  TestElementRuns(const TestElementRuns &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-print-element-runs"; }
  StringRef getDescription() const override {
    return "Emit remarks with the groups of elements of all tensors";
  }

  void runOnOperation() override {
    ValueSources sources(getOperation());
    ElementRuns runs(sources);
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (std::string text = describe(runs, argument); !text.empty())
              op->emitRemark("argument ")
                  << argument.getArgNumber() << ": " << text;
      if (auto block = dyn_cast<BlockAccessOpInterface>(op))
        op->emitRemark("block: ") << describe(runs, Elements(block));
      for (Value result : op->getResults())
        if (std::string text = describe(runs, result); !text.empty())
          op->emitRemark(text);
    });
  }

  /// Returns nothing for scalars.
  static std::string describe(ElementRuns &runs, Value value) {
    return isa<RankedTensorType>(value.getType())
               ? describe(runs, Elements(value))
               : "";
  }

  static std::string describe(ElementRuns &runs, const Elements &elements) {
    std::string text;
    llvm::raw_string_ostream os(text);
    auto print = [&](StringRef name,
                     int64_t (ElementRuns::*get)(const Elements &, unsigned)) {
      os << name << " = [";
      llvm::interleaveComma(
          llvm::seq<unsigned>(0, elements.getShape().size()), os,
          [&](unsigned dim) { os << (runs.*get)(elements, dim); });
      os << "]";
    };
    print("contiguity", &ElementRuns::getContiguity);
    print(", aligned", &ElementRuns::getAlignedContiguity);
    print(", constancy", &ElementRuns::getConstancy);
    return text;
  }
};

} // namespace

namespace mlir::triton::test {
void registerTestElementRunsPass() { PassRegistration<TestElementRuns>(); }
} // namespace mlir::triton::test
