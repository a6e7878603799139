//===- RewriteTensorPointer.cpp - Fallback for block pointers -------------===//
// SPDX-License-Identifier: MIT
//
// Rewrites the block pointers that cannot become 2D block messages into tensors
// of pointers, and says why. Which ones is decided in PointerWebs.cpp.
//
// The rewrite is a one-to-many type conversion to the parts of a block pointer
// (BlockPointerParts.h). So that the type converter can tell the pointers to
// rewrite from those to keep, the former get a private encoding for the time of
// the pass.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "LaunchConditions.h"
#include "PointerWebs.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/DialectConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/BlockPointerParts.h"
#include "triton/Dialect/Triton/Transforms/StructuralTypeConversions.h"
#include "triton/Dialect/TritonGPU/Transforms/ElementAddresses.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUREWRITETENSORPOINTER
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Returns whether an encoding marks a block pointer to rewrite.
bool isMarker(Attribute encoding) { return isa<UnitAttr>(encoding); }

/// Returns the tensor in memory that a block pointer belongs to.
TensorInMemory getTensor(const BlockPointerParts &parts) {
  return {parts.base, parts.extents, parts.strides};
}

/// Returns the addresses of the elements of one access.
ElementAddresses getAddresses(OpBuilder &builder, Location loc,
                              RankedTensorType block,
                              const BlockPointerParts &parts) {
  ElementAddresses addresses(builder, loc, block, getTensor(parts));
  // The block starts at the offset, in each dimension.
  for (auto [dim, offset] : llvm::enumerate(parts.offsets))
    addresses.setBlock(dim, offset);
  return addresses;
}

/// Creates the conjunction of two masks; either may be null.
Value combineMasks(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

/// A load through a tensor of pointers, with the checks of the block as its
/// mask:
///   %mask = 0 <= offset + i < shape, in each checked dimension
struct LoadOpRewrite : OpConversionPattern<triton::LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto block = cast<RankedTensorType>(op.getType());
    BlockPointerParts parts(adaptor.getPtr());
    ElementAddresses addresses =
        getAddresses(rewriter, op.getLoc(), block, parts);
    // Both the bounds and what the kernel asks for.
    Value mask = combineMasks(
        rewriter, op.getLoc(), addresses.createMask(op.getBoundaryCheck()),
        op.getMask() ? adaptor.getMask().front() : Value());
    // The value of masked-off elements: what the kernel says, or the padding.
    Value other;
    if (op.getOther())
      other = adaptor.getOther().front();
    else if (mask)
      other = ElementAddresses::createPadding(
          rewriter, op.getLoc(), block,
          op.getPadding().value_or(PaddingOption::PAD_ZERO));
    rewriter.replaceOpWithNewOp<triton::LoadOp>(
        op, addresses.createPointers(), mask, other, op.getCache(),
        op.getEvict(), op.getIsVolatile());
    return success();
  }
};

/// A store in the same way.
struct StoreOpRewrite : OpConversionPattern<triton::StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto block = cast<RankedTensorType>(op.getValue().getType());
    BlockPointerParts parts(adaptor.getPtr());
    ElementAddresses addresses =
        getAddresses(rewriter, op.getLoc(), block, parts);
    Value mask = combineMasks(
        rewriter, op.getLoc(), addresses.createMask(op.getBoundaryCheck()),
        op.getMask() ? adaptor.getMask().front() : Value());
    rewriter.replaceOpWithNewOp<triton::StoreOp>(
        op, addresses.createPointers(), adaptor.getValue().front(), mask,
        op.getCache(), op.getEvict());
    return success();
  }
};

/// Returns the addresses of the elements of gathered rows.
ElementAddresses getRowAddresses(OpBuilder &builder, Location loc,
                                 RankedTensorType block,
                                 const BlockPointerParts &parts, Value rows) {
  ElementAddresses addresses(builder, loc, block, getTensor(parts));
  // The first dimension has its numbers, the second one is a block.
  addresses.setNumbers(0, rows);
  addresses.setBlock(1, parts.offsets[1]);
  return addresses;
}

