//===- AssumeLaunch.cpp - Say what launches are taken to satisfy ----------===//
// SPDX-License-Identifier: MIT
//
// Inserts `tl.assume` for kernels that do not contain it: a quotient of program
// ids and sizes, or the first position of a loop over K, is not negative in any
// sensible launch. The launcher checks the conditions for this, so that nothing
// is taken on trust (LaunchProver.h).
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/AddressUses.h"
#include "intel/Analysis/DotUses.h"
#include "intel/Analysis/LaunchProver.h"
#include "intel/Analysis/ValueProver.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELASSUMELAUNCH
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Behind the definition of `value`, in its block, where analyses look for it.
void assumeNonNegative(Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(value.getType()));
  Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                      value, zero);
  LLVM::AssumeOp::create(builder, loc, holds);
}

/// Where a block of a tensor may lie: quotients, and the first numbers of loops
/// around dots, with what has to be a part of an address. Of data nothing is
/// assumed: it may have wrapped around.
std::pair<Value, Value> getCandidate(Operation *op) {
  if (auto quotient = dyn_cast<arith::DivSIOp>(op))
    return {quotient.getResult(), quotient.getResult()};
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasDot(loop))
    return {loop.getLowerBound(), loop.getInductionVar()};
  return {};
}

/// Assumes for all such numbers of a module that they are not negative, and
/// leaves in the kernel what launches have to satisfy for that.
class AssumeLaunchPass
    : public triton::intel::impl::TritonIntelAssumeLaunchBase<
          AssumeLaunchPass> {
public:
  using TritonIntelAssumeLaunchBase::TritonIntelAssumeLaunchBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!hasDot(module))
      return;
    ValueSources sources(module);
    LaunchCondition condition;
    // In the order of the IR: one number is part of the next. Loops come before
    // what is in them.
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto [value, part] = getCandidate(op);
      LaunchCondition needed = condition;
      // What is known for all launches needs no assumption.
      if (!value || !value.getType().isInteger() ||
          !isPartOfAddress(part, sources) ||
          ValueProver(sources, Overflow::Excluded).isNonNegative(value) ||
          !LaunchProver(sources, Overflow::Excluded, needed)
               .isNonNegativeAtLaunch(value) ||
          !mayRewrite(op))
        return;
      condition = needed;
      assumeNonNegative(value);
      ++numAssumptions;
    });
    // None if nothing has to be satisfied.
    if (!condition.create())
      return;
    remark::passed(
        condition.getKernel().getLoc(),
        remark::RemarkOpts::name("launch-assumption").category(getArgument()))
        << remark::reason("no tile has a negative number in launches with {0}",
                          condition.describe());
  }
};

} // namespace
