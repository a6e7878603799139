//===- SymbolicReader.cpp -------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/SymbolicReader.h"

#include "SymbolicTypes.h"
#include "intel/Analysis/Symbolic/ElementMap.h"
#include "intel/Analysis/Symbolic/LaunchCondition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether the value may be another one each time that its code runs:
/// in a loop, or after the entry block of a function, to which jumps may go
/// back.
bool isInLoop(Value value) {
  Region *region = value.getParentRegion();
  for (Operation *op = region->getParentOp(); op; op = op->getParentOp()) {
    if (isa<LoopLikeOpInterface>(op))
      return true;
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      return function.getFunctionBody().findAncestorBlockInRegion(
                 *value.getParentBlock()) != &function.front();
  }
  return false;
}

/// Returns the loop that carries `argument`, which is not its induction
/// variable.
scf::ForOp getCarryingLoop(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop && argument != loop.getInductionVar() ? loop : scf::ForOp();
}

Value getYielded(scf::ForOp loop, BlockArgument argument) {
  return loop.getTiedLoopYieldedValue(argument)->get();
}

Value getInit(scf::ForOp loop, BlockArgument argument) {
  return loop.getTiedLoopInit(argument)->get();
}

/// Returns whether a type has integers that no expression describes.
bool hasWideIntegers(Type type) {
  return isa<IntegerType>(getElementTypeOrSelf(type)) && !getWidth(type);
}

/// Returns a divisor of a value, which is one of bytes for a pointer, in units
/// of the value's expression.
int64_t toUnits(int64_t divisor, Type type) {
  int64_t bytes = getUnitBytes(type);
  return divisor % bytes == 0 ? divisor / bytes : 1;
}

/// Returns the number that a hint of the program gives for a dimension of a
/// tensor, by the name of its attribute; 1 if there is none.
int64_t getHint(Value tensor, StringRef name, unsigned dim) {
  Operation *op = tensor.getDefiningOp();
  auto numbers =
      op ? dyn_cast_or_null<DenseIntElementsAttr>(op->getDiscardableAttr(name))
         : DenseIntElementsAttr();
  if (!numbers || dim >= numbers.getNumElements())
    return 1;
  int64_t number = (*(numbers.value_begin<APInt>() + dim)).getSExtValue();
  return number > 0 ? number : 1;
}

} // namespace

scf::ForOp gpu::intel::getCountingLoop(Value value) {
  // `scf::getForInductionVarOwner` returns the loop for arguments that it
  // carries, too.
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && argument == loop.getInductionVar() ? loop : scf::ForOp();
}

int64_t gpu::intel::getHintedDivisor(Value value) {
  StringRef name = TritonDialect::getDivisibilityAttrName();
  Attribute hint;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // Other blocks than the first one have separate arguments.
    if (auto function =
            dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
        function && argument.getOwner()->isEntryBlock())
      hint = function.getArgAttr(argument.getArgNumber(), name);
  } else {
    hint = value.getDefiningOp()->getDiscardableAttr(name);
  }
  // Hints of operations have an element for each dimension.
  int64_t divisor = 1;
  if (auto elements = dyn_cast_or_null<DenseIntElementsAttr>(hint);
      elements && elements.isSplat())
    divisor = elements.getSplatValue<APInt>().getSExtValue();
  else if (auto number = dyn_cast_or_null<IntegerAttr>(hint))
    divisor = number.getInt();
  return std::max<int64_t>(divisor, 1);
}

PointerSum gpu::intel::splitPointer(Value pointer) {
  PointerSum sum{pointer, {}};
  while (Operation *op = sum.base.getDefiningOp()) {
    if (auto add = dyn_cast<AddPtrOp>(op)) {
      Type pointee = getPointeeType(add.getType());
      if (!pointee.isIntOrFloat())
        break;
      sum.offsets.push_back({add.getOffset(), getPointeeBytes(add.getType())});
    } else if (!isa<triton::BitcastOp, IntToPtrOp>(op)) {
      break;
    }
    sum.base = op->getOperand(0);
    if (!isa<triton::PointerType>(sum.base.getType()))
      break;
  }
  return sum;
}

