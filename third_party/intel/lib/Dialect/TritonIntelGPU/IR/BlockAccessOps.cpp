//===- BlockAccessOps.cpp - Accesses of blocks of a tensor ----------------===//
// SPDX-License-Identifier: MIT
//
// Builders, verifiers and effects of BlockAccessOps.td.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

#include "intel/Dialect/TritonIntelGPU/IR/BlockAccessInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// SurfaceOp
//===----------------------------------------------------------------------===//

void SurfaceOp::build(OpBuilder &builder, OperationState &state, Value base,
                      ValueRange extents, ValueRange strides) {
  build(builder, state, base, extents, strides, /*number=*/IntegerAttr(),
        SurfaceRuleState::Open);
}

LogicalResult SurfaceOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &results) {
  auto base = operands.empty() ? PointerType()
                               : dyn_cast<PointerType>(operands[0].getType());
  if (!base)
    return emitOptionalError(location, "expected a pointer as base");
  // One extent per stride.
  unsigned rank = (operands.size() - 1) / 2;
  results.push_back(MemoryType::get(context, base.getPointeeType(), rank));
  return success();
}

unsigned SurfaceOp::getElementBits() {
  return getIntOrFloatOrPtrBitWidth(getResult().getType().getElementType());
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::optional<BlockMessageShape>
gpu::intel::getStatedMessage(BlockAccessOpInterface op) {
  std::optional<ArrayRef<int32_t>> shape = op.getMessageShape();
  if (!shape)
    return std::nullopt;
  auto number = [&](unsigned i) { return static_cast<unsigned>((*shape)[i]); };
  return BlockMessageShape{number(0), number(1), number(2)};
}

bool gpu::intel::loadsBlock(Operation *op) {
  auto load = dyn_cast<LoadBlockOp>(op);
  return load && !load.getRows();
}

bool gpu::intel::loadsSameBlock(Operation *op) {
  auto load = dyn_cast<LoadBlockOp>(op);
  return load && loadsBlock(op) && load.getOrder() && !load.getIsVolatile();
}

//===----------------------------------------------------------------------===//
// Common rules of accesses
//===----------------------------------------------------------------------===//

/// Checks the dimensions that may leave the tensor, and the padding.
static LogicalResult verifyBounds(BlockAccessOpInterface op) {
  RankedTensorType block = op.getBlockType();
  llvm::SmallBitVector seen(block.getRank());
  for (int32_t dim : op.getBoundaryCheck()) {
    if (dim < 0 || dim >= block.getRank() || seen[dim])
      return op->emitOpError("expected 'boundaryCheck' to name dimensions of "
                             "the block once each, found ")
             << dim;
    seen.set(dim);
  }
  // Integers have no NaN.
  if (op.getPadding() == PaddingOption::PAD_NAN &&
      !isa<FloatType>(block.getElementType()))
    return op->emitOpError("expected floats to be padded with NaN, found ")
           << block.getElementType();
  return success();
}

/// Checks the numbers of rows, if there are any, and the mask.
static LogicalResult verifyRows(BlockAccessOpInterface op) {
  RankedTensorType block = op.getBlockType();
  SmallVector<int64_t> column(block.getRank(), 1);
  column.front() = block.getShape().front();
  if (Value rows = op.getRows()) {
    if (block.getRank() != 2)
      return op->emitOpError("expected a block of rank 2, found ") << block;
    // A number for each row of the block.
    auto type = cast<RankedTensorType>(rows.getType());
    if (type.getShape() != ArrayRef<int64_t>(column))
      return op->emitOpError("expected a column of ")
             << block.getDimSize(0) << " row numbers, found " << type;
  }
  if (Value mask = op.getMask()) {
    auto type = cast<RankedTensorType>(mask.getType());
    if (type.getShape() != block.getShape() &&
        type.getShape() != ArrayRef<int64_t>(column))
      return op->emitOpError("expected a mask of the block or a column of one, "
                             "found ")
             << type;
  }
  return success();
}

/// Checks the pages, if there are any.
static LogicalResult verifyPages(BlockAccessOpInterface op) {
  int64_t numPages = op.getPages().size();
  if (numPages == 0)
    return success();
  RankedTensorType block = op.getBlockType();
  if (block.getRank() != 2)
    return op->emitOpError("expected a block of rank 2, found ") << block;
  if (op.getRows())
    return op->emitOpError("expected either row numbers or pages");
  // Shapes are powers of two, and so are their parts.
  unsigned dim = op.getPageDim();
  if (block.getDimSize(dim) % numPages != 0)
    return op->emitOpError("expected equal parts of dimension ")
           << dim << " of " << block << ", found " << numPages;
  for (Value page : op.getPages())
    if (getPointeeType(page.getType()) != block.getElementType())
      return op->emitOpError("expected pages of elements of type ")
             << block.getElementType() << ", found " << page.getType();
  return success();
}

/// Checks what all accesses have in common.
static LogicalResult verifyAccess(BlockAccessOpInterface op) {
  RankedTensorType block = op.getBlockType();
  auto memory = cast<MemoryType>(op.getSurface().getType());
  if (memory.getElementType() != block.getElementType() ||
      memory.getRank() != block.getRank())
    return op->emitOpError("expected a block of the elements and the rank of ")
           << memory << ", found " << block;
  if (op.getOffsets().size() != size_t(block.getRank()))
    return op->emitOpError("expected ")
           << block.getRank() << " offsets, found " << op.getOffsets().size();
  if (!op.getOrder() &&
      (op.getMessagesAttr() || op.getStartsInRow() || op.getBoundedRows()))
    return op->emitOpError("expected an 'order' with other results of the "
                           "analysis of accesses");
  if (std::optional<ArrayRef<int32_t>> shape = op.getMessageShape())
    if (shape->size() != 3 || llvm::any_of(*shape, [](int32_t size) {
          return size <= 0 || !llvm::isPowerOf2_32(size);
        }))
      return op->emitOpError("expected 'messageShape' to be three powers of "
                             "two");
  if (failed(verifyBounds(op)) || failed(verifyRows(op)))
    return failure();
  return verifyPages(op);
}

//===----------------------------------------------------------------------===//
// LoadBlockOp, StoreBlockOp and PrefetchBlockOp
//===----------------------------------------------------------------------===//

void LoadBlockOp::build(OpBuilder &builder, OperationState &state,
                        RankedTensorType block, Value surface,
                        ValueRange offsets, ArrayRef<int32_t> boundaryCheck,
                        std::optional<PaddingOption> padding,
                        CacheModifier cache, EvictionPolicy evict) {
  PaddingOptionAttr paddingAttr;
  if (padding)
    paddingAttr = PaddingOptionAttr::get(builder.getContext(), *padding);
  build(builder, state, block, surface, offsets, /*rows=*/Value(),
        /*mask=*/Value(), /*pages=*/ValueRange(), /*pageDim=*/0, boundaryCheck,
        paddingAttr, cache, evict, /*isVolatile=*/false,
        /*messages=*/MessagesAttr(), /*order=*/BlockOrderAttr(),
        /*startsInRow=*/false, /*boundedRows=*/false,
        /*messageShape=*/DenseI32ArrayAttr());
}

void StoreBlockOp::build(OpBuilder &builder, OperationState &state, Value value,
                         Value surface, ValueRange offsets,
                         ArrayRef<int32_t> boundaryCheck, CacheModifier cache,
                         EvictionPolicy evict) {
  build(builder, state, surface, offsets, value, /*rows=*/Value(),
        /*mask=*/Value(), boundaryCheck, cache, evict,
        /*messages=*/MessagesAttr(), /*order=*/BlockOrderAttr(),
        /*startsInRow=*/false, /*boundedRows=*/false,
        /*messageShape=*/DenseI32ArrayAttr());
}

void PrefetchBlockOp::build(OpBuilder &builder, OperationState &state,
                            RankedTensorType block, Value surface,
                            ValueRange offsets, ArrayRef<int32_t> boundaryCheck,
                            ValueRange pages, uint32_t pageDim) {
  build(builder, state, surface, offsets, pages, pageDim, block, boundaryCheck,
        /*messages=*/MessagesAttr(), /*order=*/BlockOrderAttr(),
        /*startsInRow=*/false, /*boundedRows=*/false,
        /*messageShape=*/DenseI32ArrayAttr());
}

LogicalResult LoadBlockOp::verify() { return verifyAccess(*this); }
LogicalResult StoreBlockOp::verify() { return verifyAccess(*this); }
LogicalResult PrefetchBlockOp::verify() { return verifyAccess(*this); }

/// A volatile load stays where it is, also without users.
void LoadBlockOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSurfaceMutable(),
                       GlobalMemory::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}
