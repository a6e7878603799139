//===- ForwardRows.cpp - Rows of blocks that are in registers -------------===//
// SPDX-License-Identifier: MIT
//
// Kernels cannot index a tensor. An algorithm that needs one row of a block,
// such as forward substitution, loads the row again:
//
//   part = tl.load(block)
//   row = tl.load(pointer + (start + 3) * stride + tl.arange(0, 16))
//
// If each row of the block lies in one register of all lanes, the row is known
// already: the load is replaced by the row of the block, which takes no
// instruction. The row must be inside of the tensor in memory, since the block
// has zeros in the place of other rows, and no store may come in between.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-forward-rows"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/Order/MemoryEffects.h"
#include "intel/Analysis/Symbolic/SymbolicReader.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUFORWARDROWS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns the type of a row of a block.
RankedTensorType getRowType(RankedTensorType block) {
  auto encoding = cast<DistributedEncodingInterface>(block.getEncoding());
  return RankedTensorType::get(
      block.getShape().drop_front(), block.getElementType(),
      SliceEncodingAttr::get(block.getContext(), 0, encoding));
}

/// Returns whether a lane holds all rows of a block of two dimensions.
bool hasRowsInRegisters(RankedTensorType block) {
  if (block.getRank() != 2 ||
      !isa_and_nonnull<DistributedEncodingInterface>(block.getEncoding()))
    return false;
  LinearLayout layout = toLinearLayout(block);
  for (LayoutDim in : {LayoutDim::Lane, LayoutDim::Warp})
    for (int32_t bit = 0; bit < layout.getInDimSizeLog2(in); ++bit)
      if (layout.getBasis(in, bit, tensorDim(0)) != 0)
        return false;
  return true;
}

/// Returns whether a row of a block is in the registers that a load writes.
bool hasSameRegisters(RankedTensorType block, RankedTensorType loaded) {
  RankedTensorType row = getRowType(block);
  return loaded.getRank() == 1 && row.getShape() == loaded.getShape() &&
         row.getElementType().isIntOrFloat() &&
         row.getElementType() == loaded.getElementType() &&
         isa_and_nonnull<DistributedEncodingInterface>(loaded.getEncoding()) &&
         toLinearLayout(row) == toLinearLayout(loaded);
}

/// Returns whether the memory that `block` has read is the same when `load`
/// reads it.
bool readsTheSameMemory(LoadBlockOp block, LoadOp load,
                        DominanceInfo &dominance) {
  if (!dominance.properlyDominates(block.getOperation(), load))
    return false;
  Operation *own = block->getBlock()->findAncestorOpInBlock(*load);
  return own && isMemoryTheSameBetween(block, own) && !mayWrite(own);
}

/// Finds the row of a block that a load reads.
class RowFinder {
public:
  /// All of `blocks` are loaded before `load`.
  RowFinder(LoadOp load, ArrayRef<LoadBlockOp> blocks, ValueSources &sources)
      : load(load), reader(facts) {
    reader.assumeLaunched(load->getParentOfType<FuncOp>(), execution);
    // Coordinates do not overflow, which conditions then do not either.
    for (LoadBlockOp block : blocks)
      for (Value offset : block.getOffsets())
        if (unsigned width = offset.getType().getIntOrFloatBitWidth();
            width < 64)
          facts.assumeNonNegative(SymbolicExpr(llvm::maxIntN(width)) -
                                  read(offset));
    reader.assumeReached(load, sources, execution);
  }

  /// Returns the row of a block that the load reads, if this row is proved to
  /// be inside of the tensor in memory.
  std::optional<int64_t> find(LoadBlockOp block);

private:
  SymbolicExpr read(Value scalar) {
    return reader.readScalar(scalar, execution);
  }
  bool isInside(LoadBlockOp block, SurfaceOp surface, unsigned dim,
                int64_t first, int64_t last);

  LoadOp load;
  SymbolicFacts facts;
  SymbolicReader reader;
  SymbolicReader::Execution execution;
};

/// Returns whether elements of a block along a dimension are inside: the block
/// has zeros in the place of others, if that is checked.
bool RowFinder::isInside(LoadBlockOp block, SurfaceOp surface, unsigned dim,
                         int64_t first, int64_t last) {
  if (!llvm::is_contained(block.getBoundaryCheck(), static_cast<int32_t>(dim)))
    return true;
  SymbolicExpr offset = read(block.getOffsets()[dim]);
  SymbolicExpr extent = read(surface.getExtents()[dim]);
  return facts.isNonNegative(offset + first) &&
         facts.isNonNegative(extent - offset - (last + 1));
}

