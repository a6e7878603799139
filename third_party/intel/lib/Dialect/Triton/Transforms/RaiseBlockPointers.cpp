//===- RaiseBlockPointers.cpp - Plain pointers as block pointers ----------===//
//
// Reads the addresses and masks of loads and stores through tensors of pointers
// (AddressForm.h) and writes those anew that 2D block messages can serve. Both
// accesses are in the IR until BlockAccess.h has said whether that is so.
//
// Where does a block begin? In a dimension that the mask bounds, the bound is
// the extent of the tensor in memory and the rest of the coordinate the offset
// of the block: the extent of a K loop's tail, `K - k * 32` behind a pointer
// that has advanced by k * 32, is K. A coordinate that wraps around (`x % M`)
// has the extent M if nobody sees the elements that do. In any other dimension
// nothing is known of the tensor but that the block is in it, so that the base
// moves to the block.
//
// Where addresses of a tile have no form, those of its parts may: rows that lie
// in pages, one of which every so many of them look up. Then the parts become a
// block in pages.
//
// Rows that anything else counts than a range, such as numbers that were
// loaded, become rows that are picked by their numbers, with that part of the
// mask that is the same for all elements of a row.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/AddressForm.h"
#include "intel/Analysis/BlockAccess.h"
#include "intel/Analysis/DotUses.h"
#include "intel/Analysis/HiddenElements.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/CodeVersions.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELRAISEBLOCKPOINTERS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// The block of an access
//===----------------------------------------------------------------------===//

/// A dimension of the tensor behind an access, in elements.
struct BlockDim {
  UniformSum start, stride, extent;
  bool isChecked = false;
};

/// Where a part of a block begins.
struct PageStart {
  Value base;
  UniformSum offset;
};

/// What a block pointer of an access is made from.
struct BlockPlan {
  Value base;
  UniformSum baseOffset;
  SmallVector<BlockDim> dims;
  /// Where rows are picked: their numbers, but for the start of the dimension,
  /// and the columns of booleans that say which there are.
  Value rowNumbers;
  SmallVector<Value> rowMasks;
  /// Where rows lie in pages: those, along a dimension.
  SmallVector<PageStart> pages;
  unsigned pageDim = 0;
  /// What has to hold where the block is used.
  SmallVector<WrapAssumption> assumptions;
};

/// Says what was found, e.g. `%0 + 64 * %1, [64 * %2 of %3 by %4]`: per
/// dimension where the block begins, the extent and the stride.
std::string describe(const BlockPlan &plan, const UniformValues &values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  plan.base.printAsOperand(os, OpPrintingFlags());
  if (!plan.baseOffset.isZero()) {
    os << " + ";
    plan.baseOffset.print(os, values);
  }
  for (auto [number, dim] : llvm::enumerate(plan.dims)) {
    os << ", [";
    dim.start.print(os, values);
    if (number == plan.pageDim && !plan.pages.empty())
      os << " in " << plan.pages.size() << " pages";
    if (number == 0 && plan.rowNumbers) {
      os << " + rows ";
      plan.rowNumbers.printAsOperand(os, OpPrintingFlags());
      os << " under " << plan.rowMasks.size() << " masks";
    } else {
      os << (dim.isChecked ? " of " : " of at least ");
      dim.extent.print(os, values);
    }
    os << " by ";
    dim.stride.print(os, values);
    os << "]";
  }
  for (const WrapAssumption &assumption : plan.assumptions) {
    os << ", where ";
    assumption.start.print(os, values);
    os << " >= 0";
    if (assumption.isSurplusHidden)
      continue;
    os << " and ";
    (assumption.start + UniformSum(assumption.size)).print(os, values);
    os << " <= ";
    assumption.modulus.print(os, values);
  }
  return text;
}

/// Finds the block pointer of one access.
class BlockPlanner {
public:
  BlockPlanner(AddressFormReader &reader, UniformValues &values,
               ValueSources &sources)
      : reader(reader), values(values), sources(sources) {}

