//===- ShuffleToLLVM.cpp - Lower ttig.sub_group_shuffle -------------------===//
// SPDX-License-Identifier: MIT
//
// Each register of a lane comes from the same register of another lane. Which
// lane that is, is computed in numbers without sign: what lies below lane 0 is
// then larger than any lane, so that one comparison finds all lanes outside.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/Registers.h"
#include "../Utility/WorkItem.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns the lane that a lane gets its value from: its own, where that is
/// outside of the sub-group.
Value getSourceLane(RewriterBase &rewriter, Location loc, ShuffleKind kind,
                    Value by, unsigned numLanes) {
  Value own = getLaneId(rewriter, loc);
  auto getSource = [&]() -> Value {
    switch (kind) {
    case ShuffleKind::LANE:
      return by;
    case ShuffleKind::XOR:
      return arith::XOrIOp::create(rewriter, loc, own, by);
    case ShuffleKind::UP:
      return arith::SubIOp::create(rewriter, loc, own, by);
    case ShuffleKind::DOWN:
      return arith::AddIOp::create(rewriter, loc, own, by);
    }
    llvm_unreachable("all kinds are handled");
  };
  Value source = getSource();
  Value isInside =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, source,
                            constantI32(rewriter, loc, numLanes));
  return arith::SelectOp::create(rewriter, loc, isInside, source, own);
}

/// Shuffles whole vectors of registers where all of them have the same lane.
struct SubGroupShuffleOpConversion : OpConversionPattern<SubGroupShuffleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SubGroupShuffleOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned numLanes = lookupThreadsPerWarp(op);
    SmallVector<Value> results;
    if (isa<RankedTensorType>(op.getBy().getType())) {
      SmallVector<Value> lanes =
          unpackRegisters(rewriter, loc, adaptor.getBy());
      for (auto [value, by] : llvm::zip_equal(
               unpackRegisters(rewriter, loc, adaptor.getValue()), lanes))
        results.push_back(shuffleFromLane(
            rewriter, loc, value,
            getSourceLane(rewriter, loc, op.getKind(), by, numLanes)));
      rewriter.replaceOpWithMultiple(op,
                                     {packRegisters(rewriter, loc, results)});
      return success();
    }
    // Devices have a separate instruction for a mask that is known.
    APInt mask;
    if (op.getKind() == ShuffleKind::XOR &&
        matchPattern(op.getBy(), m_ConstantInt(&mask)) && mask.ult(numLanes)) {
      for (Value value : adaptor.getValue())
        results.push_back(
            shuffleXor(rewriter, loc, value, mask.getZExtValue()));
    } else {
      Value source = getSourceLane(rewriter, loc, op.getKind(),
                                   adaptor.getBy().front(), numLanes);
      for (Value value : adaptor.getValue())
        results.push_back(shuffleFromLane(rewriter, loc, value, source));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateShuffleToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<SubGroupShuffleOpConversion>(converter, patterns.getContext());
}
