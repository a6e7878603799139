//===- DropLoopHints.cpp - Hints of loops that have no effect here --------===//
// SPDX-License-Identifier: MIT
//
// Kernels tell other targets how to schedule their loops. This pass removes
// hints that have no effect here, and reports them by a remark. Without it, an
// author who tries `warp_specialize` would have to compare code to find out.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELDROPLOOPHINTS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;

namespace {

class DropLoopHintsPass
    : public intel::impl::TritonIntelDropLoopHintsBase<DropLoopHintsPass> {
public:
  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->removeDiscardableAttr(
              TritonDialect::getWarpSpecializeAttrName()))
        return;
      ++numDropped;
      remark::missed(
          loop.getLoc(),
          remark::RemarkOpts::name("dropped-hint").category(getArgument()))
          << remark::reason(
                 "`warp_specialize=True` has no effect on this target");
    });
  }
};

} // namespace
