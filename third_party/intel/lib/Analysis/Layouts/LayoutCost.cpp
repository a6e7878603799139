//===- LayoutCost.cpp - Costs of layouts ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// Everything is read off linear layouts: how many registers a lane has, which
// low register and lane bits run along contiguous memory, and which bits are
// copies.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Layouts/LayoutCost.h"

#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Analysis/Layouts/CarriedReduction.h"
#include "intel/Analysis/Layouts/CoalescedLayout.h"
#include "intel/Analysis/Registers/EngineCycles.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Target/LatencyTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "triton/Analysis/ConversionTarget.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;
namespace latency = ::triton::intel::latency;

namespace {

/// Returns the tensor that `op` is about, without regard to its present layout.
RankedTensorType getMainType(Operation *op) {
  // An access is about the tensor that it moves; its pointers may be scalars.
  if (accessesMemory(op))
    return getAccessedTensor(op);
  // A reduction is about what goes in: its result is smaller.
  if (isa<ReduceOp>(op))
    return cast<RankedTensorType>(op->getOperand(0).getType());
  for (Value result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      return type;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
      return type;
  return {};
}

/// Returns the cost of `count` instructions of all warps of `layout`.
int64_t getInstructionCost(const LinearLayout &layout, int64_t count) {
  return count * kCostOfCycle * layout.getInDimSize(LayoutDim::Lane) *
         layout.getInDimSize(LayoutDim::Warp) / kLanesPerCycle;
}

/// Returns the number of bytes of an element in memory; elements of less than 8
/// bits count as one byte.
int64_t getElementBytes(RankedTensorType type) {
  return std::max(1u, getIntOrFloatOrPtrBitWidth(type.getElementType()) / 8);
}

} // namespace

namespace mlir::triton::gpu::intel {

LayoutCostModel::LayoutCostModel(ModuleOp module, LayoutCostWeights weights)
    : module(module), target(getTargetDesc(module)),
      conversionOptions(ttg::getConversionOptions(module)), weights(weights),
      sources(module), runs(sources) {
  module.walk([&](scf::ForOp loop) {
    for (unsigned index = 0; index != loop.getNumRegionIterArgs(); ++index)
      if (std::optional<CarriedReduction> found =
              findCarriedReduction(loop, index))
        carriedReductions.insert(found->reduce);
  });
  module.walk([&](Operation *op) {
    if (Value pointer = getAccessedPointer(op);
        pointer && isa<RankedTensorType>(pointer.getType()))
      accesses.emplace_back(pointer);
  });
}

/// Returns whether the address of an access is computed from `value`.
bool LayoutCostModel::isPartOfAccess(Value value) const {
  return llvm::any_of(accesses, [&](const AddressParts &parts) {
    return parts.contains(value);
  });
}

LayoutCostModel::~LayoutCostModel() = default;

/// Divisions, roots, calls and inline assembly take many instructions per
/// element, so that copies of elements cost more than moving them would.
bool isExpensive(Operation *op) {
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
          arith::RemSIOp, arith::RemUIOp, ApproxDivFOp, PreciseDivFOp,
          PreciseSqrtOp, ExternElementwiseOp, ElementwiseInlineAsmOp,
          MapElementwiseOp>(op))
    return true;
  // All operations of the math dialect are, except those that are one
  // instruction each.
  return isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp,
              math::CeilOp>(op);
}

/// A slice of an accumulator lies in lanes as the accumulator does.
bool isAccumulatorLayout(Attribute layout) {
  while (auto slice = dyn_cast_or_null<ttg::SliceEncodingAttr>(layout))
    layout = slice.getParent();
  return isa_and_nonnull<ttg::MmaEncodingInterface>(layout);
}

unsigned LayoutCostModel::countBlockMessages(Operation *op, Attribute layout) {
  auto access = dyn_cast<BlockAccessOpInterface>(op);
  if (!access || !access.getOrder() || !isBlockAccessLayout(layout))
    return 0;
  // The entry is made before the plan: no messages, 0, is the answer where
  // planning fails.
  auto [entry, isNew] = blockMessages.try_emplace({op, layout}, 0);
  if (!isNew)
    return entry->second;
  FailureOr<BlockTilePlan> plan = planBlockAccess(
      ttg::toLinearLayout(access.getBlockType().getShape(), layout),
      getBlockTileRequest(BlockAccessQuery(access),
                          access.getOrder() == BlockOrder::ColumnMajor, layout),
      target);
  if (succeeded(plan))
    entry->second = plan->origins.size() * plan->tile.getNumMessages();
  return entry->second;
}

bool LayoutCostModel::isLegalMemoryLayout(Operation *op, Attribute layout) {
  RankedTensorType type = getAccessedTensor(op);
  if (!type)
    return true;
  // Other layouts may have copies of elements, which are loaded at different
  // times.
  auto load = dyn_cast<LoadOp>(op);
  auto loadOfBlock = dyn_cast<LoadBlockOp>(op);
  if ((load && load.getIsVolatile()) ||
      (loadOfBlock && loadOfBlock.getIsVolatile()))
    return layout == getCoalescedLayout(op);
  if (countBlockMessages(op, layout))
    return true;
  // Without messages, only words of a dot's operand are loaded as they are; and
  // atomics take no other layout than that for memory and an accumulator's.
  if (!isAccumulatorLayout(layout)) {
    Attribute parent = layout;
    while (auto slice = dyn_cast<ttg::SliceEncodingAttr>(parent))
      parent = slice.getParent();
    if (isa<ttg::DotOperandEncodingAttr>(parent) && !loadsWords(op, layout))
      return false;
    return (!isa<AtomicRMWOp, AtomicCASOp, AtomicLoadOp, AtomicStoreOp,
                 AtomicPollOp>(op) ||
            layout == getCoalescedLayout(op));
  }
  // The first lane that has another element than lane 0 has the next one.
  LinearLayout linear = ttg::toLinearLayout(type.getShape(), layout);
  LayoutDim fastest = tensorDim(getPattern(op).getFastestDim());
  for (int32_t bit = 0, e = linear.getInDimSizeLog2(LayoutDim::Lane); bit != e;
       ++bit)
    for (LayoutDim dim : linear.getOutDims())
      if (linear.getBasis(LayoutDim::Lane, bit, dim) != 0)
        return dim == fastest;
  return true;
}

std::optional<int64_t> LayoutCostModel::getReloadCost(Operation *op,
                                                      Attribute present,
                                                      Attribute layout) {
  if (!loadsSameBlock(op) || !countBlockMessages(op, present) ||
      !countBlockMessages(op, layout))
    return std::nullopt;
  return getOperationCost(op, layout);
}

/// Returns the type that represents all types of this shape and width, as a key
/// of the caches: costs depend on the bits of an element, not on what they
/// mean.
Type LayoutCostModel::getPlainType(RankedTensorType type) {
  Type &plain = plainTypes[type];
  if (!plain) {
    unsigned bits = getIntOrFloatOrPtrBitWidth(type.getElementType());
    plain = RankedTensorType::get(type.getShape(),
                                  IntegerType::get(type.getContext(), bits));
  }
  return plain;
}

int64_t LayoutCostModel::getConversionCost(RankedTensorType type,
                                           Attribute from, Attribute to) {
  if (from == to)
    return 0;
  auto [entry, isNew] =
      conversions.try_emplace({getPlainType(type), from, to}, 0);
  if (!isNew)
    return entry->second;

  LinearLayout source = ttg::toLinearLayout(type.getShape(), from);
  LinearLayout target = ttg::toLinearLayout(type.getShape(), to);
  LayoutConversionEstimate estimate = estimateLayoutConversion(
      source, target, getIntOrFloatOrPtrBitWidth(type.getElementType()),
      ttg::getOptionsForResult(conversionOptions, to));
  // At least 1, so that of two equal plans the one with fewer conversions wins.
  int64_t cost = 1;
  switch (estimate.kind) {
  case ConversionKind::Identity:
    break;
  // Moves within a lane; the register allocator gets rid of most of them, so
  // that each register counts as a part of a move.
  case ConversionKind::Registers:
    cost += target.getTotalInDimSize() * getElementBytes(type) / kCostOfCycle;
    break;
  case ConversionKind::SubgroupShuffle:
    // A shuffle from a lane that is known is a move.
    cost += getInstructionCost(
        target, (estimate.numShuffles - estimate.numBroadcasts) *
                        weights.shuffledElement +
                    estimate.numBroadcasts * weights.simpleElement +
                    estimate.numSelects * weights.selectedElement);
    break;
  case ConversionKind::SharedMemory:
    cost += getExchangeCost(source, estimate.numIterations,
                            estimate.numAccesses, estimate.numPasses);
    break;
  }
  return entry->second = cost;
}

Attribute LayoutCostModel::getCoalescedLayout(Operation *op) {
  return intel::getCoalescedLayout(op, runs, sources);
}

AccessPattern LayoutCostModel::getPattern(Operation *op) {
  return getAccessPattern(op, runs);
}

int64_t LayoutCostModel::countHeldElements(RankedTensorType type,
                                           Attribute layout) {
  auto [entry, isNew] =
      heldElements.try_emplace({getPlainType(type), layout}, 0);
  if (isNew)
    entry->second =
        ttg::toLinearLayout(type.getShape(), layout).getTotalInDimSize();
  return entry->second;
}

/// Returns whether `value` need not be the same in all iterations of `loop`;
/// true without a loop. Other shapes and types of it are made in place.
static bool changesInLoop(Value value, LoopLikeOpInterface loop) {
  while (loop && !loop.isDefinedOutsideOfLoop(value)) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumOperands() != 1 || !isMemoryEffectFree(op))
      return true;
    value = op->getOperand(0);
  }
  return !loop;
}

