//===- BlockLoadStoreToLLVM.cpp - Lower accesses through block pointers ---===//
// SPDX-License-Identifier: MIT
//
// Loads, stores and prefetches through block pointers become 2D block messages.
// BlockTile.h plans the messages, and BlockAddress.h computes their
// addresses. This file maps the values of the messages to the registers of the
// tensor. A load without a plan should have been rewritten to a tensor of
// pointers by tritonintelgpu-rewrite-tensor-pointer.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"
#include "BlockAddress.h"

#include "intel/Analysis/BlockTile.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// Common parts
//===----------------------------------------------------------------------===//

/// Returns the tensor that the block pointer points to.
RankedTensorType getBlockType(BlockAccessOpInterface op) {
  return cast<RankedTensorType>(getPointeeType(op.getBlockPointer().getType()));
}

/// Makes the surface of a message.
Value makeSurface(OpBuilder &builder, Location loc,
                  const BlockAddress &address) {
  return MakeSurfaceOp::create(builder, loc, address.base, address.width,
                               address.height, address.pitch);
}

/// Returns whether messages may lie at columns before a row; see BlockAccess.h.
bool mayPrecedeRows(Operation *op) {
  return !op->hasAttr(TritonIntelGPUDialect::getStartsInRowAttrName());
}

/// Returns the pages of `op`, whose lowered operands `adaptor` has.
template <typename OpTy, typename AdaptorTy>
BlockPages getPages(OpTy op, AdaptorTy adaptor) {
  BlockPages pages;
  if constexpr (std::is_same_v<OpTy, GatherPagesOp> ||
                std::is_same_v<OpTy, PrefetchPagesOp>) {
    for (ValueRange pointer : adaptor.getPages())
      pages.pointers.push_back(pointer.front());
    pages.numRows = getBlockPageSize(op);
  }
  return pages;
}

/// Returns the addresses of the messages of `op`.
BlockAddressBuilder
makeAddressBuilder(RewriterBase &rewriter, BlockAccessOpInterface op,
                   ValueRange pointer, const LinearLayout &origins,
                   const BlockTile &tile, unsigned rowDim, unsigned columnDim,
                   bool mayPrecedeRows, BlockPages pages = {}) {
  RankedTensorType block = getBlockType(op);
  return BlockAddressBuilder(
      rewriter, op.getLoc(), LoweredBlockPointer(pointer, block.getRank()),
      origins, tile, rowDim, columnDim,
      getIntOrFloatOrPtrBitWidth(block.getElementType()), op.getCheckedDims(),
      getTargetDesc(op).getBlockIOLimits(), mayPrecedeRows,
      !op->hasAttr(TritonIntelGPUDialect::getBoundedRowsAttrName()),
      static_cast<bool>(op.getRowNumbers()), std::move(pages));
}

