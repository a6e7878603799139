//===- MemDescOps.cpp - Operations on shared memory -----------------------===//
// SPDX-License-Identifier: MIT
//
// Verifiers, effects and canonicalization of TritonGPUMemDescOps.td.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

/// Checks that a tensor and memory hold the same kind of elements in the same
/// shape.
static LogicalResult verifySameContents(Operation *op, RankedTensorType tensor,
                                        MemDescType memory) {
  if (tensor.getShape() != memory.getShape() ||
      tensor.getElementType() != memory.getElementType())
    return op->emitOpError("expected tensor and memory of the same shape and "
                           "element type, found ")
           << tensor << " and " << memory;
  return success();
}

/// Checks that the memory may be written to.
static LogicalResult verifyMutable(Operation *op, MemDescType memory) {
  if (!memory.getMutableMemory())
    return op->emitOpError("expected mutable memory as destination, found ")
           << memory;
  return success();
}

/// Returns the tensor before conversions of its layout.
static Value stripConversions(Value value) {
  while (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSrc();
  return value;
}

//===----------------------------------------------------------------------===//
// LocalAllocOp
//===----------------------------------------------------------------------===//

LogicalResult LocalAllocOp::verify() {
  MemDescType type = getType();
  // An alignment is optional; see `getAlignmentOrDefault`.
  if (std::optional<uint32_t> alignment = getAlignment();
      alignment && !isAlignment(*alignment))
    return emitOpError("expected 'alignment' to be a power of two up to ")
           << kMaxAlignment << ", found " << static_cast<int32_t>(*alignment);
  // An allocation is no view.
  if (type.getAllocShape() != type.getShape())
    return emitOpError("expected the allocation shape to be the shape, found ")
           << type;
  if (Value src = getSrc())
    return verifySameContents(*this, cast<RankedTensorType>(src.getType()),
                              type);
  // It could never be written to.
  if (!type.getMutableMemory())
    return emitOpError("expected mutable memory without a source, found ")
           << type;
  return success();
}

void LocalAllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // Memory that never changes is equivalent to a value: as long as it has no
  // place, equal allocations may be merged and unused ones removed.
  if (!getType().getMutableMemory() &&
      !(*this)->hasAttr(TritonGPUDialect::getAllocationOffsetAttrName()))
    return;
  // Memory that may change, or that has a place, is distinguished from any
  // other.
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), SharedMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(),
                         getOperation()->getOpResult(0), SharedMemory::get());
}

/// Returns the size in bytes.
int32_t LocalAllocOp::getAlignmentOrDefault() {
  if (std::optional<uint32_t> alignment = getAlignment())
    return *alignment;
  return cast<SharedEncodingInterface>(getType().getEncoding())
      .getMinimalAlignment();
}

/// Takes the conversion of a layout out of the way of an allocation:
///   ttg.local_alloc(ttg.convert_layout %x)  ->  ttg.local_alloc %x
LogicalResult LocalAllocOp::canonicalize(LocalAllocOp op,
                                         PatternRewriter &rewriter) {
  // Shared memory can be written from any layout.
  Value src = op.getSrc();
  if (!src || stripConversions(src) == src)
    return failure();
  rewriter.modifyOpInPlace(
      op, [&] { op.getSrcMutable().assign(stripConversions(src)); });
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

LogicalResult LocalLoadOp::verify() {
  return verifySameContents(*this, cast<RankedTensorType>(getType()),
                            getSrc().getType());
}

LogicalResult LocalStoreOp::verify() {
  if (failed(verifyMutable(*this, getDst().getType())))
    return failure();
  return verifySameContents(*this, cast<RankedTensorType>(getSrc().getType()),
                            getDst().getType());
}

/// Does the same for a store.
LogicalResult LocalStoreOp::canonicalize(LocalStoreOp op,
                                         PatternRewriter &rewriter) {
  Value src = stripConversions(op.getSrc());
  if (src == op.getSrc())
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getSrcMutable().assign(src); });
  return success();
}

