//===- BlockPointerParts.cpp - A block pointer as scalars -----------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/Triton/Transforms/BlockPointerParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/StructuralTypeConversions.h"

using namespace mlir;
using namespace mlir::triton;

Value mlir::triton::extendToI64(OpBuilder &builder, Location loc, Value value) {
  if (value.getType().isInteger(64))
    return value;
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
}

Type mlir::triton::getMarkedBlockPointer(Type type) {
  auto pointer = cast<PointerType>(type);
  auto tensor = cast<RankedTensorType>(pointer.getPointeeType());
  // No layout is a unit attribute.
  return PointerType::get(
      tensor.cloneWithEncoding(UnitAttr::get(type.getContext())),
      pointer.getAddressSpace());
}

BlockPointerTypeConverter::BlockPointerTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion(
      [](PointerType type,
         SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
        // Without an answer here the conversion above applies.
        if (!isTensorPointerType(type))
          return std::nullopt;
        auto tensor = cast<RankedTensorType>(type.getPointeeType());
        if (!isa_and_nonnull<UnitAttr>(tensor.getEncoding()))
          return std::nullopt;
        Builder builder(type.getContext());
        parts.push_back(
            getPointerType(tensor.getElementType(), type.getAddressSpace()));
        parts.append(3 * tensor.getRank(), builder.getI64Type());
        return success();
      });
}

namespace {

/// `tt.make_tensor_ptr`: its operands, with 64-bit offsets.
struct MakeTensorPtrOpRewrite : OpConversionPattern<MakeTensorPtrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MakeTensorPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts{adaptor.getBase()};
    llvm::append_range(parts, adaptor.getShape());
    llvm::append_range(parts, adaptor.getStrides());
    for (Value offset : adaptor.getOffsets())
      parts.push_back(extendToI64(rewriter, op.getLoc(), offset));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

/// `tt.advance`: adds the steps to the offsets.
struct AdvanceOpRewrite : OpConversionPattern<AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts(adaptor.getPtr());
    unsigned rank = adaptor.getOffsets().size();
    // Offsets lie after the base, the shape and the strides.
    for (auto [dim, step] : llvm::enumerate(adaptor.getOffsets())) {
      Value &offset = parts[1 + 2 * rank + dim];
      offset = arith::AddIOp::create(
          rewriter, op.getLoc(), offset,
          extendToI64(rewriter, op.getLoc(), step.front()));
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

} // namespace

void mlir::triton::populateBlockPointerPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns,
                                                ConversionTarget &target) {
  populateStructuralTypeConversions(converter, patterns, target);
  patterns.add<MakeTensorPtrOpRewrite, AdvanceOpRewrite>(converter,
                                                         patterns.getContext());
}
