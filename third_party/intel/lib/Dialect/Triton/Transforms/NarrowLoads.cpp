//===- NarrowLoads.cpp - Load once what rows or columns share -------------===//
// SPDX-License-Identifier: MIT
//
// A kernel that unpacks weights loads, for each row along K, the word that
// eight rows share, and the scale that all rows of a group do: `(k // 8)[:,
// None] * N + j`. In the layout of a dot's operand these are rows of one lane,
// which would load the same repeatedly. Where it is proved that pointers and
// masks of a load are constant along stretches of a dimension, every first
// element is loaded, and spread:
//
//   rows 0, 8, 16, ... as (K / 8, N) -> (K / 8, 1, N) -> (K / 8, 8, N) -> (K,
//   N)
//
// Layouts go backwards through that, so that rows stay in registers. The narrow
// pointers are computed again, from ranges and scalars, through everything that
// is computed element by element, and through loops that carry pointers.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-narrow-loads"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Analysis/Symbolic/ElementMap.h"
#include "intel/Analysis/Symbolic/ElementRuns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELNARROWLOADS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Which elements of a tensor: every `stride`-th along a dimension.
struct Slice {
  unsigned dim;
  int64_t stride;

  bool operator<(const Slice &other) const {
    return std::tie(dim, stride) < std::tie(other.dim, other.stride);
  }
};

/// Returns the type of a slice.
RankedTensorType getSliceType(RankedTensorType type, Slice slice) {
  SmallVector<int64_t> shape(type.getShape());
  shape[slice.dim] /= slice.stride;
  return type.clone(shape);
}

/// Returns whether elements of the result are computed of those of operands at
/// the same place, and of nothing else.
bool isElementwise(Operation *op) {
  return op->hasTrait<mlir::OpTrait::Elementwise>() && isPure(op) &&
         op->getNumResults() == 1;
}

/// Returns the scalars that each iteration of `loop` adds to all elements of a
/// tensor that it carries; none if it does anything else.
SmallVector<Value> getSteps(BlockArgument argument, scf::ForOp loop) {
  SmallVector<Value> steps;
  if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isInteger())
    return steps;
  Value value = loop.getTiedLoopYieldedValue(argument)->get();
  while (value != argument) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<AddPtrOp, arith::AddIOp>(op))
      return {};
    Value offset = op->getOperand(1);
    DenseIntElementsAttr constant;
    if (auto splat = offset.getDefiningOp<SplatOp>();
        splat && loop.isDefinedOutsideOfLoop(splat.getSrc()))
      steps.push_back(splat.getSrc());
    else if (matchPattern(offset, m_Constant(&constant)) && constant.isSplat())
      // A scalar of the same value is made where it is needed.
      steps.push_back(offset);
    else
      return {};
    value = op->getOperand(0);
  }
  return steps;
}

/// Computes slices of tensors.
class SliceBuilder {
public:
  /// Returns whether there is a slice without the rest of the tensor.
  bool canSlice(Value value, Slice slice) {
    numOperations = 0;
    return canSliceOperand(value, slice);
  }
  /// Returns the slice, where the tensor is computed. `canSlice` must hold.
  Value get(Value value, Slice slice);
  /// Records a slice that exists already.
  void set(Value value, Slice slice, Value narrow) {
    slices[getKey(value, slice)] = narrow;
    answers[getKey(value, slice)] = true;
  }
  bool has(Value value, Slice slice) const {
    return slices.count(getKey(value, slice)) != 0;
  }

private:
  /// Nothing in here has side effects, but code that computes this number of
  /// slices is no gain.
  static constexpr unsigned kMaxOperations = 64;

  bool canSliceOperand(Value value, Slice slice);
  bool canSliceUncached(Value value, Slice slice);
  Value getCarried(BlockArgument argument, scf::ForOp loop, Slice slice);

  /// Slices that are computed.
  std::map<std::pair<void *, Slice>, Value> slices;
  /// The answers of `canSlice`: one for each value and slice, so that a value
  /// that was refused once is refused for all of its users.
  std::map<std::pair<void *, Slice>, bool> answers;
  /// The number of operations that one question has read.
  unsigned numOperations = 0;