  /// Nothing, with the reason in `getObstacle`, if there is none.
  std::optional<BlockPlan> plan(Operation *access, Value pointers, Value mask);
  /// The same for a load of a dot's factor whose rows lie in pages.
  std::optional<BlockPlan> planPages(triton::LoadOp load,
                                     ModuleAxisInfoAnalysis &axisInfo);

  StringRef getObstacle() const { return obstacle; }
  /// Whether the last access had rows that are picked by their numbers.
  bool foundNumbers() const { return hasNumbers; }

private:
  std::optional<BlockPlan> planPages(triton::LoadOp load, unsigned dim,
                                     ArrayRef<AddressForm> parts,
                                     const MaskBounds &bounds);
  void begin(Operation *access);
  bool planNumbers(Operation *access, const AddressForm &form,
                   MaskBounds &bounds, BlockPlan &plan);
  std::nullopt_t refuse(const Twine &reason) {
    obstacle = reason.str();
    return std::nullopt;
  }
  bool hasUnitStride(const AddressForm &form);
  void takeSteps(UniformSum &rest, Coordinate &coordinate,
                 const UniformSum &end);
  std::optional<UniformSum> getMaximum(const UniformSum &sum);
  void keepLoopSteps(UniformSum &rest, Coordinate &coordinate, int64_t size,
                     BlockDim &block);
  void boundHidden(AddressForm &form, MaskBounds &bounds);
  bool planDim(unsigned dim, int64_t size, const MaskBounds &bounds,
               AddressForm &form, BlockPlan &plan);

  AddressFormReader &reader;
  UniformValues &values;
  ValueSources &sources;
  std::string obstacle;
  bool hasNumbers = false;
  Operation *current = nullptr;
  /// Around the access; null if there is none.
  scf::ForOp innermostLoop;
};

bool isOne(const UniformSum &sum) { return sum.getConstant() == 1; }

bool BlockPlanner::hasUnitStride(const AddressForm &form) {
  return llvm::count_if(form.dims, [](const std::optional<Coordinate> &dim) {
           return dim && isOne(dim->stride);
         }) == 1;
}

/// What is the same for all elements may be steps along a dimension: multiples
/// of its stride. Those are, that make the bound of the mask simpler: a bound
/// of K - k behind k steps is one of K.
void BlockPlanner::takeSteps(UniformSum &rest, Coordinate &coordinate,
                             const UniformSum &end) {
  // Only multiples of a stride of one term can be told.
  if (coordinate.stride.size() != 1)
    return;
  UniformSum left;
  for (const UniformSum &step :
       rest.divide(coordinate.stride, left).getTerms()) {
    UniformSum extent = end + coordinate.start;
    std::optional<UniformSum> moved = step * coordinate.stride;
    if (!moved || (extent + step).size() >= extent.size())
      continue;
    coordinate.start = coordinate.start + step;
    rest = rest - *moved;
  }
}

/// The largest value that a sum without negative terms has in the access's
/// loop.
std::optional<UniformSum> BlockPlanner::getMaximum(const UniformSum &sum) {
  scf::ForOp loop = innermostLoop;
  std::optional<APInt> step = loop.getConstantStep();
  if (!step || !step->isStrictlyPositive())
    return std::nullopt;
  UniformSum lower = UniformSum::get(loop.getLowerBound(), values);
  UniformSum last =
      UniformSum::get(loop.getUpperBound(), values) - UniformSum(1);
  if (!step->isOne()) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value one = arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(loop.getInductionVar().getType(), 1));
    Value distance = builder.createOrFold<arith::SubIOp>(
        loc, loop.getUpperBound(), loop.getLowerBound());
    Value before = builder.createOrFold<arith::SubIOp>(loc, distance, one);
    Value trips =
        builder.createOrFold<arith::DivSIOp>(loc, before, loop.getStep());
    std::optional<UniformSum> steps =
        UniformSum::get(trips, values) * UniformSum(step->getSExtValue());
    last = lower + *steps;
  }
  return sum.substitute(values.getNumber(loop.getInductionVar()), last);
}

