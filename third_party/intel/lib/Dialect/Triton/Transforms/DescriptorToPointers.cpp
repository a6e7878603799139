//===- DescriptorToPointers.cpp - Atomic operations of descriptors --------===//
// SPDX-License-Identifier: MIT

#include "DescriptorToPointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/InferLayoutInterface.h"
#include "triton/Dialect/TritonGPU/Transforms/ElementAddresses.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::intel;
using mlir::triton::gpu::ElementAddresses;

DescriptorParts::DescriptorParts(TensorDescType type, ValueRange parts)
    : rank(cast<RankedTensorType>(type.getBlockType()).getRank()),
      parts(parts) {}

SmallVector<Value> DescriptorParts::getStrides(OpBuilder &builder,
                                               Location loc) const {
  // The parts of a descriptor are its base, shape and strides, then flags. The
  // last stride is 1 by definition; a constant states this to later passes.
  SmallVector<Value> strides(parts.slice(1 + rank, rank));
  strides.back() =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  return strides;
}

Value DescriptorParts::getPadsWithNan() const {
  return parts.size() > 1 + 2 * rank ? parts[1 + 2 * rank] : Value();
}

FailureOr<RankedTensorType>
mlir::triton::intel::reshapeType(Location loc, RankedTensorType tensor,
                                 ArrayRef<int64_t> shape) {
  if (tensor.getShape() == shape)
    return tensor;
  Attribute encoding = tensor.getEncoding(), inferred;
  if (encoding) {
    auto layouts = findInferLayoutInterface(encoding, loc);
    if (failed(layouts) || failed((*layouts)->inferReshapeOpEncoding(
                               tensor.getShape(), encoding, shape, inferred,
                               /*allowReorder=*/false, loc)))
      return failure();
  }
  return RankedTensorType::get(shape, tensor.getElementType(), inferred);
}

namespace {

/// Returns the atomic operation on single elements; none if there is none for
/// the type.
std::optional<RMWOp> getRMWOp(DescriptorReduceKind kind, Type element) {
  // The sign is that of the descriptor's element type.
  bool isFloat = isa<FloatType>(element);
  bool isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case DescriptorReduceKind::ADD:
    return isFloat ? RMWOp::FADD : RMWOp::ADD;
  case DescriptorReduceKind::MIN:
    // Floats have no atomic minimum or maximum in `tt`.
    if (isFloat)
      return std::nullopt;
    return isUnsigned ? RMWOp::UMIN : RMWOp::MIN;
  case DescriptorReduceKind::MAX:
    if (isFloat)
      return std::nullopt;
    return isUnsigned ? RMWOp::UMAX : RMWOp::MAX;
  case DescriptorReduceKind::AND:
    return isFloat ? std::nullopt : std::optional(RMWOp::AND);
  case DescriptorReduceKind::OR:
    return isFloat ? std::nullopt : std::optional(RMWOp::OR);
  case DescriptorReduceKind::XOR:
    return isFloat ? std::nullopt : std::optional(RMWOp::XOR);
  case DescriptorReduceKind::INC:
  case DescriptorReduceKind::DEC:
    return std::nullopt;
  }
  llvm_unreachable("all kinds are handled");
}

/// `tt.descriptor_reduce`: an atomic operation on pointers, masked at the
/// tensor's edges.
struct DescriptorReduceOpConversion : OpConversionPattern<DescriptorReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DescriptorReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto block = cast<RankedTensorType>(
        cast<TensorDescType>(op.getDesc().getType()).getBlockType());
    std::optional<RMWOp> kind = getRMWOp(op.getKind(), block.getElementType());
    if (!kind)
      return op.emitOpError("has no atomic `")
             << stringifyDescriptorReduceKind(op.getKind()) << "` of "
             << block.getElementType();
    // The operand may leave out leading dimensions of size 1.
    Value source = adaptor.getSrc().front();
    FailureOr<RankedTensorType> type = reshapeType(
        loc, cast<RankedTensorType>(source.getType()), block.getShape());
    if (failed(type))
      return failure();
    if (source.getType() != *type)
      source = ReshapeOp::create(rewriter, loc, *type, source);
    DescriptorParts parts(op.getDesc().getType(), adaptor.getDesc());
    SmallVector<Value> strides = parts.getStrides(rewriter, loc);
    ElementAddresses addresses(rewriter, loc, *type,
                               {parts.getBase(), parts.getExtents(), strides});
    for (auto [dim, index] : llvm::enumerate(adaptor.getIndices()))
      addresses.setBlock(dim, index.front());
    Value mask = addresses.createMask();
    // No result is used, so no order is required.
    AtomicRMWOp::create(rewriter, loc, *type, *kind, addresses.createPointers(),
                        source, mask, MemSemantic::RELAXED, MemSyncScope::GPU);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::intel::populateDescriptorToPointersPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<DescriptorReduceOpConversion>(converter, patterns.getContext());
}
