//===- AffineAddress.cpp - Tensors of pointers as blocks ------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/AffineAddress.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// The stride of a coordinate that counts elements one by one.
static const SymbolicExpr kOne(1);

/// Notes why a form cannot be read, unless a reason is known already, and gives
/// the absence of a form, so that callers can return it.
std::nullopt_t AffineAddressReader::decline(const Twine &reason) {
  // The first reason is the innermost one.
  if (obstacle.empty())
    obstacle = reason.str();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Arithmetic of forms
//===----------------------------------------------------------------------===//

std::optional<unsigned> getCoordinateDim(const AffineAddress &form) {
  std::optional<unsigned> found;
  for (auto [dim, coordinate] : llvm::enumerate(form.dims)) {
    if (!coordinate)
      continue;
    if (found || !(coordinate->stride == kOne))
      return std::nullopt;
    found = dim;
  }
  return form.base ? std::nullopt : found;
}

/// Moves the part of a coordinate that all elements share to its start.
static void normalize(AffineAddress &form) {
  std::optional<unsigned> dim = getCoordinateDim(form);
  if (!dim)
    return;
  Coordinate &coordinate = *form.dims[*dim];
  coordinate.start = coordinate.start + form.rest;
  form.rest = SymbolicExpr();
}

bool isKnown(const AffineAddress &form) {
  return form.rest.isKnown() &&
         llvm::all_of(form.dims,
                      [](const std::optional<Coordinate> &dim) {
                        return !dim ||
                               (dim->start.isKnown() && dim->stride.isKnown());
                      }) &&
         llvm::all_of(form.assumptions, [](const WrapAssumption &assumption) {
           return assumption.start.isKnown() && assumption.modulus.isKnown();
         });
}

bool isUniform(const AffineAddress &form) {
  return llvm::none_of(form.dims, [](const auto &dim) { return bool(dim); });
}

/// Returns the element-wise sum. Nothing for the sum of two pointers, or where
/// it is not linear in the index of each dimension.
std::optional<AffineAddress>
AffineAddressReader::add(AffineAddress lhs, const AffineAddress &rhs) {
  if (lhs.base && rhs.base)
    return std::nullopt;
  lhs.base = lhs.base ? lhs.base : rhs.base;
  lhs.rest = lhs.rest + rhs.rest;
  // What was assumed of either operand is needed for the sum.
  llvm::append_range(lhs.assumptions, rhs.assumptions);
  for (auto [mine, other] : llvm::zip_equal(lhs.dims, rhs.dims)) {
    if (!other)
      continue;
    if (!mine) {
      mine = other;
      continue;
    }
    // Numbers have no sum with anything but what is the same for all of them.
    if (mine->numbers || other->numbers)
      return std::nullopt;
    // s (a + i) + t (b + i) = (s + t) i + s a + t b
    lhs.rest =
        lhs.rest + mine->stride * mine->start + other->stride * other->start;
    mine->stride = mine->stride + other->stride;
    // The starts are in `rest` now, and come back from there below if the sum
    // is a coordinate again.
    mine->start = SymbolicExpr();
    if (mine->stride.isZero())
      mine.reset();
  }
  normalize(lhs);
  return lhs;
}

/// Returns each element times `factor`. A start is not multiplied: it belongs
/// to the coordinate, which the stride multiplies.
AffineAddress AffineAddressReader::multiply(const AffineAddress &form,
                                            const SymbolicExpr &factor) {
  AffineAddress result = form;
  result.rest = form.rest * factor;
  for (std::optional<Coordinate> &dim : result.dims) {
    if (!dim)
      continue;
    dim->stride = dim->stride * factor;
    if (dim->stride.isZero())
      dim.reset();
  }
  normalize(result);
  return result;
}

/// Returns the form of a sum, difference or product of two operands.
std::optional<AffineAddress>
AffineAddressReader::combine(Operation *op, const AffineAddress &lhs,
                             const AffineAddress &rhs) {
  Form result;
  if (isa<AddPtrOp, arith::AddIOp>(op)) {
    result = add(lhs, rhs);
  } else if (isa<arith::SubIOp>(op)) {
    // The sum with the negative form; a pointer cannot be the second operand.
    result = add(lhs, multiply(rhs, -1));
  } else if (isUniform(rhs)) {
    // One factor has to be the same for all elements: a product of two
    // coordinates is not linear.
    result = multiply(lhs, rhs.rest);
  } else if (isUniform(lhs)) {
    result = multiply(rhs, lhs.rest);
  }
  if (!result)
    return decline("a sum or product without a form");
  // Starts that have changed were computed as integers of this type.
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (element.isInteger())
    for (auto [dim, mine, other] :
         llvm::zip_equal(result->dims, lhs.dims, rhs.dims))
      if (dim && !(mine && mine->start == dim->start) &&
          !(other && other->start == dim->start))
        dim->width = element.getIntOrFloatBitWidth();
  return result;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::optional<AffineAddress> AffineAddressReader::read(Value tensor) {
  llvm::SaveAndRestore restore(accessDims);
  enterAccess(tensor);
  // Tensors are asked for many times, by all that is computed from them.
  Place place = getPlace(tensor);
  auto it = forms.find(place);
  if (it != forms.end()) {
    if (!it->second)
      // The reason itself may have been forgotten since the tensor was first
      // read.
      decline("an address that has no such form");
    return it->second;
  }
  // What comes back to itself in another way than a loop has no form.
  forms[place] = std::nullopt;
  Form form = readUncached(tensor);
  // Where the reader takes rows by their numbers, any integers along one
  // dimension have a form.
  if (!form && takesNumbers)
    form = readNumbers(tensor);
  if (form && !isKnown(*form))
    form = decline("an address of too many terms");
  forms[place] = form;
  return form;
}

std::optional<AffineAddress> AffineAddressReader::read(Value tensor,
                                                       Value mask) {
  return readUnder(mask, [&] { return read(tensor); });
}

/// Returns what `readIt` reads for an access that has `mask`.
std::optional<AffineAddress>
AffineAddressReader::readUnder(Value mask, llvm::function_ref<Form()> readIt) {
  // What was read of choices without the mask, or with it, is nothing for an
  // access with another one.
  auto forgetChoices = [&] {
    if (std::exchange(hasChoices, false))
      forms.clear();
  };
  forgetChoices();
  if (mask) {
    llvm::SaveAndRestore restore(accessDims);
    enterAccess(mask);
    addConditions(mask);
  }
  Form form = readIt();
  conditions.clear();
  forgetChoices();
  return form;
}

/// Dimensions of the first tensor that a question is about are those of the
/// access.
void AffineAddressReader::enterAccess(Value tensor) {
  if (accessDims.empty())
    accessDims = llvm::to_vector<4>(llvm::seq<unsigned>(
        cast<RankedTensorType>(tensor.getType()).getRank()));
}

/// Adds all that holds where `mask` does, in any shape, and along which
/// dimensions.
void AffineAddressReader::addConditions(Value mask) {
  Operation *op = mask.getDefiningOp();
  if (!conditions.insert({mask.getAsOpaquePointer(), accessDims}).second || !op)
    return;
  if (isa<arith::AndIOp, triton::BroadcastOp>(op))
    llvm::for_each(op->getOperands(),
                   [&](Value operand) { addConditions(operand); });
  else if (auto expand = dyn_cast<ExpandDimsOp>(op))
    readOperand<void>(expand, [&] { addConditions(expand.getSrc()); });
}

/// Integers along one dimension, whatever they are.
std::optional<AffineAddress> AffineAddressReader::readNumbers(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  // Integers of any other width are no row numbers that messages take.
  if (!type.getElementType().isInteger(32) &&
      !type.getElementType().isInteger(64))
    return std::nullopt;
  AffineAddress form;
  form.dims.resize(type.getRank());
  // The one dimension that holds all elements; one of size 1 counts nothing.
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (size == type.getNumElements() && size > 1)
      form.dims[dim] = Coordinate{SymbolicExpr(), kOne, tensor};
  if (isUniform(form))
    return std::nullopt;
  forgetObstacle();
  return form;
}

std::optional<AffineAddress> AffineAddressReader::readUncached(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  // Results of branches and what loops carry are no operations to read, but two
  // or more values to compare.
  if (auto branch = tensor.getDefiningOp<scf::IfOp>())
    return readBranches(cast<OpResult>(tensor), branch);
  if (Operation *op = tensor.getDefiningOp())
    return readOperation(op, type);
  auto argument = cast<BlockArgument>(tensor);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  // Argument 0 is the induction variable.
  if (loop && argument.getArgNumber() != 0)
    return readCarried(argument, loop);
  return decline("a tensor that comes from elsewhere");
}

std::optional<AffineAddress>
AffineAddressReader::readOperation(Operation *op, RankedTensorType type) {
  // The form of the same number or pointer for all elements.
  auto makeUniform = [&](const SymbolicExpr &rest, Value base) {
    AffineAddress form;
    form.dims.resize(type.getRank());
    form.rest = rest;
    form.base = base;
    return form;
  };
  return llvm::TypeSwitch<Operation *, Form>(op)
      .Case([&](SplatOp splat) -> Form {
        if (isa<triton::PointerType>(splat.getSrc().getType()))
          return readPointer(splat.getSrc(), type.getRank());
        return makeUniform(readScalar(splat.getSrc()), Value());
      })
      // A tensor constant has a form only if all elements are the same.
      .Case([&](arith::ConstantOp constant) -> Form {
        auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue());
        if (!dense || !dense.isSplat())
          return decline("a constant of different elements");
        return makeUniform(
            SymbolicExpr(dense.getSplatValue<APInt>().getSExtValue()), Value());
      })
      .Case([&](MakeRangeOp range) -> Form {
        AffineAddress form = makeUniform(SymbolicExpr(), Value());
        form.dims[0] = {SymbolicExpr(static_cast<int32_t>(range.getStart())),
                        kOne, Value(), type.getElementTypeBitWidth()};
        return form;
      })
      .Case([&](ExpandDimsOp expand) -> Form {
        Form form =
            readOperand<Form>(expand, [&] { return read(expand.getSrc()); });
        return form ? this->expand(std::move(*form), expand.getAxis()) : form;
      })
      // The form holds for any size of a dimension that has no coordinate.
      .Case([&](triton::BroadcastOp broadcast) {
        return read(broadcast.getSrc());
      })
      // Extensions do not change what has not wrapped around.
      .Case([&](arith::ExtSIOp extension) -> Form {
        Form form = read(extension.getIn());
        if (form && current == Reading::Number &&
            !isExact(extension.getIn(), *form))
          return decline("a sum that may overflow");
        return form;
      })
      .Case([&](TransOp trans) -> Form {
        Form form =
            readOperand<Form>(trans, [&] { return read(trans.getSrc()); });
        return form ? transpose(*form, trans.getOrder()) : form;
      })
      .Case<AddPtrOp, arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [&](Operation *op) -> Form {
            // Narrow numbers are no offsets, and wrap around.
            if (type.getElementType().isInteger() &&
                type.getElementTypeBitWidth() < 32)
              return decline("arithmetic with less than 32 bits");
            Form lhs = read(op->getOperand(0));
            Form rhs = lhs ? read(op->getOperand(1)) : std::nullopt;
            return lhs && rhs ? combine(op, *lhs, *rhs) : std::nullopt;
          })
      .Case([&](arith::DivSIOp) { return readExactQuotient(op); })
      .Case([&](arith::RemSIOp) { return readRemainder(op); })
      .Case([&](arith::SelectOp select) { return readSelect(select); })
      .Default([&](Operation *op) {
        return decline("the result of `" + op->getName().getStringRef() + "`");
      });
}

