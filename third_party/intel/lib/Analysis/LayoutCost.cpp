//===- LayoutCost.cpp - Costs of layouts ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// Everything is read off linear layouts: how many registers a lane has, which
// low register and lane bits run along contiguous memory, and which bits are
// copies.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/LayoutCost.h"

#include "intel/Analysis/BlockTile.h"
#include "intel/Analysis/CoalescedLayout.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Analysis/ConversionTarget.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

/// Returns the tensor that `op` is about, without regard to its present layout.
RankedTensorType getMainType(Operation *op) {
  // An access is about the tensor that it moves; its pointers may be scalars or
  // one block pointer.
  if (getAccessedPointer(op))
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
      sources(module), runs(sources) {}

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
  // Only a marked access of a layout around DPAS can be a block message: no
  // other layout is planned for here.
  std::optional<BlockIOOrder> order = getBlockIO(op);
  if (!order || !isDpasLayout(layout))
    return 0;
  // The entry is made before the plan: no messages, 0, is the answer where
  // planning fails.
  auto [entry, isNew] = blockMessages.try_emplace({op, layout}, 0);
  if (!isNew)
    return entry->second;
  FailureOr<BlockTilePlan> plan = planBlockAccess(
      ttg::toLinearLayout(getAccessedTensor(op).getShape(), layout),
      getBlockTileRequest(cast<BlockAccessOpInterface>(op),
                          *order == BlockIOOrder::ColumnMajor, layout),
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
  if (auto load = dyn_cast<LoadOp>(op); load && load.getIsVolatile())
    return layout == getCoalescedLayout(op);
  if (countBlockMessages(op, layout))
    return true;
  // Without messages, no layout of a dot's operand; and atomics take no other
  // layout than that for memory and an accumulator's.
  if (!isAccumulatorLayout(layout)) {
    Attribute parent = layout;
    while (auto slice = dyn_cast<ttg::SliceEncodingAttr>(parent))
      parent = slice.getParent();
    return !isa<ttg::DotOperandEncodingAttr>(parent) &&
           (!isa<AtomicRMWOp, AtomicCASOp, AtomicLoadOp, AtomicStoreOp,
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

/// Returns the type that stands for all types of this shape and width, as a key
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

  // In bytes from here on; the estimates count elements.
  int64_t bytes = getElementBytes(type);
  LinearLayout source = ttg::toLinearLayout(type.getShape(), from);
  LinearLayout target = ttg::toLinearLayout(type.getShape(), to);
  // The bytes that all lanes and warps hold in the end, with copies.
  int64_t held = target.getTotalInDimSize() * bytes;
  LayoutConversionEstimate estimate = estimateLayoutConversion(
      source, target, getIntOrFloatOrPtrBitWidth(type.getElementType()),
      conversionOptions);
  // At least 1, so that of two equal plans the one with fewer conversions wins.
  int64_t cost = 1;
  switch (estimate.kind) {
  case ConversionKind::Identity:
    break;
  // Moves within a lane; the register allocator gets rid of most of them.
  case ConversionKind::Registers:
    cost += held / 64;
    break;
  case ConversionKind::SubgroupShuffle:
    // Instructions of all sub-groups: one shuffle or select moves one element
    // per lane.
    // From a lane that is known, it is a move.
    cost += ((estimate.numShuffles - estimate.numBroadcasts) *
                 weights.shuffledElement +
             estimate.numBroadcasts * weights.simpleElement +
             estimate.numSelects * weights.selectedElement) *
            target.getInDimSize(LayoutDim::Lane) *
            target.getInDimSize(LayoutDim::Warp);
    break;
  case ConversionKind::SharedMemory:
    // All elements are written once, all that is held is read, and each round
    // needs a barrier.
    cost += weights.sharedByte * (type.getNumElements() * bytes + held) +
            getBarrierCost(source) * estimate.numIterations;
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

/// Messages of all warps, and sectors that each of them touches.
int64_t LayoutCostModel::getMemoryCost(Operation *op, RankedTensorType type,
                                       Attribute encoding) {
  LinearLayout layout = ttg::toLinearLayout(type.getShape(), encoding);
  int64_t bytes = getElementBytes(type);
  // Register, lane or warp bits that hold copies of the same elements do not
  // count; one message serves them all.
  auto getDistinct = [&](LayoutDim dim) {
    int64_t copies = 0;
    for (auto [in, mask] : layout.getFreeVariableMasks())
      if (in == dim)
        copies = llvm::popcount(static_cast<uint32_t>(mask));
    return int64_t(1) << (layout.getInDimSizeLog2(dim) - copies);
  };
  int64_t registers = getDistinct(LayoutDim::Register);
  // Every warp loads its copy; of a store's copies one is written.
  int64_t warps = isa<LoadOp, GatherRowsOp, GatherPagesOp>(op)
                      ? layout.getInDimSize(LayoutDim::Warp)
                      : getDistinct(LayoutDim::Warp);
  if (int64_t messages = countBlockMessages(op, encoding)) {
    // A block message moves whole tiles: what it costs is its bytes and the
    // message itself.
    int64_t lanes = layout.getInDimSize(LayoutDim::Lane);
    return warps * (registers * lanes * bytes + weights.message * messages);
  }

  // The run of elements that a message covers from one lane on: first the low
  // registers of the lane, then the lanes that continue it.
  AccessPattern pattern = getPattern(op);
  unsigned dim = pattern.getFastestDim();
  // Elements of one message per lane: as many as are proved to be neighbours,
  // and as the widest message of the target holds.
  int64_t maxVector = std::min<int64_t>(pattern.vector[dim],
                                        target.getMaxVectorBits() / 8 / bytes);
  // Does this bit step by exactly `run` elements along the fastest dimension,
  // and along no other?
  auto continues = [&](LayoutDim in, int32_t bit, int64_t run) {
    for (LayoutDim out : layout.getOutDims())
      if (layout.getBasis(in, bit, out) != (out == tensorDim(dim) ? run : 0))
        return false;
    return true;
  };
  // Does this bit of the lane step along dimension `along` alone, by less than
  // `size` elements?
  auto isStepWithin = [&](int32_t bit, unsigned along, int64_t size) {
    int64_t step = layout.getBasis(LayoutDim::Lane, bit, tensorDim(along));
    return step != 0 && step < size &&
           llvm::all_of(
               layout.getOutDims(),
               [&](LayoutDim out) {
                 return out == tensorDim(along) ||
                        layout.getBasis(LayoutDim::Lane, bit, out) == 0;
               });
  };
  // Low registers first, as long as each one doubles the run.
  int64_t vector = 1;
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Register);
       bit != e && 2 * vector <= maxVector &&
       continues(LayoutDim::Register, bit, vector);
       ++bit)
    vector *= 2;
  // Then lanes, in any order of their bits. Every lane bit that continues the
  // run halves the number of runs of the message.
  int64_t run = vector, runs = getDistinct(LayoutDim::Lane);
  // Lanes that read the same are one run.
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Lane);
       bit != e && runs > 1; ++bit)
    for (unsigned same = 0; same < pattern.constancy.size(); ++same)
      if (isStepWithin(bit, same, pattern.constancy[same]))
        runs /= 2;
  for (bool grows = true; grows;) {
    grows = false;
    for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Lane);
         bit != e && run < pattern.contiguity[dim]; ++bit)
      if (continues(LayoutDim::Lane, bit, run)) {
        run *= 2;
        runs /= 2;
        grows = true;
      }
  }
  // Runs of the same sector are one: lanes that step over registers'
  // neighbours.
  int64_t inSector = weights.sectorBytes / bytes;
  for (int32_t bit = 0, e = layout.getInDimSizeLog2(LayoutDim::Lane);
       bit != e && runs > 1; ++bit)
    if (layout.getBasis(LayoutDim::Lane, bit, tensorDim(dim)) >= run &&
        isStepWithin(bit, dim,
                     std::min<int64_t>(inSector, pattern.contiguity[dim])))
      runs /= 2;
  runs = std::max<int64_t>(runs, 1);
  // A run of any length touches whole sectors.
  int64_t sectors = runs * llvm::divideCeil(run * bytes, weights.sectorBytes);
  int64_t messages = std::max<int64_t>(1, registers / vector);
  return warps * messages * (sectors * weights.sectorBytes + weights.message);
}