/// Where no mask bounds the coordinate, the base moves to the block. What moves
/// it in each iteration of the access's loop stays an offset if it is known in
/// front of the loop where that ends, and so the extent: by the launch, or by
/// the kernel, which can check it there.
void BlockPlanner::keepLoopSteps(UniformSum &rest, Coordinate &coordinate,
                                 int64_t size, BlockDim &block) {
  auto isCounter = [&](Value value) {
    return innermostLoop && value == innermostLoop.getInductionVar();
  };
  UniformSum left, steps, stepsOfRest;
  for (const UniformSum &term : coordinate.start.getTerms())
    if (term.findFactor(values, isCounter))
      steps = steps + term;
  if (coordinate.stride.size() == 1)
    for (const UniformSum &term :
         rest.divide(coordinate.stride, left).getTerms())
      if (term.findFactor(values, isCounter))
        stepsOfRest = stepsOfRest + term;
  UniformSum all = steps + stepsOfRest;
  std::optional<UniformSum> moved = stepsOfRest * coordinate.stride;
  if (all.isZero() || !moved || !all.isKnownNonNegative(values, sources))
    return;
  std::optional<UniformSum> maximum = getMaximum(all);
  if (!maximum || !maximum->isDefinedOutside(values, innermostLoop.getRegion()))
    return;
  rest = rest - *moved;
  coordinate.start = coordinate.start + stepsOfRest;
  block.start = all;
  block.extent = *maximum + UniformSum(size);
}

/// Elements that wrap around and that no store writes may as well be out of
/// range: the modulus bounds their coordinate.
void BlockPlanner::boundHidden(AddressForm &form, MaskBounds &bounds) {
  for (WrapAssumption &assumption : form.assumptions) {
    UniformSum end = assumption.modulus - assumption.start;
    auto *bound = llvm::find_if(bounds.upper, [&](const MaskBound &bound) {
      return bound.dim == assumption.dim;
    });
    // A mask bounds the dimension already: perhaps it is this very bound.
    if (bound != bounds.upper.end()) {
      assumption.isSurplusHidden = bound->bound - bound->start == end;
      continue;
    }
    if (!isa<triton::LoadOp>(current) ||
        !areElementsHidden(current->getResult(0), assumption.dim, end, reader,
                           values, sources))
      continue;
    assumption.isSurplusHidden = true;
    bounds.upper.push_back(
        {assumption.dim, assumption.start, assumption.modulus});
  }
  llvm::erase_if(form.assumptions, [&](const WrapAssumption &assumption) {
    return assumption.isSurplusHidden &&
           assumption.start.isKnownNonNegative(values, sources, current);
  });
}

bool BlockPlanner::planDim(unsigned dim, int64_t size, const MaskBounds &bounds,
                           AddressForm &form, BlockPlan &plan) {
  Coordinate &coordinate = *form.dims[dim];
  if (coordinate.numbers) {
    plan.dims[dim].start = coordinate.start;
    plan.dims[dim].stride = coordinate.stride;
    // Nothing is known of the tensor but that the rows are in it.
    plan.dims[dim].extent = UniformSum(1);
    return true;
  }
  // Elements i of the block with i < end and i >= begin are in the tensor.
  std::optional<UniformSum> begin, end;
  for (const MaskBound &bound : bounds.upper)
    if (bound.dim == dim) {
      UniformSum found = bound.bound - bound.start;
      if (end && !(*end == found)) {
        refuse("its mask has two bounds of dimension " + Twine(dim));
        return false;
      }
      end = found;
    }
  for (const MaskBound &bound : bounds.lower)
    if (bound.dim == dim) {
      UniformSum found = bound.bound - bound.start;
      if (begin && !(*begin == found)) {
        refuse("its mask has two lower bounds of dimension " + Twine(dim));
        return false;
      }
      begin = found;
    }

  BlockDim &block = plan.dims[dim];
  block.stride = coordinate.stride;
  block.isChecked = begin || end;
  if (begin) {
    block.start = UniformSum() - *begin;
  } else if (end) {
    takeSteps(form.rest, coordinate, *end);
    // An element in front of the tensor would not be masked.
    bool isAssumed =
        llvm::any_of(form.assumptions, [&](const WrapAssumption &assumption) {
          return assumption.dim == dim && assumption.start == coordinate.start;
        });
    if (isAssumed ||
        coordinate.start.isKnownNonNegative(values, sources, current))
      block.start = coordinate.start;
  }
  if (end)
    block.extent = *end + block.start;
  else if (begin)
    block.extent = block.start + UniformSum(size);
  else
    block.extent = UniformSum(size);
  if (!block.isChecked)
    keepLoopSteps(form.rest, coordinate, size, block);
  // What does not go into the offset moves the base.
  std::optional<UniformSum> moved =
      (coordinate.start - block.start) * coordinate.stride;
  if (!moved) {
    refuse("the address of its block has too many terms");
    return false;
  }
  plan.baseOffset = plan.baseOffset + *moved;
  return true;
}

