//===- FoldKnownArguments.cpp - Arguments that all launches pass as 1 -----===//
// SPDX-License-Identifier: MIT
//
// Triton compiles a kernel again for each set of arguments that are 1, and such
// arguments become constants. For a parameter with a type, such as `stride:
// int`, it only creates the key of the other kernel, and compiles the same code
// for both. The backend therefore states the value on the argument
// (`compat/unit_arguments.py`), and this pass makes it known to all others: a
// stride of 1 decides whether an access is a block.
//
// Runs first. The argument remains a parameter, which launches pass.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-fold-known-arguments"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELFOLDKNOWNARGUMENTS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Replaces arguments by their values; see the head of the file.
class FoldKnownArgumentsPass
    : public triton::intel::impl::TritonIntelFoldKnownArgumentsBase<
          FoldKnownArgumentsPass> {
public:
  void runOnOperation() override {
    StringRef name = TritonIntelGPUDialect::getValueAttrName();
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      if (function.isExternal())
        continue;
      OpBuilder builder(function.getBody());
      for (BlockArgument argument : function.getArguments()) {
        unsigned number = argument.getArgNumber();
        auto known = function.getArgAttrOfType<IntegerAttr>(number, name);
        if (!known)
          continue;
        Value value = arith::ConstantIntOp::create(
            builder, argument.getLoc(), argument.getType(), known.getInt());
        LDBG(1) << "argument " << number << " at " << argument.getLoc()
                << " is " << known.getInt();
        argument.replaceAllUsesWith(value);
        function.removeArgAttr(number, name);
        ++numFolded;
      }
    }
  }
};

} // namespace
