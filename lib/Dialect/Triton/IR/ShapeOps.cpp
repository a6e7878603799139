//===- ShapeOps.cpp - Operations on shapes --------------------------------===//
// SPDX-License-Identifier: MIT
//
// Verifiers, type inference, folders and canonicalization of TritonShapeOps.td.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

/// Returns a constant that is the same everywhere, in another shape; null
/// otherwise.
static Attribute resizeSplat(Attribute constant, Type type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(constant);
  if (!splat)
    return {};
  return splat.resizeSplat(cast<ShapedType>(type));
}

/// Replaces a change of shape of a splat by a splat in the new shape.
static LogicalResult replaceBySplat(Operation *op, Value src,
                                    PatternRewriter &rewriter) {
  auto splat = src.getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op->getResult(0).getType(),
                                       splat.getSrc());
  return success();
}

//===----------------------------------------------------------------------===//
// SplatOp, UnsplatOp
//===----------------------------------------------------------------------===//

LogicalResult SplatOp::verify() {
  // A splat may be of pointers or any other scalar type.
  Type element = cast<RankedTensorType>(getType()).getElementType();
  if (element != getSrc().getType())
    return emitOpError("expects a result with elements of type ")
           << getSrc().getType() << ", found " << element;
  return success();
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  // Pointers have no constants.
  if (!isa_and_nonnull<IntegerAttr, FloatAttr>(adaptor.getSrc()))
    return {};
  return SplatElementsAttr::get(cast<ShapedType>(getType()), adaptor.getSrc());
}

LogicalResult UnsplatOp::verify() {
  if (cast<RankedTensorType>(getSrc().getType()).getNumElements() != 1)
    return emitOpError("expects a tensor of one element, found ")
           << getSrc().getType();
  return success();
}

/// The element of a splat is what was splat.
OpFoldResult UnsplatOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getSrc().getDefiningOp<SplatOp>())
    return splat.getSrc();
  if (auto constant = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return constant.getSplatValue<Attribute>();
  return {};
}

//===----------------------------------------------------------------------===//
// ExpandDimsOp
//===----------------------------------------------------------------------===//

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto src = cast<RankedTensorType>(adaptor.getSrc().getType());
  int32_t axis = static_cast<int32_t>(adaptor.getAxis());
  // The new dimension may also come after all others.
  if (axis < 0 || axis > src.getRank())
    return emitOptionalError(loc, "`tt.expand_dims` expects `axis` from 0 to ",
                             src.getRank(), ", found ", axis);
  SmallVector<int64_t> shape(src.getShape());
  shape.insert(shape.begin() + axis, 1);

  // Without a layout the result has none either: this is TTIR.
  Attribute encoding;
  if (src.getEncoding()) {
    auto layouts = findInferLayoutInterface(src.getEncoding(), loc);
    if (failed(layouts) || failed((*layouts)->inferExpandDimsOpEncoding(
                               src.getEncoding(), axis, encoding, loc)))
      return failure();
  }
  types.push_back(RankedTensorType::get(shape, src.getElementType(), encoding));
  return success();
}

/// The inferred layout may be spelt in another way.
bool ExpandDimsOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return isSameUpToEqualLayout(lhs, rhs);
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return resizeSplat(adaptor.getSrc(), getType());
}

LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op,
                                         PatternRewriter &rewriter) {
  return replaceBySplat(op, op.getSrc(), rewriter);
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType());
  auto dst = cast<RankedTensorType>(getType());
  if (src.getRank() != dst.getRank())
    return emitOpError("expects operand and result of the same rank, found ")
           << src << " and " << dst;
  // Each dimension stays or grows from 1.
  for (auto [dim, sizes] :
       llvm::enumerate(llvm::zip(src.getShape(), dst.getShape()))) {
    auto [from, to] = sizes;
    if (from != to && from != 1)
      return emitOpError("expects only dimensions of size 1 to grow, found ")
             << from << " to " << to << " in dimension " << dim;
  }
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  // Nothing grows.
  if (getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

/// Two broadcasts in a row are one, and one of a splat is a larger splat.
LogicalResult BroadcastOp::canonicalize(BroadcastOp op,
                                        PatternRewriter &rewriter) {
  if (auto inner = op.getSrc().getDefiningOp<BroadcastOp>()) {
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSrc());
    return success();
  }
  return replaceBySplat(op, op.getSrc(), rewriter);
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

void ReshapeOp::build(OpBuilder &builder, OperationState &state,
                      ArrayRef<int64_t> shape, Value src, bool allowReorder) {
  auto srcType = cast<RankedTensorType>(src.getType());
  Attribute encoding;
  if (Attribute srcEncoding = srcType.getEncoding()) {
    // An operand without a known layout is the verifier's to report.
    if (const auto *layouts = getInferLayoutInterface(srcEncoding))
      (void)layouts->inferReshapeOpEncoding(srcType.getShape(), srcEncoding,
                                            shape, encoding, allowReorder,
                                            state.location);
  }
  build(builder, state,
        RankedTensorType::get(shape, srcType.getElementType(), encoding), src,
        allowReorder, /*efficient_layout=*/false);
}

LogicalResult ReshapeOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType());
  auto dst = cast<RankedTensorType>(getType());
  if (src.getNumElements() != dst.getNumElements())
    return emitOpError("expects the result to have the number of elements of "
                       "the operand, ")
           << src.getNumElements() << ", found " << dst.getNumElements();
  Attribute srcEncoding = src.getEncoding();
  Attribute dstEncoding = dst.getEncoding();
  // A reshape does not bring a tensor from TTIR into TTGIR.
  if (!srcEncoding != !dstEncoding)
    return emitOpError("expects operand and result to have both an encoding "
                       "or none");
  // With any order of elements, any layout is right.
  if (!srcEncoding || getAllowReorder())
    return success();

  // The layout follows from that of the operand, up to its spelling.
  auto layouts = findInferLayoutInterface(srcEncoding, getLoc());
  Attribute inferred;
  if (failed(layouts) ||
      failed((*layouts)->inferReshapeOpEncoding(
          src.getShape(), srcEncoding, dst.getShape(), inferred,
          /*allowReorder=*/false, getLoc())))
    return failure();
  return (*layouts)->verifyLayoutsAreEqual(dst.getShape(), inferred,
                                           dstEncoding, getLoc());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  // Keeping the order is one of the orders that `allow_reorder` allows.
  if (getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

/// Two reshapes in a row are one, and one of a splat is a splat.
LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  auto inner = op.getSrc().getDefiningOp<ReshapeOp>();
  if (!inner)
    return replaceBySplat(op, op.getSrc(), rewriter);
  // The layouts of these have been chosen, and stay.
  if (op.getEfficientLayout() || inner.getEfficientLayout())
    return failure();
  // The order is kept only if both keep it.
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getSrc(),
                                         op.getAllowReorder() ||
                                             inner.getAllowReorder(),
                                         /*efficient_layout=*/false);
  return success();
}

//===----------------------------------------------------------------------===//
// CatOp, JoinOp, SplitOp
//===----------------------------------------------------------------------===//

LogicalResult CatOp::verify() {
  // Elements come in any order, so only their number counts.
  int64_t operandSize =
      cast<RankedTensorType>(getLhs().getType()).getNumElements();
  int64_t resultSize = cast<RankedTensorType>(getType()).getNumElements();
  if (resultSize != 2 * operandSize)
    return emitOpError("expects a result of ")
           << 2 * operandSize << " elements, found " << resultSize;
  return success();
}

LogicalResult JoinOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto src = cast<RankedTensorType>(adaptor.getLhs().getType());
  SmallVector<int64_t> shape(src.getShape());
  // The operands side by side along a new last dimension.
  shape.push_back(2);

  Attribute encoding;
  if (src.getEncoding()) {
    auto layouts = findInferLayoutInterface(src.getEncoding(), loc);
    if (failed(layouts) ||
        failed((*layouts)->inferDefaultJoinOpEncoding(
            src.getEncoding(), encoding, src.getShape(), loc)))
      return failure();
  }
  types.push_back(RankedTensorType::get(shape, src.getElementType(), encoding));
  return success();
}

bool JoinOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return isSameUpToEqualLayout(lhs, rhs);
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto src = cast<RankedTensorType>(adaptor.getSrc().getType());
  // The halves are distinguished by the last dimension.
  if (src.getRank() == 0 || src.getShape().back() != 2)
    return emitOptionalError(
        loc, "`tt.split` expects a last dimension of size 2, found ", src);

  Attribute encoding;
  if (src.getEncoding()) {
    auto layouts = findInferLayoutInterface(src.getEncoding(), loc);
    if (failed(layouts) ||
        failed((*layouts)->inferSplitOpEncoding(src.getEncoding(), encoding,
                                                src.getShape(), loc)))
      return failure();
  }
  // Both halves have the same type.
  types.append(2, RankedTensorType::get(src.getShape().drop_back(),
                                        src.getElementType(), encoding));
  return success();
}

