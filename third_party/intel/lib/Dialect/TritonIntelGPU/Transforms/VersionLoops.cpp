//===- VersionLoops.cpp - Straight code for short loops of whole tiles ----===//
// SPDX-License-Identifier: MIT
//
// An algorithm that computes a small matrix row by row, such as forward
// substitution, inserts each row into a tensor by a comparison:
//
//   for i in range(2, min(16, length - start)):
//       part = where((rows == i)[:, None], row[None, :], part)
//
// Rows are registers of a lane, and the number of a register cannot depend on
// the iteration: each iteration compares all rows, and moves one of them. In
// straight code the rows are known. Most programs have a whole tile, so that
// the minimum is its constant. They take the straight version here, in which
// loads no longer wait for a row either; other programs take the loop.
//
// The pass comes after layouts are chosen, which takes longer with more
// operations, and leaves alone all loops that insert nothing.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-version-loops"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUVERSIONLOOPS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// A loop whose last bound is the smaller one of a constant and a number.
struct ShortLoop {
  scf::ForOp loop;
  Value number;
  int64_t begin, end, step;

  int64_t getNumIterations() const {
    return llvm::divideCeil(end - begin, step);
  }
};

std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

/// Returns the loop with its bounds, if straight code for it is short.
std::optional<ShortLoop> matchShortLoop(scf::ForOp loop) {
  const CompilerProfile &compiler = getTargetDesc(loop).getCompiler();
  auto min = loop.getUpperBound().getDefiningOp<arith::MinSIOp>();
  std::optional<int64_t> begin = getConstant(loop.getLowerBound());
  std::optional<int64_t> step = getConstant(loop.getStep());
  if (!min || !begin || !step || *step <= 0 || loop.getUnsignedCmp())
    return std::nullopt;
  for (auto [constant, number] : {std::pair(min.getLhs(), min.getRhs()),
                                  std::pair(min.getRhs(), min.getLhs())})
    if (std::optional<int64_t> end = getConstant(constant);
        end && *end > *begin) {
      ShortLoop result{loop, number, *begin, *end, *step};
      int64_t size = llvm::range_size(loop.getBody()->without_terminator());
      if (result.getNumIterations() <= compiler.straightIterations &&
          result.getNumIterations() * size <= compiler.straightOperations)
        return result;
    }
  return std::nullopt;
}

/// Returns the value that a tensor repeats, or whose elements it repeats.
Value getRepeated(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ExpandDimsOp, triton::BroadcastOp, SplatOp, ConvertLayoutOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Returns whether an iteration replaces the elements of a carried tensor whose
/// index is its counter.
bool insertsAtCounter(scf::ForOp loop) {
  auto isCounter = [&](Value value) {
    return getRepeated(value) == loop.getInductionVar();
  };
  auto isIndex = [](Value value) {
    return getRepeated(value).getDefiningOp<MakeRangeOp>() != nullptr;
  };
  auto isCarried = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == loop.getBody();
  };
  return llvm::any_of(
      loop.getBody()->getOps<arith::SelectOp>(), [&](arith::SelectOp select) {
        auto equal =
            getRepeated(select.getCondition()).getDefiningOp<arith::CmpIOp>();
        return equal && equal.getPredicate() == arith::CmpIPredicate::eq &&
               isCarried(select.getFalseValue()) &&
               ((isCounter(equal.getLhs()) && isIndex(equal.getRhs())) ||
                (isIndex(equal.getLhs()) && isCounter(equal.getRhs())));
      });
}

/// Creates versions of short loops; see the head of the file.
class VersionLoopsPass
    : public intel::impl::TritonIntelGPUVersionLoopsBase<VersionLoopsPass> {
public:
  using TritonIntelGPUVersionLoopsBase::TritonIntelGPUVersionLoopsBase;

  void runOnTTGIR() override {
    SmallVector<ShortLoop> loops;
    getOperation().walk([&](scf::ForOp loop) {
      bool isInnermost = llvm::none_of(*loop.getBody(), [](Operation &op) {
        return isa<LoopLikeOpInterface>(op);
      });
      if (!isInnermost || !insertsAtCounter(loop))
        return;
      if (std::optional<ShortLoop> found = matchShortLoop(loop))
        loops.push_back(*found);
    });
    for (const ShortLoop &loop : loops)
      if (mayRewrite(loop.loop))
        version(loop);
  }

private:
  void version(const ShortLoop &found) {
    scf::ForOp loop = found.loop;
    Location loc = loop.getLoc();
    LDBG() << found.getNumIterations() << " iterations of the loop at " << loc
           << " become straight code";
    OpBuilder builder(loop);
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(
          builder, loc,
          builder.getIntegerAttr(loop.getInductionVar().getType(), value));
    };
    Value isWhole =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                              found.number, constant(found.end));
    auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(),
                                    isWhole, /*withElseRegion=*/true);
    loop.replaceAllUsesWith(branch.getResults());

    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> carried(loop.getInitArgs());
    for (int64_t i = found.begin; i < found.end; i += found.step) {
      IRMapping mapping;
      mapping.map(loop.getInductionVar(), constant(i));
      mapping.map(loop.getRegionIterArgs(), carried);
      for (Operation &op : loop.getBody()->without_terminator())
        builder.clone(op, mapping);
      for (auto [value, yielded] :
           llvm::zip_equal(carried, loop.getYieldedValues()))
        value = mapping.lookupOrDefault(yielded);
    }
    scf::YieldOp::create(builder, loc, carried);

    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, loop.getResults());
    loop->moveBefore(branch.elseBlock()->getTerminator());
    remark::passed(
        loc,
        remark::RemarkOpts::name("straight-version").category(getArgument()))
        << remark::reason("{0} iterations of a whole tile are straight code, "
                          "in which the rows that they insert are known",
                          found.getNumIterations());
    ++numVersions;
  }
};

} // namespace
