//===- ReduceToLLVM.cpp - Lower tt.reduce ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// Combines in three steps: the registers of a work-item, a vector at a time;
// the lanes of a sub-group; and, only if the layout distributes the axis over
// warps, the partial results of warps, through shared memory. Bits of the
// layout that hold copies are skipped, so that no element is counted twice.
//
// The registers of a work-item are halved repeatedly, which leaves the most
// sums that do not wait for each other. A sum of products is computed by
// multiply-adds instead, one after the other, in enough sums to hide their
// latency: halves are additions, of which only the first ones multiply, too.
//
// Lanes are combined by the operations of the region, in the same order on
// every device. OpenCL has functions that reduce a whole sub-group, but they
// leave the order of a sum, and NaN in a maximum, to the device compiler, and
// compilers do differ: for the same function, code for AVX2 returns -inf if all
// elements are NaN, and code for AVX-512 returns NaN. These functions are used
// for integers only, whose results are fully defined.
//
// If all lanes need the same result, butterflies reduce the problem to a few
// lanes, and every lane combines the broadcasts of these. The device compiler
// reads a constant lane in place, knows that the result is uniform, and keeps
// one copy of it. The best number of broadcast lanes is a property of that
// compiler: see CompilerProfile.cpp.
//
// A work-item that has several rows halves them together with the lanes: of two
// rows, each half of the lanes keeps one, passes the other to its partner, and
// combines what it receives. In the end each lane has one row. 16 lanes of 8
// rows took 8 exchanges instead of 8 reductions (44 native instructions instead
// of 65 with functions and 73 with broadcasts). If there are more rows than
// lanes, they are reduced in groups of the number of lanes, so that the other
// groups need not be live. If the axis crosses warps, they exchange rows in
// this form, before all lanes get all rows back.
//
// If the values of all lanes fill a register, a region of two registers has the
// halves of two rows (ReadRegions.cpp). Two moves replace two selections and an
// exchange of two to four instructions, and lanes have rows in order. A kernel
// that loads 16 rows of 64 elements and stores their maxima has 175 native
// instructions instead of 212, one with 4 rows 71 instead of 77, and one with 2
// rows 54 instead of 48, so that two rows are exchanged (pvc, ocloc 26.27).
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/Registers.h"
#include "../Utility/SharedMemory.h"
#include "../Utility/WorkItem.h"
#include "CombineRegion.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/CombineLayout.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

#include <map>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Up to this number of warps along the axis, every work-item reads all partial
/// results; above, lanes that would read the same share the work.
constexpr unsigned kMaxDirectLoads = 4;

/// Returns the numbers of the bits that are set in `mask`.
SmallVector<unsigned> getBits(uint32_t mask) {
  SmallVector<unsigned> bits;
  for (; mask; mask &= mask - 1)
    bits.push_back(llvm::countr_zero(mask));
  return bits;
}

/// Returns, by operand, how the integers of all lanes are combined as in the
/// region of `op`; empty if there is no such operation for one of them.
SmallVector<LaneCombiner> getLaneCombiners(ReduceOp op) {
  SmallVector<LaneCombiner> kinds;
  for (Operation *combiner : getOperandCombiners(op)) {
    // Narrower integers have no such function in OpenCL.
    if (!combiner->getResult(0).getType().isInteger(32))
      return {};
    using Kind = std::optional<LaneCombiner>;
    Kind kind =
        llvm::TypeSwitch<Operation *, Kind>(combiner)
            .Case<arith::AddIOp>([](auto) { return LaneCombiner::ADD; })
            .Case<arith::MaxSIOp>([](auto) { return LaneCombiner::MAXS; })
            .Case<arith::MinSIOp>([](auto) { return LaneCombiner::MINS; })
            .Case<arith::MaxUIOp>([](auto) { return LaneCombiner::MAXU; })
            .Case<arith::MinUIOp>([](auto) { return LaneCombiner::MINU; })
            .Default(Kind());
    if (!kind)
      return {};
    kinds.push_back(*kind);
  }
  return kinds;
}

/// Returns whether a butterfly leaves the same in both of its lanes, which see
/// the two values in different order. (Maxima may differ in the sign of a
/// zero.)
bool isCommutative(ReduceOp op) {
  SmallVector<Operation *> combiners = getOperandCombiners(op);
  return !combiners.empty() && llvm::all_of(combiners, [](Operation *combiner) {
    return combiner->hasTrait<mlir::OpTrait::IsCommutative>();
  });
}