AffineAddress AffineAddressReader::expand(AffineAddress form, unsigned axis) {
  form.dims.insert(form.dims.begin() + axis, std::nullopt);
  for (WrapAssumption &assumption : form.assumptions)
    assumption.dim += assumption.dim >= axis;
  return form;
}

AffineAddress AffineAddressReader::transpose(const AffineAddress &form,
                                             ArrayRef<int32_t> order) {
  AffineAddress result = form;
  for (auto [to, from] : llvm::enumerate(order)) {
    result.dims[to] = form.dims[from];
    for (auto [moved, assumption] :
         llvm::zip_equal(result.assumptions, form.assumptions))
      if (assumption.dim == unsigned(from))
        moved.dim = to;
  }
  return result;
}

/// Returns whether all elements of `form`, a tensor of this type, are known to
/// be numbers that the type represents. A sum that is may wrap around on the
/// way.
static bool isRepresentable(const AffineAddress &form, RankedTensorType type) {
  std::optional<int64_t> smallest = form.rest.getConstant(), largest = smallest;
  for (auto [dim, size] : llvm::zip_equal(form.dims, type.getShape())) {
    if (!dim)
      continue;
    std::optional<int64_t> start = dim->start.getConstant(),
                           stride = dim->stride.getConstant();
    if (dim->numbers || !start || !stride || !smallest || !largest)
      return false;
    std::optional<int64_t> last = llvm::checkedAdd<int64_t>(*start, size - 1);
    std::optional<int64_t> low = llvm::checkedMul(*start, *stride);
    std::optional<int64_t> high =
        last ? llvm::checkedMul(*last, *stride) : std::nullopt;
    if (!low || !high)
      return false;
    smallest = llvm::checkedAdd(*smallest, std::min(*low, *high));
    largest = llvm::checkedAdd(*largest, std::max(*low, *high));
  }
  unsigned bits = type.getElementTypeBitWidth();
  return smallest && largest && llvm::isIntN(bits, *smallest) &&
         llvm::isIntN(bits, *largest);
}