/// Checks what gathers and scatters have in common.
static LogicalResult verifyIndexed(Operation *op, MemDescType memory,
                                   RankedTensorType indices,
                                   RankedTensorType values, int32_t axis) {
  int64_t rank = memory.getRank();
  if (axis < 0 || axis >= rank)
    return op->emitOpError("expected 'axis' to be a dimension of the memory, "
                           "found ")
           << axis;
  // Each index states where its value comes from, or goes to.
  if (indices.getShape() != values.getShape() ||
      indices.getEncoding() != values.getEncoding())
    return op->emitOpError("expected indices and values of the same shape and "
                           "layout, found ")
           << indices << " and " << values;
  if (values.getElementType() != memory.getElementType())
    return op->emitOpError("expected values and memory of the same element "
                           "type, found ")
           << values << " and " << memory;
  if (indices.getRank() != rank)
    return op->emitOpError("expected indices of rank ")
           << rank << ", found " << indices;
  // Along the other dimensions, elements stay where they are.
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != axis && indices.getDimSize(dim) > memory.getDimSize(dim))
      return op->emitOpError("expected at most ")
             << memory.getDimSize(dim) << " indices along dimension " << dim
             << ", found " << indices.getDimSize(dim);
  return success();
}

LogicalResult LocalGatherOp::verify() {
  return verifyIndexed(*this, getSrc().getType(),
                       cast<RankedTensorType>(getIndices().getType()),
                       cast<RankedTensorType>(getType()), getAxis());
}

LogicalResult LocalScatterOp::verify() {
  if (failed(verifyMutable(*this, getDst().getType())))
    return failure();
  return verifyIndexed(
      *this, getDst().getType(), cast<RankedTensorType>(getIndices().getType()),
      cast<RankedTensorType>(getValues().getType()), getAxis());
}

LogicalResult LocalAtomicScatterRMWOp::verify() {
  if (failed(verifyMutable(*this, getDst().getType())))
    return failure();
  auto indices = cast<RankedTensorType>(getIndices().getType());
  auto values = cast<RankedTensorType>(getValues().getType());
  if (failed(
          verifyIndexed(*this, getDst().getType(), indices, values, getAxis())))
    return failure();
  if (getMask()) {
    auto mask = cast<RankedTensorType>(getMask().getType());
    if (mask.getShape() != values.getShape() ||
        mask.getEncoding() != values.getEncoding())
      return emitOpError("expected mask and values of the same shape and "
                         "layout, found ")
             << mask << " and " << values;
  }
  return verifyRMWElement(*this, getAtomicRmwOp(), values.getElementType());
}

/// The tensor has pointers to the elements of the memory.
LogicalResult AsyncCopyGlobalToLocalOp::verify() {
  MemDescType memory = getResult().getType();
  if (failed(verifyMutable(*this, memory)))
    return failure();
  auto pointers = cast<RankedTensorType>(getSrc().getType());
  return verifySameContents(
      *this, cast<RankedTensorType>(getPointeeType(pointers)), memory);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Checks what no view changes.
static LogicalResult verifyView(Operation *op, MemDescType src, MemDescType dst,
                                bool sameElements = true) {
  // A view is of the same memory, which it does not make mutable.
  if (src.getMemorySpace() != dst.getMemorySpace() ||
      src.getMutableMemory() != dst.getMutableMemory())
    return op->emitOpError("expected a view of the same memory space and "
                           "mutability, found ")
           << src << " and " << dst;
  if (sameElements && src.getElementType() != dst.getElementType())
    return op->emitOpError("expected a view of the same element type, found ")
           << src << " and " << dst;
  return success();
}

LogicalResult MemDescIndexOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst)))
    return failure();
  // Only the dimension before the encoded ones can be picked from.
  auto encoding = cast<SharedEncodingInterface>(src.getEncoding());
  if (encoding.getRank() + 1 != src.getRank())
    return emitOpError("expected several buffers (a layout of one dimension "
                       "less than the memory), found ")
           << src;
  if (dst.getShape() != src.getShape().drop_front())
    return emitOpError("expected a view without dimension 0, found ") << dst;
  // All buffers are alike.
  if (dst.getEncoding() != src.getEncoding() ||
      dst.getEncodedAllocShape() != src.getEncodedAllocShape())
    return emitOpError("expected a view of the same layout and allocation, "
                       "found ")
           << src << " and " << dst;
  return success();
}