/// Returns the row of each message of `op`, a load or store whose lowered
/// operands `adaptor` has. Fails if the numbers of its rows are not where the
/// block has them.
template <typename OpTy, typename AdaptorTy>
FailureOr<SmallVector<GatheredRow>> getRows(RewriterBase &rewriter, OpTy op,
                                            AdaptorTy adaptor,
                                            const BlockTilePlan &plan) {
  // Without row numbers, all entries are empty.
  SmallVector<GatheredRow> rows(plan.origins.size());
  if constexpr (std::is_same_v<OpTy, GatherRowsOp> ||
                std::is_same_v<OpTy, ScatterRowsOp>) {
    GatheredRows gathered(rewriter, op, getBlockType(op), adaptor.getRows(),
                          op.getMask() ? adaptor.getMask() : ValueRange());
    // Every message has one row, that of its first register.
    for (auto [row, origin] : llvm::zip_equal(rows, plan.origins)) {
      FailureOr<GatheredRow> found = gathered.get(origin);
      if (failed(found))
        return rewriter.notifyMatchFailure(
            op, "the layouts of block and row numbers do not correspond");
      row = *found;
    }
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// A load, or one of gathered rows, as one message per tile of the plan. The
/// values of the messages are cut into the types of registers and put in the
/// order of the layout.
template <typename OpTy>
struct BlockLoadOpConversion : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // A tensor of pointers is lowered in LoadStoreToLLVM.cpp.
    if (!isTensorPointerType(op.getPtr().getType()))
      return rewriter.notifyMatchFailure(op, "not through a block pointer");
    // A diagnostic is there if there is no plan.
    FailureOr<BlockTilePlan> plan = getBlockTilePlan(op);
    if (failed(plan))
      return failure();

    Location loc = op.getLoc();
    auto block = cast<RankedTensorType>(op.getType());
    FailureOr<SmallVector<GatheredRow>> rows =
        getRows(rewriter, op, adaptor, *plan);
    if (failed(rows))
      return failure();
    BlockAddressBuilder addresses = makeAddressBuilder(
        rewriter, op, adaptor.getPtr(), toLinearLayout(block), plan->tile,
        plan->rowDim, plan->columnDim, mayPrecedeRows(op),
        getPages(op, adaptor));
    Type element =
        RegisterTypeConverter::convertElementType(block.getElementType());
    // In the order of messages, all elements of a lane.
    SmallVector<Value> pieces;
    for (auto [origin, row] : llvm::zip_equal(plan->origins, *rows)) {
      BlockAddress address = addresses.getAddress(origin, row);
      unsigned numMessages = plan->tile.getNumMessages();
      for (unsigned index : llvm::seq(numMessages)) {
        Value tile = emitLoad(op, rewriter, plan->tile,
                              numMessages == 1
                                  ? address
                                  : addresses.getEveryOtherRow(address, index));
        appendPieces(rewriter, loc, tile, element, pieces);
      }
    }
    // `sources` says which element each register holds.
    rewriter.replaceOpWithMultiple(
        op, {permuteRegisters(rewriter, loc, pieces, plan->sources)});
    return success();
  }

  /// One message; a vector of what a lane gets of it.
  static Value emitLoad(OpTy op, RewriterBase &rewriter, const BlockTile &tile,
                        const BlockAddress &address) {
    Type value = rewriter.getIntegerType(tile.getValueBits());
    // A message is handed out to all lanes of the sub-group in equal parts.
    int64_t lanes = lookupThreadsPerWarp(op);
    int64_t count = 8 * tile.getBytes() / tile.getValueBits() / lanes /
                    tile.getNumMessages();
    return BlockLoadOp::create(
        rewriter, op.getLoc(), VectorType::get({count}, value),
        makeSurface(rewriter, op.getLoc(), address), address.x, address.y,
        tile.elementBits, tile.getMessageRows(), tile.width, tile.numBlocks,
        tile.mode == BlockTileMode::Vnni, tile.isTransposed(),
        getBlockMessage(op).has_value(), op.getCache(), op.getEvict());
  }

  /// Cuts `tile` into vectors of `element`. The value of a message may be wider
  /// than anything SPIR-V knows: cutting is all that may happen to it.
  static void appendPieces(RewriterBase &rewriter, Location loc, Value tile,
                           Type element, SmallVectorImpl<Value> &pieces) {
    auto type = cast<VectorType>(tile.getType());
    unsigned count = type.getNumElements();
    // Elements of the tensor in one value of the message.
    unsigned packed =
        type.getElementTypeBitWidth() / element.getIntOrFloatBitWidth();
    unsigned width =
        std::min(count, packed == 1 ? kChunkWidth : 2 * kChunkWidth / packed);
    for (Value piece : regroupRegisters(rewriter, loc, tile, width)) {
      Type pieceType = getVectorType(element, width * packed);
      if (piece.getType() != pieceType)
        piece = LLVM::BitcastOp::create(rewriter, loc, pieceType, piece);
      pieces.push_back(piece);
    }
  }
};