/// Returns whether `op` adds products of floats that have no other use. All of
/// them but the first of a sum are multiply-adds, if fusion is allowed.
bool addsProducts(ReduceOp op) {
  SmallVector<Operation *> combiners = getOperandCombiners(op);
  return combiners.size() == 1 && isa<arith::AddFOp>(combiners.front()) &&
         op.getOperand(0).hasOneUse() &&
         op.getOperand(0).getDefiningOp<arith::MulFOp>();
}

/// Returns whether the block of a sum of products has another one. The
/// conversion removes operations from their blocks in the end.
bool hasNeighbor(ReduceOp op) {
  return llvm::any_of(op->getBlock()->getOps<ReduceOp>(), [&](ReduceOp other) {
    return other != op && addsProducts(other);
  });
}

/// Emits the phases of one reduction; the caller states which of them are
/// needed. The values shrink from phase to phase.
class ReduceLowering {
public:
  /// `operands` are the chunks of all operands, which reduce together.
  ReduceLowering(ReduceOp op, const CombineLayout &layout,
                 OperandChunks operands, ConversionPatternRewriter &rewriter)
      : op(op), loc(op.getLoc()), layout(layout),
        lanes(layout.getRoles(LayoutDim::Lane)), rewriter(rewriter),
        region(op.getCombineOp(), rewriter, loc), values(std::move(operands)) {
    // In the beginning, each register is the one of the operand's layout.
    unsigned count = getNumRegisters(values.front());
    registers.assign(llvm::seq(0u, count).begin(), llvm::seq(0u, count).end());
  }

  /// Combines within each work-item.
  void reduceRegisters();
  /// Combines within each sub-group, across lanes; every lane has the result,
  /// or that of the rows that `distributeRows` has left it.
  void reduceLanes();
  /// Combines across sub-groups, through the kernel's shared memory from byte
  /// `scratchOffset` on. All work-items of the program have to get here.
  void reduceWarps(int64_t scratchOffset);
  /// Gives every lane all rows of the work-item again.
  void collectRows();
  /// Does both, for groups of the rows that lanes distribute among them.
  void reduceRowsOfLanes();
  /// Returns the registers of every result.
  OperandChunks getResults() const {
    return arrangeRows(rewriter, op, values, registers);
  }

private:
  /// Adds runs of registers along the axis one after the other, which leaves
  /// the number of sums that multiply-adds have to take in turn. Does nothing
  /// unless the values are products.
  void accumulateProducts();
  /// Returns the values' registers at the given positions.
  OperandChunks select(ArrayRef<unsigned> positions) const;
  OperandChunks transform(function_ref<Value(Value)> move) const;
  void distributeRows(ArrayRef<unsigned> laneBits);
  bool fillsRegisters() const;
  void joinRows();
  void combineByButterflies(ArrayRef<unsigned> laneBits);
  void combineByBroadcasts(ArrayRef<unsigned> laneBits);
  void combineLanes(ArrayRef<unsigned> laneBits);
  void combineList(SmallVector<OperandChunks> list);
  void agree(uint32_t laneMask);
  /// Writes the values to shared memory, from element `index` of each operand
  /// on.
  void storePartials(ArrayRef<Value> bases, Value index);
  /// Loads what warps have written to slots from element `index` of each
  /// operand on.
  SmallVector<OperandChunks> loadPartials(ArrayRef<Value> bases, Value index,
                                          unsigned numSlots);

  /// The reduction that is lowered.
  ReduceOp op;
  /// The location of the reduction, and of all operations that replace it.
  Location loc;
  /// The roles of the layout's bits: they run along the axis, across it, or
  /// hold copies.
  const CombineLayout &layout;
  /// The roles of the bits of lanes, where bits of the axis count rows once
  /// these are distributed.
  CombineLayout::Roles lanes;
  /// The places of rows that are distributed, by the position in `registers`:
  /// each is a lane, and a register of `values`.
  SmallVector<std::pair<unsigned, unsigned>> places;
  /// Inserts in place of the reduction.
  ConversionPatternRewriter &rewriter;
  /// Emits what the reduction combines with.
  CombineRegion region;
  /// Per operand, what remains to be combined.
  OperandChunks values;
  /// Register of the operand's layout for each register of `values` or, with
  /// distributed rows, for each register in which lanes have all rows among
  /// them.
  SmallVector<unsigned> registers;
};

