//===- ScanToLLVM.cpp - Lower tt.scan -------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Within a warp, each bit of the position along the axis doubles the length of
// the scanned runs: an element whose bit is set receives the accumulated value
// of the last element of the other half (Sklansky's scheme, which keeps the
// order of operands). If the bit belongs to the register number, values are
// just combined; if it belongs to the lane number, they are shuffled.
//
// From the first bit on that belongs to the warp number, the totals of the runs
// below go through shared memory, and every work-item accumulates those of the
// runs before its own.
//
// A reduction of the same operands after the scan is the last value of the
// scan, as in prefix sums of long rows. It is lowered here, too, and needs no
// separate exchange.
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

/// Emits one scan. A *run* is a part of a row that lies in one warp: what the
/// positions from the lowest bit of warps on count.
class ScanLowering {
public:
  ScanLowering(ScanOp op, const CombineLayout &layout,
               const LinearLayout &linearLayout, bool needsTotals,
               ConversionPatternRewriter &rewriter)
      : op(op), loc(op.getLoc()), layout(layout), rewriter(rewriter),
        region(op.getCombineOp(), rewriter, loc), isReverse(op.getReverse()),
        needsTotals(needsTotals),
        numRegisters(linearLayout.getInDimSize(LayoutDim::Register)),
        numLaneBits(linearLayout.getInDimSizeLog2(LayoutDim::Lane)),
        numWarpBits(linearLayout.getInDimSizeLog2(LayoutDim::Warp)) {}

  /// Takes the registers of the operands; has to come first.
  void load(ArrayRef<ValueRange> operands);
  /// Scans the part of each row that lies within a warp.
  void scanWithinWarp();
  /// Adds to each run what comes before it in other warps, through the kernel's
  /// shared memory from byte `scratchOffset` on. All work-items of the program
  /// have to get here.
  void scanAcrossWarps(int64_t scratchOffset);
  /// Returns the registers of the results, copies included.
  OperandChunks getResults() const;
  /// Returns the results of a reduction that findScanWithTotal gives this scan
  /// for.
  OperandChunks getTotals(ReduceOp reduce);

private:
  uint32_t getAxisMask(LayoutDim dim, unsigned numBits) const;
  /// Returns whether a register holds what one with a lower number holds.
  bool isCopy(uint32_t reg) const {
    return reg & layout.getRoles(LayoutDim::Register).copies;
  }
  SmallVector<Element> combine(ArrayRef<Element> left, ArrayRef<Element> right,
                               Value isValid = {});
  /// Returns a flag: whether this bit of the lane's number is set.
  Value isLaneBitSet(unsigned bit);
  /// Returns the own lane's number with some bits set and others cleared.
  Value getSourceLane(int32_t toSet, int32_t toClear);
  void doubleScanned(unsigned position);

  // Across warps.

  /// Returns a function with a column per bit of the lane's and the warp's
  /// number.
  ThreadFunction makeThreadFunction(
      function_ref<int32_t(LayoutDim, unsigned)> getColumn) const;
  int32_t getRowOfRegister(uint32_t reg) const;
  int32_t getRunOfRegister(uint32_t reg) const;
  bool isLastOfRun(uint32_t reg) const;
  void storeTotals(ArrayRef<Value> bases, Value threadIndex,
                   ArrayRef<Element> totals);
  SmallVector<Element> loadTotals(ArrayRef<Value> bases, Value threadRow,
                                  int32_t row);
  void addCarries(int32_t row, ArrayRef<Element> totals, Value threadRun);