/// Takes over the numbers of rows, if there are any and nothing stands in the
/// way.
bool BlockPlanner::planNumbers(Operation *access, const AddressForm &form,
                               MaskBounds &bounds, BlockPlan &plan) {
  if (!hasNumbers)
    return true;
  auto refuseNumbers = [&](const Twine &reason) {
    refuse(reason);
    return false;
  };
  if (form.dims.size() != 2 || !form.dims[0] || !form.dims[0]->numbers ||
      !form.dims[1] || form.dims[1]->numbers)
    return refuseNumbers("it picks more, or other, than rows by their numbers");
  if (isOne(form.dims[0]->stride))
    return refuseNumbers(
        "the numbers of its rows are no multiples of a stride");
  if (auto load = dyn_cast<triton::LoadOp>(access);
      load && load.getIsVolatile())
    return refuseNumbers("it is volatile");
  if (!movesRowsOfDot(access, sources))
    return refuseNumbers("the rows that it picks are neither those of a left "
                         "factor nor of the result of a dot");
  plan.rowNumbers = form.dims[0]->numbers;
  plan.rowMasks = bounds.rows;
  return true;
}

void BlockPlanner::begin(Operation *access) {
  obstacle.clear();
  current = access;
  innermostLoop = access->getParentOfType<scf::ForOp>();
  reader.forgetObstacle();
}

std::optional<BlockPlan> BlockPlanner::plan(Operation *access, Value pointers,
                                            Value mask) {
  begin(access);
  auto type = cast<RankedTensorType>(pointers.getType());
  unsigned rank = type.getRank();
  std::optional<AddressForm> form = reader.read(pointers, mask);
  hasNumbers = form && llvm::any_of(form->dims, [](const auto &dim) {
                 return dim && dim->numbers;
               });
  MaskBounds bounds;
  if (form && mask) {
    std::optional<MaskBounds> read = reader.readMask(
        mask, hasNumbers ? MaskReading::BoundsAndRows : MaskReading::Bounds);
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

  boundHidden(*form, bounds);
  plan.base = form->base;
  plan.assumptions = form->assumptions;
  plan.dims.resize(rank);
  // Last the dimension whose stride of 1 divides everything.
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (!form->dims[dim] && type.getDimSize(dim) > 1)
      return refuse("its elements are the same along dimension " + Twine(dim));
    if (!form->dims[dim])
      form->dims[dim] = Coordinate{UniformSum(), UniformSum()};
    order.insert(isOne(form->dims[dim]->stride) ? order.end() : order.begin(),
                 dim);
  }
  for (unsigned dim : order)
    if (!planDim(dim, type.getDimSize(dim), bounds, *form, plan))
      return std::nullopt;
  plan.baseOffset = plan.baseOffset + form->rest;
  return plan;
}

/// The fewest rows of a page that messages for factors of DPAS read.
constexpr int64_t kMinPageRows = 16;

