//===- BlockPlan.cpp - Which block pointer serves an access? --------------===//
// SPDX-License-Identifier: MIT
//
// Determines where a block begins. In a dimension that the mask bounds, the
// bound is the extent of the tensor in memory, and the rest of the coordinate
// is the offset of the block: if a pointer has advanced by k * 32, and the mask
// of a K loop's tail is `K - k * 32`, the extent is K. A coordinate that wraps
// around (`x % M`) has the extent M if no result depends on the elements that
// wrap. In any other dimension, the tensor is only known to contain the block,
// so the base moves to the block.
//
// If the addresses of a tile have no form, those of its parts may: rows are in
// pages, and several rows look up the same page. The parts then become a block
// in pages.
//
// Row numbers that are no range, such as loaded numbers, become gathered rows,
// with the part of the mask that is the same for all elements of a row.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"

#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Analysis/Order/UnobservedElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

std::string describe(const BlockPlan &plan, const ScalarValues &values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  plan.base.printAsOperand(os, OpPrintingFlags());
  if (!plan.baseOffset.isZero()) {
    os << " + ";
    values.print(os, plan.baseOffset);
  }
  for (auto [number, dim] : llvm::enumerate(plan.dims)) {
    os << ", [";
    values.print(os, dim.start);
    if (number == 0 && plan.rowNumbers) {
      os << " + rows ";
      plan.rowNumbers.printAsOperand(os, OpPrintingFlags());
      os << " under " << plan.rowMasks.size() << " masks";
    } else {
      os << (dim.isChecked ? " of " : " of at least ");
      values.print(os, dim.extent);
    }
    os << " by ";
    values.print(os, dim.stride);
    if (number == plan.pageDim)
      for (const PageStart &page : plan.pages) {
        os << (&page == plan.pages.begin() ? " from " : ", ");
        page.base.printAsOperand(os, OpPrintingFlags());
        os << " + ";
        values.print(os, page.offset);
      }
    os << "]";
  }
  for (const WrapAssumption &assumption : plan.assumptions) {
    os << ", where ";
    values.print(os, assumption.start);
    os << " >= 0";
    if (assumption.isSurplusUnobserved)
      continue;
    os << " and ";
    values.print(os, assumption.start + assumption.size);
    os << " <= ";
    values.print(os, assumption.modulus);
  }
  return text;
}

bool isOne(const SymbolicExpr &sum) { return sum.getConstant() == 1; }

/// Returns whether no expression of a plan has become too long.
static bool isKnown(const BlockPlan &plan) {
  return plan.baseOffset.isKnown() &&
         llvm::all_of(plan.dims,
                      [](const BlockDim &dim) {
                        return dim.start.isKnown() && dim.stride.isKnown() &&
                               dim.extent.isKnown();
                      }) &&
         llvm::all_of(
             plan.pages,
             [](const PageStart &page) { return page.offset.isKnown(); }) &&
         llvm::all_of(plan.assumptions, [](const WrapAssumption &assumption) {
           return assumption.start.isKnown() && assumption.modulus.isKnown() &&
                  (assumption.start + assumption.size).isKnown();
         });
}

bool BlockPlanner::hasUnitStride(const AffineAddress &form) {
  return llvm::count_if(form.dims, [](const std::optional<Coordinate> &dim) {
           return dim && isOne(dim->stride);
         }) == 1;
}

/// Returns whether a block that begins at `start` has an offset of 32 bits.
bool BlockPlanner::fitsOffset(const SymbolicExpr &start) {
  return reader.isNonNegativeAtLaunch(start - llvm::minIntN(32)) &&
         reader.isNonNegativeAtLaunch(SymbolicExpr(llvm::maxIntN(32)) - start);
}

