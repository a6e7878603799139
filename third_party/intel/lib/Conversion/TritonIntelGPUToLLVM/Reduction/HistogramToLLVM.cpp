//===- HistogramToLLVM.cpp - Lower tt.histogram ---------------------------===//
//
// The bins lie in shared memory: all work-items clear them, every element is
// counted by its owner with an atomic addition, and everybody loads the bins of
// its part of the result.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"
#include "../Utility/SharedMemory.h"
#include "../Utility/WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

class HistogramLowering {
public:
  HistogramLowering(HistogramOp op, Value memory,
                    ConversionPatternRewriter &rewriter)
      : op(op), loc(op.getLoc()), memory(memory), rewriter(rewriter),
        numBins(cast<RankedTensorType>(op.getType()).getNumElements()) {}

  void clearBins();
  void count(ArrayRef<Value> values, ArrayRef<Value> masks);
  SmallVector<Value> loadBins();

private:
  Value constantLike(Type type, int64_t value) {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getIntegerAttr(type, value));
  }
  Value getPointer(Value bin) {
    return getSharedElementPointer(rewriter, loc, memory, counter, bin);
  }
  /// Runs `emit` where `condition` holds.
  void emitIf(Value condition, function_ref<void()> emit) {
    auto branch = scf::IfOp::create(rewriter, loc, condition,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch.thenYield());
    emit();
  }

  HistogramOp op;
  Location loc;
  Value memory;
  ConversionPatternRewriter &rewriter;
  int64_t numBins;
  /// A bin in shared memory; no count is above the number of elements.
  Type counter = rewriter.getI32Type();
};

void HistogramLowering::clearBins() {
  int32_t numLanes = lookupThreadsPerWarp(op);
  int32_t numThreads = lookupNumWarps(op) * numLanes;
  Value thread = arith::AddIOp::create(
      rewriter, loc,
      arith::MulIOp::create(rewriter, loc, getWarpId(rewriter, loc),
                            constantI32(rewriter, loc, numLanes)),
      getLaneId(rewriter, loc));
  Value zero = constantI32(rewriter, loc, 0);
  if (numBins < numThreads) {
    Value isBin =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, thread,
                              constantI32(rewriter, loc, numBins));
    emitIf(isBin, [&] {
      storeShared(rewriter, loc, getPointer(thread), zero,
                  getSharedBytes(counter));
    });
    return;
  }
  for (int64_t first = 0; first < numBins; first += numThreads) {
    Value bin = arith::AddIOp::create(rewriter, loc, thread,
                                      constantI32(rewriter, loc, first));
    storeShared(rewriter, loc, getPointer(bin), zero, getSharedBytes(counter));
  }
}

void HistogramLowering::count(ArrayRef<Value> values, ArrayRef<Value> masks) {
  Replication replication =
      getReplication(rewriter, loc, op.getSrc().getType());
  Value one = constantI32(rewriter, loc, 1);
  for (auto [reg, value] : llvm::enumerate(values)) {
    if (replication.isCopy(reg))
      continue;
    // What has no bin is not counted: the next buffer must stay what it is.
    Type type = value.getType();
    unsigned bits = type.getIntOrFloatBitWidth();
    Value bin = value;
    if (bits < 32)
      bin = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), bin);
    Value condition =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, bin,
                              constantLike(bin.getType(), numBins));
    if (!masks.empty())
      condition = arith::AndIOp::create(rewriter, loc, condition, masks[reg]);
    if (replication.isOwner)
      condition =
          arith::AndIOp::create(rewriter, loc, condition, replication.isOwner);
    if (bits > 32)
      bin = arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(), bin);
    emitIf(condition, [&, bin = bin] {
      LLVM::AtomicRMWOp::create(rewriter, loc, LLVM::AtomicBinOp::add,
                                getPointer(bin), one,
                                LLVM::AtomicOrdering::monotonic, "workgroup");
    });
  }
}

SmallVector<Value> HistogramLowering::loadBins() {
  auto type = cast<RankedTensorType>(op.getType());
  SharedTensor bins(rewriter, loc, memory, counter, toLinearLayout(type));
  Type element = type.getElementType();
  SmallVector<Value> results;
  for (unsigned reg = 0, e = getTotalElemsPerThread(type); reg != e; ++reg) {
    Value result = loadShared(rewriter, loc, bins.getPointer(reg), counter, 1,
                              getSharedBytes(counter))
                       .front();
    if (element.getIntOrFloatBitWidth() > 32)
      result = arith::ExtUIOp::create(rewriter, loc, element, result);
    else if (element.getIntOrFloatBitWidth() < 32)
      result = arith::TruncIOp::create(rewriter, loc, element, result);
    results.push_back(result);
  }
  return results;
}

struct HistogramOpConversion : OpConversionPattern<HistogramOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(HistogramOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<int64_t> offset = getAllocationOffset(op);
    if (failed(offset))
      return failure();
    Value memory = getSharedMemoryPointer(rewriter, loc, op, *offset);
    HistogramLowering lowering(op, memory, rewriter);
    lowering.clearBins();
    emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
    lowering.count(unpackRegisters(rewriter, loc, adaptor.getSrc()),
                   unpackRegisters(rewriter, loc, adaptor.getMask()));
    emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
    rewriter.replaceOpWithMultiple(
        op, {packRegisters(rewriter, loc, lowering.loadBins())});
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateHistogramToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<HistogramOpConversion>(converter, patterns.getContext());
}