/// The block whose parts along `dim` have these forms.
std::optional<BlockPlan> BlockPlanner::planPages(triton::LoadOp load,
                                                 unsigned dim,
                                                 ArrayRef<AddressForm> parts,
                                                 const MaskBounds &bounds) {
  auto type = cast<RankedTensorType>(load.getType());
  unsigned column = 1 - dim;
  AddressForm form = parts.front();
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
  rows.extent = UniformSum(type.getDimSize(dim));
  for (const MaskBound &bound : bounds.upper)
    if (bound.dim == dim) {
      UniformSum end = bound.bound - bound.start;
      if (rows.isChecked && !(rows.extent == end))
        return std::nullopt;
      rows.extent = end;
      rows.isChecked = true;
    }
  // ... and columns are those of any block. What is the same for all elements
  // is part of where each page begins.
  form.rest = UniformSum();
  if (!planDim(column, type.getDimSize(column), bounds, form, plan))
    return std::nullopt;
  UniformSum moved = plan.baseOffset + form.rest;
  plan.baseOffset = UniformSum();
  for (const AddressForm &part : parts) {
    std::optional<UniformSum> first =
        part.dims[dim]->start * part.dims[dim]->stride;
    if (!first || !(part.dims[column] == parts.front().dims[column]) ||
        !(part.dims[dim]->stride == rows.stride))
      return std::nullopt;
    plan.pages.push_back({part.base, part.rest + *first + moved});
  }
  return plan;
}

