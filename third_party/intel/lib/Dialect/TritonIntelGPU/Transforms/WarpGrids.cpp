//===- WarpGrids.cpp - Sub-groups of dots that go together ----------------===//
// SPDX-License-Identifier: MIT
//
// Searches for a local minimum of the costs. In each step, one dot, or all dots
// whose results are combined elementwise, change their grid if this lowers the
// sum. So the search ends, after a few rounds over all dots. For functions with
// very many dots it stops early.
//
//===----------------------------------------------------------------------===//

#include "WarpGrids.h"

#include "intel/Analysis/ExecutionWeight.h"
#include "intel/Analysis/FragmentRegisters.h"
#include "intel/Analysis/LayoutCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Dots whose costs are added up, all sums together.
constexpr int64_t kMaxVisits = 1 << 18;

/// Of a vector engine: its share of an Xe core's 512 bytes per cycle, and the
/// cycles that its matrix engine takes for a row of a DPAS (the sources stand
/// in triton_xe/report/roofline.py).
constexpr int64_t kBytesPerCycle = 64, kCyclesPerRow = 1;

/// A 2D block message brings one of the gathered rows.
constexpr int64_t kRowBytes = 64;
/// The smallest ones bring a matrix of a right factor.
constexpr int64_t kMatrixBytes = 512;

/// A register that has no room goes to L1 and comes back, by an instruction and
/// a cycle of L1 each.
constexpr int64_t kSpillCycles = 4;

/// Costs are eighths of cycles. An eighth of what L1 takes always counts, so
/// that of two grids that the matrix engine bounds the one wins that reads
/// less.
constexpr int64_t kScale = 8;

/// Bytes that a 2D block message brings at most. Chips without such messages
/// are weighed like the first one of the table.
int64_t getMessageBytes(const TargetDesc &target) {
  return (target.supports2DBlockIO() ? target : TargetDesc())
      .getBlockIOLimits()
      .maxLoadBytes;
}

/// Returns the bytes of a thread's registers that tensors can have. Addresses
/// and uniform values take the others.
int64_t getUsableBytes(const TargetDesc &target, int64_t registers) {
  return registers * target.getBlockIOLimits().registerBytes *
         target.getCompiler().usablePercent / 100;
}

/// A result that another dot has as a factor.
struct ChainLink {
  unsigned producer, consumer, operand;
};

/// The dots of a module as nodes, and where their results meet.
class DotGraph {
public:
  DotGraph(ModuleOp module, MutableArrayRef<DotGrids> dots, int64_t registers)
      : dots(dots), compiler(getTargetDesc(module).getCompiler()),
        messageBytes(getMessageBytes(getTargetDesc(module))),
        usableBytes(getUsableBytes(getTargetDesc(module), registers)),
        sources(module), costs(module), group(dots.size()),
        makings(dots.size()) {
    for (auto [index, grids] : llvm::enumerate(dots)) {
      indices[grids.dot] = index;
      group[index] = index;
    }
    for (unsigned index = 0; index < dots.size(); ++index)
      followResult(index);
    for (auto [index, grids] : llvm::enumerate(dots))
      addFactors(index, grids.dot);
    // Most modules have a dot of its own, which asks for no costs.
    if (!hasReasons())
      return;
    for (const DotGrids &grids : dots) {
      for (DpasEncodingAttr layout : grids.layouts)
        profiles.emplace_back(profile(grids.dot, layout));
      firstProfiles.push_back(profiles.size() - grids.layouts.size());
    }
  }

  /// Whether there is anything that the square of a dot does not know of.
  bool hasReasons() const {
    return hasGroups || !links.empty() ||
           llvm::any_of(makings, [](const auto &factors) {
             return llvm::any_of(factors, [](const Making &making) {
               return making.isWhole || making.instructions != 0;
             });
           });
  }

  /// Sets of dots that may want to have the same grid: those of a group, and
  /// all that are connected by groups, chains and factors.
  SmallVector<SmallVector<unsigned>> getSets() const;