/// Every eighth row, divided by eight, is a coordinate again. A dividend is no
/// part of an address, and may wrap around, unless all of it is known.
std::optional<AffineAddress>
AffineAddressReader::readExactQuotient(Operation *op) {
  Form form = read(op->getOperand(0));
  APInt divisor;
  if (!form)
    return form;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
      !divisor.isStrictlyPositive() || form->base ||
      !isRepresentable(*form, type))
    return decline("a quotient of something else than known numbers");
  bool isExact = true;
  auto divide = [&](SymbolicExpr &sum) {
    SymbolicExpr rest;
    sum = sum.divide(SymbolicExpr(divisor.getSExtValue()), rest);
    isExact &= rest.isZero();
  };
  divide(form->rest);
  for (std::optional<Coordinate> &dim : form->dims)
    if (dim)
      divide(dim->stride);
  if (!isExact)
    return decline("a quotient that is rounded");
  normalize(*form);
  return form;
}

/// `coordinate % uniform` is taken for the coordinate, on an assumption.
std::optional<AffineAddress> AffineAddressReader::readRemainder(Operation *op) {
  Form lhs = read(op->getOperand(0));
  Form rhs = lhs ? readOperand(op->getOperand(1), Value()) : std::nullopt;
  if (!lhs || !rhs)
    return std::nullopt;
  std::optional<unsigned> dim = getCoordinateDim(*lhs);
  if (!dim || lhs->dims[*dim]->numbers || !isUniform(*rhs))
    return decline("a remainder of something else than a coordinate");
  int64_t size =
      cast<RankedTensorType>(op->getResult(0).getType()).getDimSize(*dim);
  // Whoever uses the form has to see to it: by a check, or since nobody sees
  // the surplus.
  lhs->assumptions.push_back(
      {*dim, lhs->dims[*dim]->start, size, rhs->rest, false});
  return lhs;
}