OperandChunks ReduceLowering::select(ArrayRef<unsigned> positions) const {
  OperandChunks result;
  for (const SmallVector<Value> &chunks : values)
    result.push_back(permuteRegisters(rewriter, loc, chunks, positions));
  return result;
}

void ReduceLowering::accumulateProducts() {
  const CombineLayout::Roles &roles = layout.getRoles(LayoutDim::Register);
  if (roles.copies || !addsProducts(op))
    return;
  // The highest bits of the axis count the runs.
  unsigned sums = registers.size(),
           fewest = getTargetDesc(op).getCompiler().sumsInFlight;
  // Another sum of products in the block takes turns with this one.
  if (hasNeighbor(op))
    fewest = std::max(1u, fewest / 2);
  uint32_t runs = 0;
  for (unsigned bit : llvm::reverse(getBits(roles.axis))) {
    if (sums / 2 < fewest)
      break;
    sums /= 2;
    runs |= 1u << bit;
  }
  // The registers of each run, in the same order.
  std::map<uint32_t, SmallVector<unsigned>> positions;
  for (auto [position, reg] : llvm::enumerate(registers))
    positions[reg & runs].push_back(position);
  OperandChunks total;
  for (const auto &[run, members] : positions)
    total = run == 0 ? select(members) : region.combine(total, select(members));
  values = std::move(total);
  llvm::erase_if(registers, [&](unsigned reg) { return reg & runs; });
}

/// Halves the registers once per bit that is not a row. High bits first: they
/// separate whole vectors.
void ReduceLowering::reduceRegisters() {
  accumulateProducts();
  // Copies are dropped, elements along the axis combined.
  const CombineLayout::Roles &roles = layout.getRoles(LayoutDim::Register);
  uint32_t left = 0;
  for (unsigned reg : registers)
    left |= reg;
  SmallVector<unsigned> bits = getBits((roles.axis | roles.copies) & left);
  for (unsigned bit : llvm::reverse(bits)) {
    // The registers in pairs that differ in this bit, in the same order.
    SmallVector<unsigned> low, high, kept;
    for (auto [position, reg] : llvm::enumerate(registers)) {
      (reg >> bit & 1 ? high : low).push_back(position);
      if (!(reg >> bit & 1))
        kept.push_back(reg);
    }
    OperandChunks lowValues = select(low);
    // The lower half comes first in the region, as its elements do.
    values = roles.axis >> bit & 1 ? region.combine(lowValues, select(high))
                                   : std::move(lowValues);
    registers = std::move(kept);
  }
}

/// Returns the values, each vector moved between lanes.
OperandChunks ReduceLowering::transform(function_ref<Value(Value)> move) const {
  OperandChunks result;
  for (const SmallVector<Value> &chunks : values)
    result.push_back(llvm::map_to_vector(chunks, move));
  return result;
}

/// Combines lanes that differ in the given bits, which have one result
/// afterwards.
void ReduceLowering::combineByButterflies(ArrayRef<unsigned> laneBits) {
  // After each step, pairs of lanes have the same.
  for (unsigned bit : laneBits)
    values =
        region.combine(values, transform([&](Value chunk) {
                         return shuffleXor(rewriter, loc, chunk, 1u << bit);
                       }));
}

/// Does what combineByButterflies does, if no other bits distinguish lanes.
void ReduceLowering::combineByBroadcasts(ArrayRef<unsigned> laneBits) {
  // The values of all lanes that these bits count.
  SmallVector<OperandChunks> list;
  for (unsigned i = 0; i < 1u << laneBits.size(); ++i) {
    unsigned lane = 0;
    for (auto [position, bit] : llvm::enumerate(laneBits))
      // The bits need not be neighbours.
      lane |= (i >> position & 1) << bit;
    list.push_back(transform([&](Value chunk) {
      return broadcastFromLane(rewriter, loc, chunk, lane);
    }));
  }
  combineList(std::move(list));
}

/// Neighbours first; the number of values is a power of two.
void ReduceLowering::combineList(SmallVector<OperandChunks> list) {
  // Halves the list in place.
  for (; list.size() > 1; list.resize(list.size() / 2))
    for (size_t i = 0; i < list.size() / 2; ++i)
      list[i] = region.combine(list[2 * i], list[2 * i + 1]);
  values = std::move(list.front());
}