/// Returns the number of rows that a sub-group has; a dpas layout has no two of
/// them in lanes.
static int64_t countRegisterRows(const LinearLayout &layout) {
  int64_t rows = 1;
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Register);
       bit != e; ++bit)
    if (layout.getBasis(LayoutDim::Register, bit, LayoutDim::Dim0) != 0)
      rows *= 2;
  return rows;
}

/// Returns the instructions for the indices into a block that a lane has for
/// its registers, of which `vector` have one address. The block becomes a
/// tensor of pointers after the choice of layouts.
int64_t LayoutCostModel::countIndexInstructions(Operation *op,
                                                const LinearLayout &layout,
                                                const AccessPattern &pattern,
                                                int64_t vector) const {
  auto block = dyn_cast<BlockAccessOpInterface>(op);
  if (!block)
    return 0;
  int64_t instructions = 0;
  for (unsigned dim = 0, rank = pattern.order.size(); dim != rank; ++dim) {
    bool isFastest = dim == pattern.getFastestDim();
    int64_t numIndices = 1;
    for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Register);
         bit != e; ++bit)
      if (layout.getBasis(LayoutDim::Register, bit, tensorDim(dim)) >=
          (isFastest ? vector : 1))
        numIndices *= 2;
    int64_t ofIndex = weights.blockIndex;
    if (pattern.contiguity[dim] == 1)
      ofIndex += weights.stridedIndex;
    if (llvm::is_contained(block.getBoundaryCheck(), int32_t(dim)))
      ofIndex += weights.checkedIndex;
    instructions += numIndices * ofIndex;
  }
  return instructions;
}