  /// Of all dots with what they have chosen.
  int64_t getCost();

private:
  /// How a factor of a dot comes about.
  struct Making {
    /// In registers as a whole: a loop carries it, or it is computed from what
    /// is there as a whole. Others come from memory, part by part.
    bool isWhole = false;
    /// This is true if the rows are gathered.
    bool picksRows = false;
    /// Of a lane for all elements, between load and dot.
    int64_t instructions = 0;
  };

  /// A factor that comes from memory, or is computed from what does.
  struct Factor {
    Value value;
    unsigned dot, operand;
    /// Where it is read: in front of loops that do not change it.
    Block *block;
  };

  Making findMaking(DotOpInterface dot, unsigned operand);

  /// What a dot takes with one of its layouts, for a sub-group.
  struct Profile {
    int64_t matrixCycles, resultBytes;
    /// Of both factors.
    std::array<int64_t, 2> factorBytes;
  };
  static Profile profile(DotOpInterface dot, DpasEncodingAttr layout);
  const Profile &getProfile(unsigned dot) const {
    return profiles[firstProfiles[dot] + dots[dot].chosen];
  }

  unsigned findGroup(unsigned index) const {
    while (group[index] != index)
      index = group[index];
    return index;
  }
  void join(unsigned first, unsigned second) {
    first = findGroup(first);
    second = findGroup(second);
    if (first == second)
      return;
    hasGroups = true;
    group[std::max(first, second)] = std::min(first, second);
  }

  /// Registers of both factors, in bytes.
  int64_t getFactorBytes(unsigned dot) const;

  /// Finds the dots that a dot's result is a factor of, or that it meets in
  /// arithmetic on elements.
  void followResult(unsigned index);
  void addFactors(unsigned index, DotOpInterface dot);
  void addWeight(Block *block) {
    weights.try_emplace(block, getExecutionWeight(block, /*countsTrips=*/true));
  }

  RankedTensorType getFactorType(unsigned dot, unsigned operand) const {
    return cast<RankedTensorType>(dots[dot].dot->getOperand(operand).getType());
  }
  DpasEncodingAttr getLayout(unsigned dot) const {
    return dots[dot].layouts[dots[dot].chosen];
  }
  Attribute getFactorLayout(unsigned dot, unsigned operand) const {
    return getFactorLayout(getLayout(dot), operand);
  }
  static Attribute getFactorLayout(DpasEncodingAttr layout, unsigned operand) {
    return DotOperandEncodingAttr::get(layout.getContext(), operand, layout,
                                       layout.getOperandKWidth(operand));
  }
  /// Cycles of a sub-group for converting a tensor.
  int64_t getConversionCycles(RankedTensorType type, Attribute from,
                              Attribute to, unsigned numWarps) {
    return costs.getConversionCost(type, from, to) /
           (kBytesPerCycle * numWarps);
  }

  MutableArrayRef<DotGrids> dots;
  const CompilerProfile &compiler;
  int64_t messageBytes;
  /// Of the registers of a sub-group.
  int64_t usableBytes;
  ValueSources sources;
  LayoutCostModel costs;
  llvm::MapVector<Operation *, unsigned> indices;
  /// A dot of the same group, or itself: the first one of each group.
  SmallVector<unsigned> group;
  bool hasGroups = false;
  /// The dot that a value was first reached from.
  DenseMap<Value, unsigned> reached;
  SmallVector<ChainLink> links;
  SmallVector<Factor> factors;
  /// Of each dot, for both factors.
  SmallVector<std::array<Making, 2>> makings;
  /// Of all layouts of the first dot, of the second, and so on.
  SmallVector<Profile> profiles;
  SmallVector<unsigned> firstProfiles;
  DenseMap<Block *, int64_t> weights;
};