/// Returns `onTrue` where `condition` holds, chunk by chunk.
static OperandChunks selectChunks(RewriterBase &rewriter, Location loc,
                                  Value condition, const OperandChunks &onTrue,
                                  const OperandChunks &onFalse) {
  OperandChunks result(onTrue.size());
  for (auto [list, trueList, falseList] :
       llvm::zip_equal(result, onTrue, onFalse))
    for (auto [trueChunk, falseChunk] : llvm::zip_equal(trueList, falseList)) {
      SmallVector<Value> scalars = unpackRegisters(rewriter, loc, trueChunk);
      for (auto [scalar, other] :
           llvm::zip_equal(scalars, unpackRegisters(rewriter, loc, falseChunk)))
        scalar =
            arith::SelectOp::create(rewriter, loc, condition, scalar, other);
      list.push_back(packRegisters(rewriter, loc, scalars).front());
    }
  return result;
}

/// Halves rows and lanes at once, as long as there are rows and bits of lanes.
void ReduceLowering::distributeRows(ArrayRef<unsigned> laneBits) {
  unsigned count = registers.size();
  // The first bit separates the lower half of `registers` from the upper one,
  // the next one the halves of these, and so on.
  SmallVector<unsigned> rowBits;
  for (unsigned bit : laneBits) {
    if (count == 1)
      break;
    count /= 2;
    auto low = llvm::to_vector(llvm::seq(0u, count));
    auto high = llvm::to_vector(llvm::seq(count, 2 * count));
    OperandChunks lowRows = select(low), highRows = select(high);
    // Lanes whose bit is clear keep the lower half.
    Value isLow = areThreadBitsClear(rewriter, loc, 1 << bit, /*warpMask=*/0);
    OperandChunks kept = selectChunks(rewriter, loc, isLow, lowRows, highRows);
    values = selectChunks(rewriter, loc, isLow, highRows, lowRows);
    OperandChunks received = transform([&](Value chunk) {
      return shuffleXor(rewriter, loc, chunk, 1u << bit);
    });
    // The value that a lane of the upper half gets comes before its current
    // one.
    values = isCommutative(op)
                 ? region.combine(kept, received)
                 : region.combine(
                       selectChunks(rewriter, loc, isLow, kept, received),
                       selectChunks(rewriter, loc, isLow, received, kept));
    lanes.axis &= ~(1u << bit);
    lanes.rows |= 1u << bit;
    rowBits.push_back(bit);
  }
  for (unsigned row : llvm::seq<unsigned>(0, registers.size())) {
    unsigned lane = 0, half = registers.size();
    for (unsigned bit : rowBits)
      if (row & (half /= 2))
        lane |= 1u << bit;
    places.emplace_back(lane, row % count);
  }
}

/// Returns whether the lanes of a sub-group are those of the axis, and their
/// values fill registers.
bool ReduceLowering::fillsRegisters() const {
  unsigned numLanes = layout.getRoles(LayoutDim::Lane).axis + 1;
  unsigned registerBits =
      8 * getTargetDesc(op).getBlockIOLimits().registerBytes;
  return numLanes == static_cast<unsigned>(lookupThreadsPerWarp(op)) &&
         llvm::all_of(values, [&](const SmallVector<Value> &chunks) {
           Type element = getElementTypeOrSelf(chunks.front().getType());
           return element.isIntOrFloat() &&
                  element.getIntOrFloatBitWidth() * numLanes == registerBits;
         });
}

