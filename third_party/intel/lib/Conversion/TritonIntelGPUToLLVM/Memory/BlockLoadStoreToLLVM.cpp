//===- BlockLoadStoreToLLVM.cpp - Lower accesses of blocks ----------------===//
// SPDX-License-Identifier: MIT
//
// Loads, stores and prefetches of blocks become 2D block messages, which
// tritonintelgpu-rewrite-tensor-pointer has chosen. BlockTile.h states where
// each of them is in the block, and BlockAddress.h computes their addresses.
// This file maps the values of the messages to the registers of the tensor.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"
#include "BlockAddress.h"

#include "intel/Analysis/Blocks/BlockTile.h"

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

/// Makes the surface of a message.
Value makeSurface(OpBuilder &builder, Location loc,
                  const BlockAddress &address) {
  return MakeSurfaceOp::create(builder, loc, address.base, address.width,
                               address.height, address.pitch);
}

/// Returns the place of a block. Messages have coordinates of 32 bits, so that
/// offsets get these, too.
LoweredSurface getPlace(RewriterBase &rewriter, Location loc, ValueRange memory,
                        ArrayRef<ValueRange> offsets) {
  Type coordinate = rewriter.getI32Type();
  return LoweredSurface(
      memory, llvm::map_to_vector(offsets, [&](ValueRange values) -> Value {
        Value offset = values.front();
        if (offset.getType() == coordinate)
          return offset;
        return arith::TruncIOp::create(rewriter, loc, coordinate, offset);
      }));
}

/// Returns the pages of a block, whose lowered operands are `lowered`.
BlockPages getPages(BlockAccessOpInterface op, ArrayRef<ValueRange> lowered) {
  BlockPages pages;
  for (ValueRange pointer : lowered)
    pages.pointers.push_back(pointer.front());
  pages.numRows = getBlockPageSize(BlockAccessQuery(op));
  return pages;
}

/// Returns the addresses of the messages of `op`.
BlockAddressBuilder
makeAddressBuilder(RewriterBase &rewriter, BlockAccessOpInterface op,
                   const LoweredSurface &place, const LinearLayout &origins,
                   const BlockTile &tile, unsigned rowDim, unsigned columnDim,
                   bool mayPrecedeRows, BlockPages pages = {}) {
  return BlockAddressBuilder(
      rewriter, op.getLoc(), place, origins, tile, rowDim, columnDim,
      getIntOrFloatOrPtrBitWidth(op.getBlockType().getElementType()),
      op.getBoundaryCheck(), getTargetDesc(op).getBlockIOLimits(),
      mayPrecedeRows, !op.getBoundedRows(), static_cast<bool>(op.getRows()),
      std::move(pages));
}

/// Returns the row of each message of a load or store, whose lowered row
/// numbers and mask are `numbers` and `mask`. Fails if the numbers of its rows
/// are not where the block has them.
FailureOr<SmallVector<GatheredRow>> getRows(RewriterBase &rewriter,
                                            BlockAccessOpInterface op,
                                            ValueRange numbers, ValueRange mask,
                                            const BlockTilePlan &plan) {
  // Without row numbers, all entries are empty.
  SmallVector<GatheredRow> rows(plan.origins.size());
  if (!op.getRows())
    return rows;
  GatheredRows gathered(rewriter, op, op.getBlockType(), numbers, mask);
  // Every message has one row, that of its first register.
  for (auto [row, origin] : llvm::zip_equal(rows, plan.origins)) {
    FailureOr<GatheredRow> found = gathered.get(origin);
    if (failed(found))
      return rewriter.notifyMatchFailure(
          op, "the layouts of block and row numbers do not correspond");
    row = *found;
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// A load as one message per tile of the plan. The values of the messages are
/// cut into the types of registers and put in the order of the layout.
struct LoadBlockOpConversion : OpConversionPattern<LoadBlockOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadBlockOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // A diagnostic exists if there is no plan.
    FailureOr<BlockTilePlan> plan = getBlockTilePlan(op);
    if (failed(plan))
      return failure();

    Location loc = op.getLoc();
    auto block = cast<RankedTensorType>(op.getType());
    FailureOr<SmallVector<GatheredRow>> rows =
        getRows(rewriter, op, adaptor.getRows(), adaptor.getMask(), *plan);
    if (failed(rows))
      return failure();
    BlockAddressBuilder addresses = makeAddressBuilder(
        rewriter, op,
        getPlace(rewriter, loc, adaptor.getSurface(), adaptor.getOffsets()),
        toLinearLayout(block), plan->tile, plan->rowDim, plan->columnDim,
        !op.getStartsInRow(), getPages(op, adaptor.getPages()));
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
    // `sources` states which element each register holds.
    rewriter.replaceOpWithMultiple(
        op, {permuteRegisters(rewriter, loc, pieces, plan->sources)});
    return success();
  }

  /// One message; a vector of what a lane gets of it.
  static Value emitLoad(LoadBlockOp op, RewriterBase &rewriter,
                        const BlockTile &tile, const BlockAddress &address) {
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
        op.getMessageShape().has_value(), op.getCache(), op.getEvict());
  }

  /// Cuts `tile` into vectors of `element`. The value of a message may be wider
  /// than anything SPIR-V knows: cutting is the only operation on it.
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

/// A store: the reverse of a load. Copies are written by one sub-group only.
struct StoreBlockOpConversion : OpConversionPattern<StoreBlockOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreBlockOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<BlockTilePlan> plan = getBlockTilePlan(op);
    if (failed(plan))
      return failure();

    FailureOr<SmallVector<GatheredRow>> rows =
        getRows(rewriter, op, adaptor.getRows(), adaptor.getMask(), *plan);
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

  /// Emits one message per tile, in code that all work-items of the sub-group
  /// execute.
  static void emitStores(StoreBlockOp op, OneToNOpAdaptor adaptor,
                         ConversionPatternRewriter &rewriter,
                         const BlockTilePlan &plan,
                         ArrayRef<GatheredRow> rows) {
    Location loc = op.getLoc();
    BlockAddressBuilder addresses = makeAddressBuilder(
        rewriter, op,
        getPlace(rewriter, loc, adaptor.getSurface(), adaptor.getOffsets()),
        toLinearLayout(op.getBlockType()), plan.tile, plan.rowDim,
        plan.columnDim, !op.getStartsInRow());
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

/// A prefetch: the sub-groups share the messages for the block, whichever
/// layout its load will have.
struct PrefetchBlockOpConversion : OpConversionPattern<PrefetchBlockOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrefetchBlockOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<BlockPrefetchPlan> plan = getBlockPrefetchPlan(op);
    if (failed(plan))
      return failure();
    BlockPages pages = getPages(op, adaptor.getPages());
    const BlockTile &tile = plan->tile;
    // An unused fetch does no harm.
    BlockAddressBuilder addresses =
        makeAddressBuilder(rewriter, op,
                           getPlace(rewriter, op.getLoc(), adaptor.getSurface(),
                                    adaptor.getOffsets()),
                           plan->origins, tile, plan->rowDim, plan->columnDim,
                           /*mayPrecedeRows=*/false, std::move(pages));
    for (unsigned index :
         llvm::seq(plan->origins.getInDimSize(LayoutDim::Register))) {
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

/// Scattered prefetches cost more than they gain.
struct PrefetchOpConversion : OpConversionPattern<PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrefetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateBlockLoadStoreToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LoadBlockOpConversion, StoreBlockOpConversion,
               PrefetchBlockOpConversion, PrefetchOpConversion>(
      converter, patterns.getContext());
}