SymbolicExpr SymbolicReader::createSymbol(Value value, int64_t units) {
  // A hint about a tensor is one about its groups.
  int64_t divisor =
      isa<ShapedType>(value.getType()) ? 1 : getHintedDivisor(value);
  SymbolicRange range = getResultRange(value);
  if (getBoundsOf && isa<IntegerType, IndexType, triton::PointerType>(
                         getElementTypeOrSelf(value.getType()))) {
    auto [found, foundDivisor] = getBoundsOf(value);
    if (found.min)
      range.min = std::max(*found.min, range.min.value_or(*found.min));
    if (found.max)
      range.max = std::min(*found.max, range.max.value_or(*found.max));
    divisor = std::lcm(divisor, foundDivisor);
  }
  divisor = std::lcm(toUnits(divisor, value.getType()), units);
  // A multiple of 16 is read as 16 times a symbol, so that proofs round by it.
  if (range.min)
    range.min = llvm::divideCeilSigned(*range.min, divisor);
  if (range.max)
    range.max = llvm::divideFloorSigned(*range.max, divisor);
  // Code that never runs may have contradictory bounds.
  if (range.min && range.max && *range.min > *range.max)
    range = {};
  Symbol symbol = facts.addSymbol(range);
  if (!isa<ShapedType>(value.getType()))
    scalarsOf[symbol] = {value, divisor, std::nullopt, std::nullopt};
  return SymbolicExpr::getSymbol(symbol) * divisor;
}

SymbolicExpr SymbolicReader::wrap(const SymbolicExpr &expr, Type type) {
  std::optional<unsigned> width = getWidth(type);
  if (!width)
    return expr;
  // An expression of numbers with 64 bits is to be less than what fits, so that
  // bounds fit themselves.
  unsigned required = std::min(*width, 63u);
  if (require && !facts.fits(expr, *width) &&
      isNonNegative(expr - llvm::minIntN(required)) &&
      isNonNegative(SymbolicExpr(llvm::maxIntN(required)) - expr))
    return expr;
  return facts.wrap(expr, *width);
}

SymbolicExpr *SymbolicReader::findIteration(scf::ForOp loop,
                                            Execution &execution) {
  auto it = execution.iterations.find(loop);
  return it == execution.iterations.end() ? nullptr : &it->second;
}

SymbolicExpr SymbolicReader::readScalar(Value scalar, Execution &execution) {
  if (auto it = assumed.find(scalar); it != assumed.end())
    return it->second.expr;
  Execution &owner = getOwner(scalar, execution);
  auto it = owner.scalars.find(scalar);
  if (it != owner.scalars.end())
    return it->second;
  SymbolicExpr expr = SymbolicExpr::getUnknown();
  if (depth < kMaxDepth) {
    llvm::SaveAndRestore deeper(depth, depth + 1);
    expr = readUncached(scalar, execution);
  }
  if (!expr.isKnown())
    expr = createSymbol(scalar);
  return owner.scalars[scalar] = expr;
}

/// Returns where the expression of a value is cached. An expression that was
/// read under an assumption holds as long as the assumption does; those of
/// values outside of loops depend on none.
SymbolicReader::Execution &SymbolicReader::getOwner(Value value,
                                                    Execution &execution) {
  if (!isInLoop(value))
    return common;
  return assumed.empty() ? execution : *underAssumption;
}