/// Does what distributeRows does, for values that fill registers and lanes that
/// are those of the axis. If rows have n lanes each, of two registers one after
/// the other, lane i combines the elements
///
///   2n * (i / n) + i % n   and   n after it
///
/// which are the two halves of a row. So the rows of the second register come
/// after those of the first one in the lanes, and a row has half of the lanes.
void ReduceLowering::joinRows() {
  unsigned count = registers.size(), numBits = llvm::Log2_32(lanes.axis + 1);
  unsigned numSteps = std::min(llvm::Log2_32(count), numBits);
  for (unsigned step : llvm::seq(0u, numSteps)) {
    count /= 2;
    // Neighbours are joined, as they often lie in registers next to each other.
    SmallVector<unsigned> low, high;
    for (unsigned i : llvm::seq(0u, count)) {
      low.push_back(2 * i);
      high.push_back(2 * i + 1);
    }
    OperandChunks lowRows = select(low), highRows = select(high);
    // The bit that separates the two halves of a row.
    unsigned half = numBits - 1 - step;
    ThreadFunction source;
    for (unsigned bit : llvm::seq(0u, numBits))
      // The highest bit of an element separates the registers.
      source.lane.push_back(bit < half          ? 1 << bit
                            : bit + 1 < numBits ? 2 << bit
                                                : 0);
    Value isLow =
        areThreadBitsClear(rewriter, loc, 1 << (numBits - 1), /*warpMask=*/0);
    auto getHalves = [&](unsigned offset) {
      source.constant = offset;
      Value lane = evaluateThreadFunction(rewriter, loc, source);
      auto move = [&](Value chunk) {
        return shuffleFromLane(rewriter, loc, chunk, lane);
      };
      values = lowRows;
      OperandChunks fromLow = transform(move);
      values = highRows;
      return selectChunks(rewriter, loc, isLow, fromLow, transform(move));
    };
    OperandChunks first = getHalves(0), second = getHalves(1 << half);
    values = region.combine(first, second);
  }
  // Each step has moved the bits of the earlier ones down.
  unsigned lowest = numBits - numSteps;
  for (unsigned row : llvm::seq<unsigned>(0, registers.size()))
    places.emplace_back((row % (1u << numSteps)) << lowest, row >> numSteps);
  lanes.axis >>= numSteps;
  lanes.rows |= (1u << numBits) - 1 - lanes.axis;
}

void ReduceLowering::collectRows() {
  if (places.empty())
    return;
  // By lane; bits that count no rows are 0.
  std::map<unsigned, SmallVector<SmallVector<Value>>> ofLane;
  SmallVector<SmallVector<Value>> collected(values.size());
  for (auto [lane, index] : places) {
    auto [entry, isNew] = ofLane.try_emplace(lane);
    // All values of the lane, at once: narrow elements travel together.
    if (isNew)
      for (const SmallVector<Value> &chunks : values)
        entry->second.push_back(unpackRegisters(
            rewriter, loc, llvm::map_to_vector(chunks, [&](Value chunk) {
              return broadcastFromLane(rewriter, loc, chunk, lane);
            })));
    for (auto [list, registersOfLane] :
         llvm::zip_equal(collected, entry->second))
      list.push_back(registersOfLane[index]);
  }
  for (auto [chunks, list] : llvm::zip_equal(values, collected))
    chunks = packRegisters(rewriter, loc, list);
}

void ReduceLowering::reduceLanes() {
  SmallVector<unsigned> bits = getBits(lanes.axis);
  // The axis does not cross lanes.
  if (bits.empty())
    return;
  // Several rows in registers, none in lanes.
  if (!lanes.rows && registers.size() > 1) {
    if (registers.size() > 2 && fillsRegisters()) {
      joinRows();
    } else {
      // The first bits move most registers. The lowest and the highest one of a
      // sub-group cost two moves, those in between four.
      if (bits.size() > 2)
        std::swap(bits[1], bits.back());
      distributeRows(bits);
    }
    combineByButterflies(getBits(lanes.axis));
    // Otherwise `collectRows` takes each row from one lane.
    if (layout.crossesWarps())
      agree(lanes.axis);
    return;
  }
  SmallVector<LaneCombiner> kinds = getLaneCombiners(op);
  // All lanes are reduced: that must neither mix rows nor count copies.
  if (!lanes.rows && !lanes.copies && !kinds.empty()) {
    for (auto [chunks, kind] : llvm::zip_equal(values, kinds))
      for (Value &chunk : chunks) {
        SmallVector<Value> scalars = unpackRegisters(rewriter, loc, chunk);
        for (Value &scalar : scalars)
          scalar = LaneReduceOp::create(rewriter, loc, kind, scalar);
        chunk = packRegisters(rewriter, loc, scalars).front();
      }
    return;
  }
  combineLanes(bits);
}

/// Combines lanes that differ in the given bits, which have one result
/// afterwards. If that is the result of all lanes, compilers see that it is.
void ReduceLowering::combineLanes(ArrayRef<unsigned> laneBits) {
  // Several rows lie in the lanes: only butterflies keep them apart.
  if (lanes.rows) {
    combineByButterflies(laneBits);
    uint32_t laneMask = 0;
    for (unsigned bit : laneBits)
      laneMask |= 1u << bit;
    agree(laneMask);
    return;
  }
  // All lanes end with the same result, so that broadcasts are possible. Copies
  // hold what others hold, so broadcasts read one of them.
  size_t numBroadcast = std::min<size_t>(
      laneBits.size(), getTargetDesc(op).getCompiler().broadcastBits);
  combineByButterflies(laneBits.drop_back(numBroadcast));
  combineByBroadcasts(laneBits.take_back(numBroadcast));
}