LogicalResult MemDescSubsliceOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst)))
    return failure();
  // The layout is that of the allocation, of which the view is a part.
  if (dst.getEncoding() != src.getEncoding() ||
      dst.getAllocShape() != src.getAllocShape())
    return emitOpError("expected a view of the same layout and allocation, "
                       "found ")
           << src << " and " << dst;
  if (dst.getRank() != src.getRank() ||
      static_cast<int64_t>(getOffsets().size()) != src.getRank())
    return emitOpError("expected one offset per dimension of the operand and "
                       "the result, found ")
           << getOffsets().size();
  // Each dimension on its own.
  for (auto [i, offset] : llvm::enumerate(getOffsets())) {
    int64_t size = dst.getDimSize(i), available = src.getDimSize(i);
    if (offset < 0 || offset + size > available)
      return emitOpError(
                 "expected the view to lie inside of its operand, found "
                 "elements ")
             << offset << " to " << offset + size - 1 << " of " << available
             << " along dimension " << i;
    // Multiples, so that a view's own offset and that of elements have no bit
    // in common.
    if (offset % size != 0)
      return emitOpError("expected offsets to be multiples of the view's size, "
                         "found ")
             << offset << " along dimension " << i;
  }
  return success();
}

/// Returns the encoding of `type`'s memory with permuted dimensions; null if
/// that would mix buffers with elements.
static Attribute transposeEncoding(MemDescType type, ArrayRef<int32_t> order) {
  auto encoding = cast<SharedEncodingInterface>(type.getEncoding());
  // All dimensions are encoded.
  if (encoding.getRank() == order.size())
    return encoding.transpose(order);
  // Buffers stay first; the others move down by one.
  if (order.front() != 0)
    return {};
  return encoding.transpose(llvm::map_to_vector(
      order.drop_front(), [](int32_t dim) { return dim - 1; }));
}

/// Returns the type of the view; null if there is none.
static MemDescType inferTransType(MemDescType src, ArrayRef<int32_t> order) {
  unsigned rank = src.getRank();
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int32_t>(0, rank)))
    return {};
  Attribute encoding = transposeEncoding(src, order);
  if (!encoding)
    return {};
  SmallVector<int64_t> shape, allocShape(src.getAllocShape().drop_back(rank));
  // The allocation is permuted as the view is, except for its leading
  // dimensions.
  for (int32_t dim : order) {
    shape.push_back(src.getDimSize(dim));
    allocShape.push_back(src.getAllocShape().take_back(rank)[dim]);
  }
  return MemDescType::get(shape, src.getElementType(), encoding,
                          src.getMemorySpace(), src.getMutableMemory(),
                          allocShape);
}

void MemDescTransOp::build(OpBuilder &builder, OperationState &state, Value src,
                           ArrayRef<int32_t> order) {
  MemDescType type = inferTransType(cast<MemDescType>(src.getType()), order);
  assert(type && "the order must be a permutation that keeps the buffers");
  build(builder, state, type, src, order);
}

/// The encoding may be spelt in another way, as long as places agree.
LogicalResult MemDescTransOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst)))
    return failure();
  MemDescType expected = inferTransType(src, getOrder());
  if (!expected)
    return emitOpError("expected 'order' to be a permutation of the dimensions "
                       "that keeps the dimension of buffers first");
  if (expected.getShape() != dst.getShape() ||
      expected.getAllocShape() != dst.getAllocShape() ||
      !areLayoutsEquivalent(dst.getEncodedAllocShape(), expected.getEncoding(),
                            dst.getEncoding()))
    return emitOpError("expected a view of type ")
           << expected << ", found " << dst;
  return success();
}

/// A view that permutes nothing is its operand.
OpFoldResult MemDescTransOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && llvm::is_sorted(getOrder()))
    return getSrc();
  return {};
}

