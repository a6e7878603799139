//===- TestChanges.cpp - Passes that change one thing ---------------------===//
// SPDX-License-Identifier: MIT
//
// Changes one thing of a module, for tests that the verifier then runs, and
// reports whether an analysis of the module is kept.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

/// All changes other than those of a name and a location make the module
/// invalid.
class TestChange : public PassWrapper<TestChange, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestChange)

  TestChange() = default;
  TestChange(const TestChange &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-change"; }
  StringRef getDescription() const final { return "change one thing"; }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(&getContext());
    auto function = *module.getOps<LLVM::LLVMFuncOp>().begin();
    Block &block = function.getBody().front();
    auto sum = *block.getOps<LLVM::AddOp>().begin();
    if (kind == "nothing")
      return;
    if (kind == "name") {
      function.setSymName("other");
    } else if (kind == "location") {
      function->setLoc(builder.getUnknownLoc());
    } else if (kind == "attribute") {
      module->setAttr("llvm.data_layout", builder.getStringAttr("none"));
    } else if (kind == "property") {
      function.setFunctionType(
          LLVM::LLVMFunctionType::get(builder.getI64Type(), {}));
    } else if (kind == "operand") {
      sum->setOperand(0, block.getArgument(1));
    } else if (kind == "type") {
      sum.getResult().setType(builder.getI64Type());
    } else if (kind == "argument") {
      block.getArgument(1).setType(builder.getI16Type());
    } else if (kind == "order") {
      sum->moveBefore(block.getTerminator());
    } else if (kind == "operation") {
      block.getTerminator()->erase();
    } else {
      module.emitError("no such change: '") << kind << "'";
      signalPassFailure();
    }
  }

private:
  Option<std::string> kind{
      *this, "kind",
      llvm::cl::desc("nothing, name, location, attribute, property, operand, "
                     "type, argument, order or operation"),
      llvm::cl::init("nothing")};
};

/// An analysis that does not depend on the module.
struct AnyAnalysis {
  explicit AnyAnalysis(Operation *) {}
};

class TestKeptAnalysis
    : public PassWrapper<TestKeptAnalysis, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestKeptAnalysis)

  StringRef getArgument() const final { return "test-kept-analysis"; }
  StringRef getDescription() const final {
    return "report whether an analysis is kept";
  }

  void runOnOperation() override {
    bool isKept = getCachedAnalysis<AnyAnalysis>().has_value();
    getOperation().emitWarning(isKept ? "kept" : "computed");
    getAnalysis<AnyAnalysis>();
  }
};

} // namespace

namespace mlir::triton::test {
void registerTestChangePasses() {
  PassRegistration<TestChange>();
  PassRegistration<TestKeptAnalysis>();
}
} // namespace mlir::triton::test
