//===- AssumeLaunch.cpp - Assume properties of all launches ---------------===//
// SPDX-License-Identifier: MIT
//
// Inserts `tl.assume` for kernels that do not contain it: a quotient of program
// ids and sizes, the first position of a loop over K, or the first index of a
// program is not negative in any sensible launch. The launcher checks the
// conditions for this, so that nothing is taken on trust (LaunchProver.h).
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-assume-launch"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Analysis/Symbolic/AddressUses.h"
#include "intel/Analysis/Symbolic/LaunchProver.h"
#include "intel/Analysis/Symbolic/ValueProver.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELASSUMELAUNCH
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Inserts the assumption after the definition of `value`, in its block, where
/// analyses look for it.
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

/// Adds the scalars that are spread over the operands of a division of tensors,
/// or over what these are computed from.
void addSpread(Operation *division, SmallVectorImpl<Value> &found) {
  llvm::SetVector<Value> tensors(llvm::from_range, division->getOperands());
  for (unsigned i = 0; i < tensors.size(); ++i) {
    Operation *op = tensors[i].getDefiningOp();
    if (auto splat = dyn_cast_or_null<SplatOp>(op)) {
      Value number = splat.getSrc();
      // An extended number has the sign of the number.
      while (auto extension = number.getDefiningOp<arith::ExtSIOp>())
        number = extension.getIn();
      found.push_back(number);
    } else if (isa_and_nonnull<arith::AddIOp, arith::DivSIOp, arith::RemSIOp,
                               ExpandDimsOp, triton::BroadcastOp>(op)) {
      tensors.insert_range(op->getOperands());
    }
  }
}

/// Holds numbers that are the position of a program in a tensor. They are to be
/// assumed not to be negative if `part` is a part of an address.
struct Candidates {
  SmallVector<Value> numbers;
  Value part;
  Overflow overflow = Overflow::Excluded;
};

/// Finds such numbers: quotients in kernels with dots, first numbers of loops
/// around dots, and what is spread over operands of divisions of tensors. The
/// parts of an address are taken not to overflow. Operands of divisions are no
/// such parts, and may have wrapped around.
Candidates getCandidates(Operation *op, bool hasDots) {
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasDot(loop))
    return {{loop.getLowerBound()}, loop.getInductionVar()};
  if (!isa<arith::DivSIOp, arith::RemSIOp>(op))
    return {};
  Value result = op->getResult(0);
  if (!isa<RankedTensorType>(result.getType()))
    return isa<arith::DivSIOp>(op) && hasDots ? Candidates{{result}, result}
                                              : Candidates();
  Candidates spread{{}, result, Overflow::Wraps};
  addSpread(op, spread.numbers);
  return spread;
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
    bool hasDots = hasDot(module);
    ValueSources sources(module);
    LaunchCondition condition;
    llvm::SmallDenseSet<std::pair<Value, Overflow>> seen;
    // In the order of the IR: one number is part of the next. Loops come before
    // what is in them.
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto [numbers, part, overflow] = getCandidates(op, hasDots);
      // Many divisions may have one operand.
      llvm::erase_if(numbers, [&, overflow = overflow](Value number) {
        return !number.getType().isInteger() ||
               seen.contains({number, overflow});
      });
      if (numbers.empty() || !isPartOfAddress(part, sources))
        return;
      for (Value number : numbers) {
        seen.insert({number, overflow});
        LaunchCondition needed = condition;
        // A fact that is known for all launches needs no assumption.
        if (ValueProver(sources, overflow).isNonNegative(number) ||
            !LaunchProver(sources, overflow, needed)
                 .isNonNegativeAtLaunch(number) ||
            !mayRewrite(op))
          continue;
        LDBG() << "assumed not to be negative, for " << op->getName() << " at "
               << op->getLoc() << ": " << number;
        condition = needed;
        assumeNonNegative(number);
        ++numAssumptions;
      }
    });
    // None if nothing has to be satisfied.
    if (!condition.create())
      return;
    remark::passed(
        condition.getKernel().getLoc(),
        remark::RemarkOpts::name("launch-assumption").category(getArgument()))
        << remark::reason("no position is negative in launches where {0}",
                          condition.describe());
  }
};

} // namespace
