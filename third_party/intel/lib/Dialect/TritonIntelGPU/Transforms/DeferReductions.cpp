//===- DeferReductions.cpp - One reduction behind the loop ----------------===//
//
// A loop that adds the sum of each tile to what it carries exchanges elements
// between lanes and warps in every iteration, and waits at barriers for that.
// Instead each lane sums up its own elements of a tile, the loop carries these
// partial sums, one per lane, and they are summed up once behind the loop. That
// takes no more additions, and no more registers: in the layout of a
// reduction's result every lane has all results of its rows.
//
// Sums of floats are formed in another order then, as other backends of Triton
// do it, too.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUDEFERREDUCTIONS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// What a loop carries, and combines with a reduction in each iteration.
struct CarriedReduction {
  unsigned index;
  /// Of what is carried and the reduction's result.
  Operation *combiner;
  ReduceOp reduce;
  TypedAttr neutral;
};

/// Bits of places along a dimension that tell lanes and warps apart.
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

/// What `combiner` combines any number with without changing it.
std::optional<TypedAttr> getNeutral(Operation *combiner) {
  // Not 0, which makes 0 of -0.
  if (isa<arith::AddFOp>(combiner)) {
    auto type = cast<FloatType>(combiner->getResult(0).getType());
    return FloatAttr::get(
        type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true));
  }
  return arith::getNeutralElement(combiner);
}

/// Moves reductions behind loops; see the head of the file.
class DeferReductions
    : public gpu::intel::impl::TritonIntelGPUDeferReductionsBase<
          DeferReductions> {
public:
  using TritonIntelGPUDeferReductionsBase::TritonIntelGPUDeferReductionsBase;

  void runOnOperation() override {
    // From the inside out: what one loop leaves behind may be carried by the
    // next.
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      // More come behind: a reduction of a reduction leaves one.
      for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
        if (std::optional<CarriedReduction> found = find(loop, index))
          loop = defer(loop, *found);
  }

private:
  std::optional<CarriedReduction> find(scf::ForOp loop, unsigned index) {
    Value carried = loop.getRegionIterArg(index);
    Value next = loop.getBody()->getTerminator()->getOperand(index);
    Operation *combiner = next.getDefiningOp();
    // Nobody else may ask for what there is so far.
    if (!combiner || combiner->getBlock() != loop.getBody() ||
        combiner->getNumOperands() != 2 || !next.hasOneUse() ||
        !carried.hasOneUse() || *carried.user_begin() != combiner)
      return std::nullopt;
    Value other = combiner->getOperand(combiner->getOperand(0) == carried);
    // What a loop in this one left behind has the layout of its parts.
    Value result = other;
    while (auto convert = result.getDefiningOp<ConvertLayoutOp>()) {
      if (!result.hasOneUse())
        return std::nullopt;
      result = convert.getSrc();
    }
    auto reduce = result.getDefiningOp<ReduceOp>();
    if (!reduce || reduce->getBlock() != loop.getBody() ||
        reduce.getSrcs().size() != 1 || !result.hasOneUse())
      return std::nullopt;
    Operation *inner = reduce.getSingleCombiner();
    if (!inner || inner->getName() != combiner->getName() ||
        !leavesLanes(reduce))
      return std::nullopt;
    std::optional<TypedAttr> neutral = getNeutral(inner);
    if (!neutral)
      return std::nullopt;
    return CarriedReduction{index, combiner, reduce, *neutral};
  }

  /// Whether lanes exchange anything.
  static bool leavesLanes(ReduceOp reduce) {
    auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
    return isa_and_nonnull<DistributedEncodingInterface>(type.getEncoding()) &&
           getSharedBits(toLinearLayout(type), tensorDim(reduce.getAxis()));
  }

  scf::ForOp defer(scf::ForOp loop, const CarriedReduction &found) {
    ReduceOp reduce = found.reduce;
    IRRewriter rewriter(loop.getContext());
    rewriter.setInsertionPoint(reduce);
    Value tile = combineOwn(rewriter, reduce);
    auto type = cast<RankedTensorType>(tile.getType());

    rewriter.setInsertionPoint(loop);
    auto makeNeutral = [&](Type type) -> Value {
      TypedAttr value = found.neutral;
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        value = DenseElementsAttr::get(tensor, Attribute(value));
      return arith::ConstantOp::create(rewriter, reduce.getLoc(), value);
    };
    Value start = loop.getInitArgs()[found.index];
    Value neutral = makeNeutral(type), unused = makeNeutral(start.getType());
    Operation *combiner = found.combiner;
    auto makeYields =
        [&](OpBuilder &builder, Location,
            ArrayRef<BlockArgument> carried) -> SmallVector<Value> {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(combiner);
      return {combine(builder, combiner, carried.front(), tile)};
    };
    auto replaced = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, neutral, /*replaceInitOperandUsesInLoop=*/false, makeYields));

    // Nothing is carried in its place, and where it started is combined behind.
    Operation *yield = replaced.getBody()->getTerminator();
    yield->setOperand(found.index, replaced.getRegionIterArg(found.index));
    replaced.getInitArgsMutable()[found.index].assign(unused);
    rewriter.setInsertionPointAfter(replaced);
    Value reduced = reduceTile(rewriter, reduce, replaced.getResults().back(),
                               start.getType());
    Value result = combine(rewriter, combiner, start, reduced);
    replaced.getResult(found.index).replaceAllUsesWith(result);
    Location loc = reduce.getLoc();
    // With the conversions between them, which nobody needs any more.
    Value unusedResult = combiner->getOperand(
        combiner->getOperand(0) == replaced.getRegionIterArg(found.index));
    rewriter.eraseOp(combiner);
    while (auto convert = unusedResult.getDefiningOp<ConvertLayoutOp>()) {
      unusedResult = convert.getSrc();
      rewriter.eraseOp(convert);
    }
    rewriter.eraseOp(reduce);
    remark::passed(loc,
                   remark::RemarkOpts::name("deferred").category(getArgument()))
        << remark::reason("reduced once, behind the loop");
    ++numDeferred;
    return replaced;
  }

  /// The operation of `combiner` on other values.
  static Value combine(OpBuilder &builder, Operation *combiner, Value lhs,
                       Value rhs) {
    return builder
        .create(combiner->getLoc(), combiner->getName().getIdentifier(),
                {lhs, rhs}, lhs.getType())
        ->getResult(0);
  }

  /// Another value reduced alike.
  static Value reduceLike(OpBuilder &builder, ReduceOp reduce, Value value,
                          Type result, unsigned axis) {
    auto other = ReduceOp::create(builder, reduce.getLoc(), TypeRange{result},
                                  ValueRange{value}, axis);
    IRMapping mapping;
    reduce.getCombineOp().cloneInto(&other.getCombineOp(), mapping);
    return other->getResult(0);
  }

  /// The result of `reduce`, as a value of type `wanted`, for what lanes have
  /// combined.
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

  /// What `reduce` reduces, of which each lane has combined its own elements.
  static Value combineOwn(OpBuilder &builder, ReduceOp reduce) {
    Location loc = reduce.getLoc();
    Value source = reduce.getSrcs().front();
    auto type = cast<RankedTensorType>(source.getType());
    unsigned axis = reduce.getAxis();
    DimParts parts = getParts(toLinearLayout(type), tensorDim(axis));
    if (parts.high == 1 && parts.low == 1)
      return source;
    // Registers of a lane side by side, behind what lanes share: neither moves
    // an element.
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
