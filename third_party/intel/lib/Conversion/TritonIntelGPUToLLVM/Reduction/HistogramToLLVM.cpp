//===- HistogramToLLVM.cpp - Lower tt.histogram ---------------------------===//
// SPDX-License-Identifier: MIT
//
// The bins are in shared memory. All work-items clear them, the owner of each
// element counts it with an atomic addition, and every work-item loads the bins
// of its part of the result.
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

/// Emits the three phases of a histogram; barriers between them are up to the
/// caller.
class HistogramLowering {
public:
  /// `memory` points to the bins, 4 bytes each.
  HistogramLowering(HistogramOp op, Value memory,
                    ConversionPatternRewriter &rewriter)
      : op(op), loc(op.getLoc()), memory(memory), rewriter(rewriter),
        numBins(cast<RankedTensorType>(op.getType()).getNumElements()) {}

  /// Sets all bins to zero, shared out among the work-items of the program.
  void clearBins();
  /// Adds 1 to the bin of each element. `masks` has a flag per element, or
  /// nothing if all count.
  void count(ArrayRef<Value> values, ArrayRef<Value> masks);
  /// Returns the bins of each register of the result, extended or cut to its
  /// type.
  SmallVector<Value> loadBins();

private:
  /// Returns a constant of a scalar integer type.
  Value constantLike(Type type, int64_t value) {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getIntegerAttr(type, value));
  }
  /// Returns where a bin lies in shared memory.
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

  /// The histogram that is lowered.
  HistogramOp op;
  /// The location of the histogram, and of all operations that replace it.
  Location loc;
  /// The address of bin 0, in shared memory.
  Value memory;
  /// Inserts in place of the histogram.
  ConversionPatternRewriter &rewriter;
  /// Elements of the result.
  int64_t numBins;
  /// A bin in shared memory; no count is above the number of elements.
  Type counter = rewriter.getI32Type();
};

void HistogramLowering::clearBins() {
  int32_t numLanes = lookupThreadsPerWarp(op);
  int32_t numThreads = lookupNumWarps(op) * numLanes;
  // The number of the work-item within the program.
  Value thread = arith::AddIOp::create(
      rewriter, loc,
      arith::MulIOp::create(rewriter, loc, getWarpId(rewriter, loc),
                            constantI32(rewriter, loc, numLanes)),
      getLaneId(rewriter, loc));
  Value zero = constantI32(rewriter, loc, 0);
  // With fewer bins than work-items, some have nothing to clear.
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
  // Both numbers are powers of two, so that every round is full.
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
    // Each element is counted once, however many registers and work-items hold
    // it.
    if (replication.isCopy(reg))
      continue;
    // An element without a bin is not counted: the next buffer must not change.
    Type type = value.getType();
    unsigned bits = type.getIntOrFloatBitWidth();
    Value bin = value;
    if (bits < 32)
      bin = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), bin);
    // Compared in the type of the value, before a wide one is cut. Unsigned, so
    // that negative numbers are large ones and have no bin.
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
      // No order among additions is needed: the barrier after them makes all
      // of them visible to the program.
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
    // Counts are not negative, so that zero extension keeps them.
    if (element.getIntOrFloatBitWidth() > 32)
      result = arith::ExtUIOp::create(rewriter, loc, element, result);
    else if (element.getIntOrFloatBitWidth() < 32)
      result = arith::TruncIOp::create(rewriter, loc, element, result);
    results.push_back(result);
  }
  return results;
}

/// `tt.histogram`, in the shared memory that the allocation pass has given to
/// it.
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
    // All bins are zero before the first one is counted up, ...
    emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
    lowering.count(unpackRegisters(rewriter, loc, adaptor.getSrc()),
                   unpackRegisters(rewriter, loc, adaptor.getMask()));
    // ... and all elements are counted before any bin is read.
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
