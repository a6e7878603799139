//===- ExecutionWeight.cpp - How often does a block run? ------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Registers/ExecutionWeight.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace {

/// Weights are factors of costs, whose sums have to fit 64 bits.
constexpr int64_t kMaxWeight = mlir::triton::gpu::intel::kWeightOfOnce << 12;

/// Iterations of a loop.
int64_t getTrips(Operation *loop, bool countsTrips) {
  // The order of magnitude decides: what is in a loop counts more than what is
  // not, and what is in two loops counts more than what is in one.
  constexpr int64_t unknown = 8;
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!countsTrips || !counted)
    return unknown;
  std::optional<APInt> trips = counted.getStaticTripCount();
  // Code that never runs counts, too.
  return trips ? std::max<int64_t>(1, trips->getLimitedValue(kMaxWeight))
               : unknown;
}

} // namespace

int64_t mlir::triton::gpu::intel::getExecutionWeight(Block *block,
                                                     bool countsTrips) {
  int64_t weight = kWeightOfOnce;
  for (Operation *op = block->getParentOp();
       op && !isa<FunctionOpInterface>(op); op = op->getParentOp()) {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      weight = std::min(weight * getTrips(op, countsTrips), kMaxWeight);
    else if (isa<scf::IfOp>(op))
      weight = weight * 3 / 4;
  }
  return weight;
}
