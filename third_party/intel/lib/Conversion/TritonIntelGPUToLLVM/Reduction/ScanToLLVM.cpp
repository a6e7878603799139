//===- ScanToLLVM.cpp - Lower tt.scan -------------------------------------===//
//
// Within a warp the scan doubles the length of what has been scanned with every
// bit of the position along the axis: an element whose bit is set receives what
// the last element of the other half has accumulated (Sklansky's scheme, which
// keeps the order of operands). The bit may be one of the register number,
// where values are just combined, or of the lane number, where they are
// shuffled.
//
// From the first position bit on that tells warps apart, the totals of the runs
// below go through shared memory, and every work-item accumulates those of the
// runs before its own.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/Registers.h"
#include "../Utility/SharedMemory.h"
#include "../Utility/WorkItem.h"
#include "CombineRegion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/CombineLayout.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// One value per operand of the scan.
using Element = SmallVector<Value>;

class ScanLowering {
public:
  ScanLowering(ScanOp op, const CombineLayout &layout,
               const LinearLayout &linearLayout,
               ConversionPatternRewriter &rewriter)
      : op(op), loc(op.getLoc()), layout(layout), rewriter(rewriter),
        region(op.getCombineOp(), rewriter, loc), isReverse(op.getReverse()),
        numRegisters(linearLayout.getInDimSize(LayoutDim::Register)),
        numLaneBits(linearLayout.getInDimSizeLog2(LayoutDim::Lane)),
        numWarpBits(linearLayout.getInDimSizeLog2(LayoutDim::Warp)) {}

  void load(ArrayRef<ValueRange> operands);
  void scanWithinWarp();
  void scanAcrossWarps(int64_t scratchOffset);
  OperandChunks getResults() const;

private:
  uint32_t getAxisMask(LayoutDim dim, unsigned numBits) const;
  bool isCopy(uint32_t reg) const {
    return reg & layout.getRoles(LayoutDim::Register).copies;
  }
  SmallVector<Element> combine(ArrayRef<Element> left, ArrayRef<Element> right,
                               Value isValid = {});
  Value isLaneBitSet(unsigned bit);
  void doubleScanned(unsigned position);

  // Across warps.
  ThreadFunction makeThreadFunction(
      function_ref<int32_t(LayoutDim, unsigned)> getColumn) const;
  int32_t getRowOfRegister(uint32_t reg) const;
  int32_t getRunOfRegister(uint32_t reg) const;
  void storeTotals(ArrayRef<Value> bases, Value threadIndex);
  SmallVector<Element> loadTotals(ArrayRef<Value> bases, Value threadRow,
                                  int32_t row);
  void addCarries(int32_t row, ArrayRef<Element> totals, Value threadRun);

  ScanOp op;
  Location loc;
  const CombineLayout &layout;
  ConversionPatternRewriter &rewriter;
  CombineRegion region;
  bool isReverse;
  uint32_t numRegisters;
  unsigned numLaneBits, numWarpBits;
  /// By register; those that hold copies stay empty.
  SmallVector<Element> elements;
};

void ScanLowering::load(ArrayRef<ValueRange> operands) {
  elements.resize(numRegisters);
  for (ValueRange chunks : operands)
    for (auto [reg, value] :
         llvm::enumerate(unpackRegisters(rewriter, loc, chunks)))
      if (!isCopy(reg))
        elements[reg].push_back(value);
}

OperandChunks ScanLowering::getResults() const {
  uint32_t copies = layout.getRoles(LayoutDim::Register).copies;
  OperandChunks results;
  for (unsigned operand = 0; operand < elements.front().size(); ++operand) {
    SmallVector<Value> values;
    for (uint32_t reg = 0; reg < numRegisters; ++reg)
      values.push_back(elements[reg & ~copies][operand]);
    results.push_back(packRegisters(rewriter, loc, values));
  }
  return results;
}

/// Combines lists of elements, as many at a time as fit into a vector, for the
/// work-items where `isValid` (null for all) is true.
SmallVector<Element> ScanLowering::combine(ArrayRef<Element> left,
                                           ArrayRef<Element> right,
                                           Value isValid) {
  SmallVector<Element> results;
  while (!left.empty()) {
    unsigned width = std::min<unsigned>(
        kChunkWidth, llvm::bit_floor(static_cast<unsigned>(left.size())));
    auto pack = [&](ArrayRef<Element> list) {
      SmallVector<Value> vectors;
      for (unsigned operand = 0; operand < list.front().size(); ++operand) {
        SmallVector<Value> scalars;
        for (const Element &element : list.take_front(width))
          scalars.push_back(element[operand]);
        vectors.push_back(packRegisters(rewriter, loc, scalars).front());
      }
      return vectors;
    };
    SmallVector<Value> combined =
        region.combine(pack(left), pack(right), isValid);
    results.resize(results.size() + width);
    for (Value vector : combined)
      for (auto [element, value] :
           llvm::zip_equal(MutableArrayRef(results).take_back(width),
                           unpackRegisters(rewriter, loc, vector)))
        element.push_back(value);
    left = left.drop_front(width);
    right = right.drop_front(width);
  }
  return results;
}