/// `coordinate < bound ? coordinate : other` is taken for the coordinate: what
/// is selected in its place is where a mask hides it, or no element is.
std::optional<AffineAddress>
AffineAddressReader::readSelect(arith::SelectOp op) {
  // A scalar condition chooses one of two whole tensors.
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    return decline("a choice between two addresses");
  hasChoices = true;
  if (conditions.count({op.getCondition().getAsOpaquePointer(), accessDims}))
    return read(op.getTrueValue());
  Form form = read(op.getTrueValue());
  MaskBounds bounds;
  if (!form || !readMaskInto(op.getCondition(), bounds, MaskReading::Bounds,
                             op.getTrueValue()))
    return std::nullopt;
  // Exactly one bound from above, of the same coordinate.
  std::optional<unsigned> dim = getCoordinateDim(*form);
  if (!dim || form->dims[*dim]->numbers || bounds.upper.size() != 1 ||
      !bounds.lower.empty() || bounds.upper.front().dim != *dim)
    return decline("a choice by something else than a bound");
  const MaskBound &bound = bounds.upper.front();
  const SymbolicExpr &start = form->dims[*dim]->start;
  int64_t size = cast<RankedTensorType>(op.getType()).getDimSize(*dim);
  // The bound is in terms of the mask's coordinate; the difference of the
  // starts makes it one of this form's.
  form->assumptions.push_back(
      {*dim, start, size, bound.bound + start - bound.start, false});
  return form;
}

/// Both branches compute the same, perhaps with other hints.
std::optional<AffineAddress> AffineAddressReader::readBranches(OpResult result,
                                                               scf::IfOp op) {
  unsigned number = result.getResultNumber();
  Form first = read(op.thenYield().getOperand(number));
  Form second = first ? read(op.elseYield().getOperand(number)) : std::nullopt;
  if (!first || !second)
    return std::nullopt;
  // Equal forms are made of the same scalars, so it does not matter which
  // branch runs.
  if (!(*first == *second))
    return decline("a branch between two addresses");
  // A form of scalars within a branch could not be used behind it.
  for (Region &region : op->getRegions())
    if (!isDefinedOutside(*first, region))
      return decline("an address that is made in a branch");
  return first;
}