  static std::pair<void *, Slice> getKey(Value value, Slice slice) {
    return {value.getAsOpaquePointer(), slice};
  }
};

bool SliceBuilder::canSliceOperand(Value value, Slice slice) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  // Scalars are the same for all elements; so is what is spread along the
  // dimension.
  if (!type || type.getDimSize(slice.dim) == 1)
    return true;
  auto it = answers.find(getKey(value, slice));
  if (it != answers.end())
    return it->second;
  // A value beyond the limit has no answer: a later question may reach it.
  if (++numOperations > kMaxOperations)
    return false;
  return answers[getKey(value, slice)] = canSliceUncached(value, slice);
}

bool SliceBuilder::canSliceUncached(Value value, Slice slice) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument != loop.getInductionVar() &&
           !getSteps(argument, loop).empty() &&
           canSliceOperand(loop.getTiedLoopInit(argument)->get(), slice);
  }
  Operation *op = value.getDefiningOp();
  if (isa<SplatOp, MakeRangeOp>(op))
    return true;
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.isSplat();
  if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
    std::optional<unsigned> dim = mapDim(op, slice.dim);
    return dim && canSliceOperand(expand.getSrc(), {*dim, slice.stride});
  }
  if (auto broadcast = dyn_cast<triton::BroadcastOp>(op))
    return canSliceOperand(broadcast.getSrc(), slice);
  return isElementwise(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canSliceOperand(operand, slice);
         });
}

/// Returns what the tensor began with, plus its step as often as there were
/// iterations.
Value SliceBuilder::getCarried(BlockArgument argument, scf::ForOp loop,
                               Slice slice) {
  Value first = get(loop.getTiedLoopInit(argument)->get(), slice);
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = argument.getLoc();
  auto extend = [&](Value value) -> Value {
    Type wide = builder.getI64Type();
    return value.getType() == wide
               ? value
               : arith::ExtSIOp::create(builder, loc, wide, value).getResult();
  };
  // Folded, so that a counter of iterations is one to analyses of addresses.
  Value distance = builder.createOrFold<arith::SubIOp>(
      loc, loop.getInductionVar(), loop.getLowerBound());
  Value count = extend(
      builder.createOrFold<arith::DivSIOp>(loc, distance, loop.getStep()));
  Value step;
  for (Value part : getSteps(argument, loop)) {
    DenseIntElementsAttr constant;
    if (matchPattern(part, m_Constant(&constant)))
      part = arith::ConstantIntOp::create(
          builder, loc, constant.getSplatValue<APInt>().getSExtValue(), 64);
    part = extend(part);
    step = step ? arith::AddIOp::create(builder, loc, step, part).getResult()
                : part;
  }
  Value steps = arith::MulIOp::create(builder, loc, count, step);
  auto type = cast<RankedTensorType>(first.getType());
  Value offsets =
      SplatOp::create(builder, loc, type.clone(builder.getI64Type()), steps);
  if (isa<triton::PointerType>(type.getElementType()))
    return AddPtrOp::create(builder, loc, type, first, offsets);
  if (type.getElementType() != builder.getI64Type())
    offsets = arith::TruncIOp::create(builder, loc, type, offsets);
  return arith::AddIOp::create(builder, loc, first, offsets);
}