/// Returns the number of elements along `dim` without copies.
static int64_t countDistinct(const LinearLayout &layout, LayoutDim dim) {
  int64_t copies = 0;
  for (auto [in, mask] : layout.getFreeVariableMasks())
    if (in == dim)
      copies = llvm::popcount(static_cast<uint32_t>(mask));
  return int64_t(1) << (layout.getInDimSizeLog2(dim) - copies);
}

/// Returns the most elements of a lane that one message moves: those that are
/// proved to be neighbours, as far as the widest message of the target holds
/// elements with `bytes` bytes.
static int64_t getMaxVector(const AccessPattern &pattern,
                            const TargetDesc &target, int64_t bytes) {
  return std::min<int64_t>(pattern.enabled[pattern.getFastestDim()],
                           target.getMaxVectorBits() / 8 / bytes);
}

/// Returns the number of elements of a lane that one message moves, of at most
/// `maxVector`.
static int64_t getVector(const LinearLayout &layout,
                         const AccessPattern &pattern, int64_t maxVector) {
  LayoutDim fastest = tensorDim(pattern.getFastestDim());
  // Low registers, as long as each one doubles the run along this dimension.
  int64_t vector = 1;
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Register);
       bit != e && 2 * vector <= maxVector; ++bit) {
    for (LayoutDim out : layout.getOutDims())
      if (layout.getBasis(LayoutDim::Register, bit, out) !=
          (out == fastest ? vector : 0))
        return vector;
    vector *= 2;
  }
  return vector;
}