/// A store, or one of gathered rows: the reverse of a load. Copies are written
/// by one sub-group only.
template <typename OpTy>
struct BlockStoreOpConversion : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isTensorPointerType(op.getPtr().getType()))
      return rewriter.notifyMatchFailure(op, "not through a block pointer");
    FailureOr<BlockTilePlan> plan = getBlockTilePlan(op);
    if (failed(plan))
      return failure();

    FailureOr<SmallVector<GatheredRow>> rows =
        getRows(rewriter, op, adaptor, *plan);
    if (failed(rows))
      return failure();
    // Sub-groups that hold the same elements must not all write them.
    Location loc = op.getLoc();
    Type type = op.getValue().getType();
    OpBuilder::InsertionGuard guard(rewriter);
    Replication replication = getReplication(rewriter, loc, type);
    if (replication.isOwner) {
      auto branch = scf::IfOp::create(rewriter, loc, replication.isOwner);
      rewriter.setInsertionPointToStart(branch.thenBlock());
    }
    emitStores(op, adaptor, rewriter, *plan, *rows);
    rewriter.eraseOp(op);
    return success();
  }

  /// Emits one message per tile, where all work-items of the sub-group get.
  static void emitStores(OpTy op, OneToNOpAdaptor adaptor,
                         ConversionPatternRewriter &rewriter,
                         const BlockTilePlan &plan,
                         ArrayRef<GatheredRow> rows) {
    Location loc = op.getLoc();
    BlockAddressBuilder addresses = makeAddressBuilder(
        rewriter, op, adaptor.getPtr(),
        toLinearLayout(cast<RankedTensorType>(op.getValue().getType())),
        plan.tile, plan.rowDim, plan.columnDim, mayPrecedeRows(op));
    SmallVector<unsigned> registers = plan.getRegisters();

    const BlockTile &tile = plan.tile;
    Type value = rewriter.getIntegerType(tile.getValueBits());
    for (auto [message, origin] : llvm::enumerate(plan.origins)) {
      // The elements of this message, in its own order, as values of the
      // message's width.
      ArrayRef<unsigned> elements = ArrayRef(registers).slice(
          message * plan.elementsPerLane, plan.elementsPerLane);
      Value data = joinRegisters(
          rewriter, loc,
          permuteRegisters(rewriter, loc, adaptor.getValue(), elements), value);
      // Messages take vectors only.
      if (!isa<VectorType>(data.getType()))
        data = makeOneElementVector(rewriter, loc, data);
      BlockAddress address = addresses.getAddress(origin, rows[message]);
      BlockStoreOp::create(rewriter, loc, makeSurface(rewriter, loc, address),
                           address.x, address.y, data, tile.elementBits,
                           tile.height, tile.width, op.getCache(),
                           op.getEvict());
    }
  }

  /// Creates the scalar in a vector of one element, which the register types
  /// never are.
  static Value makeOneElementVector(RewriterBase &rewriter, Location loc,
                                    Value scalar) {
    Value poison = LLVM::PoisonOp::create(
        rewriter, loc, VectorType::get({1}, scalar.getType()));
    Value zero =
        LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
    return LLVM::InsertElementOp::create(rewriter, loc, poison, scalar, zero);
  }
};

/// A prefetch, of pages or not: the sub-groups share the messages for the
/// block, whichever layout its load will have.
template <typename OpTy>
struct PrefetchOpConversion : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Scattered prefetches cost more than they gain. A mask is not looked at
    // either: what lies in the tensor may always be fetched.
    if (!isTensorPointerType(op.getPtr().getType())) {
      rewriter.eraseOp(op);
      return success();
    }
    // A diagnostic is there if the access has no mark.
    FailureOr<bool> columnMajor = isMarkedColumnMajor(op);
    if (failed(columnMajor))
      return failure();
    RankedTensorType block = getBlockType(op);
    BlockPrefetchPlan plan = planBlockPrefetch(
        block.getShape(), getIntOrFloatOrPtrBitWidth(block.getElementType()),
        *columnMajor, lookupNumWarps(op), getTargetDesc(op),
        getBlockPageSize(op), getBlockMessage(op));

    const BlockTile &tile = plan.tile;
    // What is fetched in vain does no harm.
    BlockAddressBuilder addresses = makeAddressBuilder(
        rewriter, op, adaptor.getPtr(), plan.origins, tile, plan.rowDim,
        plan.columnDim, /*mayPrecedeRows=*/false, getPages(op, adaptor));
    for (unsigned index :
         llvm::seq(plan.origins.getInDimSize(LayoutDim::Register))) {
      BlockAddress address = addresses.getAddress(index);
      BlockPrefetchOp::create(rewriter, op.getLoc(),
                              makeSurface(rewriter, op.getLoc(), address),
                              address.x, address.y, tile.elementBits,
                              tile.height, tile.width, tile.numBlocks);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateBlockLoadStoreToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<
      BlockLoadOpConversion<triton::LoadOp>,
      BlockLoadOpConversion<GatherRowsOp>, BlockLoadOpConversion<GatherPagesOp>,
      BlockStoreOpConversion<triton::StoreOp>,
      BlockStoreOpConversion<ScatterRowsOp>, PrefetchOpConversion<PrefetchOp>,
      PrefetchOpConversion<PrefetchPagesOp>>(converter, patterns.getContext());
}