/// The bits of `dim` that are among the lowest `numBits` of the position.
uint32_t ScanLowering::getAxisMask(LayoutDim dim, unsigned numBits) const {
  uint32_t mask = 0;
  for (const CombineLayout::AxisBit &bit :
       layout.getAxisBits().take_front(numBits))
    if (bit.dim == dim)
      mask |= 1u << bit.bit;
  return mask;
}

Value ScanLowering::isLaneBitSet(unsigned bit) {
  Value bits = arith::AndIOp::create(rewriter, loc, getLaneId(rewriter, loc),
                                     constantI32(rewriter, loc, 1 << bit));
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, bits,
                               constantI32(rewriter, loc, 0));
}

/// Runs of 2^position elements are scanned; joins them pairwise. In the later
/// run of a pair every element receives the last one of the earlier run.
void ScanLowering::doubleScanned(unsigned position) {
  CombineLayout::AxisBit bit = layout.getAxisBits()[position];
  uint32_t lowRegisters = getAxisMask(LayoutDim::Register, position);
  uint32_t lowLanes = getAxisMask(LayoutDim::Lane, position);
  bool isRegister = bit.dim == LayoutDim::Register;
  uint32_t ownRegister = isRegister ? 1u << bit.bit : 0;
  uint32_t ownLane = isRegister ? 0 : 1u << bit.bit;
  // Last of the earlier run: low bits set and own bit clear, or the contrary.
  auto getSource = [&](uint32_t number, uint32_t low, uint32_t own) {
    return isReverse ? (number & ~low) | own : (number | low) & ~own;
  };

  SmallVector<uint32_t> targets, sources;
  for (uint32_t reg = 0; reg < numRegisters; ++reg) {
    bool isLater = !isRegister || bool(reg & ownRegister) != isReverse;
    if (isCopy(reg) || !isLater)
      continue;
    targets.push_back(reg);
    sources.push_back(getSource(reg, lowRegisters, ownRegister));
  }

  SmallVector<Element> received(numRegisters);
  for (uint32_t reg : sources)
    received[reg] = elements[reg];
  if (lowLanes | ownLane) {
    // The source lane as a function of the own one.
    Value lane = getLaneId(rewriter, loc);
    int32_t toSet = isReverse ? ownLane : lowLanes;
    int32_t toClear = isReverse ? lowLanes : ownLane;
    if (toSet)
      lane = arith::OrIOp::create(rewriter, loc, lane,
                                  constantI32(rewriter, loc, toSet));
    if (toClear)
      lane = arith::AndIOp::create(rewriter, loc, lane,
                                   constantI32(rewriter, loc, ~toClear));
    for (Element &element : received)
      for (Value &value : element)
        value = shuffleFromLane(rewriter, loc, value, lane);
  }

  SmallVector<Element> left, right;
  for (auto [target, source] : llvm::zip_equal(targets, sources)) {
    left.push_back(received[source]);
    right.push_back(elements[target]);
  }
  // The lanes of the later run have a partner.
  Value isLater;
  if (!isRegister) {
    isLater = isLaneBitSet(bit.bit);
    if (isReverse)
      isLater = arith::XOrIOp::create(
          rewriter, loc, isLater,
          arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true)));
  }
  SmallVector<Element> combined = combine(left, right, isLater);
  for (auto [target, element] : llvm::zip_equal(targets, combined)) {
    for (auto [value, old] : llvm::zip_equal(element, elements[target]))
      if (isLater)
        value = arith::SelectOp::create(rewriter, loc, isLater, value, old);
    elements[target] = element;
  }
}

void ScanLowering::scanWithinWarp() {
  for (unsigned position = 0; position < layout.getNumBitsBelowWarps();
       ++position)
    doubleScanned(position);
}

//===----------------------------------------------------------------------===//
// Across warps
//===----------------------------------------------------------------------===//

ThreadFunction ScanLowering::makeThreadFunction(
    function_ref<int32_t(LayoutDim, unsigned)> getColumn) const {
  ThreadFunction function;
  for (unsigned bit = 0; bit < numLaneBits; ++bit)
    function.lane.push_back(getColumn(LayoutDim::Lane, bit));
  for (unsigned bit = 0; bit < numWarpBits; ++bit)
    function.warp.push_back(getColumn(LayoutDim::Warp, bit));
  return function;
}

