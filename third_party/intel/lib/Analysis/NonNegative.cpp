//===- NonNegative.cpp - Scalars that cannot be negative ------------------===//
//
// Reads a scalar's definition backwards. A value that is met again on its own
// path may be assumed to be not negative: if the initial value and every
// increment are, so is each value in between. Arithmetic is taken not to
// overflow, which is what coordinates of a tensor rely on anyway.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/BlockAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Analysis/ValueSources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

bool isAssumedNonNegative(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    if (!compare || compare->getBlock() != value.getParentBlock())
      return false;
    // Canonicalization puts constants on the right.
    APInt bound;
    if (compare.getLhs() != value ||
        !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
      return false;
    bool isLowerBound = (compare.getPredicate() == arith::CmpIPredicate::sge &&
                         bound.isNonNegative()) ||
                        (compare.getPredicate() == arith::CmpIPredicate::sgt &&
                         (bound.isNonNegative() || bound.isAllOnes()));
    return isLowerBound &&
           llvm::any_of(compare->getUsers(), [&](Operation *assumption) {
             return isa<LLVM::AssumeOp>(assumption) &&
                    assumption->getBlock() == value.getParentBlock();
           });
  });
}

namespace {

class NonNegativeProof {
public:
  explicit NonNegativeProof(ValueSources &sources) : sources(sources) {}

  bool prove(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.isNonNegative();
    if (!assumed.insert(value).second || isAssumedNonNegative(value))
      return true;
    SmallVector<Value> found;
    if (sources.getSources(value, found))
      return proveAll(found);
    if (auto argument = dyn_cast<BlockArgument>(value))
      return proveCounter(argument);
    return proveOperation(value.getDefiningOp());
  }

private:
  bool proveAll(ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return prove(value); });
  }

  bool proveCounter(BlockArgument argument) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    // The loop ends before its variable passes a bound, so the step counts only
    // as something that is added.
    return loop && argument == loop.getInductionVar() &&
           proveAll({loop.getLowerBound(), loop.getStep()});
  }

  bool proveOperation(Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<GetProgramIdOp, GetNumProgramsOp>(
            [](Operation *) { return true; })
        .Case<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::MinSIOp,
              arith::OrIOp, arith::XOrIOp>(
            [&](Operation *op) { return proveAll(op->getOperands()); })
        // The sign of a remainder is that of the dividend.
        .Case<arith::RemSIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp,
              arith::DivUIOp, arith::RemUIOp, arith::ExtSIOp, arith::TruncIOp,
              arith::IndexCastOp>(
            [&](Operation *op) { return prove(op->getOperand(0)); })
        .Case<arith::ExtUIOp>([](Operation *) { return true; })
        .Case<arith::MaxSIOp, arith::AndIOp>([&](Operation *op) {
          return llvm::any_of(op->getOperands(),
                              [&](Value value) { return proveAlone(value); });
        })
        .Default([](Operation *) { return false; });
  }

  /// One of several ways to go: what a failed attempt assumed must not help the
  /// next one.
  bool proveAlone(Value value) {
    llvm::SmallPtrSet<Value, 16> before = assumed;
    if (prove(value))
      return true;
    assumed = std::move(before);
    return false;
  }

  ValueSources &sources;
  llvm::SmallPtrSet<Value, 16> assumed;
};

} // namespace

bool isKnownNonNegative(Value value, ValueSources &sources) {
  return NonNegativeProof(sources).prove(value);
}

} // namespace mlir::triton::gpu::intel