/// Takes terms that all elements share for steps along a dimension, if they are
/// multiples of its stride and make the bound of the mask simpler: a bound of K
/// - k after k steps is one of K. `unit * i < end` is the bound of element i.
void BlockPlanner::takeSteps(SymbolicExpr &rest, Coordinate &coordinate,
                             const SymbolicExpr &end, int64_t unit) {
  // Only multiples of a stride of one term can be recognized.
  if (coordinate.stride.getTerms().size() != 1)
    return;
  SymbolicExpr left;
  for (const SymbolicExpr &step :
       rest.divide(coordinate.stride, left).getSummands()) {
    SymbolicExpr extent = end + coordinate.start * unit;
    SymbolicExpr longer = extent + step * unit;
    SymbolicExpr moved = step * coordinate.stride;
    if (!moved.isKnown() || !longer.isKnown() ||
        longer.getTerms().size() >= extent.getTerms().size())
      continue;
    coordinate.start = coordinate.start + step;
    rest = rest - moved;
  }
}

/// Returns the terms of a coordinate's start that can be the offset of the
/// block if the whole start cannot, and that make the bound of the mask
/// simpler: a sequence that begins at a loaded number has the extent T for the
/// bound T - k after k steps. The base moves by the other terms.
SymbolicExpr BlockPlanner::getOffset(const SymbolicExpr &start,
                                     const SymbolicExpr &end, int64_t unit) {
  SymbolicExpr offset;
  for (const SymbolicExpr &term : start.getSummands()) {
    SymbolicExpr extent = end + offset * unit;
    SymbolicExpr longer = extent + term * unit;
    if (longer.isKnown() &&
        longer.getTerms().size() < extent.getTerms().size() &&
        reader.isNonNegative(term) && fitsOffset(offset + term))
      offset = offset + term;
  }
  return offset;
}

/// Returns the extent of a dimension whose element i, which has the coordinate
/// `start` + i, is in the tensor if `unit * i < end`. A row of words that hold
/// eight elements each is masked by `8 * i < K - k`, and begins at k / 8: its
/// extent is K / 8, rounded up.
SymbolicExpr BlockPlanner::getExtent(SymbolicExpr end, int64_t unit,
                                     SymbolicExpr start) {
  if (unit == 1)
    return end + start;
  start = start * unit;
  auto isZero = [&](const SymbolicExpr &sum) {
    return sum.isKnown() && reader.isNonNegative(sum) &&
           reader.isNonNegative(-sum);
  };
  // The product of the unit and a quotient that the kernel has computed is the
  // dividend again.
  for (const SymbolicExpr &term : end.getSummands())
    if (isZero(term + start)) {
      end = end - term;
      start = SymbolicExpr();
      break;
    }
  SymbolicExpr dividend = end + start + SymbolicExpr(unit - 1);
  if (!dividend.isKnown())
    return dividend;
  // Before the loops in which it does not change, so that the tensor has
  // one extent there.
  Operation *point = current;
  while (!isa<FunctionOpInterface>(point->getParentOp()) &&
         values.isDefinedOutside(dividend, *point->getParentRegion()))
    point = point->getParentOp();
  // Quotients are rounded toward zero, which is up for a negative dividend. No
  // coordinate that is not negative is below either one of the results then.
  return values.divide(dividend, SymbolicExpr(unit),
                       IntegerType::get(current->getContext(), 64), point);
}

/// Returns the largest value that a sum without negative terms has in the
/// access's loop.
std::optional<SymbolicExpr> BlockPlanner::getMaximum(const SymbolicExpr &sum) {
  scf::ForOp loop = innermostLoop;
  std::optional<APInt> step = loop.getConstantStep();
  if (!step || !step->isStrictlyPositive())
    return std::nullopt;
  SymbolicExpr lower = reader.readNumber(loop.getLowerBound());
  SymbolicExpr last = reader.readNumber(loop.getUpperBound()) - SymbolicExpr(1);
  if (!step->isOne()) {
    int64_t size = step->getSExtValue();
    last = lower + values.divide(last - lower, size,
                                 loop.getInductionVar().getType(),
                                 loop.getOperation()) *
                       size;
  }
  return sum.substitute(values.getSymbol(loop.getInductionVar()), last);
}

