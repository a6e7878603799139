//===- NormalizeBlockPointers.cpp - Accesses without block pointers -------===//
// SPDX-License-Identifier: MIT
//
// Replaces block pointers by their parts, and accesses through them by those of
// a tensor in memory (BlockPointerAccesses.h). Then it looks for offsets that
// the counter of a loop gives.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-normalize-block-pointers"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Dialect/Triton/Transforms/BlockPointerAccesses.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/Triton/Transforms/BlockPointerParts.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELNORMALIZEBLOCKPOINTERS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// A value that a loop carries and adds numbers to in each iteration.
struct CarriedSum {
  /// The numbers, none of which the loop changes.
  SmallVector<Value> steps;
  /// An offset of a block is one of the values in between.
  bool isOffset = false;
};

/// Returns what `loop` adds to one of the values that it carries, if it changes
/// it in no other way from one iteration to the next.
std::optional<CarriedSum> getCarriedSum(scf::ForOp loop,
                                        BlockArgument argument) {
  CarriedSum sum;
  Value next = loop.getTiedLoopYieldedValue(argument)->get();
  for (;; next = next.getDefiningOp<arith::AddIOp>().getLhs()) {
    sum.isOffset |= llvm::any_of(next.getUsers(), [&](Operation *user) {
      auto access = dyn_cast<BlockAccessOpInterface>(user);
      return access && llvm::is_contained(access.getOffsets(), next);
    });
    if (next == argument)
      return sum;
    auto add = next.getDefiningOp<arith::AddIOp>();
    if (!add)
      return std::nullopt;
    Value step = add.getRhs();
    Operation *maker = step.getDefiningOp();
    // The wider form of a step may be in the loop.
    if (!loop.isDefinedOutsideOfLoop(step) &&
        !(isa_and_nonnull<arith::ExtSIOp>(maker) &&
          loop.isDefinedOutsideOfLoop(maker->getOperand(0))))
      return std::nullopt;
    sum.steps.push_back(step);
  }
}

/// Returns a number of any width that is known.
std::optional<int64_t> getConstant(Value value) {
  if (auto extended = value.getDefiningOp<arith::ExtSIOp>())
    value = extended.getIn();
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// Lets offsets that a loop carries, and moves by the same in each iteration,
/// be computed from the loop's own counter:
///   %offset = %initial + (%i - %lower) * (step / loop's step)
void computeFromCounter(scf::ForOp loop) {
  std::optional<int64_t> loopStep = getConstant(loop.getStep());
  if (!loopStep || *loopStep <= 0 || loop.getUnsignedCmp() ||
      loop.getInductionVar().getType().getIntOrFloatBitWidth() > 64)
    return;
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    if (!argument.getType().isInteger(64))
      continue;
    std::optional<CarriedSum> sum = getCarriedSum(loop, argument);
    if (!sum || !sum->isOffset)
      continue;
    int64_t total = 0;
    bool isKnown = llvm::all_of(sum->steps, [&](Value step) {
      std::optional<int64_t> number = getConstant(step);
      total += number.value_or(0);
      return number.has_value();
    });
    if (isKnown ? total % *loopStep != 0 : *loopStep != 1)
      continue;
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    Location loc = loop.getLoc();
    Value factor;
    if (isKnown) {
      factor = arith::ConstantOp::create(
          builder, loc, builder.getI64IntegerAttr(total / *loopStep));
    } else {
      for (Value step : sum->steps) {
        if (auto extended = step.getDefiningOp<arith::ExtSIOp>())
          step = extendToI64(builder, loc, extended.getIn());
        factor =
            factor ? arith::AddIOp::create(builder, loc, factor, step) : step;
      }
    }
    Value counter = arith::SubIOp::create(
        builder, loc, extendToI64(builder, loc, loop.getInductionVar()),
        extendToI64(builder, loc, loop.getLowerBound()));
    Value moved = arith::MulIOp::create(builder, loc, counter, factor);
    Value offset = arith::AddIOp::create(
        builder, loc, loop.getTiedLoopInit(argument)->get(), moved);
    argument.replaceAllUsesWith(offset);
    LDBG() << "the counter of the loop at " << loc << " gives the offset "
           << argument.getArgNumber();
  }
}

/// See the head of the file.
class NormalizeBlockPointersPass
    : public triton::intel::impl::TritonIntelNormalizeBlockPointersBase<
          NormalizeBlockPointersPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<bool> isAny = replaceBlockPointers(module);
    if (failed(isAny))
      return signalPassFailure();
    if (!*isAny)
      return;
    module.walk([](scf::ForOp loop) { computeFromCounter(loop); });
  }
};

} // namespace