std::optional<BlockPlan>
BlockPlanner::planPages(triton::LoadOp load, ModuleAxisInfoAnalysis &axisInfo) {
  auto type = cast<RankedTensorType>(load.getType());
  if (type.getRank() != 2 || load.getIsVolatile() ||
      !findDotUses(load.getResult(), sources, [](Operation *user) {
         return isa<TransOp>(user) ||
                user->hasTrait<mlir::OpTrait::Elementwise>();
       }).isFactorOnly())
    return std::nullopt;
  begin(load);
  MaskBounds bounds;
  if (load.getMask()) {
    std::optional<MaskBounds> read = reader.readMask(load.getMask());
    if (!read)
      return std::nullopt;
    bounds = std::move(*read);
  }
  for (unsigned dim : {0u, 1u})
    for (int64_t size = type.getDimSize(dim) / 2; size >= kMinPageRows;
         size /= 2) {
      // The first part says whether pages have so many rows.
      SmallVector<AddressForm, 0> parts;
      for (int64_t first = 0; first < type.getDimSize(dim); first += size) {
        std::optional<AddressForm> form =
            reader.readPart(load.getPtr(), load.getMask(), {dim, first, size},
                            axisInfo, sources);
        if (!form || !form->base || !form->dims[dim])
          break;
        parts.push_back(std::move(*form));
      }
      if (int64_t(parts.size()) * size != type.getDimSize(dim))
        continue;
      if (std::optional<BlockPlan> plan = planPages(load, dim, parts, bounds))
        return plan;
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// An access and the one that may take its place.
struct RaisedAccess {
  Operation *original;
  Operation *raised;
  /// What the users of a load use now.
  Value replacement;
  SmallVector<WrapAssumption> assumptions;
};

/// Goes back to the original access.
void restore(const RaisedAccess &access) {
  if (access.replacement) {
    Value result = access.replacement;
    result.replaceAllUsesWith(access.original->getResult(0));
    if (Operation *select = result.getDefiningOp(); select != access.raised)
      select->erase();
  }
  access.raised->erase();
}

Value createBlockPointer(OpBuilder &builder, Location loc, Value pointers,
                         const BlockPlan &plan, const UniformValues &values) {
  auto type = cast<RankedTensorType>(pointers.getType());
  Value base = plan.base;
  if (!plan.baseOffset.isZero())
    base = AddPtrOp::create(builder, loc, base.getType(), base,
                            plan.baseOffset.create(builder, loc, values));
  SmallVector<Value> extents, strides, offsets;
  SmallVector<int32_t> order;
  for (auto [dim, block] : llvm::enumerate(plan.dims)) {
    extents.push_back(block.extent.create(builder, loc, values));
    strides.push_back(block.stride.create(builder, loc, values));
    // The numbers of rows include their start.
    UniformSum start = plan.rowNumbers && dim == 0 ? UniformSum() : block.start;
    offsets.push_back(
        arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                start.create(builder, loc, values)));
    // Memory's own order, fastest first.
    if (isOne(block.stride))
      order.insert(order.begin(), dim);
    else
      order.push_back(dim);
  }
  std::reverse(order.begin() + 1, order.end());
  SmallVector<int32_t> shape(type.getShape());
  return MakeTensorPtrOp::create(builder, loc, base, extents, strides, offsets,
                                 shape, order);
}

SmallVector<int32_t> getCheckedDims(const BlockPlan &plan) {
  SmallVector<int32_t> dims;
  for (auto [dim, block] : llvm::enumerate(plan.dims))
    if (block.isChecked)
      dims.push_back(dim);
  return dims;
}

/// Whether elements that are not read are zeros anyway.
bool isZeroOrNone(Value other) {
  return !other || matchPattern(other, m_Zero()) ||
         matchPattern(other, m_PosZeroFloat());
}

/// The numbers of rows as a column.
Value createRowNumbers(OpBuilder &builder, Location loc, const BlockPlan &plan,
                       const UniformValues &values) {
  Value numbers = plan.rowNumbers;
  auto type = cast<RankedTensorType>(numbers.getType());
  if (type.getRank() == 1)
    numbers = ExpandDimsOp::create(builder, loc, numbers, /*axis=*/1);
  const UniformSum &start = plan.dims.front().start;
  if (start.isZero())
    return numbers;
  auto wide =
      cast<RankedTensorType>(numbers.getType()).clone(builder.getI64Type());
  if (numbers.getType() != wide)
    numbers = arith::ExtSIOp::create(builder, loc, wide, numbers);
  Value first =
      SplatOp::create(builder, loc, wide, start.create(builder, loc, values));
  return arith::AddIOp::create(builder, loc, numbers, first);
}

/// The mask of rows; null if there is none.
Value createRowMask(OpBuilder &builder, Location loc, const BlockPlan &plan) {
  Value all;
  for (Value mask : plan.rowMasks)
    all =
        all ? arith::AndIOp::create(builder, loc, all, mask).getResult() : mask;
  return all;
}

Operation *createLoad(OpBuilder &builder, triton::LoadOp op,
                      const BlockPlan &plan, const UniformValues &values) {
  Location loc = op.getLoc();
  Value pointer = createBlockPointer(builder, loc, op.getPtr(), plan, values);
  if (!plan.pages.empty()) {
    SmallVector<Value> pages;
    for (const PageStart &page : plan.pages)
      pages.push_back(AddPtrOp::create(
          builder, loc, page.base.getType(), page.base,
          page.offset.create(builder, loc, values)));
    return GatherPagesOp::create(
        builder, loc, pointer, pages, plan.pageDim, getCheckedDims(plan),
        PaddingOption::PAD_ZERO, op.getCache(), op.getEvict());
  }
  if (plan.rowNumbers)
    return GatherRowsOp::create(
        builder, loc, pointer, createRowNumbers(builder, loc, plan, values),
        createRowMask(builder, loc, plan), getCheckedDims(plan),
        PaddingOption::PAD_ZERO, op.getCache(), op.getEvict());
  SmallVector<int32_t> dims = getCheckedDims(plan);
  std::optional<PaddingOption> padding;
  if (!dims.empty())
    padding = PaddingOption::PAD_ZERO;
  return triton::LoadOp::create(builder, loc, pointer, dims, padding,
                                op.getCache(), op.getEvict(),
                                op.getIsVolatile());
}

Operation *createStore(OpBuilder &builder, triton::StoreOp op,
                       const BlockPlan &plan, const UniformValues &values) {
  Value pointer =
      createBlockPointer(builder, op.getLoc(), op.getPtr(), plan, values);
  if (plan.rowNumbers)
    return ScatterRowsOp::create(
        builder, op.getLoc(), pointer,
        createRowNumbers(builder, op.getLoc(), plan, values), op.getValue(),
        createRowMask(builder, op.getLoc(), plan), getCheckedDims(plan),
        op.getCache(), op.getEvict());
  return triton::StoreOp::create(builder, op.getLoc(), pointer, op.getValue(),
                                 getCheckedDims(plan), op.getCache(),
                                 op.getEvict());
}

/// A loop goes on carrying pointers that only their own steps use: lets it
/// carry what it began with, which folds away.
void stopUnusedSteps(scf::ForOp loop) {
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    if (!loop.getTiedLoopResult(argument).use_empty())
      continue;
    OpOperand &yielded = *loop.getTiedLoopYieldedValue(argument);
    Value next = yielded.get();
    while (next != argument) {
      Operation *op = next.getDefiningOp();
      if (!isa_and_nonnull<AddPtrOp, arith::AddIOp>(op) || !next.hasOneUse())
        break;
      bool isSwapped = isa<arith::AddIOp>(op) && op->getOperand(1) == argument;
      next = op->getOperand(isSwapped ? 1 : 0);
    }
    if (next == argument && argument.hasOneUse())
      yielded.set(argument);
  }
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// The outermost operation around `access` in front of which its assumptions
/// can be checked, through structured control flow; `access` if there is none.
Operation *getVersionedOp(const RaisedAccess &access,
                          const UniformValues &values) {
  return getOutermostVersionedOp(access.raised, [&](Region &region) {
    return llvm::all_of(
        access.assumptions, [&](const WrapAssumption &assumption) {
          return assumption.start.isDefinedOutside(values, region) &&
                 assumption.modulus.isDefinedOutside(values, region);
        });
  });
}

/// Whether all coordinates stay below their moduli, but for those that nobody
/// sees.
Value createCheck(OpBuilder &builder, Location loc,
                  ArrayRef<RaisedAccess *> accesses,
                  const UniformValues &values, ValueSources &sources) {
  Value result;
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
    result =
        result ? arith::AndIOp::create(builder, loc, result, holds) : holds;
  };
  SmallVector<WrapAssumption> done;
  for (RaisedAccess *access : accesses)
    for (const WrapAssumption &assumption : access->assumptions) {
      if (llvm::is_contained(done, assumption))
        continue;
      done.push_back(assumption);
      UniformSum end = assumption.start + UniformSum(assumption.size);
      if (!assumption.isSurplusHidden)
        require(arith::CmpIPredicate::sle, end.create(builder, loc, values),
                assumption.modulus.create(builder, loc, values));
      if (!assumption.start.isKnownNonNegative(values, sources))
        require(arith::CmpIPredicate::sge,
                assumption.start.create(builder, loc, values),
                UniformSum().create(builder, loc, values));
    }
  return result;
}

