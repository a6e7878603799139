//===- AxisInfo.cpp - Contiguity, divisibility, constancy -----------------===//
// SPDX-License-Identifier: MIT
//
// The lattice of axis facts, the sparse forward analysis that propagates it
// through regions, branches and calls, and the questions that lowerings ask.
// What operations do is in AxisInfoArith.cpp and AxisInfoTriton.cpp.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/AxisInfo.h"

#include "AxisInfoTransfer.h"
#include "triton/Analysis/Assumptions.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton {

using namespace axis;

//===----------------------------------------------------------------------===//
// Types and numbers
//===----------------------------------------------------------------------===//

SmallVector<int64_t> axis::getAxisShape(Type type) {
  // The axes of a block pointer are those of its block.
  if (isTensorPointerType(type))
    type = getPointeeType(type);
  if (auto tensor = dyn_cast<RankedTensorType>(type);
      tensor && tensor.getRank() > 0)
    return llvm::to_vector(tensor.getShape());
  // Scalars have one axis of one element.
  return {1};
}

int64_t axis::getUnit(Type type) {
  if (!isTensorPointerType(type) &&
      !isa<PointerType>(getElementTypeOrSelf(type)))
    return 1;
  // Of pointers, divisibility is in bytes; elements narrower than a byte take
  // one.
  return std::max<int64_t>(1, getPointeeBitWidth(type) / 8);
}

int64_t axis::getPowerOfTwoFactor(int64_t value) {
  // Any power of two divides zero.
  if (value == 0)
    return AxisInfo::kMaxDivisibility;
  return std::min(AxisInfo::kMaxDivisibility,
                  int64_t(1)
                      << std::min(62, llvm::countr_zero(uint64_t(value))));
}

/// Without overflow: what is divisible by more than the limit counts as the
/// limit.
int64_t axis::multiplyDivisors(int64_t a, int64_t b) {
  return a > AxisInfo::kMaxDivisibility / b ? AxisInfo::kMaxDivisibility
                                            : a * b;
}

/// Without the sign: -1 has none.
unsigned axis::getBitsOf(int64_t value) {
  return llvm::bit_width(uint64_t(value < 0 ? ~value : value));
}

//===----------------------------------------------------------------------===//
// AxisInfo
//===----------------------------------------------------------------------===//

/// One number per axis.
template <typename Fn>
static SmallVector<int64_t, 4> mapAxes(ArrayRef<Axis> axes, Fn fn) {
  return llvm::map_to_vector<4>(axes, fn);
}

SmallVector<int64_t, 4> AxisInfo::getContiguity() const {
  return mapAxes(axes, [](const Axis &axis) { return axis.contiguity; });
}

SmallVector<int64_t, 4> AxisInfo::getDivisibility() const {
  return mapAxes(axes, [](const Axis &axis) { return axis.divisibility; });
}

SmallVector<int64_t, 4> AxisInfo::getConstancy() const {
  return mapAxes(axes, [](const Axis &axis) { return axis.constancy; });
}

AxisInfo AxisInfo::getPessimistic(Type type) {
  // Groups of one element, divisible by nothing but 1.
  return AxisInfo(SmallVector<Axis, 4>(getAxisShape(type).size(), Axis()),
                  axis::getUnit(type));
}

AxisInfo AxisInfo::getConstant(Type type, int64_t value) {
  SmallVector<Axis, 4> axes;
  for (int64_t size : getAxisShape(type))
    // All elements are the same; each one is a contiguous group by itself.
    axes.push_back({1, getPowerOfTwoFactor(value), size});
  AxisInfo info(std::move(axes), axis::getUnit(type));
  info.constant = value;
  // The only bit of an i1 is its sign.
  bool isSignBit = getElementTypeOrSelf(type).isInteger(1) && value == 1;
  info.setRange(value >= 0 && !isSignBit, getBitsOf(value));
  return info;
}

int64_t AxisInfo::getDivisibilityOfGroups(unsigned dim, int64_t group) const {
  const Axis &axis = axes[dim];
  if (group >= axis.contiguity)
    return axis.divisibility;
  // Smaller groups start at first elements of larger ones, plus multiples of
  // their own size.
  return std::min(axis.divisibility, getPowerOfTwoFactor(group * unit));
}

int64_t AxisInfo::getElementDivisibility() const {
  // The axis that knows most is as good as any: all of them speak of the same
  // elements.
  int64_t result = 1;
  for (unsigned dim = 0; dim < getRank(); ++dim)
    result = std::max(result, getDivisibilityOfGroups(dim, 1));
  return result;
}

