//===- RotateLoops.cpp - Loops whose first iteration runs -----------------===//
// SPDX-License-Identifier: MIT
//
// A loop of a kernel begins with its test, and ends with a branch to it. An
// iteration then takes two branches, and the first one waits for a flag that
// was written immediately before. Rotated, the loop ends with the test:
//
//   while (k < end) { ... }   becomes   if (k < end) do { ... } while (k < end)
//
// Device compilers rotate loops that no other loop contains, and this pass
// leaves these to them. Of loops in loops they rotate some, but not the one
// along K in a program that computes several tiles and parts of them. Loops of
// a constant number of iterations stay as they are, because device compilers
// unroll them.
//
// With the first test, every value that the loop carries has two values after
// it, the first and the last one. Device compilers copy and spill the
// accumulators of a product then, so that this pass leaves such loops alone. It
// rotates those whose first test is known to succeed, from the bounds or from
// an assumption (`tl.assume(begin < end)`): these need no first test.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/Analysis/MemorySSAUpdater.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns the value of an operand of the header's test before the first
/// iteration; none if the header computes it.
const SCEV *getFirstValue(Loop &loop, Value *operand, ScalarEvolution &SE) {
  if (auto *phi = dyn_cast<PHINode>(operand);
      phi && phi->getParent() == loop.getHeader())
    operand = phi->getIncomingValueForBlock(loop.getLoopPreheader());
  return loop.isLoopInvariant(operand) ? SE.getSCEV(operand) : nullptr;
}

/// Returns whether the header does nothing but test whether an iteration runs,
/// and the first one is known to.
bool isFirstIterationKnown(Loop &loop, ScalarEvolution &SE) {
  BasicBlock *header = loop.getHeader();
  auto *branch = dyn_cast<BranchInst>(header->getTerminator());
  if (!branch || !branch->isConditional() || !loop.isLoopExiting(header) ||
      loop.isLoopLatch(header))
    return false;
  auto *test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test || &*header->getFirstNonPHIOrDbg() != test ||
      test->getNextNode() != branch ||
      !SE.isSCEVable(test->getOperand(0)->getType()))
    return false;
  const SCEV *lhs = getFirstValue(loop, test->getOperand(0), SE);
  const SCEV *rhs = getFirstValue(loop, test->getOperand(1), SE);
  CmpInst::Predicate predicate = loop.contains(branch->getSuccessor(0))
                                     ? test->getPredicate()
                                     : test->getInversePredicate();
  return lhs && rhs && SE.isLoopEntryGuardedByCond(&loop, predicate, lhs, rhs);
}

} // namespace

PreservedAnalyses RotateLoopsPass::run(Loop &loop, LoopAnalysisManager &,
                                       LoopStandardAnalysisResults &analyses,
                                       LPMUpdater &) {
  if (loop.isOutermost() || !loop.isLoopSimplifyForm() ||
      analyses.SE.getSmallConstantTripCount(&loop) ||
      !isFirstIterationKnown(loop, analyses.SE))
    return PreservedAnalyses::all();
  // Nothing other than the test of the header is copied.
  constexpr unsigned threshold = 16;
  SimplifyQuery query(loop.getHeader()->getDataLayout(), &analyses.TLI,
                      &analyses.DT, &analyses.AC);
  std::optional<MemorySSAUpdater> memory;
  if (analyses.MSSA)
    memory.emplace(analyses.MSSA);
  if (!LoopRotation(&loop, &analyses.LI, &analyses.TTI, &analyses.AC,
                    &analyses.DT, &analyses.SE, memory ? &*memory : nullptr,
                    query, /*RotationOnly=*/false, threshold,
                    /*IsUtilMode=*/true))
    return PreservedAnalyses::all();
  PreservedAnalyses preserved = getLoopPassPreservedAnalyses();
  if (analyses.MSSA)
    preserved.preserve<MemorySSAAnalysis>();
  return preserved;
}

} // namespace triton::intel::spirv
