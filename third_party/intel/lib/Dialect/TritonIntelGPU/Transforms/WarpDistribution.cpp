//===- WarpDistribution.cpp - Distribution of warps over dots -------------===//
// SPDX-License-Identifier: MIT
//
// Searches for a local minimum of the costs. In each step, one dot, or all dots
// whose results are combined elementwise, change their distribution if this
// lowers the sum. So the search ends, after a few rounds over all dots. For
// functions with very many dots it stops early.
//
//===----------------------------------------------------------------------===//

#include "WarpDistribution.h"

#include "intel/Analysis/Layouts/LayoutCost.h"
#include "intel/Analysis/Registers/EngineCycles.h"
#include "intel/Analysis/Registers/ExecutionWeight.h"
#include "intel/Analysis/Registers/FragmentRegisters.h"
#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
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

/// A 2D block message brings one of the gathered rows.
constexpr int64_t kRowBytes = 64;
/// The smallest messages bring a matrix of a right operand.
constexpr int64_t kMatrixBytes = 512;

/// A register that has no room goes to L1 and comes back, by an instruction and
/// a cycle of L1 each.
constexpr int64_t kSpillCycles = 4;

/// Costs are eighths of cycles. An eighth of what L1 and the other instructions
/// take always counts, so that of two distributions that the matrix engine
/// bounds the one wins that reads and computes less.
constexpr int64_t kScale = 8;

/// Returns the number of bytes that a 2D block message brings at most. Chips
/// without such messages are weighed like the first one of the table.
int64_t getMessageBytes(const TargetDesc &target) {
  return (target.supports2DBlockIO() ? target : TargetDesc())
      .getBlockIOLimits()
      .maxLoadBytes;
}