int64_t AxisInfo::getAlignedContiguity(unsigned dim) const {
  // Bytes of pointers become elements.
  return std::min(axes[dim].contiguity,
                  std::max<int64_t>(1, axes[dim].divisibility / unit));
}

void AxisInfo::refine(unsigned dim, const Axis &axis) {
  // First elements of the larger groups are first elements of smaller ones.
  Axis &mine = axes[dim];
  mine.contiguity = std::max(mine.contiguity, axis.contiguity);
  mine.divisibility = std::max(mine.divisibility, axis.divisibility);
  mine.constancy = std::max(mine.constancy, axis.constancy);
}

/// What is known of either one of two integers.
static KnownInteger joinIntegers(const KnownInteger &lhs,
                                 const KnownInteger &rhs) {
  KnownInteger result;
  result.divisibility = std::min(lhs.divisibility, rhs.divisibility);
  if (lhs.value == rhs.value)
    result.value = lhs.value;
  return result;
}

/// The same, dimension by dimension.
static SmallVector<KnownInteger, 4> joinIntegers(ArrayRef<KnownInteger> lhs,
                                                 ArrayRef<KnownInteger> rhs) {
  SmallVector<KnownInteger, 4> result;
  for (auto [l, r] : llvm::zip_equal(lhs, rhs))
    result.push_back(joinIntegers(l, r));
  return result;
}

/// What is known of either one of two block pointers; nothing if one of them is
/// not known at all.
static std::optional<BlockPointerInfo> joinBlocks(const BlockPointerInfo *lhs,
                                                  const BlockPointerInfo *rhs) {
  if (!lhs || !rhs)
    return std::nullopt;
  BlockPointerInfo result;
  result.baseDivisibility =
      std::min(lhs->baseDivisibility, rhs->baseDivisibility);
  result.shape = joinIntegers(lhs->shape, rhs->shape);
  result.strides = joinIntegers(lhs->strides, rhs->strides);
  result.offsets = joinIntegers(lhs->offsets, rhs->offsets);
  return result;
}

AxisInfo AxisInfo::join(const AxisInfo &lhs, const AxisInfo &rhs) {
  // Not initialized means that no value has come this way yet.
  if (!lhs.isInitialized())
    return rhs;
  if (!rhs.isInitialized())
    return lhs;
  AxisInfo result;
  result.unit = lhs.unit;
  for (unsigned dim = 0; dim < lhs.getRank(); ++dim) {
    // Both have groups of the smaller size.
    int64_t group = std::min(lhs.getContiguity(dim), rhs.getContiguity(dim));
    result.axes.push_back(
        {group,
         std::min(lhs.getDivisibilityOfGroups(dim, group),
                  rhs.getDivisibilityOfGroups(dim, group)),
         std::min(lhs.getConstancy(dim), rhs.getConstancy(dim))});
  }
  if (lhs.constant == rhs.constant)
    result.constant = lhs.constant;
  // A loop would raise a known bound bit by bit: give it up at once.
  result.setRange(lhs.nonNegative && rhs.nonNegative,
                  lhs.bits == rhs.bits ? lhs.bits : kUnknownBits);
  result.block = joinBlocks(lhs.getBlockPointer(), rhs.getBlockPointer());
  return result;
}

bool AxisInfo::operator==(const AxisInfo &other) const {
  return axes == other.axes && unit == other.unit &&
         constant == other.constant && nonNegative == other.nonNegative &&
         bits == other.bits && block == other.block;
}

/// Known values as they are, others as `?*` and what divides them.
static void printIntegers(raw_ostream &os, StringRef name,
                          ArrayRef<KnownInteger> integers) {
  os << ", " << name << " = [";
  llvm::interleaveComma(integers, os, [&](const KnownInteger &integer) {
    if (integer.value)
      os << *integer.value;
    else
      os << '?' << '*' << integer.divisibility;
  });
  os << ']';
}

void AxisInfo::print(raw_ostream &os) const {
  auto printList = [&](StringRef name, ArrayRef<int64_t> values) {
    os << name << " = [";
    llvm::interleaveComma(values, os);
    os << "], ";
  };
  printList("contiguity", getContiguity());
  printList("divisibility", getDivisibility());
  printList("constancy", getConstancy());
  os << "constant_value = ";
  if (constant)
    os << *constant;
  else
    os << "<none>";
  if (const BlockPointerInfo *info = getBlockPointer()) {
    os << ", base_divisibility = " << info->baseDivisibility;
    printIntegers(os, "shape", info->shape);
    printIntegers(os, "strides", info->strides);
    printIntegers(os, "offsets", info->offsets);
  }
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

/// The values of a hint for `rank` dimensions: one for all, or one for each.
static SmallVector<int64_t> getHintValues(Attribute attribute, unsigned rank) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
    return SmallVector<int64_t>(rank, integer.getInt());
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  // A hint for another number of dimensions is no hint.
  if (!elements || elements.getNumElements() != rank)
    return {};
  return llvm::map_to_vector(elements.getValues<APInt>(),
                             [](const APInt &v) { return v.getSExtValue(); });
}

