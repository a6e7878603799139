//===- LayoutConversion.cpp - Plans for moving a tensor -------------------===//
// SPDX-License-Identifier: MIT
//
// Checks the layouts, finds for every destination place the nearest source
// place, and so the kind of the conversion. Shuffles and shared memory are
// planned in ShufflePlan.cpp and SharedMemoryPlan.cpp.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/LayoutConversion.h"

#include "LayoutConversionImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>

namespace mlir::triton {

using namespace conversion;

llvm::StringRef stringify(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::Identity:
    return "identity";
  case ConversionKind::Registers:
    return "registers";
  case ConversionKind::SubgroupShuffle:
    return "subgroup-shuffle";
  case ConversionKind::SharedMemory:
    return "shared-memory";
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Members of the plan
//===----------------------------------------------------------------------===//

/// Returns the XOR of those columns whose bit is set.
static int32_t xorSelected(llvm::ArrayRef<int32_t> columns, uint32_t bits) {
  int32_t result = 0;
  for (; bits; bits &= bits - 1)
    result ^= columns[llvm::countr_zero(bits)];
  return result;
}

int32_t ThreadFunction::evaluate(int32_t laneId, int32_t warpId) const {
  return constant ^ xorSelected(lane, laneId) ^ xorSelected(warp, warpId);
}

bool ThreadFunction::isUniform() const {
  // This is true if all lanes of a sub-group have the same.
  return llvm::all_of(lane, [](int32_t column) { return column == 0; });
}

bool ThreadFunction::isLaneXor() const {
  // The lane's number is XORed with a constant: a butterfly.
  for (auto [bit, column] : llvm::enumerate(lane))
    if (column != 1 << bit)
      return false;
  return llvm::all_of(warp, [](int32_t column) { return column == 0; });
}

bool ThreadFunction::operator==(const ThreadFunction &other) const {
  return constant == other.constant && lane == other.lane && warp == other.warp;
}

int32_t LayoutConversionPlan::getNumShuffles() const {
  return llvm::count_if(steps, [](const ShuffleStep &step) {
    return step.kind == ShuffleStep::Kind::Shuffle;
  });
}

int32_t LayoutConversionPlan::getNumSelects() const {
  return steps.size() - getNumShuffles();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Returns the reason that keeps a layout from being converted from or to;
/// empty if nothing does.
static std::string checkLayout(const LinearLayout &layout,
                               llvm::StringRef name) {
  for (LayoutDim dim : layout.getInDims()) {
    // Blocks of a cluster, which other hardware has, must not matter.
    if (dim == LayoutDim::Block && layout.getInDimSize(dim) != 1)
      return "the " + name.str() + " layout spreads over several blocks";
    if (dim != LayoutDim::Register && dim != LayoutDim::Lane &&
        dim != LayoutDim::Warp && dim != LayoutDim::Block)
      return "the " + name.str() + " layout has an input '" + stringify(dim) +
             "', expected 'register', 'lane', 'warp'";
  }
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    if (!layout.hasInDim(dim))
      return "the " + name.str() + " layout has no input '" + stringify(dim) +
             "'";
  // A surjective layout has at least one place for each element.
  if (!layout.isSurjective())
    return "the " + name.str() + " layout does not hold all elements";
  return "";
}

/// Returns the reason that keeps this pair of layouts from being converted;
/// empty if nothing does.
static std::string checkLayouts(const LinearLayout &src,
                                const LinearLayout &dst) {
  if (std::string error = checkLayout(src, "source"); !error.empty())
    return error;
  if (std::string error = checkLayout(dst, "destination"); !error.empty())
    return error;
  // Both are of the same program: the same numbers of sub-groups and lanes.
  for (LayoutDim dim : {LayoutDim::Lane, LayoutDim::Warp})
    if (src.getInDimSize(dim) != dst.getInDimSize(dim))
      return "the layouts differ in the number of " + stringify(dim) +
             "s: " + std::to_string(src.getInDimSize(dim)) + " and " +
             std::to_string(dst.getInDimSize(dim));
  auto sizesMatch = [&](std::pair<LayoutDim, int32_t> size) {
    return dst.hasOutDim(size.first) &&
           dst.getOutDimSize(size.first) == size.second;
  };
  // The order of dimensions may differ.
  if (src.getNumOutDims() != dst.getNumOutDims() ||
      !llvm::all_of(src.getOutDimSizes(), sizesMatch))
    return "the layouts are of tensors of different shapes";
  return "";
}

/// Returns the columns of `layout` with output dimensions in the order of
/// `outDims`.
static HardwareColumns getColumns(const LinearLayout &layout,
                                  llvm::ArrayRef<LayoutDim> outDims) {
  LinearLayout ordered = layout.transposeOuts(outDims);
  auto columnsOf = [&](LayoutDim dim) -> F2Columns {
    return ordered.sublayout({dim}, outDims).getFlatColumns();
  };
  return {columnsOf(LayoutDim::Register), columnsOf(LayoutDim::Lane),
          columnsOf(LayoutDim::Warp)};
}

//===----------------------------------------------------------------------===//
// Classification
//===----------------------------------------------------------------------===//

namespace {
/// Solves src(y) == dst(x) for y in the warp of x, bit of x by bit. The
/// solutions may be chosen independently, since C is linear whatever they are.
class SourceFinder {
public:
  SourceFinder(const HardwareColumns &src)
      : src(src), registers(src.reg), numRegs(src.reg.size()) {
    warp = registers;
    // Registers alone, then registers and lanes: a solution of the latter has
    // the register in its low bits and the lane above.
    for (uint64_t column : src.lane)
      warp.add(column);
  }

  /// Holds `element` in the thread that differs from thread 0 by `lane` (and,
  /// by way of `element`, maybe by warp).
  std::optional<Source> inThread(uint64_t element, uint64_t lane) const {
    auto reg = registers.solve(element ^ f2Apply(src.lane, lane));
    if (!reg)
      return std::nullopt;
    return Source{*reg, lane};
  }

  /// Holds `element` somewhere in the sub-group of thread 0.
  std::optional<Source> inWarp(uint64_t element) const {
    auto place = warp.solve(element);
    if (!place)
      return std::nullopt;
    return unpack(*place);
  }

  /// Returns a place of element 0, to be added to another place for one of the
  /// same element in a lane outside of the span `lanes`; none if there is none.
  std::optional<Source> copyOutside(const F2Span &lanes) const {
    // Relations are combinations of columns that cancel, that is, places of
    // element 0.
    for (uint64_t relation : warp.getRelations())
      if (Source copy = unpack(relation); !lanes.contains(copy.lane))
        return copy;
    return std::nullopt;
  }

private:
  /// Takes a solution of `warp` apart.
  Source unpack(uint64_t place) const {
    uint64_t regMask = (uint64_t(1) << numRegs) - 1;
    return {place & regMask, place >> numRegs};
  }

  /// The layout that is searched.
  const HardwareColumns &src;
  /// The spans that registers reach within a thread, and that a sub-group
  /// reaches.
  F2Span registers, warp;
  /// Bits of register numbers.
  unsigned numRegs;
};
} // namespace

/// Lanes that cannot read from themselves should read from distinct lanes: a
/// shuffle takes one value from each lane, so what several lanes want from one
/// lane takes several shuffles.
static bool findLaneSources(const SourceFinder &finder,
                            const HardwareColumns &dst,
                            llvm::SmallVector<Source> &sources) {
  sources.assign(dst.lane.size(), {});
  F2Span usedLanes;
  llvm::SmallVector<unsigned> others;
  // Lanes that have their element already need no shuffle.
  for (auto [i, element] : llvm::enumerate(dst.lane)) {
    uint64_t self = uint64_t(1) << i;
    if (auto source = finder.inThread(element, self)) {
      sources[i] = *source;
      usedLanes.add(self);
    } else {
      others.push_back(i);
    }
  }
  // Where all lanes want the same elements, they read them from one lane, which
  // is a move where it is known.
  if (!others.empty() &&
      llvm::all_of(dst.lane, [](uint64_t element) { return element == 0; })) {
    sources.assign(dst.lane.size(), {});
    return true;
  }
  for (unsigned i : others) {
    auto source = finder.inWarp(dst.lane[i]);
    if (!source)
      return false;
    // A lane that is read from already would be read twice; maybe a copy lies
    // in another one.
    if (dst.lane[i] != 0 && usedLanes.contains(source->lane)) {
      if (auto copy = finder.copyOutside(usedLanes)) {
        source->reg ^= copy->reg;
        source->lane ^= copy->lane;
      }
    }
    usedLanes.add(source->lane);
    sources[i] = *source;
  }
  return true;
}

std::optional<WarpLocalSources>
conversion::findWarpLocalSources(const HardwareColumns &src,
                                 const HardwareColumns &dst) {
  SourceFinder finder(src);
  WarpLocalSources sources;
  auto find = [&](uint64_t element, llvm::SmallVector<Source> &list) {
    auto source = finder.inThread(element, /*lane=*/0);
    // A register of the same thread first: no shuffle is cheaper.
    if (!source)
      source = finder.inWarp(element);
    if (source)
      list.push_back(*source);
    return source.has_value();
  };
  for (uint64_t element : dst.reg)
    if (!find(element, sources.reg))
      return std::nullopt;
  // It starts from the element that the other warp holds at register 0 and lane
  // 0.
  for (auto [element, start] : llvm::zip_equal(dst.warp, src.warp))
    if (!find(element ^ start, sources.warp))
      return std::nullopt;
  if (!findLaneSources(finder, dst, sources.lane))
    return std::nullopt;
  return sources;
}

/// Returns whether every element is in its thread already, at a register that
/// does not depend on the thread.
static bool staysInRegisters(const WarpLocalSources &sources) {
  // All registers come from the same thread.
  for (const Source &source : sources.reg)
    if (source.lane != 0)
      return false;
  // Each lane reads from itself.
  for (auto [i, source] : llvm::enumerate(sources.lane))
    if (source.lane != uint64_t(1) << i || source.reg != 0)
      return false;
  return llvm::all_of(sources.warp, [](const Source &source) {
    return source.reg == 0 && source.lane == 0;
  });
}

/// Returns the source registers of all destination registers, for
/// staysInRegisters.
static llvm::SmallVector<int32_t>
mapRegisters(const HardwareColumns &dst, const WarpLocalSources &sources) {
  F2Columns columns;
  for (const Source &source : sources.reg)
    columns.push_back(source.reg);
  llvm::SmallVector<int32_t> results;
  for (uint64_t r = 0; r < uint64_t(1) << dst.reg.size(); ++r)
    results.push_back(f2Apply(columns, r));
  return results;
}

/// Returns whether each thread holds the right elements in the right order.
static bool isIdentity(const HardwareColumns &src, const HardwareColumns &dst) {
  return src.reg == dst.reg && src.lane == dst.lane && src.warp == dst.warp;
}

/// Returns the cheapest way; `sources` is nothing if elements have to cross
/// sub-groups.
static ConversionKind classify(const HardwareColumns &src,
                               const HardwareColumns &dst,
                               const std::optional<WarpLocalSources> &sources) {
  if (isIdentity(src, dst))
    return ConversionKind::Identity;
  if (!sources)
    return ConversionKind::SharedMemory;
  return staysInRegisters(*sources) ? ConversionKind::Registers
                                    : ConversionKind::SubgroupShuffle;
}

namespace {
/// The part that all questions about a conversion have in common.
struct Conversion {
  /// Layouts have to have passed the checks above.
  Conversion(const LinearLayout &srcLayout, const LinearLayout &dstLayout,
             const LayoutConversionOptions &options)
      : outDims(srcLayout.getOutDims()), src(getColumns(srcLayout, outDims)),
        dst(getColumns(dstLayout, outDims)),
        sources(findWarpLocalSources(src, dst)),
        kind(classify(src, dst, sources)) {
    if (kind == ConversionKind::SubgroupShuffle && options.forceSharedMemory)
      kind = ConversionKind::SharedMemory;
  }

  /// Tensor dimensions in the order that columns of both layouts count in.
  llvm::SmallVector<LayoutDim> outDims;
  /// Columns of both layouts.
  HardwareColumns src, dst;
  /// The sources of elements if they stay in their sub-groups.
  std::optional<WarpLocalSources> sources;
  /// The way in which they move.
  ConversionKind kind;
};
} // namespace

LayoutConversionEstimate
estimateLayoutConversion(const LinearLayout &src, const LinearLayout &dst,
                         int32_t elementBits,
                         const LayoutConversionOptions &options) {
  assert(checkLayouts(src, dst).empty() && "layouts cannot be converted");
  Conversion conversion(src, dst, options);
  LayoutConversionEstimate estimate;
  estimate.kind = conversion.kind;
  if (conversion.kind == ConversionKind::SubgroupShuffle) {
    ShuffleCounts counts = countShuffles(conversion.dst, *conversion.sources);
    estimate.numShuffles = counts.shuffles;
    estimate.numSelects = counts.selects;
    estimate.numBroadcasts = counts.broadcasts;
  } else if (conversion.kind == ConversionKind::SharedMemory) {
    ScratchNeed need =
        getScratchNeed(conversion.src, conversion.dst,
                       src.getTotalOutDimSizeLog2(), elementBits, options);
    estimate.scratchBytes = need.bytes;
    estimate.numIterations = need.numIterations;
    estimate.numAccesses = need.numAccesses;
    estimate.numPasses = need.numPasses;
  }
  return estimate;
}

std::optional<LayoutConversionPlan> planLayoutConversion(
    const LinearLayout &src, const LinearLayout &dst, int32_t elementBits,
    const LayoutConversionOptions &options, std::string *error) {
  // A plan may be requested with layouts that users have written.
  if (std::string problem = checkLayouts(src, dst); !problem.empty()) {
    if (error)
      *error = std::move(problem);
    return std::nullopt;
  }
  Conversion conversion(src, dst, options);
  const HardwareColumns &srcColumns = conversion.src;
  const HardwareColumns &dstColumns = conversion.dst;
  LayoutConversionPlan plan;
  plan.numSrcRegisters = 1 << srcColumns.reg.size();
  plan.kind = conversion.kind;
  switch (plan.kind) {
  // Result registers are the source registers.
  case ConversionKind::Identity:
    for (int32_t r = 0; r < plan.numSrcRegisters; ++r)
      plan.results.push_back(r);
    break;
  case ConversionKind::Registers:
    plan.results = mapRegisters(dstColumns, *conversion.sources);
    break;
  case ConversionKind::SubgroupShuffle:
    planShuffles(dstColumns, *conversion.sources, plan);
    break;
  case ConversionKind::SharedMemory:
    // The destination has to count elements as the source does.
    planSharedMemory(src, dst.transposeOuts(conversion.outDims), srcColumns,
                     dstColumns, elementBits, options, plan);
    break;
  }
  return plan;
}

} // namespace mlir::triton
