//===- BlockPointerAccesses.cpp - Accesses without block pointers ---------===//
// SPDX-License-Identifier: MIT

#include "intel/Dialect/Triton/Transforms/BlockPointerAccesses.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/BlockPointerParts.h"
#include "triton/Dialect/Triton/Transforms/StructuralTypeConversions.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns an offset as it was before it became 64 bits wide.
Value getNarrow(Value offset) {
  auto extended = offset.getDefiningOp<arith::ExtSIOp>();
  return extended && extended.getIn().getType().isInteger(32) ? extended.getIn()
                                                              : offset;
}

/// A place in a tensor in memory.
struct Place {
  Value surface;
  SmallVector<Value> offsets;
};

/// Creates the tensor of one access.
Place createPlace(OpBuilder &builder, Location loc, ValueRange pointer) {
  BlockPointerParts parts(pointer);
  return {
      SurfaceOp::create(builder, loc, parts.base, parts.extents, parts.strides),
      llvm::map_to_vector(parts.offsets, getNarrow)};
}

/// Takes over what Intel's backend has found out about `from`.
void copyOrder(Operation *from, BlockAccessOpInterface to) {
  if (auto order = from->getAttrOfType<StringAttr>(
          TritonIntelGPUDialect::getBlockIOAttrName()))
    to.setOrder(symbolizeBlockOrder(order.getValue()));
}

struct LoadRewrite : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Accesses of other pointers have no parts.
    if (adaptor.getPtr().size() == 1)
      return failure();
    Location loc = op.getLoc();
    Place place = createPlace(rewriter, loc, adaptor.getPtr());
    auto load =
        LoadBlockOp::create(rewriter, loc, cast<RankedTensorType>(op.getType()),
                            place.surface, place.offsets, op.getBoundaryCheck(),
                            op.getPadding(), op.getCache(), op.getEvict());
    load.setIsVolatile(op.getIsVolatile());
    copyOrder(op, load);
    Value loaded = load;
    if (op.getMask())
      load.getMaskMutable().assign(adaptor.getMask().front());
    if (op.getOther())
      loaded = arith::SelectOp::create(rewriter, loc, adaptor.getMask().front(),
                                       loaded, adaptor.getOther().front());
    rewriter.replaceOp(op, loaded);
    return success();
  }
};

struct StoreRewrite : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getPtr().size() == 1)
      return failure();
    Place place = createPlace(rewriter, op.getLoc(), adaptor.getPtr());
    auto store = StoreBlockOp::create(
        rewriter, op.getLoc(), adaptor.getValue().front(), place.surface,
        place.offsets, op.getBoundaryCheck(), op.getCache(), op.getEvict());
    if (op.getMask())
      store.getMaskMutable().assign(adaptor.getMask().front());
    copyOrder(op, store);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The memory of the tensor may always be fetched, so that a prefetch has no
/// mask.
struct PrefetchRewrite : OpConversionPattern<PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrefetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getPtr().size() == 1)
      return failure();
    Place place = createPlace(rewriter, op.getLoc(), adaptor.getPtr());
    auto block = cast<RankedTensorType>(getPointeeType(op.getPtr().getType()));
    auto prefetch = PrefetchBlockOp::create(
        rewriter, op.getLoc(), block.cloneWithEncoding({}), place.surface,
        place.offsets, op.getBoundaryCheck());
    copyOrder(op, prefetch);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

LogicalResult gpu::intel::replaceMarkedBlockPointers(ModuleOp module) {
  updateFunctionTypes(module);
  MLIRContext *context = module.getContext();
  BlockPointerTypeConverter converter;
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  populateBlockPointerPatterns(converter, patterns, target);
  patterns.add<LoadRewrite, StoreRewrite, PrefetchRewrite>(converter, context);
  // An operation that is still marked has an illegal type.
  return applyPartialConversion(module, target, std::move(patterns));
}