/// Returns the lines that a message touches, of which each lane moves `vector`
/// elements with `bytes` bytes.
static int64_t countLines(const LinearLayout &layout,
                          const AccessPattern &pattern, int64_t vector,
                          int64_t bytes) {
  // Where lanes are from the first one on, in bytes. Lanes of which this is not
  // known are in separate lines.
  SmallVector<int64_t> places = {0};
  int64_t unknown = 1;
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Lane); bit != e;
       ++bit) {
    int64_t distance = 0;
    bool isKnown = true;
    for (unsigned dim = 0; dim != pattern.order.size(); ++dim) {
      int64_t step = layout.getBasis(LayoutDim::Lane, bit, tensorDim(dim));
      isKnown &= step < pattern.steps[dim] || step == 0;
      distance += step * pattern.distance[dim] * bytes;
    }
    if (!isKnown) {
      unknown *= 2;
      continue;
    }
    for (size_t place = 0, count = places.size(); place != count; ++place)
      places.push_back(places[place] + distance);
  }
  llvm::SmallDenseSet<int64_t> lines;
  for (int64_t place : places)
    for (int64_t line = llvm::divideFloorSigned(place, kLineBytes),
                 last = llvm::divideFloorSigned(place + vector * bytes - 1,
                                                kLineBytes);
         line <= last; ++line)
      lines.insert(line);
  return unknown * lines.size();
}

/// Returns the number of registers of a lane that have no copy, and of equal
/// elements one.
static int64_t countDifferent(const LinearLayout &layout,
                              ArrayRef<int64_t> constancy) {
  int64_t count = countDistinct(layout, LayoutDim::Register);
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Register);
       bit != e; ++bit) {
    int64_t numEqual = 0, numSteps = 0;
    for (auto [dim, size] : llvm::enumerate(constancy)) {
      int64_t step = layout.getBasis(LayoutDim::Register, bit, tensorDim(dim));
      numSteps += step != 0;
      numEqual += step != 0 && step < size;
    }
    if (numSteps != 0 && numEqual == numSteps)
      count /= 2;
  }
  return std::max<int64_t>(count, 1);
}

