//===- SimplifyComparisons.cpp - Boundary checks that always hold ---------===//
// SPDX-License-Identifier: MIT
//
// Kernels compare coordinates with the sizes of tensors even if no coordinate
// can exceed them: `arange(0, D) < HEAD` with D = HEAD, or `start + arange(0,
// B) < N` in a loop to N whose step B divides N. Comparisons of which one
// result is proved (ValueProver.h) are removed, and loads and stores lose masks
// that are always true.
//
// Runs after plain pointers have been raised to block pointers, which takes the
// sizes of tensors from masks.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-simplify-comparisons"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/Symbolic/ValueProver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELSIMPLIFYCOMPARISONS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Decides comparisons; see the head of the file.
class SimplifyComparisonsPass
    : public triton::intel::impl::TritonIntelSimplifyComparisonsBase<
          SimplifyComparisonsPass> {
public:
  void runOnOperation() override {
    SmallVector<arith::CmpIOp> compares;
    getOperation().walk([&](arith::CmpIOp op) { compares.push_back(op); });
    if (compares.empty())
      return;
    ValueSources sources(getOperation());
    // Masks are data: they may state where an address has wrapped around.
    ValueProver prover(sources, Overflow::Wraps);
    SmallVector<std::pair<arith::CmpIOp, bool>> decided;
    for (arith::CmpIOp compare : compares) {
      if (llvm::all_of(compare->getUsers(), isAssumption))
        continue;
      if (std::optional<bool> result = prover.decide(compare))
        decided.emplace_back(compare, *result);
      else
        LDBG(2) << "undecided at " << compare.getLoc() << ": " << compare;
    }
    if (decided.empty())
      return;
    for (auto [compare, result] : decided) {
      if (!mayRewrite(compare))
        continue;
      LDBG() << "always " << (result ? "true" : "false") << " at "
             << compare.getLoc() << ": " << compare;
      OpBuilder builder(compare);
      TypedAttr value = builder.getBoolAttr(result);
      if (auto tensor = dyn_cast<ShapedType>(compare.getType()))
        value = DenseElementsAttr::get(tensor, Attribute(value));
      Value constant =
          arith::ConstantOp::create(builder, compare.getLoc(), value);
      compare->replaceUsesWithIf(ValueRange(constant), [](OpOperand &use) {
        return !isAssumption(use.getOwner());
      });
      if (compare.use_empty())
        compare.erase();
      ++numDecided;
    }
    foldMasks();
  }

private:
  /// Returns whether an operation states an assumption of the kernel. Proofs
  /// use assumptions, so that each follows from itself; it has to stay for
  /// later proofs.
  static bool isAssumption(Operation *op) {
    return isa<LLVM::AssumeOp>(op) ||
           (isa<arith::AndIOp>(op) && !op->use_empty() &&
            llvm::all_of(op->getUsers(), isAssumption));
  }

  /// Combinations of masks and choices by them, and accesses.
  void foldMasks() {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (isa<arith::ArithDialect, TritonDialect>(name.getDialect()))
        name.getCanonicalizationPatterns(patterns, context);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