bool SplitOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return isSameUpToEqualLayout(lhs, rhs);
}

/// A split of a join is what was joined, unless the layouts differ.
LogicalResult SplitOp::fold(FoldAdaptor adaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  auto join = getSrc().getDefiningOp<JoinOp>();
  if (!join || join.getLhs().getType() != getOutLHS().getType())
    return failure();
  results.assign({join.getLhs(), join.getRhs()});
  return success();
}

//===----------------------------------------------------------------------===//
// TransOp
//===----------------------------------------------------------------------===//

LogicalResult TransOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto src = cast<RankedTensorType>(adaptor.getSrc().getType());
  ArrayRef<int32_t> order = adaptor.getOrder();

  // Each dimension once, and all of them.
  SmallVector<bool> seen(src.getRank(), false);
  SmallVector<int64_t> shape;
  for (int32_t dim : order) {
    if (dim < 0 || dim >= src.getRank() || seen[dim])
      break;
    seen[dim] = true;
    shape.push_back(src.getDimSize(dim));
  }
  if (shape.size() != order.size() ||
      static_cast<int64_t>(order.size()) != src.getRank())
    return emitOptionalError(loc, "`tt.trans` expects `order` to be a ",
                             "permutation of the operand's dimensions");

  Attribute encoding;
  if (src.getEncoding()) {
    auto layouts = findInferLayoutInterface(src.getEncoding(), loc);
    if (failed(layouts) ||
        failed((*layouts)->inferTransOpEncoding(
            src.getEncoding(), src.getShape(), order, encoding, loc)))
      return failure();
  }
  types.push_back(RankedTensorType::get(shape, src.getElementType(), encoding));
  return success();
}

bool TransOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return isSameUpToEqualLayout(lhs, rhs);
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  bool isIdentity =
      llvm::all_of(llvm::enumerate(getOrder()), [](const auto &entry) {
        return static_cast<int32_t>(entry.index()) == entry.value();
      });
  if (isIdentity && getSrc().getType() == getType())
    return getSrc();
  return resizeSplat(adaptor.getSrc(), getType());
}

/// Two transpositions in a row are one, and one of a splat is a splat.
LogicalResult TransOp::canonicalize(TransOp op, PatternRewriter &rewriter) {
  auto inner = op.getSrc().getDefiningOp<TransOp>();
  if (!inner)
    return replaceBySplat(op, op.getSrc(), rewriter);
  // Dimension i of the result is dimension order[i] of the inner result, which
  // is dimension inner[order[i]] of the operand.
  SmallVector<int32_t> order;
  for (int32_t dim : op.getOrder())
    order.push_back(inner.getOrder()[dim]);
  rewriter.replaceOpWithNewOp<TransOp>(op, op.getType(), inner.getSrc(),
                                       rewriter.getDenseI32ArrayAttr(order));
  return success();
}

//===----------------------------------------------------------------------===//
// GatherOp, HistogramOp
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType());
  auto indices = cast<RankedTensorType>(getIndices().getType());
  auto result = cast<RankedTensorType>(getType());
  // Each index has a result.
  if (indices.getShape() != result.getShape())
    return emitOpError("expects a result of the indices' shape, found ")
           << result << " and " << indices;
  if (indices.getEncoding() != result.getEncoding())
    return emitOpError("expects a result with the indices' encoding");
  if (src.getElementType() != result.getElementType())
    return emitOpError("expects a result with elements of type ")
           << src.getElementType() << ", found " << result.getElementType();
  if (src.getRank() != indices.getRank())
    return emitOpError("expects operand and indices of the same rank, found ")
           << src << " and " << indices;
  int32_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= src.getRank())
    return emitOpError(
               "expects `axis` to be a dimension of the operand, found ")
           << axis;
  // Along the axis there may be any number of indices.
  for (int64_t dim = 0; dim < src.getRank(); ++dim)
    if (dim != axis && src.getDimSize(dim) != indices.getDimSize(dim))
      return emitOpError("expects operand and indices to differ in size only "
                         "in dimension ")
             << axis << ", found " << src << " and " << indices;
  return success();
}

LogicalResult HistogramOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType());
  auto result = cast<RankedTensorType>(getType());
  if (src.getRank() != 1 || result.getRank() != 1)
    return emitOpError("expects operand and result of rank 1, found ")
           << src << " and " << result;
  return success();
}