/// Returns whether a load brings words of 32 bits that are those of a dot's
/// operand: nothing takes them apart. It has no other user, for which all of
/// the operand would have to be in registers at the same time, and moves at
/// most twice the lines that it moves in the layout for memory.
bool LayoutCostModel::loadsWords(Operation *op, Attribute encoding) {
  RankedTensorType type = getAccessedTensor(op);
  int64_t bytes = getElementBytes(type);
  if (!isa<LoadOp>(op))
    return false;
  auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(encoding);
  // A slice is no operand, but its addresses may be computed from one.
  if (!operand)
    return bytes >= 4 && isPartOfAccess(op->getResult(0));
  if (!op->hasOneUse())
    return false;
  AccessPattern pattern = getPattern(op);
  int64_t maxVector = getMaxVector(pattern, target, bytes);
  // For one copy of the tensor.
  auto countAllLines = [&](const LinearLayout &layout) {
    int64_t vector = getVector(layout, pattern, maxVector);
    return countDistinct(layout, LayoutDim::Register) / vector *
           countDistinct(layout, LayoutDim::Warp) *
           countLines(layout, pattern, vector, bytes);
  };
  LinearLayout layout = ttg::toLinearLayout(type.getShape(), encoding);
  LinearLayout best =
      ttg::toLinearLayout(type.getShape(), getCoalescedLayout(op));
  return operand.getKWidth() * bytes == 4 &&
         getVector(layout, pattern, maxVector) * bytes >= 4 &&
         countAllLines(layout) <= 2 * countAllLines(best);
}

/// Returns the cost of the messages of all warps, and of the lines that each of
/// them touches.
int64_t LayoutCostModel::getMemoryCost(Operation *op, RankedTensorType type,
                                       Attribute encoding) {
  LinearLayout layout = ttg::toLinearLayout(type.getShape(), encoding);
  int64_t bytes = getElementBytes(type);
  // One message serves all copies of an element in registers and lanes.
  int64_t registers = countDistinct(layout, LayoutDim::Register);
  // Every warp loads its copy; of a store's copies one is written.
  bool isLoad = isa<LoadOp, LoadBlockOp>(op);
  int64_t warps = isLoad ? layout.getInDimSize(LayoutDim::Warp)
                         : countDistinct(layout, LayoutDim::Warp);
  if (int64_t messages = countBlockMessages(op, encoding)) {
    // A block message moves whole tiles: what it costs is its bytes and the
    // message itself.
    int64_t lanes = layout.getInDimSize(LayoutDim::Lane);
    int64_t instructions = messages * target.getCompiler().messageInstructions;
    // A loop does not make the surfaces of rows that are the same in all of it.
    Value rows = cast<BlockAccessOpInterface>(op).getRows();
    if (rows && changesInLoop(rows, op->getParentOfType<LoopLikeOpInterface>()))
      instructions += weights.rowSurface * countRegisterRows(layout);
    return warps * (registers * lanes * bytes + instructions * kCostOfCycle);
  }

  AccessPattern pattern = getPattern(op);
  int64_t vector =
      getVector(layout, pattern, getMaxVector(pattern, target, bytes));
  int64_t lines = countLines(layout, pattern, vector, bytes);
  // Registers with the same address are loaded once.
  if (isLoad)
    registers = countDifferent(layout, pattern.constancy);
  int64_t messages = std::max<int64_t>(1, registers / vector);
  int64_t instructions = messages * (weights.message + weights.address);
  if (pattern.isMasked)
    instructions += messages * (isLoad ? weights.loadMask : weights.storeMask);
  // Words of operands stay as they are, or are cleared where masks are false.
  if (bytes < 4 && !loadsWords(op, encoding))
    instructions += registers * weights.narrowElement;
  else if (bytes < 4 && pattern.isMasked)
    instructions += llvm::divideCeil(registers * bytes, 4);
  instructions += countIndexInstructions(op, layout, pattern, vector);
  return warps * messages * lines * kLineBytes +
         getInstructionCost(layout, instructions) * warps /
             layout.getInDimSize(LayoutDim::Warp);
}

/// Returns the number of bits of registers along `axis` that are above one of a
/// warp: a warp has this number of runs of neighbours in a row.
static unsigned countRunBits(const LinearLayout &layout, LayoutDim axis) {
  int32_t lowest = layout.getOutDimSize(axis);
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Warp); bit != e;
       ++bit)
    if (int32_t step = layout.getBasis(LayoutDim::Warp, bit, axis))
      lowest = std::min(lowest, step);
  unsigned count = 0;
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Register);
       bit != e; ++bit)
    count += layout.getBasis(LayoutDim::Register, bit, axis) > lowest;
  return count;
}

