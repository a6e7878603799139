//===- TestValueSources.cpp - Print where values come from and go ---------===//
// SPDX-License-Identifier: MIT
//
// Operations with the attribute `test.origins` get a remark with the origins of
// each operand, those with `test.ends` one with the uses where their results
// end. Operations are named by their attribute `test.tag`, functions by their
// symbol.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/ValueSources.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::triton;

namespace {

struct TestValueSources
    : PassWrapper<TestValueSources, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestValueSources)

  StringRef getArgument() const override { return "test-print-value-sources"; }
  StringRef getDescription() const override {
    return "Emit remarks with origins and destinations of values";
  }

  void runOnOperation() override {
    ValueSources sources(getOperation());
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasAttr("test.origins"))
        printOrigins(op, sources);
      if (op->hasAttr("test.ends"))
        printEnds(op, sources);
    });
  }

  static void printOrigins(Operation *op, ValueSources &sources) {
    InFlightDiagnostic remark = op->emitRemark("origins");
    for (Value operand : op->getOperands()) {
      remark << ':';
      for (Value origin : sources.getOrigins(operand))
        remark << ' ' << getName(origin);
    }
  }

  /// Prints what finally happens to results: uses that do not hand them on.
  static void printEnds(Operation *op, ValueSources &sources) {
    InFlightDiagnostic remark = op->emitRemark("ends");
    for (Value result : op->getResults()) {
      remark << ':';
      llvm::SetVector<Value> seen;
      seen.insert(result);
      SmallVector<Value> next;
      for (size_t i = 0; i != seen.size(); ++i)
        for (OpOperand *use : getUsesInOrder(seen[i])) {
          next.clear();
          if (sources.getDestinations(*use, next))
            seen.insert_range(next);
          else
            remark << ' ' << getTag(use->getOwner()) << '#'
                   << use->getOperandNumber();
        }
    }
  }

  /// Lists of uses begin with the last one.
  static SmallVector<OpOperand *> getUsesInOrder(Value value) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      uses.push_back(&use);
    std::reverse(uses.begin(), uses.end());
    return uses;
  }

  static std::string getName(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return getTag(value.getDefiningOp()).str();
    return (getTag(argument.getOwner()->getParentOp()) + ".arg" +
            Twine(argument.getArgNumber()))
        .str();
  }

  /// The name that the test gave an operation, or that of its kind.
  static StringRef getTag(Operation *op) {
    if (auto tag = op->getAttrOfType<StringAttr>("test.tag"))
      return tag.getValue();
    if (auto name =
            op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      return name.getValue();
    return op->getName().getStringRef();
  }
};

} // namespace

namespace mlir::triton::test {
void registerTestValueSourcesPass() { PassRegistration<TestValueSources>(); }
} // namespace mlir::triton::test