/// Returns the value that is converted to `value`; itself if it is not.
Value skipConversions(Value value) {
  while (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSrc();
  return value;
}

/// Returns the bytes of a thread's registers that tensors can have. Addresses
/// and uniform values take the others.
int64_t getUsableBytes(ModuleOp module) {
  TargetDesc target = getTargetDesc(module);
  return getRegistersPerThread(module) *
         target.getBlockIOLimits().registerBytes *
         target.getCompiler().usablePercent / 100;
}

/// A result that is the left or right operand of another dot.
struct ChainLink {
  unsigned producer, consumer, operand;
};

/// The dots of a module as nodes, and where their results meet.
class DotGraph {
public:
  DotGraph(ModuleOp module, MutableArrayRef<DotDistributions> dots)
      : dots(dots), compiler(getTargetDesc(module).getCompiler()),
        messageBytes(getMessageBytes(getTargetDesc(module))),
        usableBytes(getUsableBytes(module)), sources(module), costs(module),
        group(dots.size()), computations(dots.size()) {
    for (auto [index, distributions] : llvm::enumerate(dots)) {
      indices[distributions.dot] = index;
      group[index] = index;
    }
    for (unsigned index = 0; index < dots.size(); ++index)
      followResult(index);
    for (auto [index, distributions] : llvm::enumerate(dots))
      addOperands(index, distributions.dot);
    // Most modules have a single dot, which needs no costs.
    if (!hasReasons())
      return;
    for (const DotDistributions &distributions : dots) {
      for (DpasEncodingAttr layout : distributions.layouts)
        profiles.emplace_back(profile(distributions.dot, layout));
      firstProfiles.push_back(profiles.size() - distributions.layouts.size());
    }
  }

  /// Returns whether anything matters other than the shape of each result.
  bool hasReasons() const {
    return hasGroups || !links.empty() || hasSharedOperands ||
           llvm::any_of(computations, [](const auto &pair) {
             return llvm::any_of(pair, [](const Computation &computation) {
               return computation.isWhole || computation.instructions != 0;
             });
           });
  }

  /// Returns the sets of dots that may need the same distribution: those of a
  /// group, and all dots that are connected by groups, chains and operands.
  SmallVector<SmallVector<unsigned>> getSets() const;

  /// Returns the cost of all dots with their chosen layouts.
  int64_t getCost();

private:
  /// How an operand of a dot is computed.
  struct Computation {
    /// This is true if the whole operand is in registers: a loop carries it, or
    /// it is computed from a value that exists as a whole. Others come from
    /// memory, part by part.
    bool isWhole = false;
    /// This is true if the rows are gathered.
    bool gathersRows = false;
    /// The instructions of a lane for all elements, between load and dot.
    int64_t instructions = 0;
  };

  /// An operand that comes from memory, or is computed from what does.
  struct DotOperand {
    Value value;
    /// The dot, and 0 or 1 for its left or right operand.
    unsigned dot, index;
    /// The block that reads it: before loops that do not change it.
    Block *block;
  };

  Computation findComputation(DotOpInterface dot, unsigned operand);

  /// The cost of a dot with one of its layouts, for a sub-group.
  struct Profile {
    int64_t matrixCycles, resultBytes;
    /// The bytes of both operands.
    std::array<int64_t, 2> operandBytes;
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

  /// Returns the part of the cost that conversions between dots have.
  int64_t getMeetingCost();

  /// Returns the registers of both operands, in bytes.
  int64_t getOperandBytes(unsigned dot) const;

  /// Finds the dots that a dot's result is an operand of, or that it meets in
  /// arithmetic on elements.
  void followResult(unsigned index);
  void addOperands(unsigned index, DotOpInterface dot);
  void addWeight(Block *block) {
    weights.try_emplace(block, getExecutionWeight(block, /*countsTrips=*/true));
  }

  RankedTensorType getOperandType(unsigned dot, unsigned operand) const {
    return cast<RankedTensorType>(dots[dot].dot->getOperand(operand).getType());
  }
  DpasEncodingAttr getLayout(unsigned dot) const {
    return dots[dot].layouts[dots[dot].chosen];
  }
  Attribute getOperandLayout(unsigned dot, unsigned operand) const {
    return getOperandLayout(getLayout(dot), operand);
  }
  static Attribute getOperandLayout(DpasEncodingAttr layout, unsigned operand) {
    return DotOperandEncodingAttr::get(layout.getContext(), operand, layout,
                                       layout.getOperandKWidth(operand));
  }
  /// Returns the cycles that a sub-group takes to convert a tensor.
  int64_t getConversionCycles(RankedTensorType type, Attribute from,
                              Attribute to, unsigned numWarps) {
    return costs.getConversionCost(type, from, to) / (kCostOfCycle * numWarps);
  }

  MutableArrayRef<DotDistributions> dots;
  const CompilerProfile &compiler;
  int64_t messageBytes;
  /// The bytes of a sub-group's registers that tensors can have.
  int64_t usableBytes;
  /// States whether a distribution whose cost was computed has no room in them.
  ValueSources sources;
  LayoutCostModel costs;
  llvm::MapVector<Operation *, unsigned> indices;
  /// A dot of the same group, or itself: the first one of each group.
  SmallVector<unsigned> group;
  bool hasGroups = false;
  /// This is true if an operand is one of several dots.
  bool hasSharedOperands = false;
  llvm::DenseSet<Value> operandValues;
  /// The dot that a value was first reached from.
  DenseMap<Value, unsigned> reached;
  SmallVector<ChainLink> links;
  SmallVector<DotOperand> operands;
  /// The ways in which both operands of each dot are computed.
  SmallVector<std::array<Computation, 2>> computations;
  /// The costs of all layouts of the first dot, of the second, and so on.
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

void DotGraph::addOperands(unsigned index, DotOpInterface dot) {
  addWeight(dot->getBlock());
  for (unsigned operand : {0u, 1u}) {
    computations[index][operand] = findComputation(dot, operand);
    bool isLinked = llvm::any_of(links, [&](const ChainLink &link) {
      return link.consumer == index && link.operand == operand;
    });
    // A conversion brings it.
    if (isLinked)
      continue;
    Value value = skipConversions(dot->getOperand(operand));
    Block *block = value.getParentBlock();
    addWeight(block);
    operands.push_back({value, index, operand, block});
    hasSharedOperands |= !operandValues.insert(value).second;
  }
}

/// Returns the instructions of a lane for an element of what `op` computes;
/// `known` are those of conversions.
static int64_t countInstructions(Operation *op,
                                 const ElementInstructions &known) {
  if (op->getNumOperands() == 0 ||
      op->hasTrait<mlir::OpTrait::MovesElements>() ||
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

/// Returns whether the values of `op` are those of its operands, one by one, in
/// the same or another shape.
static bool isComputedByElement(Operation *op) {
  return op->hasTrait<mlir::OpTrait::MovesElements>() ||
         isa<ConvertLayoutOp, FpToFpOp>(op) ||
         op->hasTrait<mlir::OpTrait::Elementwise>();
}

/// Returns whether a message can bring `value` in each iteration, part by part,
/// or it is in no registers at all.
static bool canLoadAgain(Value value) {
  value = skipConversions(value);
  if (Operation *op = value.getDefiningOp(); op && loadsBlock(op))
    return true;
  return matchPattern(value, m_Constant()) || value.getDefiningOp<SplatOp>();
}

DotGraph::Computation DotGraph::findComputation(DotOpInterface dot,
                                                unsigned operand) {
  Computation computation;
  bool isMade = false;
  auto loop = dot->getParentOfType<LoopLikeOpInterface>();
  llvm::SmallPtrSet<Value, 16> seen;
  SmallVector<Value> worklist{dot->getOperand(operand)};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    // Masks are the same work for all distributions.
    if (!type || type.getElementType().isInteger(1) ||
        !seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (loop && loop.isDefinedOutsideOfLoop(value)) {
      computation.isWhole |= op && !canLoadAgain(value);
      continue;
    }
    // The values that a loop carries change in it.
    computation.isWhole |= loop && !op;
    if (sources.getSources(value, worklist) || !op)
      continue;
    if (isa<DotOpInterface>(op)) {
      // After another dot its layout is used in the computation.
      computation.isWhole = isMade = true;
      continue;
    }
    if (auto load = dyn_cast<LoadBlockOp>(op))
      computation.gathersRows |= static_cast<bool>(load.getRows());
    if (!isComputedByElement(op))
      continue;
    computation.instructions +=
        countInstructions(op, compiler.elements) * type.getNumElements();
    llvm::append_range(worklist, op->getOperands());
  }
  if (isMade)
    computation.instructions = 0;
  return computation;
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
  for (const DotOperand &operand : operands)
    all.unionSets(users.try_emplace(operand.value, operand.dot).first->second,
                  operand.dot);

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
  // A multiply-add of a row takes one element of K.
  int64_t kOfInstruction =
      isExactSingleDot(dot, getTargetDesc(dot))
          ? 1
          : int64_t(layout.getSystolicDepth()) * layout.getOpsPerChannel();
  return {rows * int64_t(llvm::divideCeil(k, kOfInstruction)) * kCyclesPerRow,
          getBytes(dot.getResult(), layout),
          {getBytes(dot.getA(), getOperandLayout(layout, 0)),
           getBytes(dot.getB(), getOperandLayout(layout, 1))}};
}

int64_t DotGraph::getOperandBytes(unsigned dot) const {
  auto [left, right] = getProfile(dot).operandBytes;
  bool leftStays = computations[dot][0].isWhole,
       rightStays = computations[dot][1].isWhole;
  // One operand can pass through matrix by matrix while the other one stays.
  int64_t leftPasses = leftStays ? left : std::min(left, kMatrixBytes);
  int64_t rightPasses = rightStays ? right : std::min(right, kMatrixBytes);
  return std::min(left + rightPasses, right + leftPasses);
}

int64_t DotGraph::getCost() {
  struct Cycles {
    int64_t matrix = 0, bytes = 0, instructions = 0;
    /// The bytes of registers: results, and the operands of the dot with the
    /// largest ones.
    int64_t results = 0, operands = 0;
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
    // A product that starts from zero is added to its accumulator in the end.
    // If its left operand comes part by part, all of its sums are live beside
    // the accumulator (Schedule/ListScheduler.h).
    if (dots[index].startsFromZero && !computations[index][0].isWhole)
      cycles.results += dot.resultBytes;
    cycles.operands = std::max(cycles.operands, getOperandBytes(index));
  }

  // An operand of several dots is read once in each layout. Operands that no
  // message can bring again are converted from the layout of the first dot.
  int64_t cost = 0;
  llvm::MapVector<Value, SmallVector<Attribute, 2>> read;
  for (const DotOperand &operand : operands) {
    Attribute layout = getOperandLayout(operand.dot, operand.index);
    RankedTensorType type = getOperandType(operand.dot, operand.index);
    auto getCycles = [&](Attribute from) {
      return getConversionCycles(type, from, layout,
                                 lookupNumWarps(dots[operand.dot].dot));
    };
    SmallVector<Attribute, 2> &layouts = read[operand.value];
    // Layouts with other clusters of instructions may have the same elements in
    // each lane.
    if (llvm::any_of(layouts,
                     [&](Attribute other) { return !getCycles(other); }))
      continue;
    layouts.push_back(layout);
    if (layouts.size() > 1 && !canLoadAgain(operand.value)) {
      cost +=
          kScale * weights.lookup(operand.block) * getCycles(layouts.front());
      continue;
    }
    int64_t bytes = getProfile(operand.dot).operandBytes[operand.index];
    const Computation &computation = computations[operand.dot][operand.index];
    Cycles &cycles = blocks[operand.block];
    // Each sub-group computes the elements that it has.
    cycles.instructions +=
        computation.instructions * bytes * 8 /
        (type.getNumElements() * type.getElementTypeBitWidth() *
         getLayout(operand.dot).getThreadsPerWarp());
    if (computation.isWhole)
      continue;
    cycles.bytes += llvm::divideCeil(bytes, kBytesPerCycle);
    cycles.instructions +=
        llvm::divideCeil(bytes,
                         computation.gathersRows ? kRowBytes : messageBytes) *
        compiler.messageInstructions;
  }

  for (auto [block, cycles] : blocks) {
    int64_t missing = cycles.results + cycles.operands - usableBytes;
    int64_t spilled = std::max<int64_t>(0, missing) / kBytesPerCycle;
    cost += weights.lookup(block) *
            (kScale *
                 (std::max({cycles.matrix, cycles.bytes, cycles.instructions}) +
                  spilled * kSpillCycles) +
             cycles.bytes + cycles.instructions);
  }

  return cost + getMeetingCost();
}

int64_t DotGraph::getMeetingCost() {
  int64_t cost = 0;
  // Where both ends are in loops, the conversion is in the one that takes the
  // value over.
  auto getWeight = [&](unsigned from, unsigned to) {
    return std::min(weights.lookup(dots[from].dot->getBlock()),
                    weights.lookup(dots[to].dot->getBlock()));
  };
  // An operand of several dots of a block is converted once for each layout.
  llvm::DenseSet<std::tuple<unsigned, Value, Block *, Attribute>> converted;
  for (const ChainLink &link : links) {
    DotOpInterface consumer = dots[link.consumer].dot;
    Attribute layout = getOperandLayout(link.consumer, link.operand);
    Value value = skipConversions(consumer->getOperand(link.operand));
    if (!converted.insert({link.producer, value, consumer->getBlock(), layout})
             .second)
      continue;
    cost += kScale * getWeight(link.producer, link.consumer) *
            getConversionCycles(getOperandType(link.consumer, link.operand),
                                getLayout(link.producer), layout,
                                lookupNumWarps(consumer));
  }
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

void mlir::triton::gpu::intel::improveWarpDistributions(
    ModuleOp module, MutableArrayRef<DotDistributions> dots) {
  if (dots.empty())
    return;
  DotGraph graph(module, dots);
  // The square is meant for a single dot.
  if (!graph.hasReasons())
    return;
  int64_t numVisits = 0;
  auto getCost = [&] {
    numVisits += dots.size();
    return graph.getCost();
  };
  int64_t best = getCost();
  // Gives all of `members` the distribution that costs least, as far as they
  // have it.
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
    // The distributions of the first one represent all.
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