SymbolicExpr SymbolicReader::readUncached(Value scalar, Execution &execution) {
  if (hasWideIntegers(scalar.getType()))
    return SymbolicExpr::getUnknown();
  APInt constant;
  if (matchPattern(scalar, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  auto read = [&](Value value) { return readScalar(value, execution); };
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    if (scf::ForOp loop = getCountingLoop(scalar)) {
      SymbolicExpr *iteration = findIteration(loop, execution);
      if (!iteration || loop.getUnsignedCmp())
        return SymbolicExpr::getUnknown();
      SymbolicExpr number = *iteration;
      // The loop sees the number that its bound has, which may have wrapped.
      Type type = scalar.getType();
      return wrap(read(loop.getLowerBound()), type) +
             number * wrap(read(loop.getStep()), type);
    }
    return readCarried(argument, {}, execution, read);
  }
  Operation *op = scalar.getDefiningOp();
  // A branch chooses one of two values. Values that are made in the branch are
  // not read, because their operations may not have run.
  if (auto branch = dyn_cast<scf::IfOp>(op);
      branch && scalar.getType().isIntOrIndex()) {
    unsigned number = cast<OpResult>(scalar).getResultNumber();
    SmallVector<Value, 2> yielded{branch.thenYield().getOperand(number),
                                  branch.elseYield().getOperand(number)};
    if (llvm::any_of(yielded, [&](Value value) {
          return !matchPattern(value, m_Constant()) &&
                 branch->isAncestor(value.getParentRegion()->getParentOp());
        }))
      return SymbolicExpr::getUnknown();
    return facts.getEither(read(yielded[0]), read(yielded[1]));
  }
  if (auto program = dyn_cast<GetProgramIdOp>(op))
    return getProgram(program.getAxisAsInt());
  if (auto count = dyn_cast<GetNumProgramsOp>(op))
    return getGridExtent(count.getAxisAsInt());
  return readArithmetic(op, read);
}

SymbolicExpr SymbolicReader::readProgram(bool isCount, unsigned axis) {
  auto [it, isNew] = programs.try_emplace({isCount, axis});
  if (!isNew)
    return it->second;
  Symbol symbol =
      facts.addSymbol({isCount ? 1 : 0, std::numeric_limits<int32_t>::max()});
  (isCount ? scalarsOf[symbol].extentAxis : scalarsOf[symbol].programAxis) =
      axis;
  SymbolicExpr expr = it->second = SymbolicExpr::getSymbol(symbol);
  if (auto other = programs.find({!isCount, axis}); other != programs.end())
    facts.assumeNonNegative(
        (isCount ? expr - other->second : other->second - expr) - 1);
  // Launches have less than 2^31 programs (Geometry.cpp): the rows of programs
  // up to this one have no more.
  SymbolicExpr limit = std::numeric_limits<int32_t>::max();
  for (auto &[key, other] : programs) {
    if (key.first == isCount || key.second == axis)
      continue;
    const SymbolicExpr &count = isCount ? expr : other;
    const SymbolicExpr &number = isCount ? other : expr;
    facts.assumeNonNegative(limit - count * (number + 1));
  }
  return expr;
}

SymbolicExpr SymbolicReader::readFunction(
    Operation *op, llvm::function_ref<SymbolicExpr(Value)> readOperand,
    Execution &execution) {
  auto load = dyn_cast<LoadOp>(op);
  bool isFunction = load ? !load.getIsVolatile()
                         : (op->hasTrait<mlir::OpTrait::Elementwise>() ||
                            op->hasTrait<mlir::OpTrait::ConstantLike>()) &&
                               isMemoryEffectFree(op);
  if (!getGroups || !isFunction || op->getNumResults() != 1)
    return readArithmetic(op, readOperand);
  Execution::Indices operands;
  for (Value operand : op->getOperands()) {
    SymbolicExpr expr = readOperand(operand);
    if (!expr.isKnown())
      return expr;
    operands.push_back(expr.getTerms());
  }
  std::pair<void *, Execution::Indices> key{op, std::move(operands)};
  auto &functions = getOwner(op->getResult(0), execution).functions;
  if (auto it = functions.find(key); it != functions.end())
    return it->second;
  SymbolicExpr expr = readArithmetic(op, readOperand);
  if (!expr.isKnown())
    expr = createSymbol(op->getResult(0));
  return functions[key] = expr;
}

SymbolicExpr SymbolicReader::readGroup(Value tensor,
                                       llvm::ArrayRef<SymbolicExpr> indices,
                                       const SymbolicExpr &expr,
                                       Execution &execution) {
  SmallVector<SymbolicExpr> starts(indices), others(indices);
  // The places of the element, and of any other one, in the group.
  SymbolicExpr place, otherPlace;
  int64_t divisor = 1;
  bool hasGroups = false;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Groups groups;
    if (!expr.isKnown())
      groups = getGroups(tensor, dim);
    groups.contiguity =
        std::max(groups.contiguity,
                 getHint(tensor, TritonDialect::getContiguityAttrName(), dim));
    groups.constancy =
        std::max(groups.constancy,
                 getHint(tensor, TritonDialect::getConstancyAttrName(), dim));
    divisor = std::lcm(divisor, groups.divisor);
    int64_t size = std::max(groups.contiguity, groups.constancy);
    if (size == 1)
      continue;
    hasGroups = true;
    divisor = std::lcm(
        divisor,
        toUnits(getHint(tensor, TritonDialect::getDivisibilityAttrName(), dim),
                tensor.getType()));
    SymbolicExpr any = SymbolicExpr::getSymbol(facts.addSymbol({0, size - 1}));
    starts[dim] = facts.getQuotient(index, size) * size;
    others[dim] = starts[dim] + any;
    if (groups.contiguity == size) {
      place = place + index - starts[dim];
      otherPlace = otherPlace + any;
    }
  }
  if (!hasGroups)
    return expr;
  // An expression that shows the groups determines more than these.
  if (expr.isKnown() &&
      readElementUncached(tensor, others, execution) ==
          readElementUncached(tensor, starts, execution) + otherPlace)
    return expr;
  Execution::Indices key;
  for (const SymbolicExpr &start : starts)
    key.push_back(start.getTerms());
  auto &known = getOwner(tensor, execution).starts;
  auto [it, isNew] =
      known.try_emplace({tensor.getAsOpaquePointer(), std::move(key)});
  if (isNew)
    it->second = createSymbol(tensor, divisor);
  return it->second + place;
}