/// Returns `mask`, a column, for all elements of `block`; null stays null.
Value spreadMask(OpBuilder &builder, Location loc, RankedTensorType block,
                 Value mask) {
  if (!mask)
    return mask;
  return triton::BroadcastOp::create(builder, loc,
                                     block.clone(builder.getI1Type()), mask);
}

/// Gathered rows are loads of scattered rows, each along its columns.
struct GatherRowsOpRewrite : OpConversionPattern<GatherRowsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherRowsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto block = cast<RankedTensorType>(op.getType());
    ElementAddresses addresses =
        getRowAddresses(rewriter, loc, block,
                        BlockPointerParts(adaptor.getPtr()), op.getRows());
    // A row that its mask leaves out is left out in all columns.
    Value mask =
        combineMasks(rewriter, loc, addresses.createMask(op.getBoundaryCheck()),
                     spreadMask(rewriter, loc, block, op.getMask()));
    Value other;
    if (mask)
      other = ElementAddresses::createPadding(
          rewriter, loc, block,
          op.getPadding().value_or(PaddingOption::PAD_ZERO));
    rewriter.replaceOpWithNewOp<triton::LoadOp>(
        op, addresses.createPointers(), mask, other, op.getCache(),
        op.getEvict(), /*isVolatile=*/false);
    return success();
  }
};

/// Scattered rows are stores of such rows.
struct ScatterRowsOpRewrite : OpConversionPattern<ScatterRowsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScatterRowsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto block = cast<RankedTensorType>(op.getValue().getType());
    ElementAddresses addresses =
        getRowAddresses(rewriter, loc, block,
                        BlockPointerParts(adaptor.getPtr()), op.getRows());
    Value mask =
        combineMasks(rewriter, loc, addresses.createMask(op.getBoundaryCheck()),
                     spreadMask(rewriter, loc, block, op.getMask()));
    rewriter.replaceOpWithNewOp<triton::StoreOp>(op, addresses.createPointers(),
                                                 op.getValue(), mask,
                                                 op.getCache(), op.getEvict());
    return success();
  }
};

/// A block in pages: each row has the pointer of its page.
struct GatherPagesOpRewrite : OpConversionPattern<GatherPagesOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherPagesOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto block = cast<RankedTensorType>(op.getType());
    BlockPointerParts parts(adaptor.getPtr());
    ElementAddresses addresses = getAddresses(rewriter, loc, block, parts);
    addresses.setPages(op.getDim(), op.getPages());
    Value mask = addresses.createMask(op.getBoundaryCheck());
    Value other;
    if (mask)
      other = ElementAddresses::createPadding(
          rewriter, loc, block,
          op.getPadding().value_or(PaddingOption::PAD_ZERO));
    rewriter.replaceOpWithNewOp<triton::LoadOp>(
        op, addresses.createPointers(), mask, other, op.getCache(),
        op.getEvict(), /*isVolatile=*/false);
    return success();
  }
};