/// `getAttribute` looks up a hint by name.
template <typename Fn>
static void applyHints(AxisInfo &info, Type type, Fn getAttribute) {
  SmallVector<int64_t> shape = getAxisShape(type);
  auto apply = [&](StringRef name, int64_t Axis::*member, bool isSize) {
    SmallVector<int64_t> values =
        getHintValues(getAttribute(name), shape.size());
    for (auto [dim, value] : llvm::enumerate(values)) {
      // Only positive numbers say anything.
      if (value <= 0)
        continue;
      Axis axis;
      axis.*member = getPowerOfTwoFactor(value);
      // Groups do not reach beyond the tensor.
      if (isSize)
        axis.*member = std::min(axis.*member, shape[dim]);
      info.refine(dim, axis);
    }
  };
  apply(TritonDialect::getContiguityAttrName(), &Axis::contiguity, true);
  apply(TritonDialect::getDivisibilityAttrName(), &Axis::divisibility, false);
  apply(TritonDialect::getConstancyAttrName(), &Axis::constancy, true);
}

/// Hints refer to elements and addresses, not to block pointers.
static bool takesHints(Type type) {
  return !isTensorPointerType(type) &&
         isa<IntegerType, IndexType, PointerType>(getElementTypeOrSelf(type));
}

//===----------------------------------------------------------------------===//
// The data-flow analysis
//===----------------------------------------------------------------------===//

namespace {
/// The facts of one value.
class AxisInfoLattice : public dataflow::Lattice<AxisInfo> {
public:
  using Lattice::Lattice;
};

/// Runs to a fixed point over the whole module. Facts join where values meet,
/// so that they only ever get weaker.
class AxisInfoAnalysis
    : public dataflow::SparseForwardDataFlowAnalysis<AxisInfoLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  /// From the operands of any operation to its results.
  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const AxisInfoLattice *> operands,
                               ArrayRef<AxisInfoLattice *> results) override;
  /// Arguments of regions that no operand enters: loop counters.
  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<AxisInfoLattice *> arguments,
                                    unsigned firstIndex) override;
  /// Arguments of functions, from all their calls.
  void visitCallableOperation(
      CallableOpInterface callable,
      ArrayRef<dataflow::AbstractSparseLattice *> arguments) override;
  /// What may be anything, apart from hints.
  void setToEntryState(AxisInfoLattice *lattice) override;
};
} // namespace

LogicalResult
AxisInfoAnalysis::visitOperation(Operation *op,
                                 ArrayRef<const AxisInfoLattice *> operands,
                                 ArrayRef<AxisInfoLattice *> results) {
  SmallVector<const AxisInfo *> infos;
  for (const AxisInfoLattice *operand : operands) {
    // Comes again when the operand is known.
    if (!operand->getValue().isInitialized())
      return success();
    infos.push_back(&operand->getValue());
  }
  for (auto [i, lattice] : llvm::enumerate(results)) {
    Type type = op->getResult(i).getType();
    // Triton's operations first, then those of `arith`; all others may give
    // anything.
    std::optional<AxisInfo> info = inferTriton(op, infos, i);
    if (!info)
      info = inferArith(op, infos);
    if (!info)
      info = AxisInfo::getPessimistic(type);
    if (takesHints(type))
      applyHints(*info, type,
                 [&](StringRef name) { return op->getDiscardableAttr(name); });
    if (type.isInteger() && isAssumedNonNegative(op->getResult(i)))
      info->setRange(/*isNonNegative=*/true, info->getBits());
    propagateIfChanged(lattice, lattice->join(*info));
  }
  return success();
}