/// Where no mask bounds the coordinate, the base moves to the block. The part
/// that moves it in each iteration of the access's loop stays an offset if its
/// end, and so the extent, is known before the loop: by the launch, or by the
/// kernel, which can check it there.
void BlockPlanner::keepLoopSteps(SymbolicExpr &rest, Coordinate &coordinate,
                                 int64_t size, BlockDim &block) {
  auto isCounter = [&](Value value) {
    return innermostLoop && value == innermostLoop.getInductionVar();
  };
  SymbolicExpr left, steps, stepsOfRest;
  for (const SymbolicExpr &term : coordinate.start.getSummands())
    if (llvm::any_of(values.getFactors(term), isCounter))
      steps = steps + term;
  if (coordinate.stride.getTerms().size() == 1)
    for (const SymbolicExpr &term :
         rest.divide(coordinate.stride, left).getSummands())
      if (llvm::any_of(values.getFactors(term), isCounter))
        stepsOfRest = stepsOfRest + term;
  SymbolicExpr all = steps + stepsOfRest;
  SymbolicExpr moved = stepsOfRest * coordinate.stride;
  if (!all.isKnown() || all.isZero() || !moved.isKnown() ||
      !reader.isNonNegative(all))
    return;
  std::optional<SymbolicExpr> maximum = getMaximum(all);
  if (!maximum ||
      !values.isDefinedOutside(*maximum, innermostLoop.getRegion()) ||
      !fitsOffset(all))
    return;
  rest = rest - moved;
  coordinate.start = coordinate.start + stepsOfRest;
  block.start = all;
  block.extent = *maximum + SymbolicExpr(size);
}

/// Elements that wrap around and that no store writes may as well be out of
/// range: the modulus bounds their coordinate.
void BlockPlanner::boundUnobserved(AffineAddress &form, MaskBounds &bounds) {
  for (WrapAssumption &assumption : form.assumptions) {
    SymbolicExpr end = assumption.modulus - assumption.start;
    auto *bound = llvm::find_if(bounds.upper, [&](const MaskBound &bound) {
      return bound.dim == assumption.dim;
    });
    // A mask bounds the dimension already: perhaps it is this very bound.
    if (bound != bounds.upper.end()) {
      assumption.isSurplusUnobserved =
          bound->stride == 1 && bound->bound == end;
      continue;
    }
    if (!isa<triton::LoadOp>(current) ||
        !areElementsUnobserved(current->getResult(0), assumption.dim, end,
                               reader, values, sources))
      continue;
    assumption.isSurplusUnobserved = true;
    bounds.upper.push_back({assumption.dim, end});
  }
  llvm::erase_if(form.assumptions, [&](const WrapAssumption &assumption) {
    return assumption.isSurplusUnobserved &&
           reader.isNonNegative(assumption.start);
  });
}

/// Returns whether the start of a coordinate that is bounded from above can be
/// the offset of the block, instead of moving its base.
bool BlockPlanner::planStart(const Coordinate &coordinate,
                             const AffineAddress &form, unsigned dim,
                             BlockDim &block) {
  const SymbolicExpr &start = coordinate.start;
  // An element before the tensor would not be masked.
  bool isAssumed =
      llvm::any_of(form.assumptions, [&](const WrapAssumption &assumption) {
        return assumption.dim == dim && assumption.start == start;
      });
  if (!isAssumed && !reader.isNonNegative(start))
    return false;
  if (fitsOffset(start))
    return true;
  // The kernel counts with 32 bits: a start that needs more is beyond the bound
  // or, if it wraps around to less, the address of an access has overflowed.
  if (coordinate.width != 32)
    return false;
  // Messages and pages need no larger divisor (kMaxDivisor in ValueProver.h).
  constexpr int64_t mostAligned = 1 << 20;
  block.lastStart = (int64_t(1) << 31) -
                    std::gcd(values.getDivisor(start, sources), mostAligned);
  return true;
}