/// Number of the set bits of `mask` below `bit`.
static unsigned getRank(uint32_t mask, unsigned bit) {
  return llvm::popcount(mask & ((1u << bit) - 1));
}

/// Number of the row of `reg` among the rows of a work-item.
int32_t ScanLowering::getRowOfRegister(uint32_t reg) const {
  uint32_t rows = layout.getRoles(LayoutDim::Register).rows;
  int32_t row = 0;
  for (unsigned bit = 0; 1u << bit < numRegisters; ++bit)
    if ((rows & reg) >> bit & 1)
      row |= 1 << getRank(rows, bit);
  return row;
}

/// The part of the run's number that the register decides.
int32_t ScanLowering::getRunOfRegister(uint32_t reg) const {
  int32_t run = 0;
  for (auto [i, bit] : llvm::enumerate(
           layout.getAxisBits().drop_front(layout.getNumBitsBelowWarps())))
    if (bit.dim == LayoutDim::Register && reg >> bit.bit & 1)
      run |= 1 << i;
  return run;
}

/// Stores the last element of every run (the first, if reverse). Shared memory
/// is (run, register row, lane row, warp row), lowest first.
void ScanLowering::storeTotals(ArrayRef<Value> bases, Value threadIndex) {
  unsigned numLow = layout.getNumBitsBelowWarps();
  unsigned runBits = layout.getAxisBits().size() - numLow;
  uint32_t low = getAxisMask(LayoutDim::Register, numLow);
  for (uint32_t reg = 0; reg < numRegisters; ++reg) {
    if (isCopy(reg) || (reg & low) != (isReverse ? 0 : low))
      continue;
    int32_t place = getRunOfRegister(reg) | getRowOfRegister(reg) << runBits;
    Value index = arith::AddIOp::create(rewriter, loc, threadIndex,
                                        constantI32(rewriter, loc, place));
    for (auto [base, value] : llvm::zip_equal(bases, elements[reg]))
      storeShared(
          rewriter, loc,
          getSharedElementPointer(rewriter, loc, base, value.getType(), index),
          value, getSharedBytes(value.getType()));
  }
}

/// The totals of all runs of a row, in the order of the scan.
SmallVector<Element> ScanLowering::loadTotals(ArrayRef<Value> bases,
                                              Value threadRow, int32_t row) {
  unsigned runBits =
      layout.getAxisBits().size() - layout.getNumBitsBelowWarps();
  Value index = arith::AddIOp::create(
      rewriter, loc, threadRow, constantI32(rewriter, loc, row << runBits));
  SmallVector<Element> totals(1u << runBits);
  for (auto [base, value] : llvm::zip_equal(bases, elements.front())) {
    Type type = value.getType();
    SmallVector<Value> values =
        loadShared(rewriter, loc,
                   getSharedElementPointer(rewriter, loc, base, type, index),
                   type, totals.size(), getSharedBytes(type) << runBits);
    for (auto [total, loaded] : llvm::zip_equal(totals, values))
      total.push_back(loaded);
  }
  if (isReverse)
    std::reverse(totals.begin(), totals.end());
  return totals;
}

/// Combines what comes before the runs of this work-item in `row` with their
/// elements.
void ScanLowering::addCarries(int32_t row, ArrayRef<Element> totals,
                              Value threadRun) {
  // carries[k]: the runs before run k, in the order of the scan; nothing comes
  // before run 0.
  SmallVector<Element> carries(1);
  carries.push_back(totals.front());
  for (const Element &total : totals.drop_front().drop_back())
    carries.push_back(combine(carries.back(), total).front());
  int32_t lastRun = totals.size() - 1;
  auto getOrder = [&](int32_t run) { return isReverse ? lastRun - run : run; };

  // The runs are those of the register, XOR those of the thread.
  int32_t registerRuns = 0;
  for (uint32_t reg = 0; reg < numRegisters; ++reg)
    registerRuns |= getRunOfRegister(reg);
  llvm::DenseMap<int32_t, Value> isThreadRun;
  for (int32_t run = 0; run <= lastRun; ++run)
    if ((run & registerRuns) == 0)
      isThreadRun[run] =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                threadRun, constantI32(rewriter, loc, run));

  llvm::DenseMap<int32_t, Element> carryOf;
  for (uint32_t reg = 0; reg < numRegisters; ++reg) {
    if (isCopy(reg) || getRowOfRegister(reg) != row)
      continue;
    int32_t own = getRunOfRegister(reg);
    Element &carry = carryOf[own];
    Value isFirst;
    for (int32_t run = 0; run <= lastRun; ++run) {
      if ((run & registerRuns) != own)
        continue;
      Value condition = isThreadRun[run & ~registerRuns];
      const Element &candidate = carries[getOrder(run)];
      if (candidate.empty())
        isFirst = condition;
      else if (carry.empty())
        carry = candidate;
      else
        for (auto [value, other] : llvm::zip_equal(carry, candidate))
          value =
              arith::SelectOp::create(rewriter, loc, condition, other, value);
    }
    Value hasCarry;
    if (isFirst)
      hasCarry = arith::XOrIOp::create(
          rewriter, loc, isFirst,
          arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true)));
    Element combined = combine(carry, elements[reg], hasCarry).front();
    for (auto [value, old] : llvm::zip_equal(combined, elements[reg]))
      if (hasCarry)
        value = arith::SelectOp::create(rewriter, loc, hasCarry, value, old);
    elements[reg] = combined;
  }
}

