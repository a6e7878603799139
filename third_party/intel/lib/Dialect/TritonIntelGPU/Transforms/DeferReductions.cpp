//===- DeferReductions.cpp - One reduction behind the loop ----------------===//
//
// A loop that adds the sum of each tile to what it carries exchanges elements
// between lanes and warps in every iteration, and waits at barriers for that.
// The tiles themselves can be added, element by element, and summed up once
// behind the loop. That takes no more additions, but registers for a tile;
// where these are few, a lane's own elements are combined first.
//
// Sums of floats are formed in another order then, as other backends of Triton
// do it, too.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/LoopRegisters.h"
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
  /// What each lane combines of its own elements before.
  int64_t numPieces;
};

/// Bits of places along a dimension that tell lanes and warps apart.
int32_t getSharedBits(const LinearLayout &layout, LayoutDim dim) {
  int32_t bits = 0;
  for (LayoutDim in : {LayoutDim::Lane, LayoutDim::Warp})
    for (int32_t bit = 0; bit < layout.getInDimSizeLog2(in); ++bit)
      bits |= layout.getBasis(in, bit, dim);
  return bits;
}

/// How many of the highest bits of a dimension are registers of one lane.
unsigned countRegisterBits(const LinearLayout &layout, LayoutDim dim) {
  int32_t shared = getSharedBits(layout, dim);
  return layout.getOutDimSizeLog2(dim) -
         (shared ? llvm::Log2_32(shared) + 1 : 0);
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
    auto reduce = other.getDefiningOp<ReduceOp>();
    if (!reduce || reduce->getBlock() != loop.getBody() ||
        reduce.getSrcs().size() != 1 || !other.hasOneUse())
      return std::nullopt;
    Operation *inner = reduce.getSingleCombiner();
    if (!inner || inner->getName() != combiner->getName() ||
        !leavesLanes(reduce))
      return std::nullopt;
    std::optional<TypedAttr> neutral = getNeutral(inner);
    if (!neutral)
      return std::nullopt;
    if (std::optional<int64_t> numPieces = findNumPieces(loop, reduce))
      return CarriedReduction{index, combiner, reduce, *neutral, *numPieces};
    remark::missed(reduce.getLoc(),
                   remark::RemarkOpts::name("deferred").category(getArgument()))
        << remark::reason("a tile that the loop would carry has no room in {0} "
                          "registers",
                          int(registers));
    return std::nullopt;
  }

  /// Whether lanes exchange anything.
  static bool leavesLanes(ReduceOp reduce) {
    auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
    return isa_and_nonnull<DistributedEncodingInterface>(type.getEncoding()) &&
           getSharedBits(toLinearLayout(type), tensorDim(reduce.getAxis()));
  }

  /// Into how many pieces along the axis a lane's own elements have to be cut,
  /// and combined, so that what is carried fits; none if nothing does.
  std::optional<int64_t> findNumPieces(scf::ForOp loop, ReduceOp reduce) {
    Value source = reduce.getSrcs().front();
    LinearLayout layout =
        toLinearLayout(cast<RankedTensorType>(source.getType()));
    int64_t bytes = getRegisterBytes(source);
    int64_t room =
        getUsableBytes(getOperation(), registers) - getBytesAlive(loop);
    // Next to what is carried, the tile and what it is computed of; a few
    // registers are always worth it.
    constexpr int64_t tiles = 4, always = 1024;
    unsigned numBits = countRegisterBits(layout, tensorDim(reduce.getAxis()));
    for (unsigned bit = 0; bit <= numBits; ++bit)
      if (tiles * (bytes >> bit) <= room || (bytes >> bit) <= always)
        return int64_t(1) << bit;
    return std::nullopt;
  }

  scf::ForOp defer(scf::ForOp loop, const CarriedReduction &found) {
    ReduceOp reduce = found.reduce;
    IRRewriter rewriter(loop.getContext());
    rewriter.setInsertionPoint(reduce);
    Value tile = combinePieces(rewriter, reduce, found.numPieces);
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
    Value reduced = reduceTile(rewriter, reduce, replaced.getResults().back());
    Value result = combine(rewriter, combiner, start, reduced);
    replaced.getResult(found.index).replaceAllUsesWith(result);
    Location loc = reduce.getLoc();
    rewriter.eraseOp(combiner);
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

  /// Another value reduced along the same axis.
  static Value reduceLike(OpBuilder &builder, ReduceOp reduce, Value value,
                          Type result) {
    auto other = ReduceOp::create(builder, reduce.getLoc(), TypeRange{result},
                                  ValueRange{value}, reduce.getAxis());
    IRMapping mapping;
    reduce.getCombineOp().cloneInto(&other.getCombineOp(), mapping);
    return other->getResult(0);
  }

  /// The result of `reduce`, in its layout, for what its pieces left.
  static Value reduceTile(OpBuilder &builder, ReduceOp reduce, Value tile) {
    Type wanted = reduce->getResult(0).getType();
    auto type = cast<RankedTensorType>(tile.getType());
    Type result = wanted;
    unsigned axis = reduce.getAxis();
    if (auto tensor = dyn_cast<RankedTensorType>(wanted))
      result = tensor.cloneWithEncoding(SliceEncodingAttr::get(
          type.getContext(), axis,
          cast<DistributedEncodingInterface>(type.getEncoding())));
    Value reduced = reduceLike(builder, reduce, tile, result);
    if (result == wanted)
      return reduced;
    return ConvertLayoutOp::create(builder, reduce.getLoc(), wanted, reduced);
  }

  /// What `reduce` reduces, of which each lane has combined `numPieces` parts.
  static Value combinePieces(OpBuilder &builder, ReduceOp reduce,
                             int64_t numPieces) {
    Value source = reduce.getSrcs().front();
    if (numPieces == 1)
      return source;
    auto type = cast<RankedTensorType>(source.getType());
    unsigned axis = reduce.getAxis();
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] /= numPieces;
    shape.insert(shape.begin() + axis, numPieces);
    Value pieces =
        ReshapeOp::create(builder, reduce.getLoc(), shape, source, false);
    auto whole = cast<RankedTensorType>(pieces.getType());
    shape.erase(shape.begin() + axis);
    auto partial = RankedTensorType::get(
        shape, type.getElementType(),
        SliceEncodingAttr::get(
            type.getContext(), axis,
            cast<DistributedEncodingInterface>(whole.getEncoding())));
    return reduceLike(builder, reduce, pieces, partial);
  }
};

} // namespace
