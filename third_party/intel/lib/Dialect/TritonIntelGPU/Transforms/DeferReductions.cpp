//===- DeferReductions.cpp - One reduction after the loop -----------------===//
// SPDX-License-Identifier: MIT
//
// A loop that adds the sum of each tile to a carried value exchanges elements
// between lanes and warps in every iteration, and waits at barriers for that.
// This pass lets each lane sum up its own elements of a tile. The loop carries
// these partial sums, one per lane, and they are added up once after the loop.
// This takes no more additions and no more registers, because in the layout of
// a reduction's result every lane holds all results of its rows.
//
// The loop may scale the sum before it adds a tile, as an online softmax does
// with its denominator when it finds a new maximum:
//
//     sum = sum * exp(maximum - new) + sum(exp(tile - new))
//
// Each lane then scales its partial sum, and the loop also scales the initial
// value of the sum. The result is the same if the scale is not infinite, which
// would turn the zero of a lane into NaN. This is proved.
//
// If the sum begins with what an earlier loop has summed up, as in attention to
// a cache and then to new tokens, lanes go on with their parts of that sum, and
// it is not reduced between the loops.
//
// Sums of floats are then added in another order, as in other backends of
// Triton. Elements of a tile may cancel, whereas one lane's own elements of all
// tiles may overflow. Where this is not excluded by their signs or magnitudes
// (FloatBounds.h), a result that is not finite is computed again in the order
// of the program.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-defer-reductions"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/Layouts/CarriedReduction.h"
#include "intel/Analysis/Symbolic/FloatBounds.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include "llvm/ADT/SetVector.h"

#include <tuple>

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUDEFERREDUCTIONS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns the bits of places along a dimension that distinguish lanes and
/// warps.
int32_t getSharedBits(const LinearLayout &layout, LayoutDim dim) {
  int32_t bits = 0;
  for (LayoutDim in : {LayoutDim::Lane, LayoutDim::Warp})
    for (int32_t bit = 0; bit < layout.getInDimSizeLog2(in); ++bit)
      bits |= layout.getBasis(in, bit, dim);
  return bits;
}

/// How a dimension is cut so that lanes and warps share its middle part alone:
/// the lowest and the highest bits are registers of one lane.
struct DimParts {
  int64_t high, middle, low;
};

DimParts getParts(const LinearLayout &layout, LayoutDim dim) {
  // leavesLanes() has seen to it that there is one.
  auto shared = static_cast<uint32_t>(getSharedBits(layout, dim));
  unsigned lowest = llvm::countr_zero(shared);
  unsigned end = llvm::Log2_32(shared) + 1;
  return {int64_t(1) << (layout.getOutDimSizeLog2(dim) - end),
          int64_t(1) << (end - lowest), int64_t(1) << lowest};
}

/// Returns whether all elements are zero, with either sign.
bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// A deferred reduction, and the value that it was combined with.
struct EarlierSum {
  Value parts, start;
};

/// Returns the earlier sum that `value` is if `found` can go on with its parts,
/// which have the given type, and nothing else needs their reduction.
std::optional<EarlierSum>
findEarlierSum(Value value, const CarriedReduction &found, Type type) {
  Operation *combiner = value.getDefiningOp();
  if (!combiner || combiner->getName() != found.combiner->getName() ||
      !value.hasOneUse() || !found.isMonotonic)
    return std::nullopt;
  Value reduced = combiner->getOperand(1);
  if (auto convert = reduced.getDefiningOp<ConvertLayoutOp>();
      convert && reduced.hasOneUse())
    reduced = convert.getSrc();
  auto reduce = reduced.getDefiningOp<ReduceOp>();
  if (!reduce || reduce.getSrcs().size() != 1 || !reduced.hasOneUse() ||
      reduce.getAxis() != ReduceOp(found.reduce).getAxis())
    return std::nullopt;
  Operation *inner = reduce.getSingleCombiner();
  Value parts = reduce.getSrcs().front();
  // Parts of a sum that is not negative may be negative.
  bool isBounded = !isa<FloatType>(getElementTypeOrSelf(type)) ||
                   !isa<arith::AddFOp>(combiner) ||
                   getFloatBounds(parts).isNonNegative;
  if (!inner || inner->getName() != combiner->getName() ||
      parts.getType() != type || !isBounded)
    return std::nullopt;
  return EarlierSum{parts, combiner->getOperand(0)};
}