void DotGraph::followResult(unsigned index) {
  DotOpInterface start = dots[index].dot;
  ArrayRef<int64_t> shape = start.getType().getShape();
  SmallVector<Value> worklist{start.getResult()};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getShape() != shape)
      continue;
    auto [entry, isNew] = reached.try_emplace(value, index);
    if (!isNew) {
      join(entry->second, index);
      continue;
    }
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto dot = dyn_cast<DotOpInterface>(user)) {
        auto known = indices.find(dot);
        if (known == indices.end())
          continue;
        if (use.getOperandNumber() == 2)
          join(index, known->second);
        else
          links.push_back({index, known->second, use.getOperandNumber()});
        continue;
      }
      if (sources.getDestinations(use, worklist))
        continue;
      if (isa<ConvertLayoutOp, FpToFpOp>(user) ||
          user->hasTrait<mlir::OpTrait::Elementwise>())
        llvm::append_range(worklist, user->getResults());
    }
  }
}

void DotGraph::addFactors(unsigned index, DotOpInterface dot) {
  addWeight(dot->getBlock());
  for (unsigned operand : {0u, 1u}) {
    makings[index][operand] = findMaking(dot, operand);
    bool isLinked = llvm::any_of(links, [&](const ChainLink &link) {
      return link.consumer == index && link.operand == operand;
    });
    // A conversion brings it.
    if (isLinked)
      continue;
    Value value = dot->getOperand(operand);
    while (auto convert = value.getDefiningOp<ConvertLayoutOp>())
      value = convert.getSrc();
    Block *block = value.getParentBlock();
    addWeight(block);
    factors.push_back({value, index, operand, block});
  }
}

/// Instructions of a lane for an element of what `op` computes; `known` are
/// those of conversions.
static int64_t countInstructions(Operation *op,
                                 const ElementInstructions &known) {
  if (op->getNumOperands() == 0 || isShapeOperation(op) ||
      isa<ConvertLayoutOp, triton::BitcastOp, arith::BitcastOp>(op))
    return 0;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  if (isa<FpToFpOp>(op))
    return isa<Float8E4M3FNType>(from) ? known.fromE4M3 : known.fromE5M2;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
      from.getIntOrFloatBitWidth() <= 8)
    return known.fromBytes;
  return isExpensive(op) ? LayoutCostWeights().expensiveElement
                         : LayoutCostWeights().simpleElement;
}

/// Whether the values of `op` are those of its operands, one by one, in the
/// same or another shape.
static bool isComputedByElement(Operation *op) {
  return isShapeOperation(op) || isa<ConvertLayoutOp, FpToFpOp>(op) ||
         op->hasTrait<mlir::OpTrait::Elementwise>();
}

