//===- RemoveLayoutConversions.cpp - Choose layouts globally --------------===//
// SPDX-License-Identifier: MIT
//
// Layout conversions are consequences of local choices of layouts. This pass
// makes these choices anew for each function: LayoutGraph represents the
// function without conversions, LayoutAssignment chooses the layout of every
// operation, and LayoutRewriter inserts the conversions that are still needed.
// Those that need shared local memory are reported where it is allocated.
//
// Functions without conversions do not change, because all choices agree.
// Functions that combine rows are an exception if other layouts are to be tried
// for the rows.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "LayoutAssignment.h"
#include "LayoutGraph.h"
#include "LayoutRewriter.h"
#include "intel/Analysis/LayoutCost.h"
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
      unsigned before = countConversions(function);
      bool triesRows = proposeRows && combinesRows(function);
      bool triesLanes = proposeRows && loadsCopies(function);
      if (before == 0 && !triesRows && !triesLanes)
        continue;
      chooseLayouts(function, triesRows, triesLanes);
      unsigned after = countConversions(function);
      if (after < before)
        numRemoved += before - after;
      // What remains is counted where it goes through shared memory.
      function->walk([&](ttg::ConvertLayoutOp op) {
        if (ttg::estimateConversion(op).scratchBytes != 0)
          ++numRemaining;
      });
    }
  }

private:
  static bool combinesRows(FunctionOpInterface function) {
    return function
        ->walk([](Operation *op) {
          return isa<ReduceOp, ScanOp>(op) ? WalkResult::interrupt()
                                           : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Returns whether all lanes of a sub-group load the same elements somewhere.
  static bool loadsCopies(FunctionOpInterface function) {
    return function
        ->walk([](LoadOp load) {
          return LayoutAssignment::getLanesLayout(load)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// All conversions, whatever they cost.
  static unsigned countConversions(FunctionOpInterface function) {
    unsigned count = 0;
    function->walk([&](ttg::ConvertLayoutOp) { ++count; });
    return count;
  }

  /// Runs the three steps; each sees what the one before has found.
  void chooseLayouts(FunctionOpInterface function, bool triesRows,
                     bool triesLanes) {
    LayoutGraphOptions options;
    options.keepLoadLayouts = keepLoadLayouts;
    LayoutGraph graph(function, options);
    LayoutCostModel model(getOperation());
    if (keepBlockAccesses)
      model.keepBlockAccesses();
    LayoutAssignment assignment(graph, model);
    assignment.run();
    // Compared with what is best without.
    if (triesRows && assignment.proposeRows())
      assignment.run();
    if (triesRows && assignment.proposeRuns())
      assignment.run();
    if (triesLanes && assignment.proposeLanes())
      assignment.run();
    if (proposeRows && assignment.proposeUnshared())
      assignment.run();
    LayoutRewriter(graph, model).run(function);
    reportEffort(function, graph, assignment);
  }

  /// Reports the work that grows with the function, for those who watch that it
  /// grows no faster.
  void reportEffort(FunctionOpInterface function, const LayoutGraph &graph,
                    const LayoutAssignment &assignment) {
    remark::analysis(
        function.getLoc(),
        remark::RemarkOpts::name("layout-choice").category(getArgument()))
        << remark::metric("Nodes", graph.getNodes().size())
        << remark::metric("Inferences", graph.getNumInferences())
        << remark::metric("Proposals", assignment.getNumProposals());
  }
};

} // namespace