/// Returns the instructions for combining `rows` results of a lane with those
/// of other lanes, whose numbers differ in `numBits` bits. If all lanes have
/// the same rows, they divide them (ReduceToLLVM.cpp): with each bit, a lane
/// keeps half of its rows and passes on the others. In the end, it gets all
/// rows.
int64_t LayoutCostModel::countLaneInstructions(int64_t rows, unsigned numBits,
                                               bool dividesRows) const {
  int64_t count = 0, left = rows;
  for (unsigned bit = 0; bit != numBits; ++bit) {
    if (dividesRows && left > 1) {
      left /= 2;
      // A selection of what to keep, and of what to pass on.
      count += 2 * left * weights.simpleElement;
    }
    count += left * weights.exchangedElement;
  }
  return left < rows ? count + rows * weights.simpleElement : count;
}

/// Returns the cost of an exchange of the warps of `layout` through shared
/// local memory, with `numAccesses` messages of each warp in `numRounds`
/// rounds. These take `numPasses` over the banks.
int64_t LayoutCostModel::getExchangeCost(const LinearLayout &layout,
                                         int64_t numRounds, int64_t numAccesses,
                                         int64_t numPasses) const {
  // The warps wait together for a fence, a barrier and the first of their
  // loads. Meanwhile the engines that have them do nothing.
  int64_t waits = latency::sharedFence + latency::barrier + latency::shared;
  int64_t engines =
      std::min<int64_t>(layout.getInDimSize(LayoutDim::Warp), kEnginesPerCore);
  // All engines share the banks.
  int64_t passes = numPasses * layout.getInDimSize(LayoutDim::Warp);
  return (numRounds * waits * engines + passes * kEnginesPerCore) *
             kCostOfCycle +
         getInstructionCost(layout, numRounds * weights.exchange +
                                        numAccesses * weights.exchangeMessage);
}

/// The arithmetic within lanes, and an exchange wherever the axis crosses lanes
/// or warps.
int64_t LayoutCostModel::getReduceCost(Operation *op, RankedTensorType type,
                                       Attribute encoding) {
  LinearLayout layout = ttg::toLinearLayout(type.getShape(), encoding);
  auto scan = dyn_cast<ScanOp>(op);
  LayoutDim axis =
      tensorDim(scan ? scan.getAxis() : cast<ReduceOp>(op).getAxis());
  // The number of bits of `in` that step along this axis.
  auto countAlongAxis = [&](LayoutDim in) {
    return llvm::count_if(layout.getBases(in), [&](const auto &basis) {
      for (auto [out, value] : llvm::zip(layout.getOutDims(), basis))
        if (out == axis && value != 0)
          return true;
      return false;
    });
  };
  // First the elements within a lane, ...
  int64_t held = layout.getInDimSize(LayoutDim::Register);
  int64_t rows = held >> countAlongAxis(LayoutDim::Register);
  int64_t instructions = held * weights.simpleElement;
  // Lanes exchange what they have after the loop, once.
  if (carriedReductions.contains(op))
    return getInstructionCost(layout, instructions);
  // ... then, for what remains of each lane, the lanes, ...
  unsigned laneBits = countAlongAxis(LayoutDim::Lane);
  bool isRowPerWarp =
      !scan && layout.getInDimSize(LayoutDim::Lane) == 1 << laneBits;
  instructions += countLaneInstructions(rows, laneBits, isRowPerWarp);
  // The value that comes from other lanes and warps is combined with every
  // element.
  if (scan)
    instructions += held * weights.simpleElement;
  // ... then shared memory: each warp writes its partial results, and those of
  // all warps are read. A scan has one for each run of neighbours.
  int64_t numPartials = scan ? rows << countRunBits(layout, axis) : rows;
  int64_t exchange = 0;
  if (int64_t bits = countAlongAxis(LayoutDim::Warp)) {
    int64_t stored = numPartials * getElementBytes(type);
    int64_t messageBytes = conversionOptions.maxVectorBytes;
    int64_t numMessages = llvm::divideCeil(stored, messageBytes) +
                          llvm::divideCeil(stored << bits, messageBytes);
    // Lanes have the same, or neighbours.
    exchange = getExchangeCost(layout, /*numRounds=*/1, numMessages,
                               /*numPasses=*/numMessages);
    instructions += (numPartials << bits) * weights.simpleElement;
  }
  return exchange + getInstructionCost(layout, instructions);
}