/// Whether a message can bring `value` in each iteration, part by part, or it
/// is in no registers at all.
static bool canLoadAgain(Value value) {
  while (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSrc();
  if (Operation *op = value.getDefiningOp(); op && loadsBlock(op))
    return true;
  return matchPattern(value, m_Constant()) || value.getDefiningOp<SplatOp>();
}

DotGraph::Making DotGraph::findMaking(DotOpInterface dot, unsigned operand) {
  Making making;
  bool isMade = false;
  auto loop = dot->getParentOfType<LoopLikeOpInterface>();
  llvm::SmallPtrSet<Value, 16> seen;
  SmallVector<Value> worklist{dot->getOperand(operand)};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    // Masks are the same work for all grids.
    if (!type || type.getElementType().isInteger(1) ||
        !seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (loop && loop.isDefinedOutsideOfLoop(value)) {
      making.isWhole |= op && !canLoadAgain(value);
      continue;
    }
    // What a loop carries changes in it.
    making.isWhole |= loop && !op;
    if (sources.getSources(value, worklist) || !op)
      continue;
    if (isa<DotOpInterface>(op)) {
      // Behind another dot its layout is computed with.
      making.isWhole = isMade = true;
      continue;
    }
    making.picksRows |= isa<GatherRowsOp>(op);
    if (!isComputedByElement(op))
      continue;
    making.instructions +=
        countInstructions(op, compiler.elements) * type.getNumElements();
    llvm::append_range(worklist, op->getOperands());
  }
  if (isMade)
    making.instructions = 0;
  return making;
}

SmallVector<SmallVector<unsigned>> DotGraph::getSets() const {
  llvm::EquivalenceClasses<unsigned> groups, all;
  for (unsigned index = 0; index < dots.size(); ++index) {
    groups.unionSets(findGroup(index), index);
    all.unionSets(findGroup(index), index);
  }
  for (const ChainLink &link : links)
    all.unionSets(link.producer, link.consumer);
  DenseMap<Value, unsigned> users;
  for (const Factor &factor : factors)
    all.unionSets(users.try_emplace(factor.value, factor.dot).first->second,
                  factor.dot);

  SmallVector<SmallVector<unsigned>> sets;
  for (const auto *classes : {&groups, &all}) {
    llvm::MapVector<unsigned, SmallVector<unsigned>> members;
    for (unsigned index = 0; index < dots.size(); ++index)
      members[classes->getLeaderValue(index)].push_back(index);
    for (auto &[leader, set] : members)
      if (set.size() > 1)
        sets.push_back(std::move(set));
  }
  return sets;
}

DotGraph::Profile DotGraph::profile(DotOpInterface dot,
                                    DpasEncodingAttr layout) {
  auto getBytes = [](Value value, Attribute layout) {
    return getRegisterBytes(
        cast<RankedTensorType>(value.getType()).cloneWithEncoding(layout));
  };
  // Registers of the result are rows of instructions; each goes through K.
  int64_t rows = toLinearLayout(dot.getType().getShape(), layout)
                     .getInDimSize(LayoutDim::Register);
  int64_t k = cast<RankedTensorType>(dot.getA().getType()).getShape().back();
  int64_t kOfInstruction =
      int64_t(layout.getSystolicDepth()) * layout.getOpsPerChannel();
  return {rows * int64_t(llvm::divideCeil(k, kOfInstruction)) * kCyclesPerRow,
          getBytes(dot.getResult(), layout),
          {getBytes(dot.getA(), getFactorLayout(layout, 0)),
           getBytes(dot.getB(), getFactorLayout(layout, 1))}};
}

int64_t DotGraph::getFactorBytes(unsigned dot) const {
  auto [left, right] = getProfile(dot).factorBytes;
  bool leftStays = makings[dot][0].isWhole,
       rightStays = makings[dot][1].isWhole;
  // One factor can pass through matrix by matrix while the other one stays.
  int64_t passing = compiler.messagesInFlight * kMatrixBytes;
  int64_t leftPasses = leftStays ? left : std::min(left, passing);
  int64_t rightPasses = rightStays ? right : std::min(right, passing);
  return std::min(left + rightPasses, right + leftPasses);
}

int64_t DotGraph::getCost() {
  struct Cycles {
    int64_t matrix = 0, bytes = 0, instructions = 0;
    /// Bytes of registers: results, and factors of the dot with most of them.
    int64_t results = 0, factors = 0;
  };
  llvm::MapVector<Block *, Cycles> blocks;
  llvm::DenseSet<std::pair<Block *, unsigned>> counted;
  for (unsigned index = 0; index < dots.size(); ++index) {
    Cycles &cycles = blocks[dots[index].dot->getBlock()];
    const Profile &dot = getProfile(index);
    cycles.matrix += dot.matrixCycles;
    // Products that one accumulator takes are in its registers.
    if (counted.insert({dots[index].dot->getBlock(), findGroup(index)}).second)
      cycles.results += dot.resultBytes;
    cycles.factors = std::max(cycles.factors, getFactorBytes(index));
  }

  // A factor of several dots is read once, in the layout of the first one, and
  // converted for the others.
  int64_t cost = 0;
  llvm::MapVector<Value, Attribute> read;
  for (const Factor &factor : factors) {
    Attribute layout = getFactorLayout(factor.dot, factor.operand);
    RankedTensorType type = getFactorType(factor.dot, factor.operand);
    auto [first, isFirst] = read.insert({factor.value, layout});
    if (!isFirst) {
      cost += kScale * weights.lookup(factor.block) *
              getConversionCycles(type, first->second, layout,
                                  lookupNumWarps(dots[factor.dot].dot));
      continue;
    }
    int64_t bytes = getProfile(factor.dot).factorBytes[factor.operand];
    const Making &making = makings[factor.dot][factor.operand];
    Cycles &cycles = blocks[factor.block];
    // Each sub-group computes the elements that it has.
    cycles.instructions +=
        making.instructions * bytes * 8 /
        (type.getNumElements() * type.getElementTypeBitWidth() *
         getLayout(factor.dot).getThreadsPerWarp());
    if (making.isWhole)
      continue;
    cycles.bytes += llvm::divideCeil(bytes, kBytesPerCycle);
    cycles.instructions +=
        llvm::divideCeil(bytes, making.picksRows ? kRowBytes : messageBytes) *
        compiler.messageInstructions;
  }

  for (auto [block, cycles] : blocks) {
    int64_t spilled =
        std::max<int64_t>(0, cycles.results + cycles.factors - usableBytes) /
        kBytesPerCycle;
    cost += weights.lookup(block) *
            (kScale *
                 (std::max({cycles.matrix, cycles.bytes, cycles.instructions}) +
                  spilled * kSpillCycles) +
             cycles.bytes);
  }

  // Where both ends are in loops, the conversion is in the one that takes the
  // value over.
  auto getWeight = [&](unsigned from, unsigned to) {
    return std::min(weights.lookup(dots[from].dot->getBlock()),
                    weights.lookup(dots[to].dot->getBlock()));
  };
  for (const ChainLink &link : links)
    cost += kScale * getWeight(link.producer, link.consumer) *
            getConversionCycles(getFactorType(link.consumer, link.operand),
                                getLayout(link.producer),
                                getFactorLayout(link.consumer, link.operand),
                                lookupNumWarps(dots[link.consumer].dot));
  // Each dot of a group against the one before it.
  DenseMap<unsigned, unsigned> last;
  for (unsigned index = 0; index < dots.size(); ++index) {
    auto [entry, isFirst] = last.try_emplace(findGroup(index), index);
    if (isFirst)
      continue;
    unsigned before = std::exchange(entry->second, index);
    cost +=
        kScale * getWeight(before, index) *
        getConversionCycles(dots[index].dot.getType(), getLayout(before),
                            getLayout(index), lookupNumWarps(dots[index].dot));
  }
  return cost;
}

} // namespace