  /// The scan that is lowered.
  ScanOp op;
  /// The location of the scan, and of all operations that replace it.
  Location loc;
  /// The roles of the layout's bits: they run along the axis, across it, or
  /// hold copies.
  const CombineLayout &layout;
  /// Inserts in place of the scan.
  ConversionPatternRewriter &rewriter;
  /// Emits what the scan combines with.
  CombineRegion region;
  /// This is true for a scan from the end of the axis to its beginning.
  bool isReverse;
  /// This is true if `getTotals` will be called.
  bool needsTotals;
  /// The number of registers of a work-item, copies included.
  uint32_t numRegisters;
  /// Bits of the numbers of lanes and warps.
  unsigned numLaneBits, numWarpBits;
  /// The elements by register; those that hold copies stay empty.
  SmallVector<Element> elements;
  /// The totals by row of the work-item: what all of its elements combine to,
  /// where the axis crosses warps.
  SmallVector<Element> rowTotals;
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
  // A copy takes the register with the copied bits cleared.
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

/// Combines lists of elements, in groups that fit into a vector, for the
/// work-items where `isValid` (null for all) is true.
SmallVector<Element> ScanLowering::combine(ArrayRef<Element> left,
                                           ArrayRef<Element> right,
                                           Value isValid) {
  SmallVector<Element> results;
  while (!left.empty()) {
    // The widest vector that still fits.
    unsigned width = std::min<unsigned>(
        kChunkWidth, llvm::bit_floor(static_cast<unsigned>(left.size())));
    // Per operand, a vector of the first `width` elements.
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
    // Back to one value per operand and element.
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

/// Returns the bits of `dim` that are among the lowest `numBits` of the
/// position.
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

Value ScanLowering::getSourceLane(int32_t toSet, int32_t toClear) {
  Value lane = getLaneId(rewriter, loc);
  if (toSet)
    lane = arith::OrIOp::create(rewriter, loc, lane,
                                constantI32(rewriter, loc, toSet));
  if (toClear)
    lane = arith::AndIOp::create(rewriter, loc, lane,
                                 constantI32(rewriter, loc, ~toClear));
  return lane;
}

/// Runs of 2^position elements are scanned; joins them pairwise. In the later
/// run of a pair every element receives the last one of the earlier run.
void ScanLowering::doubleScanned(unsigned position) {
  // Bits below this one count within a run, this one distinguishes the runs of
  // a pair.
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

  // Registers of the later run, each with the one it receives from. If lanes
  // distinguish the runs, all registers are in both.
  SmallVector<uint32_t> targets, sources;
  for (uint32_t reg = 0; reg < numRegisters; ++reg) {
    bool isLater = !isRegister || bool(reg & ownRegister) != isReverse;
    if (isCopy(reg) || !isLater)
      continue;
    targets.push_back(reg);
    sources.push_back(getSource(reg, lowRegisters, ownRegister));
  }

  // Each source is shuffled once, however many registers receive from it.
  SmallVector<Element> received(numRegisters);
  for (uint32_t reg : sources)
    received[reg] = elements[reg];
  // Otherwise everything happens within the lane.
  if (uint32_t moved = lowLanes | ownLane) {
    int32_t toSet = isReverse ? ownLane : lowLanes;
    int32_t toClear = isReverse ? lowLanes : ownLane;
    Value lane;
    // Where all bits are given, it is one lane for all, which the device's
    // compiler reads in place.
    if (moved + 1 < 1u << numLaneBits)
      lane = getSourceLane(toSet, toClear);
    for (Element &element : received)
      for (Value &value : element)
        value = lane ? shuffleFromLane(rewriter, loc, value, lane)
                     : broadcastFromLane(rewriter, loc, value, toSet);
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
  // Other lanes combine too, without effect: `isLater` keeps assertions of the
  // region quiet, and the select keeps the old value.
  SmallVector<Element> combined = combine(left, right, isLater);
  for (auto [target, element] : llvm::zip_equal(targets, combined)) {
    for (auto [value, old] : llvm::zip_equal(element, elements[target]))
      if (isLater)
        value = arith::SelectOp::create(rewriter, loc, isLater, value, old);
    elements[target] = element;
  }
}

/// Scans from short runs to long ones.
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

/// Returns the number of the set bits of `mask` below `bit`.
static unsigned getRank(uint32_t mask, unsigned bit) {
  return llvm::popcount(mask & ((1u << bit) - 1));
}

/// Returns the number of the row of `reg` among the rows of a work-item.
int32_t ScanLowering::getRowOfRegister(uint32_t reg) const {
  uint32_t rows = layout.getRoles(LayoutDim::Register).rows;
  int32_t row = 0;
  // Row bits close up: their number without the bits in between.
  for (unsigned bit = 0; 1u << bit < numRegisters; ++bit)
    if ((rows & reg) >> bit & 1)
      row |= 1 << getRank(rows, bit);
  return row;
}

/// Returns the part of the run's number that the register decides.
int32_t ScanLowering::getRunOfRegister(uint32_t reg) const {
  int32_t run = 0;
  for (auto [i, bit] : llvm::enumerate(
           layout.getAxisBits().drop_front(layout.getNumBitsBelowWarps())))
    if (bit.dim == LayoutDim::Register && reg >> bit.bit & 1)
      run |= 1 << i;
  return run;
}

/// Returns whether a lane that ends a run has its last element (the first, if
/// reverse) in `reg`.
bool ScanLowering::isLastOfRun(uint32_t reg) const {
  uint32_t low =
      getAxisMask(LayoutDim::Register, layout.getNumBitsBelowWarps());
  return !isCopy(reg) && (reg & low) == (isReverse ? 0 : low);
}

/// Stores `totals`, the last element of every run (the first, if reverse).
/// Shared memory is (run, register row, lane row, warp row), lowest first.
void ScanLowering::storeTotals(ArrayRef<Value> bases, Value threadIndex,
                               ArrayRef<Element> totals) {
  // Bits of the position below warps count within a run.
  unsigned numLow = layout.getNumBitsBelowWarps();
  unsigned runBits = layout.getAxisBits().size() - numLow;
  for (uint32_t reg = 0; reg < numRegisters; ++reg) {
    if (!isLastOfRun(reg))
      continue;
    // The parts have no bits in common, so they can be joined.
    int32_t place = getRunOfRegister(reg) | getRowOfRegister(reg) << runBits;
    Value index = arith::AddIOp::create(rewriter, loc, threadIndex,
                                        constantI32(rewriter, loc, place));
    for (auto [base, value] : llvm::zip_equal(bases, totals[reg]))
      storeShared(
          rewriter, loc,
          getSharedElementPointer(rewriter, loc, base, value.getType(), index),
          value, getSharedBytes(value.getType()));
  }
}

/// Returns the totals of all runs of a row, in the order of the scan.
SmallVector<Element> ScanLowering::loadTotals(ArrayRef<Value> bases,
                                              Value threadRow, int32_t row) {
  unsigned runBits =
      layout.getAxisBits().size() - layout.getNumBitsBelowWarps();
  // All runs of a row lie side by side, which makes them one vector access.
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
  // The first run of the scan is the last one in memory.
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
  if (needsTotals)
    rowTotals.push_back(combine(carries.back(), totals.back()).front());
  // Position of a run in the order of the scan.
  int32_t lastRun = totals.size() - 1;
  auto getOrder = [&](int32_t run) { return isReverse ? lastRun - run : run; };

  // The runs are those of the register, XOR those of the thread.
  int32_t registerRuns = 0;
  for (uint32_t reg = 0; reg < numRegisters; ++reg)
    registerRuns |= getRunOfRegister(reg);
  // For every number that the thread's part may have: whether it is this one's.
  llvm::DenseMap<int32_t, Value> isThreadRun;
  for (int32_t run = 0; run <= lastRun; ++run)
    if ((run & registerRuns) == 0)
      isThreadRun[run] =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                threadRun, constantI32(rewriter, loc, run));

  // Registers of the same run share the carry.
  llvm::DenseMap<int32_t, Element> carryOf;
  for (uint32_t reg = 0; reg < numRegisters; ++reg) {
    if (isCopy(reg) || getRowOfRegister(reg) != row)
      continue;
    int32_t own = getRunOfRegister(reg);
    // The carry is selected by the thread's part of the run's number.
    Element &carry = carryOf[own];
    Value isFirst;
    for (int32_t run = 0; run <= lastRun; ++run) {
      // Only runs with the register's part.
      if ((run & registerRuns) != own)
        continue;
      Value condition = isThreadRun[run & ~registerRuns];
      const Element &candidate = carries[getOrder(run)];
      // Nothing comes before the first run.
      if (candidate.empty())
        isFirst = condition;
      else if (carry.empty())
        carry = candidate;
      else
        for (auto [value, other] : llvm::zip_equal(carry, candidate))
          value =
              arith::SelectOp::create(rewriter, loc, condition, other, value);
    }
    // Null where every thread has a carry.
    Value hasCarry;
    if (isFirst)
      hasCarry = arith::XOrIOp::create(
          rewriter, loc, isFirst,
          arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true)));
    // Combined in any case, and selected afterwards.
    Element combined = combine(carry, elements[reg], hasCarry).front();
    for (auto [value, old] : llvm::zip_equal(combined, elements[reg]))
      if (hasCarry)
        value = arith::SelectOp::create(rewriter, loc, hasCarry, value, old);
    elements[reg] = combined;
  }
}

void ScanLowering::scanAcrossWarps(int64_t scratchOffset) {
  SmallVector<Value> bases =
      getScratchPointers(rewriter, op, scratchOffset, op.getElementTypes(),
                         getScanSharedElements(layout));

  unsigned numLow = layout.getNumBitsBelowWarps();
  ArrayRef<CombineLayout::AxisBit> runBits =
      layout.getAxisBits().drop_front(numLow);
  // Places in shared memory, lowest bits first: run, register row, lane row,
  // warp row.
  const CombineLayout::Roles &lanes = layout.getRoles(LayoutDim::Lane);
  const CombineLayout::Roles &warps = layout.getRoles(LayoutDim::Warp);
  unsigned laneRowPosition =
      runBits.size() + llvm::Log2_32(layout.getNumRows(LayoutDim::Register));
  unsigned warpRowPosition =
      laneRowPosition + llvm::Log2_32(layout.getNumRows(LayoutDim::Lane));

  // The part of the run's number that lane and warp decide.
  Value threadRun = evaluateThreadFunction(
      rewriter, loc, makeThreadFunction([&](LayoutDim dim, unsigned bit) {
        for (auto [i, runBit] : llvm::enumerate(runBits))
          if (runBit.dim == dim && runBit.bit == bit)
            return 1 << i;
        return 0;
      }));
  // This evaluates the row's place.
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

  // The lanes that have the last elements of runs.
  uint32_t lowLanes = getAxisMask(LayoutDim::Lane, numLow);
  uint32_t ownLanes = lanes.axis & ~lowLanes;
  SmallVector<Element> totals = elements;
  Value isOwner;
  if (lanes.rows | ownLanes) {
    // Only one of several copies.
    Value laneBits = arith::AndIOp::create(
        rewriter, loc, getLaneId(rewriter, loc),
        constantI32(rewriter, loc, lowLanes | lanes.copies));
    isOwner = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, laneBits,
        constantI32(rewriter, loc, isReverse ? 0 : lowLanes));
  } else {
    // One lane has those of its warp: all of them store its value, which needs
    // no branch.
    for (uint32_t reg = 0; reg < numRegisters; ++reg)
      if (isLastOfRun(reg))
        for (Value &value : totals[reg])
          value =
              broadcastFromLane(rewriter, loc, value, isReverse ? 0 : lowLanes);
  }
  if (Value isFirstWarp = areThreadBitsClear(rewriter, loc, 0, warps.copies))
    isOwner = isOwner
                  ? arith::AndIOp::create(rewriter, loc, isOwner, isFirstWarp)
                        .getResult()
                  : isFirstWarp;
  if (isOwner) {
    auto branch =
        scf::IfOp::create(rewriter, loc, isOwner, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch.thenYield());
    storeTotals(bases, threadIndex, totals);
  } else {
    storeTotals(bases, threadIndex, totals);
  }
  // Totals of other sub-groups are read from here on.
  emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
  // Row by row: each has its own totals.
  for (unsigned row = 0; row < layout.getNumRows(LayoutDim::Register); ++row)
    addCarries(row, loadTotals(bases, threadRow, row), threadRun);
}

