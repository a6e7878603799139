//===- AffineAddress.cpp - Tensors of pointers as blocks ------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/AffineAddress.h"

#include "AffineElements.h"
#include "intel/Analysis/Symbolic/ElementMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Notes why a form cannot be read, unless a reason is known already, and gives
/// the absence of a form, so that callers can return it.
std::nullopt_t AffineAddressReader::decline(const Twine &reason) {
  // The first reason is the innermost one.
  if (obstacle.empty())
    obstacle = reason.str();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Numbers of elements
//===----------------------------------------------------------------------===//

SymbolicExpr AffineAddressReader::getElementNumber(unsigned dim, int64_t size,
                                                   Value numbers) {
  auto [it, isNew] =
      elementSymbols.try_emplace({dim, size, numbers.getAsOpaquePointer()});
  if (isNew) {
    // A number may be anything; an index is one of its dimension.
    it->second = values.getFacts().addSymbol(
        numbers ? SymbolicRange() : SymbolicRange{0, size - 1});
    elementNumbers[it->second] = {dim, size, numbers};
  }
  return SymbolicExpr::getSymbol(it->second);
}

/// Returns `dividend`, which is a coordinate, on an assumption.
SymbolicExpr AffineAddressReader::getWrapped(const SymbolicExpr &dividend,
                                             const WrapAssumption &assumption) {
  auto [it, isNew] = wrappedSymbols.try_emplace(
      {dividend.getTerms(), assumption.modulus.getTerms()});
  if (isNew) {
    it->second = values.getFacts().addSymbol();
    elementNumbers[it->second] = {assumption.dim, assumption.size, Value(),
                                  dividend, assumption};
  }
  return SymbolicExpr::getSymbol(it->second);
}

const AffineAddressReader::ElementNumber *
AffineAddressReader::findElementNumber(Symbol symbol) const {
  auto it = elementNumbers.find(symbol);
  return it == elementNumbers.end() ? nullptr : &it->second;
}

SymbolicExpr AffineAddressReader::getUnreadable() {
  if (!unreadable)
    unreadable = values.getFacts().addSymbol();
  return SymbolicExpr::getSymbol(*unreadable);
}

/// Returns the indices of any element of a tensor of the access.
AffineAddressReader::Indices AffineAddressReader::getIndices(Value tensor) {
  Indices indices;
  for (auto [dim, size] :
       llvm::enumerate(cast<RankedTensorType>(tensor.getType()).getShape()))
    indices.push_back(getElementNumber(dim, size));
  return indices;
}

/// Returns the expression where all assumptions in it hold.
SymbolicExpr AffineAddressReader::unwrap(const SymbolicExpr &expr) const {
  return expr.substitute([&](Symbol symbol) {
    const ElementNumber *number = findElementNumber(symbol);
    return number && number->assumption ? unwrap(number->dividend)
                                        : SymbolicExpr::getSymbol(symbol);
  });
}

/// Adds the assumptions in an expression, once each.
void AffineAddressReader::collectAssumptions(
    const SymbolicExpr &expr, SmallVectorImpl<WrapAssumption> &found) const {
  for (Symbol symbol : expr.getSymbols()) {
    const ElementNumber *number = findElementNumber(symbol);
    if (!number || !number->assumption)
      continue;
    collectAssumptions(number->dividend, found);
    if (!llvm::is_contained(found, *number->assumption))
      found.push_back(*number->assumption);
  }
}

/// Splits an expression; nothing if it is not linear, has an element that has
/// no expression, or is the sum of two pointers.
std::optional<AffineAddressReader::LinearSum>
AffineAddressReader::split(const SymbolicExpr &wrapped) const {
  SymbolicExpr expr = unwrap(wrapped);
  if (!expr.isKnown())
    return std::nullopt;
  LinearSum sum;
  SymbolicExpr::Terms rest;
  std::map<Symbol, SymbolicExpr::Terms> strides;
  for (auto &[product, factor] : expr.getTerms()) {
    SymbolicExpr::Product others;
    std::optional<Symbol> element;
    Value base;
    for (Symbol symbol : product) {
      if (Value pointer = values.findPointer(symbol)) {
        if (sum.base || factor != 1 || product.size() > 1)
          return std::nullopt;
        base = pointer;
      } else if (values.isNumber(symbol) || carried.count(symbol)) {
        others.push_back(symbol);
      } else if (element || !findElementNumber(symbol)) {
        return std::nullopt;
      } else {
        element = symbol;
      }
    }
    if (base)
      sum.base = base;
    else
      (element ? strides[*element] : rest).push_back({others, factor});
  }
  std::set<unsigned> dims;
  for (auto &[element, terms] : strides) {
    // Numbers have no sum with anything but what is the same for all of them.
    if (!dims.insert(findElementNumber(element)->dim).second)
      return std::nullopt;
    sum.strides.push_back({element, SymbolicExpr::getSum(std::move(terms))});
  }
  sum.rest = SymbolicExpr::getSum(std::move(rest));
  return sum;
}

/// Returns the parts of a coordinate, which all elements share except for their
/// numbers.
std::optional<AffineAddressReader::StartedNumber>
AffineAddressReader::getCoordinate(const SymbolicExpr &expr) const {
  std::optional<LinearSum> sum = split(expr);
  if (!sum || sum->base || sum->strides.size() != 1 ||
      sum->strides.front().second.getConstant() != 1)
    return std::nullopt;
  return StartedNumber{sum->rest,
                       findElementNumber(sum->strides.front().first)};
}

/// Returns whether all elements are the same integer.
bool AffineAddressReader::isUniform(const SymbolicExpr &expr) const {
  std::optional<LinearSum> sum = split(expr);
  return sum && !sum->base && sum->strides.empty();
}

/// Returns whether an expression can become a value.
bool AffineAddressReader::isComputable(const SymbolicExpr &expr) const {
  return expr.isKnown() && llvm::all_of(expr.getSymbols(), [&](Symbol symbol) {
           return values.isNumber(symbol);
         });
}

bool AffineAddressReader::isDefinedOutside(const SymbolicExpr &expr,
                                           Region &region) const {
  return llvm::all_of(expr.getSymbols(), [&](Symbol symbol) {
    const ElementNumber *number = findElementNumber(symbol);
    if (!number)
      return values.isNumber(symbol) &&
             values.isDefinedOutside(SymbolicExpr::getSymbol(symbol), region);
    if (number->assumption)
      return isDefinedOutside(number->dividend, region) &&
             isDefinedOutside(number->assumption->modulus, region);
    return !number->numbers ||
           !region.isAncestor(Value(number->numbers).getParentRegion());
  });
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// Returns the form of elements with `rank` indices.
std::optional<AffineAddress>
AffineAddressReader::getForm(const SymbolicExpr &expr, unsigned rank,
                             const AffineElements &elements) {
  std::optional<LinearSum> sum = split(expr);
  if (!sum || !isComputable(sum->rest))
    return decline("a sum or product without a form");
  AffineAddress form;
  form.dims.resize(rank);
  form.rest = sum->rest;
  form.base = sum->base;
  for (auto &[element, stride] : sum->strides) {
    if (!isComputable(stride))
      return decline("a sum or product without a form");
    const ElementNumber &number = *findElementNumber(element);
    Coordinate &coordinate = form.dims[number.dim].emplace();
    coordinate.stride = stride;
    coordinate.numbers = number.numbers;
    // s * i + rest = s * (start + i) + (rest - s * start)
    AffineElements::Start found = elements.getStart(number.dim);
    SymbolicExpr rest = form.rest - stride * found.start;
    if (!isComputable(found.start) || !rest.isKnown())
      continue;
    coordinate.start = found.start;
    coordinate.width = found.width;
    form.rest = rest;
  }
  collectAssumptions(expr, form.assumptions);
  llvm::append_range(form.assumptions, elements.getAssumptions());
  return form;
}

std::optional<AffineAddress> AffineAddressReader::read(Value tensor,
                                                       Value mask) {
  Indices indices = getIndices(tensor);
  if (mask)
    addConditions(mask, indices);
  AffineElements elements(*this, Reading::Address);
  std::optional<SymbolicExpr> expr = elements.read(tensor, indices);
  conditions.clear();
  return expr ? getForm(*expr, indices.size(), elements) : std::nullopt;
}

std::optional<AffineAddress>
AffineAddressReader::readPart(Value tensor, Value mask, TensorPart part) {
  Indices indices = getIndices(tensor);
  indices[part.dim] =
      getElementNumber(part.dim, part.size) + SymbolicExpr(part.first);
  MaskBounds bounds;
  if (mask && readMaskInto(mask, indices, bounds, MaskReading::SomeBounds,
                           Reading::Address))
    for (const MaskBound &bound : bounds.upper)
      if (bound.dim == part.dim)
        end = bound;
  if (mask)
    addConditions(mask, indices);
  AffineElements elements(*this, Reading::Address, part);
  std::optional<SymbolicExpr> expr = elements.read(tensor, indices);
  conditions.clear();
  end = std::nullopt;
  std::optional<AffineAddress> form =
      expr ? getForm(*expr, indices.size(), elements) : std::nullopt;
  if (form && form->dims[part.dim] && form->dims[part.dim]->numbers)
    return decline("numbers of rows");
  return form;
}

/// Returns the key of the elements of a mask.
static std::pair<void *, std::vector<SymbolicExpr::Terms>>
getCondition(Value mask, ArrayRef<SymbolicExpr> indices) {
  std::vector<SymbolicExpr::Terms> key;
  for (const SymbolicExpr &index : indices)
    key.push_back(index.getTerms());
  return {mask.getAsOpaquePointer(), std::move(key)};
}

/// Adds everything that holds where `mask` does, in any shape, and for which
/// elements.
void AffineAddressReader::addConditions(Value mask,
                                        ArrayRef<SymbolicExpr> indices) {
  Operation *op = mask.getDefiningOp();
  if (!conditions.insert(getCondition(mask, indices)).second || !op)
    return;
  if (isa<arith::AndIOp>(op)) {
    for (Value operand : op->getOperands())
      addConditions(operand, indices);
  } else if (std::optional<Indices> places =
                 mapElement(op, indices, values.getFacts())) {
    addConditions(op->getOperand(0), *places);
  }
}

/// Returns whether `mask` holds wherever the mask of the access does.
bool AffineAddressReader::holdsForAccess(Value mask,
                                         ArrayRef<SymbolicExpr> indices) {
  if (conditions.count(getCondition(mask, indices)))
    return true;
  // This is the same bound, compared in another shape.
  MaskBounds bounds;
  return end &&
         readMaskInto(mask, indices, bounds, MaskReading::Bounds,
                      Reading::Address) &&
         bounds.lower.empty() &&
         llvm::all_of(bounds.upper, [&](const MaskBound &bound) {
           return bound.dim == end->dim && bound.bound == end->bound;
         });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns the least value that a sum has in the loops around `op`, as far as
/// it is known, except for positive constants in it.
SymbolicExpr AffineAddressReader::getLeast(SymbolicExpr sum, Operation *op) {
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    Value counter = loop.getInductionVar();
    std::optional<APInt> step = loop.getConstantStep();
    if (!step || !step->isStrictlyPositive() || loop.getUnsignedCmp())
      break;
    // The counter grows, and with it the sum, if that has multiples of it
    // alone.
    if (llvm::any_of(sum.getSummands(), [&](const SymbolicExpr &term) {
          SmallVector<Value> factors = values.getFactors(term);
          return llvm::is_contained(factors, counter) &&
                 (factors.size() > 1 || term.getTerms().begin()->second < 0);
        }))
      break;
    SymbolicExpr first = sum.substitute(values.getSymbol(counter),
                                        readNumber(loop.getLowerBound()));
    if (!first.isKnown())
      break;
    sum = first;
  }
  SymbolicExpr least;
  for (const SymbolicExpr &term : sum.getSummands())
    if (std::optional<int64_t> known = term.getConstant(); !known || *known < 0)
      least = least + term;
  return least;
}

/// Returns the sum of the steps of all iterations before: `step` * trips.
SymbolicExpr AffineAddressReader::getTrips(scf::ForOp loop,
                                           const SymbolicExpr &step,
                                           Reading reading) {
  // A bound is no part of the address.
  if (reading == Reading::Address)
    reading = Reading::Number;
  // How far the induction variable has come, and by how much it goes on.
  SymbolicExpr distance = readScalar(loop.getInductionVar(), reading) -
                          readScalar(loop.getLowerBound(), reading);
  SymbolicExpr stride = readScalar(loop.getStep(), reading);
  // A step that is a multiple of the loop's own needs no division: K / 32 trips
  // of 32 elements each are K elements.
  if (stride.getTerms().size() == 1) {
    SymbolicExpr rest;
    SymbolicExpr perUnit = step.divide(stride, rest);
    if (rest.isZero())
      return distance * perUnit;
  }
  // Otherwise the trips are counted by a division at the beginning of the body.
  return values.divide(distance, stride, loop.getInductionVar().getType(),
                       loop.getBody()) *
         step;
}

} // namespace mlir::triton::gpu::intel