/// Lets `op` run with block pointers where the assumptions of its `accesses`
/// hold, and a copy with the original ones where not.
void makeVersions(Operation *op, ArrayRef<RaisedAccess *> accesses,
                  const UniformValues &values, ValueSources &sources) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value legal = createCheck(builder, loc, accesses, values, sources);
  IRMapping mapping = createVersions(builder, loc, legal, op);
  for (RaisedAccess *access : accesses) {
    RaisedAccess copied;
    copied.original = mapping.lookup(access->original);
    copied.raised = mapping.lookup(access->raised);
    if (access->replacement)
      copied.replacement = mapping.lookup(access->replacement);
    restore(copied);
    access->original->erase();
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

class RaiseBlockPointersPass
    : public triton::intel::impl::TritonIntelRaiseBlockPointersBase<
          RaiseBlockPointersPass> {
public:
  using TritonIntelRaiseBlockPointersBase::TritonIntelRaiseBlockPointersBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<RaisedAccess> accesses;
    UniformValues values;
    for (auto function : module.getOps<triton::FuncOp>())
      if (hasDot(function))
        raise(function, values, accesses);
    if (accesses.empty())
      return;
    keepLegal(values, accesses);
    // Once for what computed addresses, once for what loops carried for it.
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (int round = 0; round < 2; ++round) {
      if (failed(applyPatternsGreedily(module, frozen)))
        return signalPassFailure();
      module.walk([](scf::ForOp loop) { stopUnusedSteps(loop); });
    }
  }

private:
  void raise(triton::FuncOp function, UniformValues &values,
             SmallVectorImpl<RaisedAccess> &accesses);
  void keepLegal(const UniformValues &values,
                 MutableArrayRef<RaisedAccess> accesses);
  void report(Operation *op, const Twine &reason) {
    remark::missed(
        op->getLoc(),
        remark::RemarkOpts::name("not-raised").category(getArgument()))
        << remark::reason("{0}", ("plain pointers stay: " + reason).str());
  }
};

