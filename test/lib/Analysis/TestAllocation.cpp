//===- TestAllocation.cpp - Print where shared memory is ------------------===//
// SPDX-License-Identifier: MIT
//
// A remark on every operation that needs shared memory: its bytes, their place,
// and the operations (in pre-order numbers) during which it is in use; and one
// on the module, with the size of the whole. With the option `requests`, the
// requests of an allocated module instead, in the order in which messages list
// it.
//
//===----------------------------------------------------------------------===//

#include "mlir/Pass/Pass.h"
#include "triton/Analysis/Allocation.h"

using namespace mlir;
using namespace mlir::triton::gpu;

namespace {

class TestPrintAllocationPass
    : public PassWrapper<TestPrintAllocationPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPrintAllocationPass)

  TestPrintAllocationPass() = default;
  TestPrintAllocationPass(const TestPrintAllocationPass &other)
      : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-print-allocation"; }
  StringRef getDescription() const final {
    return "print the places of shared memory as remarks";
  }

  Option<bool> requests{*this, "requests",
                        llvm::cl::desc("print the requests of an allocated "
                                       "module instead"),
                        llvm::cl::init(false)};

  void runOnOperation() override {
    if (requests) {
      for (const SharedMemoryRequest &request :
           getSharedMemoryRequests(getOperation()))
        llvm::outs() << request.name << " wants " << request.bytes
                     << " bytes at " << request.offset << "\n";
      return;
    }
    FailureOr<SharedMemoryAllocation> allocation =
        SharedMemoryAllocation::compute(getOperation());
    if (failed(allocation))
      return signalPassFailure();
    for (const SharedMemoryBuffer &buffer : allocation->getBuffers())
      buffer.owner->emitRemark()
          << "bytes " << buffer.offset << " to " << buffer.end() << ", used by "
          << buffer.range.first << " to " << buffer.range.last;
    getOperation().emitRemark()
        << allocation->getSharedMemorySize() << " bytes in all";
  }
};

} // namespace

namespace mlir::triton::test {
void registerTestAllocationPass() {
  PassRegistration<TestPrintAllocationPass>();
}
} // namespace mlir::triton::test