bool SymbolicReader::isInvariant(const SymbolicExpr &expr, scf::ForOp loop) {
  return expr.isKnown() && llvm::all_of(expr.getTerms(), [&](auto &term) {
           return llvm::all_of(term.first, [&](Symbol symbol) {
             Scalar scalar = getScalar(symbol);
             return scalar.programAxis || scalar.extentAxis ||
                    (scalar.value && !loop.getRegion().isAncestor(
                                         scalar.value.getParentRegion()));
           });
         });
}

/// Returns a value that a loop carries, if each iteration adds the same to it.
/// `indices` are those of the element that `read` reads.
SymbolicExpr SymbolicReader::readCarried(
    BlockArgument argument, llvm::ArrayRef<SymbolicExpr> indices,
    Execution &execution, llvm::function_ref<SymbolicExpr(Value)> read) {
  scf::ForOp loop = getCarryingLoop(argument);
  SymbolicExpr *iteration = loop ? findIteration(loop, execution) : nullptr;
  // A number that may wrap around in each iteration is no linear expression.
  if (!iteration ||
      (!isExact(argument) &&
       !isa<triton::PointerType>(getElementTypeOrSelf(argument.getType()))))
    return SymbolicExpr::getUnknown();
  SymbolicExpr number = *iteration;
  SymbolicExpr current = SymbolicExpr::getSymbol(createCarried());
  auto before = std::move(underAssumption);
  underAssumption = std::make_unique<Execution>();
  assumed[argument] = {llvm::to_vector(indices), current};
  SymbolicExpr added = read(getYielded(loop, argument)) - current;
  assumed.erase(argument);
  underAssumption = std::move(before);
  if (!isInvariant(added, loop))
    return SymbolicExpr::getUnknown();
  return read(getInit(loop, argument)) + getProgress(loop, number, added);
}

SymbolicExpr SymbolicReader::readElement(Value tensor,
                                         llvm::ArrayRef<SymbolicExpr> indices,
                                         Execution &execution) {
  // Another element of the same tensor may have got something else.
  if (auto it = assumed.find(tensor); it != assumed.end())
    return llvm::equal(it->second.indices, indices)
               ? it->second.expr
               : SymbolicExpr::getUnknown();
  // The same element is read once: a tensor may be used many times.
  Execution::Indices key;
  for (const SymbolicExpr &index : indices) {
    if (!index.isKnown())
      return createSymbol(tensor);
    key.push_back(index.getTerms());
  }
  auto &elements = getOwner(tensor, execution).elements;
  std::pair<void *, Execution::Indices> place{tensor.getAsOpaquePointer(),
                                              std::move(key)};
  if (auto it = elements.find(place); it != elements.end())
    return it->second;
  SymbolicExpr expr = SymbolicExpr::getUnknown();
  if (depth < kMaxDepth) {
    llvm::SaveAndRestore deeper(depth, depth + 1);
    expr = readElementUncached(tensor, indices, execution);
    if (getGroups)
      expr = readGroup(tensor, indices, expr, execution);
  }
  if (!expr.isKnown())
    expr = createSymbol(tensor);
  return elements[place] = expr;
}

