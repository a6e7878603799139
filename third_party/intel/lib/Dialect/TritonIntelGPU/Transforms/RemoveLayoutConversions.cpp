//===- RemoveLayoutConversions.cpp - Choose layouts globally --------------===//
// SPDX-License-Identifier: MIT
//
// Layout conversions and scattered accesses are consequences of local choices
// of layouts. This pass makes these choices again for each function:
// LayoutGraph represents the function without conversions, LayoutAssignment
// chooses the layout of every operation, and LayoutRewriter inserts the
// conversions that are still needed. The ones that need shared local memory are
// reported where it is allocated.
//
// Leaving out the pass is safe: each access and each operation keeps the layout
// that it has, and conversions stay.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-remove-layout-conversions"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "LayoutAssignment.h"
#include "LayoutGraph.h"
#include "LayoutRewriter.h"
#include "intel/Analysis/Layouts/LayoutCost.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Remarks.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUREMOVELAYOUTCONVERSIONS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

/// Chooses the layouts of each function; see the head of the file.
class RemoveLayoutConversions
    : public gpu::intel::impl::TritonIntelGPURemoveLayoutConversionsBase<
          RemoveLayoutConversions> {
public:
  using TritonIntelGPURemoveLayoutConversionsBase::
      TritonIntelGPURemoveLayoutConversionsBase;

  void runOnTTGIR() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (!mayRewrite(function))
        continue;
      unsigned before = countConversions(function);
      chooseLayouts(function);
      unsigned after = countConversions(function);
      LDBG() << before << " conversions before, " << after << " after";
      if (after < before)
        numRemoved += before - after;
      // The remaining conversions are counted where they go through shared
      // memory.
      function->walk([&](ttg::ConvertLayoutOp op) {
        unsigned bytes = ttg::estimateConversion(op).scratchBytes;
        if (bytes == 0)
          return;
        LDBG() << "remains at " << op.getLoc() << ", with " << bytes
               << " bytes of shared memory: " << op.getSrc().getType() << " to "
               << op.getType();
        ++numRemaining;
      });
    }
  }

private:
  /// All conversions, whatever they cost.
  static unsigned countConversions(FunctionOpInterface function) {
    unsigned count = 0;
    function->walk([&](ttg::ConvertLayoutOp) { ++count; });
    return count;
  }

  /// Runs the three steps; each sees what the one before has found.
  void chooseLayouts(FunctionOpInterface function) {
    LayoutGraph graph(function);
    LayoutCostModel model(getOperation());
    LayoutAssignment assignment(graph, model);
    int64_t cost = assignment.run();
    LayoutRewriter(graph, model).run(function);
    report(function, graph, assignment, cost);
  }

  /// Reports the work that grows with the function, for those who watch that it
  /// grows no faster, and what the chosen layouts cost.
  void report(FunctionOpInterface function, const LayoutGraph &graph,
              const LayoutAssignment &assignment, int64_t cost) {
    remark::analysis(
        function.getLoc(),
        remark::RemarkOpts::name("layout-choice").category(getArgument()))
        << remark::metric("Nodes", graph.getNodes().size())
        << remark::metric("Inferences", graph.getNumInferences())
        << remark::metric("Proposals", assignment.getNumProposals())
        << remark::metric("Cost", cost);
  }
};

} // namespace