bool AffineAddressReader::isDefinedOutside(const AffineAddress &form,
                                           Region &region) const {
  // Every scalar of the form counts: base, rest, strides, starts, numbers and
  // what assumptions say.
  auto isOutside = [&](const SymbolicExpr &sum) {
    return values.isDefinedOutside(sum, region);
  };
  return isOutside(form.rest) &&
         (!form.base ||
          !region.isAncestor(Value(form.base).getParentRegion())) &&
         llvm::all_of(form.dims,
                      [&](const std::optional<Coordinate> &dim) {
                        return !dim ||
                               (isOutside(dim->start) &&
                                isOutside(dim->stride) &&
                                (!dim->numbers ||
                                 !region.isAncestor(
                                     Value(dim->numbers).getParentRegion())));
                      }) &&
         llvm::all_of(form.assumptions, [&](const WrapAssumption &assumption) {
           return isOutside(assumption.start) && isOutside(assumption.modulus);
         });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns the difference of `next` and `argument`; nothing unless it is a
/// uniform step.
std::optional<SymbolicExpr>
AffineAddressReader::readStep(Value next, BlockArgument argument) {
  // A chain of additions leads from what is yielded back to the argument; each
  // link adds to the step.
  SymbolicExpr step;
  while (next != argument) {
    Operation *op = next.getDefiningOp();
    if (!isa_and_nonnull<AddPtrOp, arith::AddIOp>(op))
      return decline("a loop carries it on by more than a step");
    // Of integers, either may be the step.
    bool isSwapped = isa<arith::AddIOp>(op) && op->getOperand(1) == argument;
    // The second operand of `tt.addptr` is the offset; its first one is the
    // pointer.
    Value added = op->getOperand(isSwapped ? 0 : 1);
    if (isa<RankedTensorType>(added.getType())) {
      Form form = read(added);
      if (!form)
        return std::nullopt;
      if (!isUniform(*form) || form->base || !form->assumptions.empty())
        return decline("a step that differs between elements");
      step = step + form->rest;
    } else {
      step = step + readScalar(added);
    }
    next = op->getOperand(isSwapped ? 1 : 0);
  }
  return step;
}

/// Returns the sum of the steps of all iterations before: `step` * trips.
SymbolicExpr AffineAddressReader::getTrips(scf::ForOp loop,
                                           const SymbolicExpr &step) {
  // How far the induction variable has come, and by how much it goes on.
  SymbolicExpr distance =
      values.read(loop.getInductionVar()) - readNumber(loop.getLowerBound());
  SymbolicExpr stride = readNumber(loop.getStep());
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

/// Returns what all previous iterations have added to a value that a loop
/// carries.
std::optional<SymbolicExpr>
AffineAddressReader::readSteps(BlockArgument argument, scf::ForOp loop) {
  std::optional<SymbolicExpr> step =
      readStep(loop.getTiedLoopYieldedValue(argument)->get(), argument);
  if (!step)
    return std::nullopt;
  // The product of step and trips holds only for a step that is the same in all
  // iterations.
  if (!values.isDefinedOutside(*step, loop.getRegion()))
    return decline("a step that changes between iterations");
  SymbolicExpr steps = getTrips(loop, *step);
  if (!steps.isKnown())
    return decline("a step of too many terms");
  return steps;
}

std::optional<AffineAddress>
AffineAddressReader::readCarried(BlockArgument argument, scf::ForOp loop) {
  // In the first iteration the tensor is what enters the loop; all steps since
  // are added.
  Form form = read(loop.getTiedLoopInit(argument)->get());
  std::optional<SymbolicExpr> steps =
      form ? readSteps(argument, loop) : std::nullopt;
  if (!steps)
    return std::nullopt;
  form->rest = form->rest + *steps;
  normalize(*form);
  if (std::optional<unsigned> dim = getCoordinateDim(*form))
    form->dims[*dim]->width =
        cast<RankedTensorType>(argument.getType()).getElementTypeBitWidth();
  return form;
}

/// Reads a pointer that all elements share: where it began, and how far it has
/// come through additions and the steps of loops.
std::optional<AffineAddress> AffineAddressReader::readPointer(Value pointer,
                                                              unsigned rank) {
  AffineAddress form;
  form.dims.resize(rank);
  // Walks back to where the pointer began.
  while (true) {
    if (auto add = pointer.getDefiningOp<AddPtrOp>()) {
      form.rest = form.rest + readScalar(add.getOffset());
      pointer = add.getPtr();
      continue;
    }
    // A pointer that a loop carries goes on from what enters the loop.
    auto argument = dyn_cast<BlockArgument>(pointer);
    auto loop = argument
                    ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : scf::ForOp();
    std::optional<SymbolicExpr> steps =
        loop ? readSteps(argument, loop) : std::nullopt;
    if (!steps)
      break;
    form.rest = form.rest + *steps;
    pointer = loop.getTiedLoopInit(argument)->get();
  }
  // Whatever made it is a base as good as any.
  forgetObstacle();
  form.base = pointer;
  return form;
}

} // namespace mlir::triton::gpu::intel