bool BlockPlanner::planDim(unsigned dim, int64_t size, const MaskBounds &bounds,
                           AffineAddress &form, BlockPlan &plan) {
  Coordinate &coordinate = *form.dims[dim];
  if (coordinate.numbers) {
    plan.dims[dim].start = coordinate.start;
    plan.dims[dim].stride = coordinate.stride;
    // Nothing is known of the tensor but that the rows are in it.
    plan.dims[dim].extent = SymbolicExpr(1);
    return true;
  }
  // Elements i of the block with unit * i < end and i >= begin are in the
  // tensor.
  std::optional<SymbolicExpr> begin, end;
  int64_t unit = 1;
  bool boundsCoordinate = true;
  for (const MaskBound &bound : bounds.upper)
    if (bound.dim == dim) {
      boundsCoordinate &= bound.compared == coordinate.start;
      if (end && !(*end == bound.bound && unit == bound.stride)) {
        refuse("its mask has two bounds of dimension " + Twine(dim));
        return false;
      }
      end = bound.bound;
      unit = bound.stride;
    }
  for (const MaskBound &bound : bounds.lower)
    if (bound.dim == dim) {
      if (begin && !(*begin == bound.bound)) {
        refuse("its mask has two lower bounds of dimension " + Twine(dim));
        return false;
      }
      begin = bound.bound;
    }

  BlockDim &block = plan.dims[dim];
  block.stride = coordinate.stride;
  block.isChecked = begin || end;
  if (begin) {
    block.start = SymbolicExpr() - *begin;
    if (!fitsOffset(block.start)) {
      refuse("dimension " + Twine(dim) + " may begin beyond 32 bits");
      return false;
    }
    // Coordinates that wrap around are below the bound.
    if (!end && !reader.isNonNegativeAtLaunch(SymbolicExpr(llvm::maxIntN(32)) -
                                              block.start - (size - 1))) {
      refuse("dimension " + Twine(dim) + " may end beyond 32 bits");
      return false;
    }
  } else if (end) {
    takeSteps(form.rest, coordinate, *end, unit);
    if (planStart(coordinate, form, dim, block)) {
      block.start = coordinate.start;
    } else if (coordinate.width == 32 &&
               !reader.isNonNegativeAtLaunch(coordinate.start -
                                             llvm::minIntN(32))) {
      // Coordinates that wrap around are beyond the bound: the base moves as
      // far as the kernel counts.
      if (!boundsCoordinate) {
        refuse("dimension " + Twine(dim) + " may begin below 32 bits");
        return false;
      }
      SymbolicExpr wrapped = values.wrap(coordinate.start, current);
      end = *end + coordinate.start - wrapped;
      coordinate.start = wrapped;
    } else {
      block.start = getOffset(coordinate.start, *end, unit);
    }
  }
  if (end)
    block.extent = getExtent(*end, unit, block.start);
  else if (begin)
    block.extent = block.start + SymbolicExpr(size);
  else
    block.extent = SymbolicExpr(size);
  if (!block.isChecked)
    keepLoopSteps(form.rest, coordinate, size, block);
  // The parts that do not go into the offset move the base.
  plan.baseOffset =
      plan.baseOffset + (coordinate.start - block.start) * coordinate.stride;
  return true;
}

/// Takes over the numbers of rows, if there are any and nothing prevents it.
bool BlockPlanner::planNumbers(Operation *access, const AffineAddress &form,
                               MaskBounds &bounds, BlockPlan &plan) {
  if (!hasNumbers)
    return true;
  auto refuseNumbers = [&](const Twine &reason) {
    refuse(reason);
    return false;
  };
  if (form.dims.size() != 2 || !form.dims[0] || !form.dims[0]->numbers ||
      !form.dims[1] || form.dims[1]->numbers)
    return refuseNumbers(
        "it gathers more, or other, than rows by their numbers");
  if (isOne(form.dims[0]->stride))
    return refuseNumbers(
        "the numbers of its rows are no multiples of a stride");
  if (auto load = dyn_cast<triton::LoadOp>(access);
      load && load.getIsVolatile())
    return refuseNumbers("it is volatile");
  if (!movesRowsOfDot(access, sources))
    return refuseNumbers("the rows that it gathers are neither those of a "
                         "left operand nor of the result of a dot");
  plan.rowNumbers = form.dims[0]->numbers;
  plan.rowMasks = bounds.rows;
  return true;
}

