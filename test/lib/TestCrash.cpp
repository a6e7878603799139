//===- TestCrash.cpp - A pass that crashes --------------------------------===//
// SPDX-License-Identifier: MIT
//
// Crashes as other passes do where they have a bug, for tests of what becomes
// of the process.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdlib>

using namespace mlir;

namespace {

/// Uses up the stack. No call may become a jump.
__attribute__((noinline)) int overflow(volatile int *previous) {
  volatile int here[1024] = {};
  here[0] = *previous + 1;
  return overflow(here) + here[1];
}

class TestCrash : public PassWrapper<TestCrash, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestCrash)

  TestCrash() = default;
  TestCrash(const TestCrash &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-crash"; }
  StringRef getDescription() const final { return "crash"; }

  void runOnOperation() override {
    if (kind == "null") {
      // An operation that is none.
      volatile uintptr_t none = 0;
      reinterpret_cast<Operation *>(none)->erase();
    } else if (kind == "assertion") {
      std::abort();
    } else if (kind == "overflow") {
      volatile int start = 0;
      overflow(&start);
    } else if (kind == "fatal") {
      llvm::report_fatal_error("the pass cannot go on");
    } else if (kind == "unreachable") {
      __builtin_trap();
    } else {
      getOperation().emitError("no such crash: '") << kind << "'";
      signalPassFailure();
    }
  }

private:
  Option<std::string> kind{*this, "kind",
                           llvm::cl::desc("null, assertion, overflow, fatal or "
                                          "unreachable"),
                           llvm::cl::init("null")};
};

} // namespace

namespace mlir::triton::test {
void registerTestCrashPass() { PassRegistration<TestCrash>(); }
} // namespace mlir::triton::test