void mlir::triton::gpu::intel::improveWarpGrids(ModuleOp module,
                                                MutableArrayRef<DotGrids> dots,
                                                int64_t registers) {
  if (dots.empty())
    return;
  DotGraph graph(module, dots, registers);
  // A dot of its own is what the square was made for.
  if (!graph.hasReasons())
    return;
  int64_t numVisits = 0;
  auto getCost = [&] {
    numVisits += dots.size();
    return graph.getCost();
  };
  int64_t best = getCost();
  // Gives all of `members` the grid that costs least, as far as they have it.
  auto improve = [&](ArrayRef<unsigned> members) {
    auto getChosen = [&] {
      return llvm::map_to_vector(
          members, [&](unsigned member) { return dots[member].chosen; });
    };
    auto choose = [&](ArrayRef<unsigned> layouts) {
      for (auto [member, layout] : llvm::zip_equal(members, layouts))
        dots[member].chosen = layout;
    };
    SmallVector<unsigned> before = getChosen(), chosen = before;
    // Grids of the first one stand for all.
    for (DpasEncodingAttr wanted : dots[members.front()].layouts) {
      if (numVisits > kMaxVisits)
        break;
      choose(before);
      for (unsigned member : members)
        for (auto [index, layout] : llvm::enumerate(dots[member].layouts))
          if (layout.getWarpsPerCTA() == wanted.getWarpsPerCTA())
            dots[member].chosen = index;
      int64_t cost = getCost();
      if (cost < best) {
        best = cost;
        chosen = getChosen();
      }
    }
    choose(chosen);
    return chosen != before;
  };
  SmallVector<SmallVector<unsigned>> sets = graph.getSets();
  for (bool isBetter = true; isBetter;) {
    isBetter = false;
    for (unsigned index = 0; index < dots.size(); ++index)
      isBetter |= improve(index);
    for (ArrayRef<unsigned> members : sets)
      isBetter |= improve(members);
  }
}