/// Moves reductions after loops; see the head of the file.
class DeferReductions
    : public gpu::intel::impl::TritonIntelGPUDeferReductionsBase<
          DeferReductions> {
public:
  using TritonIntelGPUDeferReductionsBase::TritonIntelGPUDeferReductionsBase;

  void runOnTTGIR() override {
    // From the inside out: a reduction after one loop may be carried by the
    // next.
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      // More are created after it: a reduction of a reduction leaves one.
      for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
        if (std::optional<CarriedReduction> found =
                findCarriedReduction(loop, index);
            found && leavesLanes(found->reduce) && mayRewrite(found->reduce)) {
          LDBG() << "deferred the reduction at " << found->reduce.getLoc();
          loop = defer(loop, *found);
        }
  }

private:
  /// Returns whether lanes exchange anything.
  static bool leavesLanes(ReduceOp reduce) {
    auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
    return isa_and_nonnull<DistributedEncodingInterface>(type.getEncoding()) &&
           getSharedBits(toLinearLayout(type), tensorDim(reduce.getAxis()));
  }

  scf::ForOp defer(scf::ForOp loop, const CarriedReduction &found) {
    ReduceOp reduce = found.reduce;
    IRRewriter rewriter(loop.getContext());
    rewriter.setInsertionPointAfter(loop);
    Value again =
        found.mayOverflow ? repeat(rewriter, loop, found.index) : Value();
    rewriter.setInsertionPoint(reduce);
    Value tile = combineOwn(rewriter, reduce);
    auto type = cast<RankedTensorType>(tile.getType());

    rewriter.setInsertionPoint(loop);
    Location loc = reduce.getLoc();
    auto makeNeutral = [&](Type type) -> Value {
      TypedAttr value = found.neutral;
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        value = DenseElementsAttr::get(tensor, Attribute(value));
      return arith::ConstantOp::create(rewriter, loc, value);
    };
    Value start = loop.getInitArgs()[found.index];
    Value first, unused = makeNeutral(start.getType());
    if (std::optional<EarlierSum> earlier =
            findEarlierSum(start, found, type)) {
      LDBG() << "goes on with the parts of " << start;
      std::tie(first, start) = std::tie(earlier->parts, earlier->start);
    } else {
      first = makeNeutral(type);
    }
    Operation *combiner = found.combiner;
    auto makeYields =
        [&](OpBuilder &builder, Location,
            ArrayRef<BlockArgument> carried) -> SmallVector<Value> {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(combiner);
      Value partial = carried.front();
      if (found.factor)
        partial =
            combine(builder, found.scaling, partial,
                    spread(builder, loc, found.factor, type, reduce.getAxis()));
      return {combine(builder, combiner, partial, tile)};
    };
    auto replaced = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, first, /*replaceInitOperandUsesInLoop=*/false, makeYields));

    // Its initial value is combined afterwards. Nothing is carried in its
    // place, unless that is scaled; zero stays what it is.
    Value init = replaced.getInitArgs()[found.index];
    Value carried = replaced.getRegionIterArg(found.index), scaled = carried;
    if (found.scaling)
      scaled = found.scaling->getResult(0);
    bool scalesStart = found.scaling && !isZero(start);
    replaced.getInitArgsMutable()[found.index].assign(scalesStart ? start
                                                                  : unused);
    Operation *yield = replaced.getBody()->getTerminator();
    yield->setOperand(found.index, scalesStart ? scaled : carried);
    Value replacedResult = replaced.getResult(found.index);
    if (scalesStart)
      start = replacedResult;
    rewriter.setInsertionPointAfter(replaced);
    Value reduced = reduceTile(rewriter, reduce, replaced.getResults().back(),
                               start.getType());
    Value result = combine(rewriter, combiner, start, reduced);
    Operation *last = result.getDefiningOp();
    if (again)
      result = chooseFinite(rewriter, loc, result, again);
    replacedResult.replaceAllUsesExcept(result, last);
    // With the conversions between them, which are no longer needed.
    Value unusedResult =
        combiner->getOperand(combiner->getOperand(0) == scaled);
    rewriter.eraseOp(combiner);
    if (found.scaling && !scalesStart)
      rewriter.eraseOp(found.scaling);
    while (auto convert = unusedResult.getDefiningOp<ConvertLayoutOp>()) {
      unusedResult = convert.getSrc();
      rewriter.eraseOp(convert);
    }
    rewriter.eraseOp(reduce);
    eraseUnused(rewriter, init);
    remark::passed(loc,
                   remark::RemarkOpts::name("deferred").category(getArgument()))
        << remark::reason("reduced once, after the loop");
    ++numDeferred;
    return replaced;
  }

  /// Erases the operation of a value, and those that only it needs.
  static void eraseUnused(RewriterBase &rewriter, Value value) {
    llvm::SetVector<Operation *> work;
    auto add = [&](Value value) {
      if (Operation *op = value.getDefiningOp())
        work.insert(op);
    };
    add(value);
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      if (!isOpTriviallyDead(op))
        continue;
      llvm::for_each(op->getOperands(), add);
      rewriter.eraseOp(op);
    }
  }

  /// Creates a copy of the parts of a loop that compute what it carries as
  /// number `index`, and returns that.
  static Value repeat(OpBuilder &builder, scf::ForOp loop, unsigned index) {
    OpBuilder::InsertionGuard guard(builder);
    RepeatableLoop parts = *findRepeatableLoop(loop, index);
    SmallVector<Value> inits;
    for (unsigned number : parts.carried)
      inits.push_back(loop.getInitArgs()[number]);
    auto copy = scf::ForOp::create(
        builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
        loop.getStep(), inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), copy.getInductionVar());
    for (auto [number, argument] :
         llvm::zip_equal(parts.carried, copy.getRegionIterArgs()))
      mapping.map(loop.getRegionIterArg(number), argument);
    builder.setInsertionPointToStart(copy.getBody());
    for (Operation &op : loop.getBody()->without_terminator())
      if (parts.operations.contains(&op))
        builder.clone(op, mapping);
    SmallVector<Value> yielded;
    for (unsigned number : parts.carried)
      yielded.push_back(mapping.lookupOrDefault(
          loop.getBody()->getTerminator()->getOperand(number)));
    scf::YieldOp::create(builder, loop.getLoc(), yielded);
    return copy.getResult(0);
  }

  /// Returns `result` if all of it is finite. Otherwise returns `again`, whose
  /// loop runs in that case alone.
  static Value chooseFinite(OpBuilder &builder, Location loc, Value result,
                            Value again) {
    Type type = result.getType();
    TypedAttr infinity = builder.getFloatAttr(
        getElementTypeOrSelf(type),
        APFloat::getInf(
            cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics()));
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      infinity = DenseElementsAttr::get(tensor, Attribute(infinity));
    Value finite = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT,
        math::AbsFOp::create(builder, loc, result),
        arith::ConstantOp::create(builder, loc, infinity));
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      Value all = arith::ExtUIOp::create(
          builder, loc, tensor.clone(builder.getI32Type()), finite);
      while (isa<RankedTensorType>(all.getType()))
        all = reduceAll(builder, loc, all);
      finite = arith::TruncIOp::create(builder, loc, builder.getI1Type(), all);
    }
    auto branch = scf::IfOp::create(builder, loc, type, finite,
                                    /*withElseRegion=*/true);
    OpBuilder inner = branch.getThenBodyBuilder();
    scf::YieldOp::create(inner, loc, result);
    inner = branch.getElseBodyBuilder();
    auto yield = scf::YieldOp::create(inner, loc, again);
    again.getDefiningOp()->moveBefore(yield);
    builder.setInsertionPointAfter(branch);
    return branch.getResult(0);
  }

  /// Returns the conjunction along the first dimension.
  static Value reduceAll(OpBuilder &builder, Location loc, Value bits) {
    OpBuilder::InsertionGuard guard(builder);
    auto reduce = ReduceOp::create(builder, loc, ValueRange{bits}, /*axis=*/0);
    Type type = builder.getI32Type();
    Block *block = builder.createBlock(&reduce.getCombineOp(), {}, {type, type},
                                       {loc, loc});
    Value both = arith::AndIOp::create(builder, loc, block->getArgument(0),
                                       block->getArgument(1));
    ReduceReturnOp::create(builder, loc, both);
    return reduce->getResult(0);
  }

  /// Returns the operation of `combiner` on other values.
  static Value combine(OpBuilder &builder, Operation *combiner, Value lhs,
                       Value rhs) {
    return builder
        .create(combiner->getLoc(), combiner->getName().getIdentifier(),
                {lhs, rhs}, lhs.getType())
        ->getResult(0);
  }

  /// Returns the number of each result, or the only one, in all places along
  /// `axis`.
  static Value spread(OpBuilder &builder, Location loc, Value value,
                      RankedTensorType type, unsigned axis) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor)
      return SplatOp::create(builder, loc, type, value);
    auto encoding = cast<DistributedEncodingInterface>(type.getEncoding());
    auto slice = tensor.cloneWithEncoding(
        SliceEncodingAttr::get(type.getContext(), axis, encoding));
    if (slice != tensor)
      value = ConvertLayoutOp::create(builder, loc, slice, value);
    value = ExpandDimsOp::create(builder, loc, value, axis);
    return triton::BroadcastOp::create(builder, loc, type, value);
  }

  /// Reduces another value alike.
  static Value reduceLike(OpBuilder &builder, ReduceOp reduce, Value value,
                          Type result, unsigned axis) {
    auto other = ReduceOp::create(builder, reduce.getLoc(), TypeRange{result},
                                  ValueRange{value}, axis);
    IRMapping mapping;
    reduce.getCombineOp().cloneInto(&other.getCombineOp(), mapping);
    return other->getResult(0);
  }

  /// Returns the result of `reduce`, as a value of type `wanted`, for what
  /// lanes have combined.
  static Value reduceTile(OpBuilder &builder, ReduceOp reduce, Value tile,
                          Type wanted) {
    auto type = cast<RankedTensorType>(tile.getType());
    Type result = wanted;
    unsigned axis = reduce.getAxis();
    if (auto tensor = dyn_cast<RankedTensorType>(wanted))
      result = tensor.cloneWithEncoding(SliceEncodingAttr::get(
          type.getContext(), axis,
          cast<DistributedEncodingInterface>(type.getEncoding())));
    Value reduced = reduceLike(builder, reduce, tile, result, axis);
    if (result == wanted)
      return reduced;
    return ConvertLayoutOp::create(builder, reduce.getLoc(), wanted, reduced);
  }

  /// Creates the reduction of each lane's own elements, of those that `reduce`
  /// reduces.
  static Value combineOwn(OpBuilder &builder, ReduceOp reduce) {
    Location loc = reduce.getLoc();
    Value source = reduce.getSrcs().front();
    auto type = cast<RankedTensorType>(source.getType());
    unsigned axis = reduce.getAxis();
    DimParts parts = getParts(toLinearLayout(type), tensorDim(axis));
    if (parts.high == 1 && parts.low == 1)
      return source;
    // Registers of a lane side by side, after the part that lanes share:
    // neither moves an element.
    SmallVector<int64_t> shape(type.getShape());
    auto setParts = [&](ArrayRef<int64_t> sizes) {
      SmallVector<int64_t> cut(shape);
      cut.erase(cut.begin() + axis);
      cut.insert(cut.begin() + axis, sizes.begin(), sizes.end());
      return cut;
    };
    Value own = ReshapeOp::create(
        builder, loc, setParts({parts.high, parts.middle, parts.low}), source,
        /*allowReorder=*/false);
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, type.getRank() + 2));
    std::swap(order[axis], order[axis + 1]);
    own = TransOp::create(builder, loc, own, order);
    own = ReshapeOp::create(
        builder, loc, setParts({parts.middle, parts.high * parts.low}), own,
        /*allowReorder=*/false);
    auto whole = cast<RankedTensorType>(own.getType());
    auto partial = RankedTensorType::get(
        setParts({parts.middle}), type.getElementType(),
        SliceEncodingAttr::get(
            type.getContext(), axis + 1,
            cast<DistributedEncodingInterface>(whole.getEncoding())));
    return reduceLike(builder, reduce, own, partial, axis + 1);
  }
};

} // namespace