void BlockPlanner::begin(Operation *access, Value pointers,
                         LaunchCondition *condition) {
  obstacle.clear();
  current = access;
  reader.beginAccess(access, pointers, condition);
  innermostLoop = access->getParentOfType<scf::ForOp>();
  reader.forgetObstacle();
}

std::optional<BlockPlan> BlockPlanner::plan(Operation *access, Value pointers,
                                            Value mask,
                                            LaunchCondition *condition) {
  begin(access, pointers, condition);
  auto type = cast<RankedTensorType>(pointers.getType());
  unsigned rank = type.getRank();
  std::optional<AffineAddress> form = reader.read(pointers, mask);
  hasNumbers = form && llvm::any_of(form->dims, [](const auto &dim) {
                 return dim && dim->numbers;
               });
  // A message for an operand of DPAS puts several rows of narrower elements
  // into one register. Rows that are unpacked into more rows need one each.
  bool areWords = getPointeeBitWidth(type) == 32;
  MaskBounds bounds;
  if (form && mask) {
    std::optional<MaskBounds> read =
        reader.readMask(mask, hasNumbers ? MaskReading::BoundsAndRows
                              : areWords ? MaskReading::StridedBounds
                                         : MaskReading::Bounds);
    if (!read)
      return refuse("its mask has no bounds to read: " + reader.getObstacle());
    bounds = std::move(*read);
  }
  if (!form)
    return refuse("its address has no coordinates to read: " +
                  reader.getObstacle());
  if (!form->base)
    return refuse("its pointers have no common base");
  BlockPlan plan;
  if (!planNumbers(access, *form, bounds, plan))
    return std::nullopt;
  if (!hasUnitStride(*form))
    return refuse("memory is contiguous in none of its dimensions");

  boundUnobserved(*form, bounds);
  plan.base = form->base;
  plan.assumptions = form->assumptions;
  plan.dims.resize(rank);
  // Last the dimension whose stride of 1 divides everything.
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (!form->dims[dim] && type.getDimSize(dim) > 1)
      return refuse("its elements are the same along dimension " + Twine(dim));
    if (!form->dims[dim])
      form->dims[dim] = Coordinate{SymbolicExpr(), SymbolicExpr()};
    order.insert(isOne(form->dims[dim]->stride) ? order.end() : order.begin(),
                 dim);
  }
  for (unsigned dim : order)
    if (!planDim(dim, type.getDimSize(dim), bounds, *form, plan))
      return std::nullopt;
  plan.baseOffset = plan.baseOffset + form->rest;
  if (!isKnown(plan))
    return refuse("the address of its block has too many terms");
  return plan;
}

/// Returns whether elements along `dim` of a dot operand are neighbours along
/// K.
static bool isAlongK(const DotUses &uses, unsigned dim) {
  return (uses.isLeft && dim == 1) || (uses.isRight && dim == 0);
}