void RaiseBlockPointersPass::raise(triton::FuncOp function,
                                   UniformValues &values,
                                   SmallVectorImpl<RaisedAccess> &accesses) {
  ValueSources sources(getOperation());
  values.addAssumptions(function);
  AddressFormReader reader(values), rowReader(values, /*takesNumbers=*/true);
  BlockPlanner planner(reader, values, sources);
  BlockPlanner rowPlanner(rowReader, values, sources);
  BlockPlanner pagePlanner(reader, values, sources);
  std::optional<ModuleAxisInfoAnalysis> axisInfo;
  SmallVector<Operation *> candidates;
  function.walk([&](Operation *op) {
    if (!isa<triton::LoadOp, triton::StoreOp>(op))
      return;
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (type && type.getRank() >= 2)
      candidates.push_back(op);
  });
  for (Operation *op : candidates) {
    auto load = dyn_cast<triton::LoadOp>(op);
    auto store = dyn_cast<triton::StoreOp>(op);
    Value mask = load ? load.getMask() : store.getMask();
    std::optional<BlockPlan> plan = planner.plan(op, op->getOperand(0), mask);
    if (!plan) {
      plan = rowPlanner.plan(op, op->getOperand(0), mask);
      if (plan && !plan->rowNumbers)
        plan = std::nullopt;
      if (!plan && load) {
        if (!axisInfo)
          axisInfo.emplace(getOperation());
        plan = pagePlanner.planPages(load, *axisInfo);
      }
      if (!plan) {
        report(op, rowPlanner.foundNumbers() ? rowPlanner.getObstacle()
                                             : planner.getObstacle());
        continue;
      }
    }
    if (printForms)
      op->emitRemark() << "a block of " << describe(*plan, values);
    OpBuilder builder(op);
    RaisedAccess access{op, nullptr, Value(), plan->assumptions};
    if (store) {
      access.raised = createStore(builder, store, *plan, values);
    } else {
      access.raised = createLoad(builder, load, *plan, values);
      access.replacement = access.raised->getResult(0);
      // Elements out of range are zeros.
      if (!isZeroOrNone(load.getOther()))
        access.replacement = arith::SelectOp::create(
            builder, op->getLoc(), mask, access.replacement, load.getOther());
      load.getResult().replaceAllUsesWith(access.replacement);
    }
    accesses.push_back(std::move(access));
  }
}

void RaiseBlockPointersPass::keepLegal(const UniformValues &values,
                                       MutableArrayRef<RaisedAccess> accesses) {
  ModuleAxisInfoAnalysis axisInfo(getOperation());
  ValueSources sources(getOperation());
  SmallVector<BlockAccess> answers;
  for (const RaisedAccess &access : accesses)
    answers.push_back(analyzeBlockAccess(
        cast<BlockAccessOpInterface>(access.raised), axisInfo, sources));
  llvm::MapVector<Operation *, SmallVector<RaisedAccess *>> versions;
  for (auto [access, answer] : llvm::zip_equal(accesses, answers)) {
    if (!answer && answer.unknownSurfaces.empty()) {
      report(access.original, answer.reason);
      restore(access);
      continue;
    }
    ++numRaised;
    if (access.assumptions.empty()) {
      access.original->erase();
      continue;
    }
    // Nothing but a loop is worth a second version.
    Operation *op = getVersionedOp(access, values);
    if (op == access.raised) {
      report(access.original, "a coordinate may wrap around");
      restore(access);
      --numRaised;
      continue;
    }
    versions[op].push_back(&access);
  }
  for (auto &[op, members] : versions) {
    // No version within a version.
    bool isNested = llvm::any_of(versions, [&, inner = op](auto &other) {
      return other.first->isProperAncestor(inner);
    });
    if (!isNested)
      continue;
    for (RaisedAccess *access : members) {
      report(access->original, "a coordinate may wrap around");
      restore(*access);
      --numRaised;
    }
    members.clear();
  }
  for (auto &[op, members] : versions) {
    if (members.empty())
      continue;
    remark::passed(
        op->getLoc(),
        remark::RemarkOpts::name("wrap-version").category(getArgument()))
        << "plain pointers are block pointers where the kernel finds that no "
           "coordinate wraps around: its code is there twice";
    makeVersions(op, members, values, sources);
  }
}

} // namespace