void SymbolicReader::assumeTrueElement(Value mask,
                                       llvm::ArrayRef<SymbolicExpr> indices,
                                       Execution &execution) {
  Execution::Indices key;
  for (const SymbolicExpr &index : indices)
    key.push_back(index.getTerms());
  getOwner(mask, execution)
      .elements[{mask.getAsOpaquePointer(), std::move(key)}] = -1;
  Operation *op = mask.getDefiningOp();
  if (!op)
    return;
  // Other operations may compare the same numbers, as each layout has a copy of
  // the comparison. The fact makes their results true, too.
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    auto number = [&](Value operand) {
      return wrap(readElement(operand, indices, execution), operand.getType());
    };
    assumeCompared(compare.getPredicate(), number(compare.getLhs()),
                   number(compare.getRhs()));
  }
  if (isa<arith::AndIOp>(op))
    for (Value operand : op->getOperands())
      assumeTrueElement(operand, indices, execution);
  else if (std::optional<SmallVector<SymbolicExpr>> places =
               mapElement(op, indices, facts))
    assumeTrueElement(op->getOperand(0), *places, execution);
}

SymbolicExpr SymbolicReader::readElementUncached(
    Value tensor, llvm::ArrayRef<SymbolicExpr> indices, Execution &execution) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (hasWideIntegers(type))
    return SymbolicExpr::getUnknown();
  auto readSame = [&](Value value) {
    bool isScalar = !isa<RankedTensorType>(value.getType());
    return isScalar ? readScalar(value, execution)
                    : readElement(value, indices, execution);
  };
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    // Reads the same element of all values on the way.
    return readCarried(argument, indices, execution, readSame);
  DenseElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements))) {
    if (!elements.isSplat())
      return SymbolicExpr::getUnknown();
    if (isa<IntegerType>(elements.getElementType()))
      return elements.getSplatValue<APInt>().getSExtValue();
  }
  Operation *op = tensor.getDefiningOp();
  if (std::optional<SmallVector<SymbolicExpr>> places =
          mapElement(op, indices, facts))
    return readElement(op->getOperand(0), *places, execution);
  return llvm::TypeSwitch<Operation *, SymbolicExpr>(op)
      .Case(
          [&](SplatOp splat) { return readScalar(splat.getSrc(), execution); })
      .Case([&](MakeRangeOp range) {
        // The attribute has no sign, but its number has.
        return indices.front() + static_cast<int32_t>(range.getStart());
      })
      .Default(
          [&](Operation *op) { return readFunction(op, readSame, execution); });
}

//===----------------------------------------------------------------------===//
// Facts where code runs
//===----------------------------------------------------------------------===//

SymbolicExpr SymbolicReader::readNumber(Value scalar, ValueSources &sources,
                                        Execution &execution) {
  SymbolicExpr expr = readScalar(scalar, execution);
  // A part of an address does not overflow wherever else it is used.
  bool isPart = parts ? parts->contains(scalar)
                      : overflow == Overflow::Excluded &&
                            isPartOfAddress(scalar, sources);
  return isPart ? expr : wrap(expr, scalar.getType());
}

/// Adds the facts that a condition implies if it is true. Values get other
/// names by `rename`. An equality is two facts; "not equal" is none.
void SymbolicReader::assumeTrue(Value condition, ValueSources &sources,
                                Execution &execution,
                                llvm::function_ref<Value(Value)> rename) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    for (Value operand : both->getOperands())
      assumeTrue(operand, sources, execution, rename);
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIntOrIndex())
    return;
  SymbolicExpr lhs = readNumber(rename(compare.getLhs()), sources, execution),
               rhs = readNumber(rename(compare.getRhs()), sources, execution);
  assumeCompared(compare.getPredicate(), lhs, rhs);
  if (!getGroups)
    return;
  // Operations on elements see numbers that may have wrapped around. So has the
  // comparison.
  Type type = compare.getLhs().getType();
  SymbolicExpr lhsNumber = wrap(lhs, type), rhsNumber = wrap(rhs, type);
  if (!(lhsNumber == lhs) || !(rhsNumber == rhs))
    assumeCompared(compare.getPredicate(), lhsNumber, rhsNumber);
}