/// Returns whether the elements of the result depend on their indices alone.
bool LayoutCostModel::isOfIndices(Operation *op) {
  auto [entry, isNew] = ofIndices.try_emplace(op, false);
  if (!isNew)
    return entry->second;
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      !(op->hasTrait<mlir::OpTrait::ConstantLike>() ||
        op->hasTrait<mlir::OpTrait::MovesElements>() ||
        op->hasTrait<mlir::OpTrait::Elementwise>() ||
        isa<MakeRangeOp, SplatOp, ttg::ConvertLayoutOp>(op)))
    return false;
  bool isKnown = llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && isOfIndices(producer);
  });
  return ofIndices[op] = isKnown;
}

/// Returns whether all work-items have the same elements.
static bool isSameInLanes(RankedTensorType type, Attribute layout) {
  LinearLayout places = ttg::toLinearLayout(type.getShape(), layout);
  return places.sublayoutIsZero({LayoutDim::Lane, LayoutDim::Warp},
                                places.getOutDims());
}

/// Returns the number of registers of a lane that have the same element of a
/// part of an address, or a later one of a vector whose first one is its
/// address. One instruction is for all of them.
int64_t LayoutCostModel::countEqual(Operation *op, RankedTensorType type,
                                    Attribute encoding) {
  if (op->getNumResults() != 1 || op->getResult(0).getType() != type ||
      !type.getElementType().isSignlessInteger() ||
      !isPartOfAccess(op->getResult(0)))
    return 1;
  auto [entry, isNew] = equalElements.try_emplace(op);
  if (isNew)
    for (unsigned dim = 0; dim != type.getRank(); ++dim)
      entry->second.push_back(
          std::max(runs.getConstancy(op->getResult(0), dim),
                   runs.getContiguity(op->getResult(0), dim)));
  LinearLayout layout = ttg::toLinearLayout(type.getShape(), encoding);
  return countDistinct(layout, LayoutDim::Register) /
         countDifferent(layout, entry->second);
}

int64_t LayoutCostModel::getOperationCost(Operation *op, Attribute layout) {
  RankedTensorType type = getMainType(op);
  if (!type || !layout)
    return 0;
  // Cached by operation and layout: solvers request the same pair many times.
  auto [entry, isNew] = operations.try_emplace({op, layout}, 0);
  if (!isNew)
    return entry->second;
  int64_t cost;
  if (accessesMemory(op))
    cost = getMemoryCost(op, type, layout);
  else if (isa<ReduceOp, ScanOp>(op))
    cost = getReduceCost(op, type, layout);
  else if (op->hasTrait<mlir::OpTrait::MovesElements>() ||
           isa<PointerType>(type.getElementType()))
    // Addresses count with the messages that have them.
    cost = 0;
  else if (isOfIndices(op) && isSameInLanes(type, layout))
    // Each register holds a constant, which is the same in all lanes.
    cost = 0;
  else
    // An element for each lane.
    cost =
        countHeldElements(type, layout) / countEqual(op, type, layout) *
        (isExpensive(op) ? weights.expensiveElement : weights.simpleElement) *
        kCostOfCycle / kLanesPerCycle;
  return entry->second = cost;
}

} // namespace mlir::triton::gpu::intel
