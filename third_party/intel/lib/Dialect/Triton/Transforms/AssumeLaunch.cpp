//===- AssumeLaunch.cpp - Say what launches are taken to satisfy ----------===//
//
// Writes `tl.assume` for kernels that do not: a quotient of program ids and
// sizes is not negative in any launch that makes sense. What makes sense the
// launcher checks, so that nothing is believed (NonNegative.h).
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/DotUses.h"
#include "intel/Analysis/NonNegative.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

/// Behind `quotient`, in its block, where analyses look for it.
void assumeNonNegative(arith::DivSIOp quotient) {
  OpBuilder builder(quotient->getContext());
  builder.setInsertionPointAfter(quotient);
  Location loc = quotient.getLoc();
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(quotient.getType()));
  Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                      quotient, zero);
  LLVM::AssumeOp::create(builder, loc, holds);
}

/// Assumes for all quotients of a module that they are not negative, and leaves
/// on the module what launches have to satisfy for that.
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
    // In the order of the IR: one quotient is part of the next.
    module.walk([&](arith::DivSIOp quotient) {
      // What is known for all launches needs no assumption.
      if (!quotient.getType().isInteger() ||
          isKnownNonNegative(quotient, sources) ||
          !isNonNegativeAtLaunch(quotient, sources, condition))
        return;
      assumeNonNegative(quotient);
      ++numAssumptions;
    });
    IntegerSet legal = condition.getSet();
    // Null if nothing has to be satisfied.
    if (!legal)
      return;
    module->setAttr(TritonIntelGPUDialect::getLaunchAssumptionAttrName(),
                    IntegerSetAttr::get(legal));
    remark::passed(
        condition.getKernel().getLoc(),
        remark::RemarkOpts::name("launch-assumption").category(getArgument()))
        << remark::reason("no tile has a negative number in launches with {0}",
                          condition.describe());
  }
};

} // namespace