Value SliceBuilder::get(Value value, Slice slice) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getDimSize(slice.dim) == 1)
    return value;
  auto [it, isNew] = slices.try_emplace(getKey(value, slice));
  if (!isNew)
    return it->second;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
    Value result = getCarried(argument, loop, slice);
    return slices[getKey(value, slice)] = result;
  }
  Operation *op = value.getDefiningOp();
  OpBuilder builder(op);
  Location loc = op->getLoc();
  RankedTensorType narrow = getSliceType(type, slice);
  auto makeConstant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            narrow, builder.getIntegerAttr(narrow.getElementType(), number)));
  };
  Value result;
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant))) {
    result = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(narrow, constant.getSplatValue<Attribute>()));
  } else if (auto splat = dyn_cast<SplatOp>(op)) {
    result = SplatOp::create(builder, loc, narrow, splat.getSrc());
  } else if (auto range = dyn_cast<MakeRangeOp>(op)) {
    Value numbers =
        MakeRangeOp::create(builder, loc, narrow, 0, narrow.getDimSize(0));
    result = arith::MulIOp::create(builder, loc, numbers,
                                   makeConstant(slice.stride));
    if (range.getStart())
      result = arith::AddIOp::create(builder, loc, result,
                                     makeConstant(range.getStart()));
  } else if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
    Value source = get(expand.getSrc(), {*mapDim(op, slice.dim), slice.stride});
    result = ExpandDimsOp::create(builder, loc, source, expand.getAxis());
  } else if (auto broadcast = dyn_cast<triton::BroadcastOp>(op)) {
    result = triton::BroadcastOp::create(builder, loc, narrow,
                                         get(broadcast.getSrc(), slice));
  } else {
    SmallVector<Value> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return get(operand, slice); });
    // Operands may have been created after the place of the first builder.
    builder.setInsertionPoint(op);
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    copy->getResult(0).setType(narrow);
    result = copy->getResult(0);
  }
  return slices[getKey(value, slice)] = result;
}