void ScanLowering::scanAcrossWarps(int64_t scratchOffset) {
  int64_t numElements = getScanSharedElements(layout);
  SmallVector<int64_t> offsets =
      getOperandScratchOffsets(op.getElementTypes(), numElements);
  SmallVector<Value> bases;
  for (int64_t offset : ArrayRef(offsets).drop_back())
    bases.push_back(
        getSharedMemoryPointer(rewriter, loc, op, scratchOffset + offset));

  unsigned numLow = layout.getNumBitsBelowWarps();
  ArrayRef<CombineLayout::AxisBit> runBits =
      layout.getAxisBits().drop_front(numLow);
  const CombineLayout::Roles &lanes = layout.getRoles(LayoutDim::Lane);
  const CombineLayout::Roles &warps = layout.getRoles(LayoutDim::Warp);
  unsigned laneRowPosition =
      runBits.size() + llvm::Log2_32(layout.getNumRows(LayoutDim::Register));
  unsigned warpRowPosition =
      laneRowPosition + llvm::Log2_32(layout.getNumRows(LayoutDim::Lane));

  Value threadRun = evaluateThreadFunction(
      rewriter, loc, makeThreadFunction([&](LayoutDim dim, unsigned bit) {
        for (auto [i, runBit] : llvm::enumerate(runBits))
          if (runBit.dim == dim && runBit.bit == bit)
            return 1 << i;
        return 0;
      }));
  Value threadRow = evaluateThreadFunction(
      rewriter, loc, makeThreadFunction([&](LayoutDim dim, unsigned bit) {
        uint32_t rows = layout.getRoles(dim).rows;
        if ((rows >> bit & 1) == 0)
          return 0;
        return 1 << (getRank(rows, bit) + (dim == LayoutDim::Lane
                                               ? laneRowPosition
                                               : warpRowPosition));
      }));
  Value threadIndex =
      arith::AddIOp::create(rewriter, loc, threadRun, threadRow);

  // The lanes that have the last elements of runs, and only one of several
  // copies.
  int32_t lowLanes = getAxisMask(LayoutDim::Lane, numLow);
  Value lane = getLaneId(rewriter, loc);
  Value laneBits = arith::AndIOp::create(
      rewriter, loc, lane, constantI32(rewriter, loc, lowLanes | lanes.copies));
  Value isOwner = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::eq, laneBits,
      constantI32(rewriter, loc, isReverse ? 0 : lowLanes));
  if (Value isFirstWarp = areThreadBitsClear(rewriter, loc, 0, warps.copies))
    isOwner = arith::AndIOp::create(rewriter, loc, isOwner, isFirstWarp);
  auto branch =
      scf::IfOp::create(rewriter, loc, isOwner, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch.thenYield());
    storeTotals(bases, threadIndex);
  }
  emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
  for (unsigned row = 0; row < layout.getNumRows(LayoutDim::Register); ++row)
    addCarries(row, loadTotals(bases, threadRow, row), threadRun);
}

struct ScanOpConversion : OpConversionPattern<ScanOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScanOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LinearLayout linearLayout = toLinearLayout(op.getInputTypes().front());
    FailureOr<CombineLayout> layout =
        getCombineLayout(op, linearLayout, op.getAxis());
    if (failed(layout))
      return failure();
    FailureOr<int64_t> scratchOffset = getCombineScratchOffset(op, *layout);
    if (failed(scratchOffset))
      return failure();
    ScanLowering lowering(op, *layout, linearLayout, rewriter);
    lowering.load(adaptor.getSrcs());
    lowering.scanWithinWarp();
    if (layout->crossesWarps())
      lowering.scanAcrossWarps(*scratchOffset);
    rewriter.replaceOpWithMultiple(op, lowering.getResults());
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateScanToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ScanOpConversion>(converter, patterns.getContext());
}