/// A prefetch is a hint; through scattered pointers it costs more than it
/// gains.
template <typename OpTy> struct PrefetchOpRewrite : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// See the head of the file.
class RewriteTensorPointerPass
    : public gpu::intel::impl::TritonIntelGPURewriteTensorPointerBase<
          RewriteTensorPointerPass> {
public:
  using TritonIntelGPURewriteTensorPointerBase::
      TritonIntelGPURewriteTensorPointerBase;

  void runOnTTGIR() override {
    ModuleOp module = getOperation();
    // Block pointers that flow into each other are rewritten together or not at
    // all.
    PointerWebs webs(module);
    chooseWebs(module, webs);

    // Rewriting starts at the makers: without one there are no parts.
    if (Value origin = webs.findUnknownOrigin()) {
      reportUnknownOrigin(module, webs, origin);
      return signalPassFailure();
    }
    bool anyMarked = false;
    // The marker goes onto types in place; signatures follow.
    for (Value value : webs.getValues()) {
      if (!webs.isRewritten(value))
        continue;
      value.setType(
          getMarkedBlockPointer(value.getType(), UnitAttr::get(&getContext())));
      anyMarked = true;
    }
    if (!anyMarked)
      return;
    updateFunctionTypes(module);
    if (failed(rewrite(module)))
      signalPassFailure();
  }

private:
  /// Marks the webs that have an access which cannot be a message, and says of
  /// every access that is rewritten why.
  void chooseWebs(ModuleOp module, PointerWebs &webs) {
    SmallVector<BlockAccessOpInterface> accesses;
    module.walk([&](BlockAccessOpInterface op) {
      if (op.getBlockPointer())
        accesses.push_back(op);
    });
    // All decisions come first: one access decides for the others of its web.
    ValueSources sources(module);
    SmallVector<BlockAccess> decisions;
    for (BlockAccessOpInterface op : accesses) {
      BlockAccess access;
      if (rewriteAll) {
        access.obstacle = BlockAccessObstacle::RewriteAll;
        access.reason = "all block pointers are to be rewritten";
      } else {
        access = decide(op, sources);
      }
      if (!access)
        webs.markForRewrite(op.getBlockPointer());
      decisions.push_back(std::move(access));
    }
    // Conditions count for accesses that stay only.
    LaunchConditions conditions;
    for (auto [op, access] : llvm::zip_equal(accesses, decisions)) {
      if (!webs.isRewritten(op.getBlockPointer())) {
        ++numKept;
        conditions.add(access.conditions);
        continue;
      }
      // What the attributes say is about messages.
      ++numRewritten;
      op->removeAttr(TritonIntelGPUDialect::getBlockIOAttrName());
      op->removeAttr(TritonIntelGPUDialect::getBlockMessageAttrName());
      op->removeAttr(TritonIntelGPUDialect::getStartsInRowAttrName());
      op->removeAttr(TritonIntelGPUDialect::getBoundedRowsAttrName());
      // This access could have been a message, had others not been in the way.
      if (access) {
        access.obstacle = BlockAccessObstacle::OtherAccess;
        access.reason = "another access through the same block pointer cannot "
                        "be a 2D block message";
      }
      report(op, access);
    }
    // Remarks of conditions have this pass as their category.
    conditions.create(getArgument());
  }

  /// Values have no line of their own where they are arguments of blocks: the
  /// access that has to be rewritten has one.
  static void reportUnknownOrigin(ModuleOp module, PointerWebs &webs,
                                  Value origin) {
    module.walk([&](BlockAccessOpInterface op) {
      Value pointer = op.getBlockPointer();
      if (!pointer || !webs.isConnected(pointer, origin))
        return WalkResult::advance();
      InFlightDiagnostic error = op.emitOpError(
          "cannot be a 2D block access, and its block pointer does not come "
          "from `tt.make_tensor_ptr`");
      error.attachNote(origin.getLoc()) << "the block pointer comes from here";
      return WalkResult::interrupt();
    });
  }

  /// Reports a missed remark with the obstacle's name, for people and tools
  /// that count.
  void report(Operation *op, const BlockAccess &access) {
    remark::missed(op->getLoc(),
                   remark::RemarkOpts::name(stringify(access.obstacle))
                       .category(getArgument()))
        << remark::reason(
               "block pointer rewritten to a tensor of pointers: {0}",
               access.reason);
  }

  /// Replaces everything that is marked.
  LogicalResult rewrite(ModuleOp module) {
    MLIRContext *context = &getContext();
    BlockPointerTypeConverter converter(isMarker);
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    populateBlockPointerPatterns(converter, patterns, target);
    patterns
        .add<LoadOpRewrite, StoreOpRewrite, GatherRowsOpRewrite,
             ScatterRowsOpRewrite, GatherPagesOpRewrite,
             PrefetchOpRewrite<PrefetchOp>, PrefetchOpRewrite<PrefetchPagesOp>>(
            converter, context);
    // Whatever is still marked has a type that is not legal.
    return applyPartialConversion(module, target, std::move(patterns));
  }
};

} // namespace