/// Loads what elements share once; see the head of the file.
class NarrowLoadsPass
    : public triton::intel::impl::TritonIntelNarrowLoadsBase<NarrowLoadsPass> {
public:
  using TritonIntelNarrowLoadsBase::TritonIntelNarrowLoadsBase;

  void runOnOperation() override {
    if (!hasDot(getOperation()))
      return;
    ValueSources sources(getOperation());
    SmallVector<LoadOp> loads;
    getOperation().walk([&](LoadOp load) {
      if (isCandidate(load, sources))
        loads.push_back(load);
    });
    if (loads.empty())
      return;
    ElementRuns runs(sources);
    // All questions before the first change: analyses know the old code.
    SmallVector<std::pair<LoadOp, Slice>> narrowed;
    for (LoadOp load : loads)
      if (std::optional<Slice> slice = getSlice(load, runs)) {
        LDBG() << slice->stride << " neighbours along dimension " << slice->dim
               << " are the same at " << load.getLoc();
        narrowed.emplace_back(load, *slice);
      } else {
        LDBG() << "no neighbours are the same at " << load.getLoc();
      }
    // All narrow loads first, so that what is computed from several of them is
    // computed narrow, too.
    SliceBuilder slices;
    llvm::erase_if(narrowed,
                   [&](auto &entry) { return !mayRewrite(entry.first); });
    for (auto [load, slice] : narrowed)
      narrow(load, slice, slices);
    for (auto [load, slice] : narrowed)
      spread(load.getResult(), slices.get(load.getResult(), slice), slice,
             slices, runs);
    // Not before: what is known of values is known by their addresses. The dead
    // operations use one another in any order, and are used by no others.
    for (Operation *op : dead)
      op->dropAllReferences();
    for (Operation *op : dead)
      op->erase();
    dead.clear();
  }

private:
  /// Loads through plain pointers whose elements become operands of dots.
  static bool isCandidate(LoadOp load, ValueSources &sources) {
    auto type = dyn_cast<RankedTensorType>(load.getType());
    if (!type || !isa<RankedTensorType>(load.getPtr().getType()) ||
        load.getIsVolatile())
      return false;
    DotUses uses = findDotUses(load.getResult(), sources, [](Operation *op) {
      return isElementwise(op) || op->hasTrait<mlir::OpTrait::MovesElements>();
    });
    return uses.isDotOperandOnly();
  }

  /// Returns the stretches of a load, if it has any, and can be narrowed.
  static std::optional<Slice> getSlice(LoadOp load, ElementRuns &runs) {
    auto type = cast<RankedTensorType>(load.getType());
    Value other = load.getOther();
    DenseElementsAttr constant;
    bool isOtherUniform =
        !other || other.getDefiningOp<SplatOp>() ||
        (matchPattern(other, m_Constant(&constant)) && constant.isSplat());
    if (!isOtherUniform)
      return std::nullopt;
    // One dimension: along the other one, elements that are the same lie in
    // lanes, which one message serves.
    std::optional<Slice> best;
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      // Memory that runs along the dimension is no stretch of the same.
      int64_t stride = runs.getConstancy(load.getPtr(), dim);
      if (load.getMask() && stride > 1)
        stride = std::min(stride, runs.getConstancy(load.getMask(), dim));
      if (stride > 1 && type.getDimSize(dim) % stride == 0 &&
          (!best || stride > best->stride))
        best = Slice{dim, stride};
    }
    if (!best)
      return std::nullopt;
    SliceBuilder builder;
    bool isPossible =
        builder.canSlice(load.getPtr(), *best) &&
        (!load.getMask() || builder.canSlice(load.getMask(), *best));
    return isPossible ? best : std::nullopt;
  }

  /// Creates the narrow load, which is to take the place of the load.
  void narrow(LoadOp load, Slice slice, SliceBuilder &slices) {
    Value pointers = slices.get(load.getPtr(), slice), mask, other;
    if (load.getMask())
      mask = slices.get(load.getMask(), slice);
    if (load.getOther())
      other = slices.get(load.getOther(), slice);
    OpBuilder builder(load);
    Value narrow = LoadOp::create(
        builder, load.getLoc(),
        getSliceType(cast<RankedTensorType>(load.getType()), slice), pointers,
        mask, other, load.getBoundaryCheckAttr(), load.getPaddingAttr(),
        load.getCacheAttr(), load.getEvictAttr(), load.getIsVolatileAttr());
    remark::passed(load.getLoc(),
                   remark::RemarkOpts::name("narrowed").category(getArgument()))
        << remark::reason("{0} neighbours along dimension {1} are the same, "
                          "and loaded once",
                          slice.stride, slice.dim);
    dead.insert(load);
    slices.set(load.getResult(), slice, narrow);
    ++numNarrowed;
  }

  /// Replaces `wide`, of which `narrow` is the slice, in all uses. Values that
  /// are computed from it and from others that are the same along the stretches
  /// are computed narrow, too.
  void spread(Value wide, Value narrow, Slice slice, SliceBuilder &slices,
              ElementRuns &runs) {
    SmallVector<Operation *> users(wide.getUsers().begin(),
                                   wide.getUsers().end());
    for (Operation *user : users) {
      if (dead.contains(user) || !isElementwise(user) ||
          user->getBlock() != wide.getParentBlock() ||
          !llvm::all_of(user->getOperands(), [&](Value operand) {
            return isSame(operand, slice, slices, runs);
          }))
        continue;
      // Computed once, where it was.
      dead.insert(user);
      spread(user->getResult(0), slices.get(user->getResult(0), slice), slice,
             slices, runs);
    }
    auto isAlive = [&](OpOperand &use) {
      return !dead.contains(use.getOwner());
    };
    if (llvm::none_of(wide.getUses(), isAlive))
      return;
    OpBuilder builder(wide.getContext());
    builder.setInsertionPointAfterValue(narrow);
    Location loc = wide.getLoc();
    auto type = cast<RankedTensorType>(wide.getType());
    Value value = narrow;
    if (auto narrowType = cast<RankedTensorType>(narrow.getType());
        narrowType.getDimSize(slice.dim) > 1) {
      value = ExpandDimsOp::create(builder, loc, value, slice.dim + 1);
      SmallVector<int64_t> shape(
          cast<RankedTensorType>(value.getType()).getShape());
      shape[slice.dim + 1] = slice.stride;
      value = triton::BroadcastOp::create(builder, loc, narrowType.clone(shape),
                                          value);
      value = ReshapeOp::create(builder, loc, type, value);
    } else {
      value = triton::BroadcastOp::create(builder, loc, type, value);
    }
    wide.replaceUsesWithIf(value, isAlive);
  }

  /// Returns whether all elements of a stretch are the same, and the first ones
  /// can be computed alone.
  static bool isSame(Value value, Slice slice, SliceBuilder &slices,
                     ElementRuns &runs) {
    if (slices.has(value, slice))
      return true;
    return slices.canSlice(value, slice) &&
           runs.getConstancy(value, slice.dim) % slice.stride == 0;
  }

  /// Loads, and what is computed of them, that have narrow ones in their place.
  llvm::SetVector<Operation *> dead;
};

} // namespace
