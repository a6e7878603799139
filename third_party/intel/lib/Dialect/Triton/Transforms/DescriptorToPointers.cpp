//===- DescriptorToPointers.cpp - Descriptors that select elements --------===//
//
// Coordinates are computed in 64 bits along each dimension alone, as are their
// part of the address and the comparison with the tensor's extent; only then
// are they broadcast to the block. A sum of an index and a position within the
// block cannot overflow, so that nothing wraps around into the tensor.
//
//===----------------------------------------------------------------------===//

#include "DescriptorToPointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::intel;

namespace {

/// Emits the tensor of pointers to the elements of one access, and the mask of
/// those that exist.
class ElementAddresses {
public:
  /// `parts` is the converted descriptor. `shape` is that of the access.
  ElementAddresses(OpBuilder &builder, Location loc, ValueRange parts,
                   ArrayRef<int64_t> shape)
      : builder(builder), loc(loc), parts(parts), shape(shape) {
    assert(parts.size() == 1 + 2 * shape.size() && "one part per dimension");
  }

  /// The coordinates along `dim` start at `index` (i32).
  void addBlock(unsigned dim, Value index);
  /// The coordinates along `dim` are `numbers`, a tensor of i32.
  void addNumbers(unsigned dim, Value numbers);

  Value getPointers();
  Value getMask() const { return mask; }

private:
  void add(unsigned dim, Value coordinates);
  Value splat(Value scalar, int64_t size);
  Value spread(unsigned dim, Value vector);

  OpBuilder &builder;
  Location loc;
  ValueRange parts;
  ArrayRef<int64_t> shape;
  Value offsets, mask;
};

Value ElementAddresses::splat(Value scalar, int64_t size) {
  auto type = RankedTensorType::get({size}, scalar.getType());
  return SplatOp::create(builder, loc, type, scalar);
}

/// `vector`, which goes along `dim`, in the shape of the access.
Value ElementAddresses::spread(unsigned dim, Value vector) {
  for (unsigned other = 0; other < shape.size(); ++other)
    if (other != dim)
      vector = ExpandDimsOp::create(builder, loc, vector, other);
  Type element = cast<RankedTensorType>(vector.getType()).getElementType();
  auto type = RankedTensorType::get(shape, element);
  return vector.getType() == type
             ? vector
             : triton::BroadcastOp::create(builder, loc, type, vector)
                   .getResult();
}

void ElementAddresses::addBlock(unsigned dim, Value index) {
  int64_t size = shape[dim];
  auto type = RankedTensorType::get({size}, builder.getI32Type());
  Value range = MakeRangeOp::create(builder, loc, type, 0, size);
  auto wideType = RankedTensorType::get({size}, builder.getI64Type());
  Value wide = arith::ExtSIOp::create(builder, loc, wideType, range);
  Value start =
      arith::ExtSIOp::create(builder, loc, builder.getI64Type(), index);
  add(dim, arith::AddIOp::create(builder, loc, splat(start, size), wide));
}

void ElementAddresses::addNumbers(unsigned dim, Value numbers) {
  auto type = RankedTensorType::get({shape[dim]}, builder.getI64Type());
  add(dim, arith::ExtSIOp::create(builder, loc, type, numbers));
}

void ElementAddresses::add(unsigned dim, Value coordinates) {
  int64_t size = shape[dim];
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  Value isAbove = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        coordinates, splat(zero, size));
  Value isBelow =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            coordinates, splat(parts[1 + dim], size));
  Value isInside =
      spread(dim, arith::AndIOp::create(builder, loc, isAbove, isBelow));
  Value stride = splat(parts[1 + shape.size() + dim], size);
  Value offset =
      spread(dim, arith::MulIOp::create(builder, loc, coordinates, stride));
  offsets =
      offsets ? arith::AddIOp::create(builder, loc, offsets, offset).getResult()
              : offset;
  mask = mask ? arith::AndIOp::create(builder, loc, mask, isInside).getResult()
              : isInside;
}

Value ElementAddresses::getPointers() {
  auto type = RankedTensorType::get(shape, parts.front().getType());
  Value base = SplatOp::create(builder, loc, type, parts.front());
  return AddPtrOp::create(builder, loc, type, base, offsets);
}

/// What an element outside of the tensor reads as.
Value createPadding(OpBuilder &builder, Location loc, RankedTensorType type,
                    PaddingOption padding) {
  Attribute value = builder.getZeroAttr(type.getElementType());
  auto floatType = dyn_cast<FloatType>(type.getElementType());
  if (floatType && padding == PaddingOption::PAD_NAN)
    value = builder.getFloatAttr(
        floatType, APFloat::getNaN(floatType.getFloatSemantics()));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, value));
}

struct DescriptorGatherOpConversion : OpConversionPattern<DescriptorGatherOp> {
  DescriptorGatherOpConversion(const TypeConverter &converter,
                               MLIRContext *context, const PaddingMap &paddings)
      : OpConversionPattern(converter, context), paddings(paddings) {}

  LogicalResult
  matchAndRewrite(DescriptorGatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    ElementAddresses addresses(rewriter, op.getLoc(), adaptor.getDesc(),
                               type.getShape());
    addresses.addNumbers(0, adaptor.getXOffsets().front());
    addresses.addBlock(1, adaptor.getYOffset().front());
    Value padding =
        createPadding(rewriter, op.getLoc(), type, paddings.lookup(op));
    rewriter.replaceOpWithNewOp<triton::LoadOp>(
        op, addresses.getPointers(), addresses.getMask(), padding,
        CacheModifier::NONE, EvictionPolicy::NORMAL, /*isVolatile=*/false);
    return success();
  }

  const PaddingMap &paddings;
};

struct DescriptorScatterOpConversion
    : OpConversionPattern<DescriptorScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DescriptorScatterOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSrc().front();
    ElementAddresses addresses(
        rewriter, op.getLoc(), adaptor.getDesc(),
        cast<RankedTensorType>(source.getType()).getShape());
    addresses.addNumbers(0, adaptor.getXOffsets().front());
    addresses.addBlock(1, adaptor.getYOffset().front());
    rewriter.replaceOpWithNewOp<triton::StoreOp>(
        op, addresses.getPointers(), source, addresses.getMask(),
        CacheModifier::NONE, EvictionPolicy::NORMAL);
    return success();
  }
};

/// The atomic operation on single elements; none if there is none for the type.
std::optional<RMWOp> getRMWOp(DescriptorReduceKind kind, Type element) {
  bool isFloat = isa<FloatType>(element);
  bool isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case DescriptorReduceKind::ADD:
    return isFloat ? RMWOp::FADD : RMWOp::ADD;
  case DescriptorReduceKind::MIN:
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
    ElementAddresses addresses(rewriter, loc, adaptor.getDesc(),
                               block.getShape());
    for (auto [dim, index] : llvm::enumerate(adaptor.getIndices()))
      addresses.addBlock(dim, index.front());
    // The operand may leave out leading dimensions of size 1.
    Value source = adaptor.getSrc().front();
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getShape() != block.getShape()) {
      type = type.clone(block.getShape());
      source = ReshapeOp::create(rewriter, loc, type, source);
    }
    AtomicRMWOp::create(rewriter, loc, type, *kind, addresses.getPointers(),
                        source, addresses.getMask(), MemSemantic::RELAXED,
                        MemSyncScope::GPU);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::intel::populateDescriptorToPointersPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns,
    const PaddingMap &paddings) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DescriptorGatherOpConversion>(converter, context, paddings);
  patterns.add<DescriptorScatterOpConversion, DescriptorReduceOpConversion>(
      converter, context);
}