/// Gives lanes that differ in the bits of `laneMask`, and that butterflies gave
/// results of different order, one of these: that of the first lane.
void ReduceLowering::agree(uint32_t laneMask) {
  if (isCommutative(op) || !laneMask)
    return;
  // The lane with these bits cleared.
  Value lane = arith::AndIOp::create(rewriter, loc, getLaneId(rewriter, loc),
                                     constantI32(rewriter, loc, ~laneMask));
  values = transform(
      [&](Value chunk) { return shuffleFromLane(rewriter, loc, chunk, lane); });
}

void ReduceLowering::reduceRowsOfLanes() {
  unsigned numRows = registers.size(), run = 1u << llvm::popcount(lanes.axis);
  if (run == 1 || lanes.rows || numRows <= run) {
    reduceLanes();
    collectRows();
    return;
  }
  const CombineLayout::Roles roles = lanes;
  const OperandChunks all = std::move(values);
  const SmallVector<unsigned> rows = std::move(registers);
  SmallVector<SmallVector<Value>> results(all.size());
  for (unsigned first = 0; first < numRows; first += run) {
    lanes = roles;
    places.clear();
    values = all;
    values = select(llvm::to_vector(llvm::seq(first, first + run)));
    registers = to_vector(ArrayRef(rows).slice(first, run));
    reduceLanes();
    collectRows();
    for (auto [result, chunks] : llvm::zip_equal(results, values))
      llvm::append_range(result, unpackRegisters(rewriter, loc, chunks));
  }
  registers = rows;
  for (auto [result, chunks] : llvm::zip_equal(results, values))
    chunks = packRegisters(rewriter, loc, result);
}

/// Returns the index function that packs the thread bits of `lanes` and
/// `warps`, in this order, from bit `position` on; other bits do not count.
ThreadFunction packThreadBits(const CombineLayout &layout, uint32_t lanes,
                              uint32_t warps, unsigned position) {
  ThreadFunction function;
  auto add = [&](SmallVectorImpl<int32_t> &columns, LayoutDim dim,
                 uint32_t mask) {
    // A column for every bit, even for those that do not count.
    const CombineLayout::Roles &roles = layout.getRoles(dim);
    uint32_t all = roles.axis | roles.rows | roles.copies;
    for (unsigned bit : getBits(all))
      columns.push_back(mask >> bit & 1 ? 1 << position++ : 0);
  };
  add(function.lane, LayoutDim::Lane, lanes);
  add(function.warp, LayoutDim::Warp, warps);
  return function;
}

void ReduceLowering::storePartials(ArrayRef<Value> bases, Value index) {
  // One region of shared memory per operand.
  for (auto [base, chunks] : llvm::zip_equal(bases, values)) {
    SmallVector<Value> scalars = unpackRegisters(rewriter, loc, chunks);
    Type element = scalars.front().getType();
    storeShared(rewriter, loc,
                getSharedElementPointer(rewriter, loc, base, element, index),
                scalars, scalars.size() * getSharedBytes(element));
  }
}

SmallVector<OperandChunks> ReduceLowering::loadPartials(ArrayRef<Value> bases,
                                                        Value index,
                                                        unsigned numSlots) {
  unsigned count = getNumRegisters(values.front());
  SmallVector<OperandChunks> slots(numSlots);
  for (auto [base, chunks] : llvm::zip_equal(bases, values)) {
    Type element = getElementTypeOrSelf(chunks.front().getType());
    // The number of elements that each work-item has stored, per slot.
    SmallVector<Value> scalars = loadShared(
        rewriter, loc,
        getSharedElementPointer(rewriter, loc, base, element, index), element,
        numSlots * count, numSlots * count * getSharedBytes(element));
    for (auto [number, slot] : llvm::enumerate(slots))
      slot.push_back(packRegisters(
          rewriter, loc, ArrayRef(scalars).slice(number * count, count)));
  }
  return slots;
}