void SymbolicReader::assumeCompared(arith::CmpIPredicate predicate,
                                    const SymbolicExpr &lhs,
                                    const SymbolicExpr &rhs) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return facts.assumeNonNegative(rhs - lhs - 1);
  case arith::CmpIPredicate::sle:
    return facts.assumeNonNegative(rhs - lhs);
  case arith::CmpIPredicate::sgt:
    return facts.assumeNonNegative(lhs - rhs - 1);
  case arith::CmpIPredicate::sge:
    return facts.assumeNonNegative(lhs - rhs);
  case arith::CmpIPredicate::eq:
    facts.assumeNonNegative(lhs - rhs);
    return facts.assumeNonNegative(rhs - lhs);
  default:
    // Unsigned numbers imply nothing about signs.
    return;
  }
}

void SymbolicReader::assumeLaunched(FuncOp kernel, Execution &execution) {
  // The expression is unknown for operations other than sums and products, and
  // for addresses, which are in bytes.
  std::function<SymbolicExpr(AffineExpr)> read =
      [&](AffineExpr expression) -> SymbolicExpr {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression))
      return constant.getValue();
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expression)) {
      BlockArgument argument = kernel.getArgument(symbol.getPosition());
      return isa<IntegerType>(argument.getType())
                 ? readScalar(argument, execution)
                 : SymbolicExpr::getUnknown();
    }
    if (auto dim = dyn_cast<AffineDimExpr>(expression))
      return getGridExtent(dim.getPosition());
    auto binary = cast<AffineBinaryOpExpr>(expression);
    SymbolicExpr lhs = read(binary.getLHS()), rhs = read(binary.getRHS());
    if (!lhs.isKnown() || !rhs.isKnown())
      return SymbolicExpr::getUnknown();
    return binary.getKind() == AffineExprKind::Add ? lhs + rhs
           : binary.getKind() == AffineExprKind::Mul
               ? lhs * rhs
               : SymbolicExpr::getUnknown();
  };
  for (auto op : kernel.getBody().front().getOps<LaunchConditionOp>())
    for (AffineExpr expression : LaunchCondition(op).getNonNegative())
      if (SymbolicExpr known = read(expression); known.isKnown())
        facts.assumeNonNegative(known);
}

void SymbolicReader::assumeReached(Operation *op, ValueSources &sources,
                                   Execution &execution) {
  auto keep = [](Value value) { return value; };
  SmallVector<Region *> regions;
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion()) {
    regions.push_back(region);
    if (isa<FunctionOpInterface>(region->getParentOp()))
      break;
  }
  for (Region *region : llvm::reverse(regions)) {
    Operation *parent = region->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (!findIteration(loop, execution))
        execution.setIteration(
            loop, SymbolicExpr::getSymbol(facts.addSymbol({0, std::nullopt})));
      if (!loop.getUnsignedCmp())
        facts.assumeNonNegative(
            readNumber(loop.getUpperBound(), sources, execution) - 1 -
            readScalar(loop.getInductionVar(), execution));
    } else if (auto branch = dyn_cast<scf::IfOp>(parent);
               branch && region == &branch.getThenRegion()) {
      assumeTrue(branch.getCondition(), sources, execution, keep);
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent);
               loop && region == &loop.getAfter()) {
      // The body gets the compared values as its arguments.
      auto rename = [&](Value value) -> Value {
        for (auto [argument, handed] : llvm::zip_equal(
                 loop.getAfterArguments(), loop.getConditionOp().getArgs()))
          if (handed == value)
            return argument;
        return value;
      };
      assumeTrue(loop.getConditionOp().getCondition(), sources, execution,
                 rename);
    }
    // An assumption holds in all of its block, since all of the block runs.
    for (Block &block : *region)
      if (Operation *ancestor = block.findAncestorOpInBlock(*op);
          ancestor || block.isEntryBlock())
        for (auto assumption : block.getOps<LLVM::AssumeOp>())
          assumeTrue(assumption.getCond(), sources, execution, keep);
  }
}

SymbolicExpr
SymbolicReader::readBlockElement(BlockAccessOpInterface block,
                                 llvm::ArrayRef<SymbolicExpr> indices,
                                 Execution &execution) {
  auto surface = block.getSurface().getDefiningOp<SurfaceOp>();
  if (!surface)
    return SymbolicExpr::getUnknown();
  SymbolicExpr address = readScalar(surface.getBase(), execution);
  for (auto [stride, offset, index] :
       llvm::zip_equal(surface.getStrides(), block.getOffsets(), indices))
    address = address + readScalar(stride, execution) *
                            (readScalar(offset, execution) + index);
  return address;
}