/// Returns the block whose parts along `dim` have these forms.
std::optional<BlockPlan> BlockPlanner::planPages(triton::LoadOp load,
                                                 unsigned dim,
                                                 ArrayRef<AffineAddress> parts,
                                                 const MaskBounds &bounds) {
  auto type = cast<RankedTensorType>(load.getType());
  unsigned column = 1 - dim;
  AffineAddress form = parts.front();
  if (!form.dims[dim] || !form.dims[column] || isOne(form.dims[dim]->stride) ||
      !isOne(form.dims[column]->stride) ||
      llvm::any_of(bounds.lower,
                   [&](const MaskBound &bound) { return bound.dim == dim; }))
    return std::nullopt;
  BlockPlan plan;
  plan.pageDim = dim;
  plan.base = form.base;
  plan.dims.resize(2);
  // Rows count from the first one of the block, ...
  BlockDim &rows = plan.dims[dim];
  rows.stride = form.dims[dim]->stride;
  rows.extent = SymbolicExpr(type.getDimSize(dim));
  for (const MaskBound &bound : bounds.upper)
    if (bound.dim == dim) {
      if (rows.isChecked && !(rows.extent == bound.bound))
        return std::nullopt;
      rows.extent = bound.bound;
      rows.isChecked = true;
    }
  // ... and columns are those of any block. The value that all elements of a
  // part share is where its page begins.
  form.rest = form.dims[column]->start = SymbolicExpr();
  if (!planDim(column, type.getDimSize(column), bounds, form, plan))
    return std::nullopt;
  for (const AffineAddress &part : parts) {
    SymbolicExpr first = part.dims[dim]->start * part.dims[dim]->stride;
    if (!(part.dims[dim]->stride == rows.stride) || !part.dims[column] ||
        !isOne(part.dims[column]->stride))
      return std::nullopt;
    for (const WrapAssumption &assumption : part.assumptions)
      if (!llvm::is_contained(plan.assumptions, assumption))
        plan.assumptions.push_back(assumption);
    plan.pages.push_back(
        {part.base,
         part.rest + first + part.dims[column]->start + plan.baseOffset});
  }
  plan.baseOffset = SymbolicExpr();
  if (!isKnown(plan))
    return std::nullopt;
  // All of the block in one page is a block like any other.
  if (plan.pages.size() == 1) {
    PageStart page = plan.pages.pop_back_val();
    plan.base = page.base;
    plan.baseOffset = page.offset;
  }
  return plan;
}

std::optional<BlockPlan> BlockPlanner::planPages(triton::LoadOp load,
                                                 LaunchCondition *condition) {
  auto type = cast<RankedTensorType>(load.getType());
  if (type.getRank() != 2 || load.getIsVolatile())
    return std::nullopt;
  bool isTransposed = false;
  DotUses uses = findDotUses(load.getResult(), sources, [&](Operation *user) {
    isTransposed |= isa<TransOp>(user);
    return isa<TransOp>(user) || user->hasTrait<mlir::OpTrait::Elementwise>();
  });
  if (!uses.isDotOperandOnly())
    return std::nullopt;
  begin(load, load.getPtr(), condition);
  MaskBounds bounds;
  if (load.getMask()) {
    std::optional<MaskBounds> read = reader.readMask(load.getMask());
    if (!read)
      return std::nullopt;
    bounds = std::move(*read);
  }
  for (unsigned dim : {0u, 1u}) {
    // The fewest rows of a page that messages for operands of DPAS read: lanes
    // or rows of an instruction, or its K, which is 32 of 8 bits.
    bool isLong = type.getElementTypeBitWidth() == 8 &&
                  (isTransposed || isAlongK(uses, dim));
    int64_t minRows = isLong ? 32 : 16;
    for (int64_t size = type.getDimSize(dim); size >= minRows; size /= 2) {
      // The first part states whether pages have this number of rows.
      SmallVector<AffineAddress, 0> parts;
      for (int64_t first = 0; first < type.getDimSize(dim); first += size) {
        std::optional<AffineAddress> form =
            reader.readPart(load.getPtr(), load.getMask(), {dim, first, size});
        if (!form || !form->base || !form->dims[dim])
          break;
        parts.push_back(std::move(*form));
      }
      if (int64_t(parts.size()) * size != type.getDimSize(dim))
        continue;
      if (std::optional<BlockPlan> plan = planPages(load, dim, parts, bounds))
        return plan;
    }
  }
  return std::nullopt;
}

} // namespace mlir::triton::gpu::intel