OperandChunks ScanLowering::getTotals(ReduceOp reduce) {
  const CombineLayout::Roles &roles = layout.getRoles(LayoutDim::Register);
  const CombineLayout::Roles &lanes = layout.getRoles(LayoutDim::Lane);
  SmallVector<unsigned> registers;
  SmallVector<SmallVector<Value>> totals(elements.front().size());
  Value lane;
  for (uint32_t reg = 0; reg < numRegisters; ++reg) {
    if (reg & (roles.axis | roles.copies))
      continue;
    registers.push_back(reg);
    // The last element of the row is in the last one of its registers and
    // lanes.
    Element total = layout.crossesWarps() ? rowTotals[getRowOfRegister(reg)]
                                          : elements[reg | roles.axis];
    if (!layout.crossesWarps() && lanes.axis) {
      if (lanes.rows && !lane)
        lane = getSourceLane(lanes.axis, 0);
      for (Value &value : total)
        value = lane ? shuffleFromLane(rewriter, loc, value, lane)
                     : broadcastFromLane(rewriter, loc, value, lanes.axis);
    }
    for (auto [list, value] : llvm::zip_equal(totals, total))
      list.push_back(value);
  }
  OperandChunks values;
  for (ArrayRef<Value> list : totals)
    values.push_back(packRegisters(rewriter, loc, list));
  return arrangeRows(rewriter, reduce, values, registers);
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
    SmallVector<ReduceOp> reductions;
    for (Operation *user : op.getSrcs().front().getUsers())
      if (auto reduce = dyn_cast<ReduceOp>(user);
          reduce && findScanWithTotal(reduce) == op)
        reductions.push_back(reduce);
    ScanLowering lowering(op, *layout, linearLayout,
                          /*needsTotals=*/!reductions.empty(), rewriter);
    lowering.load(adaptor.getSrcs());
    lowering.scanWithinWarp();
    if (layout->crossesWarps())
      lowering.scanAcrossWarps(*scratchOffset);
    for (ReduceOp reduce : reductions)
      rewriter.replaceOpWithMultiple(reduce, lowering.getTotals(reduce));
    rewriter.replaceOpWithMultiple(op, lowering.getResults());
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateScanToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ScanOpConversion>(converter, patterns.getContext());
}