/// Sets loop counters: lower bound plus multiples of the step.
void AxisInfoAnalysis::visitNonControlFlowArguments(
    Operation *op, const RegionSuccessor &successor,
    ArrayRef<AxisInfoLattice *> arguments, unsigned firstIndex) {
  auto loop = dyn_cast<scf::ForOp>(op);
  // Loops of other kinds have no counter.
  if (!loop || successor.isParent())
    return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
        op, successor, arguments, firstIndex);
  ProgramPoint *point = getProgramPointBefore(loop.getBody());
  const AxisInfo &lower =
      getLatticeElementFor(point, loop.getLowerBound())->getValue();
  const AxisInfo &step =
      getLatticeElementFor(point, loop.getStep())->getValue();
  if (!lower.isInitialized() || !step.isInitialized())
    return;
  // Nothing is said of contiguity: it is a scalar.
  AxisInfo info({Axis{1,
                      std::min(lower.getElementDivisibility(),
                               step.getElementDivisibility()),
                      1}},
                /*unit=*/1);
  // Steps of a signed loop are positive. One with an unsigned bound may count
  // beyond the signed values.
  info.setRange(lower.isNonNegative() && !loop.getUnsignedCmp(),
                AxisInfo::kUnknownBits);
  AxisInfoLattice *lattice = arguments.front();
  propagateIfChanged(lattice, lattice->join(info));
}

/// Applies the hints that a function has for one of its arguments.
static void applyArgumentHints(AxisInfo &info, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock() ||
      !takesHints(value.getType()))
    return;
  if (auto func = dyn_cast_or_null<FunctionOpInterface>(
          argument.getOwner()->getParentOp()))
    applyHints(info, value.getType(), [&](StringRef name) {
      return func.getArgAttr(argument.getArgNumber(), name);
    });
}

/// Sets the arguments of a function: what its callers know, and the hints.
void AxisInfoAnalysis::visitCallableOperation(
    CallableOpInterface callable,
    ArrayRef<dataflow::AbstractSparseLattice *> arguments) {
  Block *entry = &callable.getCallableRegion()->front();
  ProgramPoint *point = getProgramPointBefore(entry);
  const auto *callers = getOrCreateFor<dataflow::PredecessorState>(
      point, getProgramPointAfter(callable));
  // A function that somebody else may call knows nothing of its arguments.
  if (!callers->allPredecessorsKnown() ||
      !getSolverConfig().isInterprocedural()) {
    for (dataflow::AbstractSparseLattice *argument : arguments)
      setToEntryState(static_cast<AxisInfoLattice *>(argument));
    return;
  }
  for (Operation *caller : callers->getKnownPredecessors())
    for (auto [operand, argument] : llvm::zip_equal(
             cast<CallOpInterface>(caller).getArgOperands(), arguments)) {
      AxisInfo info = getLatticeElementFor(point, operand)->getValue();
      // Comes again when the operand is known.
      if (!info.isInitialized())
        continue;
      auto *lattice = static_cast<AxisInfoLattice *>(argument);
      applyArgumentHints(info, lattice->getAnchor());
      propagateIfChanged(lattice, lattice->join(info));
    }
}

void AxisInfoAnalysis::setToEntryState(AxisInfoLattice *lattice) {
  Value value = lattice->getAnchor();
  AxisInfo info = AxisInfo::getPessimistic(value.getType());
  applyArgumentHints(info, value);
  propagateIfChanged(lattice, lattice->join(info));
}

//===----------------------------------------------------------------------===//
// ModuleAxisInfoAnalysis
//===----------------------------------------------------------------------===//

/// Whether lowerings ask for a value of the type.
static bool isOfInterest(Type type) {
  return isTensorOrTensorPointerType(type) || type.isIntOrIndex() ||
         isa<PointerType>(type);
}

ModuleAxisInfoAnalysis::ModuleAxisInfoAnalysis(ModuleOp module) {
  // Constants and dead code are what the analysis builds on.
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::SparseConstantPropagation>();
  solver.load<AxisInfoAnalysis>();
  // Without a result nothing is known, which is a correct answer.
  bool converged = succeeded(solver.initializeAndRun(module));
  auto record = [&](Value value) {
    if (!isOfInterest(value.getType()))
      return;
    const auto *lattice = solver.lookupState<AxisInfoLattice>(value);
    // Nothing arrives at values in code that is never executed.
    bool known = converged && lattice && lattice->getValue().isInitialized();
    // The least that holds of any value of the type.
    infos[value] =
        known ? lattice->getValue() : AxisInfo::getPessimistic(value.getType());
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), record);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), record);
  });
}

AxisInfo *ModuleAxisInfoAnalysis::getAxisInfo(Value value) {
  // Null for a value that was made after the analysis.
  auto it = infos.find(value);
  return it == infos.end() ? nullptr : &it->second;
}

} // namespace mlir::triton