std::optional<int64_t> RowFinder::find(LoadBlockOp block) {
  auto surface = block.getSurface().getDefiningOp<SurfaceOp>();
  if (!surface)
    return std::nullopt;
  ArrayRef<int64_t> shape = block.getBlockType().getShape();
  SymbolicExpr column =
      SymbolicExpr::getSymbol(facts.addSymbol({0, shape[1] - 1}));
  SymbolicExpr distance =
      reader.readElement(load.getPtr(), column, execution) -
      reader.readBlockElement(block, {SymbolicExpr(0), column}, execution);
  SymbolicExpr stride = read(surface.getStrides()[0]);
  for (int64_t row = 0; row < shape[0]; ++row) {
    if (!(distance - stride * row).isZero())
      continue;
    bool isKnown = isInside(block, surface, 0, row, row) &&
                   isInside(block, surface, 1, 0, shape[1] - 1);
    LDBG() << "row " << row << " of the block at " << block.getLoc()
           << (isKnown ? " is loaded again" : " may be outside");
    return isKnown ? std::optional<int64_t>(row) : std::nullopt;
  }
  return std::nullopt;
}

/// Replaces loads by rows of blocks; see the head of the file.
class ForwardRows
    : public gpu::intel::impl::TritonIntelGPUForwardRowsBase<ForwardRows> {
public:
  using TritonIntelGPUForwardRowsBase::TritonIntelGPUForwardRowsBase;

  void runOnTTGIR() override {
    SmallVector<LoadBlockOp> blocks;
    SmallVector<LoadOp> loads;
    getOperation().walk([&](Operation *op) {
      if (auto block = dyn_cast<LoadBlockOp>(op)) {
        if (!block.getIsVolatile() && !block.getRows() && !block.getMask() &&
            block.getPages().empty() &&
            hasRowsInRegisters(block.getBlockType()))
          blocks.push_back(block);
      } else if (auto load = dyn_cast<LoadOp>(op)) {
        if (!load.getIsVolatile() && !load.getMask() &&
            isa<RankedTensorType>(load.getType()))
          loads.push_back(load);
      }
    });
    ValueSources sources(getOperation());
    DominanceInfo dominance;
    for (LoadOp load : loads) {
      SmallVector<LoadBlockOp> candidates;
      // The last block is the nearest one. A copy of it elsewhere may be dead.
      for (LoadBlockOp block : llvm::reverse(blocks))
        if (hasSameRegisters(block.getBlockType(),
                             cast<RankedTensorType>(load.getType())) &&
            readsTheSameMemory(block, load, dominance))
          candidates.push_back(block);
      if (candidates.empty())
        continue;
      RowFinder finder(load, candidates, sources);
      for (LoadBlockOp block : candidates) {
        std::optional<int64_t> row = finder.find(block);
        if (row && mayRewrite(load)) {
          forward(block, *row, load);
          break;
        }
      }
    }
  }

private:
  /// Replaces a load by a row of a block: the bits of the others are cleared,
  /// and all rows are joined. This is code for one register in the end, because
  /// the conditions are constants.
  void forward(LoadBlockOp block, int64_t row, LoadOp load) {
    OpBuilder builder(load);
    Location loc = load.getLoc();
    RankedTensorType type = block.getBlockType();
    MLIRContext *context = type.getContext();
    Type bits = builder.getIntegerType(
        getIntOrFloatOrPtrBitWidth(type.getElementType()));
    auto numbers = RankedTensorType::get(
        type.getShape().take_front(), builder.getI32Type(),
        SliceEncodingAttr::get(
            context, 1,
            cast<DistributedEncodingInterface>(type.getEncoding())));
    Value rows =
        MakeRangeOp::create(builder, loc, numbers, 0, type.getDimSize(0));
    Value own = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(numbers, builder.getI32IntegerAttr(row)));
    Value isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        rows, own);
    isOwn = ExpandDimsOp::create(builder, loc, isOwn, 1);
    isOwn = triton::BroadcastOp::create(builder, loc,
                                        type.clone(builder.getI1Type()), isOwn);
    Value tile = block.getResult();
    bool isFloat = isa<FloatType>(type.getElementType());
    if (isFloat)
      tile = triton::BitcastOp::create(builder, loc, type.clone(bits), tile);
    Value none = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.clone(bits)));
    tile = arith::SelectOp::create(builder, loc, isOwn, tile, none);
    auto reduce = ReduceOp::create(builder, loc, ValueRange{tile}, /*axis=*/0);
    {
      OpBuilder::InsertionGuard guard(builder);
      Block *body = builder.createBlock(&reduce.getCombineOp(), {},
                                        {bits, bits}, {loc, loc});
      Value joined = arith::OrIOp::create(builder, loc, body->getArgument(0),
                                          body->getArgument(1));
      ReduceReturnOp::create(builder, loc, joined);
    }
    Value result = reduce->getResult(0);
    if (isFloat)
      result =
          triton::BitcastOp::create(builder, loc, getRowType(type), result);
    result = ConvertLayoutOp::create(builder, loc, load.getType(), result);
    load.replaceAllUsesWith(result);
    load.erase();
    remark::passed(
        loc, remark::RemarkOpts::name("forwarded").category(getArgument()))
        << remark::reason("row {0} of the block that was loaded before", row);
    ++numForwarded;
  }
};

} // namespace