/// Returns the type of the view; null if there is none.
static MemDescType inferReshapeType(MemDescType src, ArrayRef<int64_t> shape) {
  auto encoding = cast<SharedEncodingInterface>(src.getEncoding());
  // The elements of a part of a buffer would not follow each other.
  if (src.getAllocShape() != src.getShape() ||
      encoding.getRank() != src.getRank() || shape.size() > kMaxTensorRank ||
      ShapedType::getNumElements(shape) != src.getNumElements() ||
      !llvm::all_of(shape, [](int64_t s) { return llvm::isPowerOf2_64(s); }))
    return {};
  LinearLayout layout = reshapeTensor(toLinearLayout(src), shape);
  MLIRContext *context = src.getContext();
  Attribute reshaped;
  // Padding stays between the same elements.
  if (auto padded = dyn_cast<PaddedSharedEncodingAttr>(src.getEncoding()))
    reshaped = PaddedSharedEncodingAttr::get(context, padded.getIntervals(),
                                             padded.getPaddings(), layout);
  else
    reshaped = SharedLinearEncodingAttr::get(context, layout,
                                             encoding.getMinimalAlignment());
  return MemDescType::get(shape, src.getElementType(), reshaped,
                          src.getMemorySpace(), src.getMutableMemory());
}

void MemDescReshapeOp::build(OpBuilder &builder, OperationState &state,
                             Value src, ArrayRef<int64_t> shape) {
  MemDescType type = inferReshapeType(cast<MemDescType>(src.getType()), shape);
  assert(type &&
         "the operand must be a whole buffer with the same number of elements");
  build(builder, state, type, src);
}

LogicalResult MemDescReshapeOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst)))
    return failure();
  MemDescType expected = inferReshapeType(src, dst.getShape());
  if (!expected)
    return emitOpError("expected a whole buffer in a shape of the same number "
                       "of elements, found ")
           << src << " and " << dst;
  if (expected.getAllocShape() != dst.getAllocShape() ||
      !areLayoutsEquivalent(dst.getShape(), expected.getEncoding(),
                            dst.getEncoding()))
    return emitOpError("expected a view of type ")
           << expected << ", found " << dst;
  return success();
}

/// Returns the number of bits of the memory of a type, in all its buffers.
static int64_t getStorageBits(MemDescType type) {
  auto encoding = cast<SharedEncodingInterface>(type.getEncoding());
  int64_t elements = encoding.getStorageElements(type.getEncodedAllocShape());
  for (int64_t buffers : type.getAllocShape().drop_back(encoding.getRank()))
    elements *= buffers;
  return elements * getIntOrFloatOrPtrBitWidth(type.getElementType());
}

/// Returns whether a part of a buffer is one stretch of memory, without
/// elements of other parts in it, wherever it starts.
static bool isStretch(MemDescType type) {
  auto encoding = cast<SharedEncodingInterface>(type.getEncoding());
  if (encoding.getRank() != type.getRank() ||
      !encoding.getPaddingRules().empty())
    return false;
  // The low bits of an offset choose an element of the part, and the others
  // choose the part: multiples of its size, as views start at.
  LinearLayout layout = toLinearLayout(type);
  int32_t numLowBits = llvm::Log2_64(type.getNumElements());
  for (int32_t bit = 0; bit < layout.getInDimSizeLog2(LayoutDim::Offset); ++bit)
    for (auto [place, size] : llvm::zip_equal(
             layout.getBasis(LayoutDim::Offset, bit), type.getShape()))
      if (bit < numLowBits ? place >= size : place % size != 0)
        return false;
  return true;
}

LogicalResult MemDescReinterpretOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifyView(*this, src, dst, /*sameElements=*/false)))
    return failure();
  // Another part of a buffer has no separate bytes.
  bool isPart = src.getAllocShape() != src.getShape();
  if (isPart && !isStretch(src))
    return emitOpError("expected a part of a buffer whose elements follow each "
                       "other in memory, found ")
           << src;
  if (dst.getAllocShape() != dst.getShape())
    return emitOpError("expected a whole buffer as result, found ") << dst;
  // Sizes are compared with padding, which parts do not have.
  int64_t available = isPart
                          ? src.getNumElements() *
                                getIntOrFloatOrPtrBitWidth(src.getElementType())
                          : getStorageBits(src);
  if (getStorageBits(dst) > available)
    return emitOpError("expected a view that needs no more than ")
           << available / 8 << " bytes, found " << getStorageBits(dst) / 8;
  return success();
}
