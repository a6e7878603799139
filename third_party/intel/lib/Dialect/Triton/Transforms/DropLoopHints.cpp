//===- DropLoopHints.cpp - Hints of loops that have no effect here --------===//
//
// Kernels tell other targets how to schedule their loops. What is not done here
// is taken away, and a remark says so: otherwise an author who tries `flatten`
// or `warp_specialize` has to compare code to find out.
//
// Triton's own pass that fuses nests is of no use: in some of the wheels an
// inner loop whose end lies in front of its beginning runs once, and in all of
// them the number of iterations wraps around with the counter's 32 bits.
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

bool hasInnerLoop(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

class DropLoopHintsPass
    : public intel::impl::TritonIntelDropLoopHintsBase<DropLoopHintsPass> {
public:
  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      // There is nothing to flatten in a loop without others.
      bool isNest = hasInnerLoop(loop);
      if (drop(loop, TritonDialect::getFlattenAttrName()) && isNest)
        report(loop, "flatten", ": the loops stay nested");
      if (drop(loop, TritonDialect::getWarpSpecializeAttrName()))
        report(loop, "warp_specialize", "");
    });
  }

private:
  /// Whether there was the hint.
  bool drop(scf::ForOp loop, StringRef name) {
    if (!loop->removeDiscardableAttr(name))
      return false;
    ++numDropped;
    return true;
  }

  /// Under the name that the hint has in `tl.range`.
  void report(scf::ForOp loop, StringRef name, StringRef consequence) {
    remark::missed(
        loop.getLoc(),
        remark::RemarkOpts::name("dropped-hint").category(getArgument()))
        << remark::reason("`{0}=True` has no effect on this target{1}", name,
                          consequence);
  }
};

} // namespace