/// Returns the number of bits of registers along `axis` that are above one of a
/// warp: of a row, a warp has as many runs of neighbours as these count.
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

/// Returns the cost for each lane of combining `rows` results with those of
/// other lanes, whose numbers differ in `numBits` bits. If all lanes have the
/// same rows, they divide them (ReduceToLLVM.cpp): with each bit, a lane keeps
/// half of its rows and passes on the others. In the end, it gets all rows.
int64_t LayoutCostModel::getLanesCost(int64_t rows, unsigned numBits,
                                      bool dividesRows) const {
  int64_t cost = 0, left = rows;
  for (unsigned bit = 0; bit != numBits; ++bit) {
    if (dividesRows && left > 1) {
      left /= 2;
      // A selection of what to keep, and of what to pass on.
      cost += 2 * left * weights.simpleElement;
    }
    cost += left * weights.exchangedElement;
  }
  return left < rows ? cost + rows * weights.simpleElement : cost;
}

/// Returns the cost of waiting for the warps of `layout` in an exchange through
/// shared memory.
int64_t LayoutCostModel::getBarrierCost(const LinearLayout &layout) const {
  return weights.barrier * layout.getInDimSize(LayoutDim::Warp);
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
  int64_t held = layout.getTotalInDimSize();
  int64_t partial = held >> countAlongAxis(LayoutDim::Register);
  int64_t cost = held * weights.simpleElement;
  // ... then, for what remains of each lane, the lanes, ...
  unsigned laneBits = countAlongAxis(LayoutDim::Lane);
  bool isRowPerWarp =
      !scan && layout.getInDimSize(LayoutDim::Lane) == 1 << laneBits;
  int64_t rows = layout.getInDimSize(LayoutDim::Register) >>
                 countAlongAxis(LayoutDim::Register);
  cost += layout.getInDimSize(LayoutDim::Lane) *
          layout.getInDimSize(LayoutDim::Warp) *
          getLanesCost(rows, laneBits, isRowPerWarp);
  // ... then shared memory: each warp writes its partial results, and those of
  // all warps are read. A scan has one for each run of neighbours.
  if (scan)
    partial <<= countRunBits(layout, axis);
  if (int64_t bits = countAlongAxis(LayoutDim::Warp))
    cost += getBarrierCost(layout) + weights.sharedByte *
                                         getElementBytes(type) *
                                         (partial + (partial >> bits));
  // What comes from other lanes and warps is combined with every element.
  if (scan)
    cost += held * weights.simpleElement;
  return cost;
}

int64_t LayoutCostModel::getOperationCost(Operation *op, Attribute layout) {
  RankedTensorType type = getMainType(op);
  if (!type || !layout)
    return 0;
  // Cached by operation and layout: solvers ask for the same pair many times.
  auto [entry, isNew] = operations.try_emplace({op, layout}, 0);
  if (!isNew)
    return entry->second;
  int64_t cost;
  if (getAccessedPointer(op))
    cost = getMemoryCost(op, type, layout);
  else if (isa<ReduceOp, ScanOp>(op))
    cost = getReduceCost(op, type, layout);
  else if (op->hasTrait<mlir::OpTrait::MovesElements>())
    cost = 0;
  else
    cost = countHeldElements(type, layout) *
           (isExpensive(op) ? weights.expensiveElement : weights.simpleElement);
  return entry->second = cost;
}

} // namespace mlir::triton::gpu::intel