/// Every warp leaves its partial results in shared memory, in the order that
/// getReduceSharedElements documents; then every work-item combines those of
/// its rows.
void ReduceLowering::reduceWarps(int64_t scratchOffset) {
  const CombineLayout::Roles &warps = layout.getRoles(LayoutDim::Warp);
  // A slot holds the partial results of one position along the axis of warps;
  // those of the same rows lie side by side, so that a vector has them all.
  unsigned slotBits = llvm::popcount(warps.axis);
  unsigned slotPosition = llvm::Log2_32(getNumRegisters(values.front()));

  SmallVector<Value> bases =
      getScratchPointers(rewriter, op, scratchOffset, op.getElementTypes(),
                         getReduceSharedElements(layout));

  // From low to high, an index has the bits of registers, slots, and rows of
  // lanes and warps.
  Value rowIndex = evaluateThreadFunction(
      rewriter, loc,
      packThreadBits(layout, lanes.rows, warps.rows, slotPosition + slotBits));
  Value slotIndex = evaluateThreadFunction(
      rewriter, loc, packThreadBits(layout, 0, warps.axis, slotPosition));
  // The parts have no bits in common.
  Value storeIndex = arith::AddIOp::create(rewriter, loc, rowIndex, slotIndex);
  // After the lanes have combined, all of them have the same, and each stores
  // it: that is one message with or without a branch around it. Of several
  // warps only one does.
  if (Value isOwner =
          areThreadBitsClear(rewriter, loc, /*laneMask=*/0, warps.copies)) {
    auto branch = scf::IfOp::create(rewriter, loc, isOwner,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch.thenYield());
    storePartials(bases, storeIndex);
  } else {
    storePartials(bases, storeIndex);
  }
  emitBarrier(rewriter, loc, /*fenceGlobal=*/false);

  // Lanes that have the same rows take different slots.
  SmallVector<unsigned> helpers;
  if (1u << slotBits > kMaxDirectLoads)
    // Lanes that hold the same rows; one of these per slot.
    helpers = getBits(lanes.axis | lanes.copies);
  helpers.resize(std::min<size_t>(helpers.size(), slotBits));
  uint32_t helperMask = 0;
  for (unsigned bit : helpers)
    helperMask |= 1u << bit;
  // Without helpers, each lane reads the first slot and all others in turn.
  Value loadIndex = rowIndex;
  if (helperMask) {
    Value helperIndex = evaluateThreadFunction(
        rewriter, loc, packThreadBits(layout, helperMask, 0, slotPosition));
    loadIndex = arith::AddIOp::create(rewriter, loc, rowIndex, helperIndex);
  }
  if (helpers.empty()) {
    combineList(loadPartials(bases, loadIndex, 1u << slotBits));
    return;
  }
  SmallVector<OperandChunks> partials;
  // Each lane reads slots at a stride, others those in between.
  for (unsigned slot = 0; slot < 1u << slotBits; slot += 1u << helpers.size()) {
    Value index = loadIndex;
    if (slot)
      index = arith::AddIOp::create(
          rewriter, loc, index,
          constantI32(rewriter, loc, slot << slotPosition));
    partials.push_back(loadPartials(bases, index, 1).front());
  }
  combineList(std::move(partials));
  // The helpers' results meet.
  combineLanes(helpers);
}

/// `tt.reduce`: registers, lanes, and warps if the layout crosses them.
struct ReduceOpConversion : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType source = op.getInputTypes().front();
    FailureOr<CombineLayout> layout =
        getCombineLayout(op, toLinearLayout(source), op.getAxis());
    if (failed(layout))
      return failure();
    // Zero if nothing goes through shared memory.
    FailureOr<int64_t> scratchOffset = getCombineScratchOffset(op, *layout);
    if (failed(scratchOffset))
      return failure();
    // One list of chunks per operand.
    OperandChunks operands;
    for (ValueRange chunks : adaptor.getSrcs())
      operands.emplace_back(chunks);

    ReduceLowering lowering(op, *layout, std::move(operands), rewriter);
    lowering.reduceRegisters();
    if (layout->crossesWarps()) {
      lowering.reduceLanes();
      lowering.reduceWarps(*scratchOffset);
      lowering.collectRows();
    } else {
      lowering.reduceRowsOfLanes();
    }
    rewriter.replaceOpWithMultiple(op, lowering.getResults());
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateReduceToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ReduceOpConversion>(converter, patterns.getContext());
}
