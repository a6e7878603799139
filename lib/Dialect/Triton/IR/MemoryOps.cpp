//===- MemoryOps.cpp - Loads, stores, atomics -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Verifiers, effects, canonicalization and builders of TritonMemoryOps.td.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::triton;

using EffectList =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Adds that the operation reads global memory of the pointer.
static void addRead(EffectList &effects, OpOperand &pointer) {
  effects.emplace_back(MemoryEffects::Read::get(), &pointer,
                       GlobalMemory::get());
}

/// Adds a write.
static void addWrite(EffectList &effects, OpOperand &pointer) {
  effects.emplace_back(MemoryEffects::Write::get(), &pointer,
                       GlobalMemory::get());
}

/// Checks the attributes that speak of a block's bounds.
static LogicalResult verifyBounds(Operation *op, Type pointer,
                                  ArrayRef<int32_t> checkedDims,
                                  std::optional<PaddingOption> padding) {
  // Pointers to single elements have no bounds to check.
  if (!isTensorPointerType(pointer)) {
    if (!checkedDims.empty())
      return op->emitOpError("expects `boundaryCheck` only with a block "
                             "pointer, found ")
             << pointer;
    if (padding)
      return op->emitOpError("expects `padding` only with a block pointer, "
                             "found ")
             << pointer;
    return success();
  }
  auto block = cast<RankedTensorType>(getPointeeType(pointer));
  SmallVector<bool> seen(block.getRank(), false);
  for (int32_t dim : checkedDims) {
    if (dim < 0 || dim >= block.getRank())
      return op->emitOpError("expects `boundaryCheck` to name dimensions of "
                             "the block, which has rank ")
             << block.getRank() << ", found " << dim;
    if (seen[dim])
      return op->emitOpError("expects `boundaryCheck` to name a dimension "
                             "once, found twice ")
             << dim;
    seen[dim] = true;
  }
  // Integers have no NaN.
  if (padding == PaddingOption::PAD_NAN &&
      !isa<FloatType>(block.getElementType()))
    return op->emitOpError("expects float elements to be padded with NaN, "
                           "found ")
           << block.getElementType();
  return success();
}

/// Returns the value of a mask that is the same constant everywhere.
static std::optional<bool> getConstantMask(Value mask) {
  APInt value;
  if (mask && matchPattern(mask, m_ConstantInt(&value)))
    return value.isOne();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

/// Builders for each of the forms that a load has; all lead to the last one.
void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   CacheModifier cache, EvictionPolicy evict, bool isVolatile) {
  build(builder, state, ptr, /*mask=*/Value(), /*other=*/Value(),
        /*boundaryCheck=*/{}, /*padding=*/std::nullopt, cache, evict,
        isVolatile);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   ArrayRef<int32_t> boundaryCheck,
                   std::optional<PaddingOption> padding, CacheModifier cache,
                   EvictionPolicy evict, bool isVolatile) {
  build(builder, state, ptr, /*mask=*/Value(), /*other=*/Value(), boundaryCheck,
        padding, cache, evict, isVolatile);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   Value mask, CacheModifier cache, EvictionPolicy evict,
                   bool isVolatile) {
  build(builder, state, ptr, mask, /*other=*/Value(), /*boundaryCheck=*/{},
        /*padding=*/std::nullopt, cache, evict, isVolatile);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   Value mask, Value other, CacheModifier cache,
                   EvictionPolicy evict, bool isVolatile) {
  build(builder, state, ptr, mask, other, /*boundaryCheck=*/{},
        /*padding=*/std::nullopt, cache, evict, isVolatile);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   Value mask, Value other, ArrayRef<int32_t> boundaryCheck,
                   std::optional<PaddingOption> padding, CacheModifier cache,
                   EvictionPolicy evict, bool isVolatile) {
  PaddingOptionAttr paddingAttr;
  if (padding)
    paddingAttr = PaddingOptionAttr::get(builder.getContext(), *padding);
  build(builder, state, getPointeeType(ptr.getType()), ptr, mask, other,
        builder.getDenseI32ArrayAttr(boundaryCheck), paddingAttr,
        CacheModifierAttr::get(builder.getContext(), cache),
        EvictionPolicyAttr::get(builder.getContext(), evict),
        builder.getBoolAttr(isVolatile));
}

/// The value of masked-off elements has no meaning without a mask.
LogicalResult LoadOp::verify() {
  if (getOther() && !getMask())
    return emitOpError("expects `other` only with a mask");
  return verifyBounds(*this, getPtr().getType(), getBoundaryCheck(),
                      getPadding());
}

void LoadOp::getEffects(EffectList &effects) {
  addRead(effects, getPtrMutable());
  // Nothing may remove or duplicate a volatile load.
  if (getIsVolatile())
    addWrite(effects, getPtrMutable());
}

/// A true mask is none, and with a false one the result is `other`.
LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  std::optional<bool> mask = getConstantMask(op.getMask());
  if (!mask)
    return failure();
  if (*mask) {
    rewriter.modifyOpInPlace(op, [&] {
      op.getMaskMutable().clear();
      op.getOtherMutable().clear();
    });
    return success();
  }
  // A volatile load stays; and without `other` any value would do, which is for
  // others to choose.
  if (!op.getOther() || op.getIsVolatile())
    return failure();
  rewriter.replaceOp(op, op.getOther());
  return success();
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

void StoreOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                    Value value, CacheModifier cache, EvictionPolicy evict) {
  build(builder, state, ptr, value, /*mask=*/Value(), /*boundaryCheck=*/
        ArrayRef<int32_t>(), cache, evict);
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                    Value value, Value mask, CacheModifier cache,
                    EvictionPolicy evict) {
  build(builder, state, ptr, value, mask, /*boundaryCheck=*/ArrayRef<int32_t>(),
        cache, evict);
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                    Value value, ArrayRef<int32_t> boundaryCheck,
                    CacheModifier cache, EvictionPolicy evict) {
  build(builder, state, ptr, value, /*mask=*/Value(), boundaryCheck, cache,
        evict);
}

/// A store has nothing to pad.
LogicalResult StoreOp::verify() {
  return verifyBounds(*this, getPtr().getType(), getBoundaryCheck(),
                      /*padding=*/std::nullopt);
}

void StoreOp::getEffects(EffectList &effects) {
  addWrite(effects, getPtrMutable());
}

/// A true mask is none, and with a false one nothing is stored.
LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  std::optional<bool> mask = getConstantMask(op.getMask());
  if (!mask)
    return failure();
  if (*mask)
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
  else
    rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

LogicalResult mlir::triton::verifyRMWElement(Operation *op, RMWOp kind,
                                             Type element) {
  // Exchanges take any type, additions of floats are a separate operation.
  if (kind == RMWOp::FADD && !isa<FloatType>(element))
    return op->emitOpError("expects floats for `fadd`, found ") << element;
  if (kind != RMWOp::FADD && kind != RMWOp::XCHG && !isa<IntegerType>(element))
    return op->emitOpError("expects integers for `")
           << stringifyRMWOp(kind) << "`, found " << element;
  return success();
}

LogicalResult AtomicRMWOp::verify() {
  return verifyRMWElement(*this, getAtomicRmwOp(),
                          getElementTypeOrSelf(getVal().getType()));
}

/// An atomic operation reads what it writes over.
void AtomicRMWOp::getEffects(EffectList &effects) {
  addRead(effects, getPtrMutable());
  addWrite(effects, getPtrMutable());
}

void AtomicCASOp::getEffects(EffectList &effects) {
  addRead(effects, getPtrMutable());
  addWrite(effects, getPtrMutable());
}

/// Reading cannot release and writing cannot acquire: other than relaxed ones
/// there are only operations of the ordering `strong`.
static LogicalResult verifyOrdering(Operation *op, MemSemantic semantic,
                                    MemSemantic strong) {
  if (semantic == MemSemantic::RELAXED || semantic == strong)
    return success();
  return op->emitOpError("expects `relaxed` or `")
         << stringifyMemSemantic(strong) << "`, found `"
         << stringifyMemSemantic(semantic) << "`";
}

/// Loads acquire, stores release; a poll is a load that waits.
LogicalResult AtomicLoadOp::verify() {
  return verifyOrdering(*this, getSem(), MemSemantic::ACQUIRE);
}

LogicalResult AtomicStoreOp::verify() {
  return verifyOrdering(*this, getSem(), MemSemantic::RELEASE);
}

LogicalResult AtomicPollOp::verify() {
  return verifyOrdering(*this, getSem(), MemSemantic::ACQUIRE);
}

// All three order other accesses, so that none goes away or is moved past them:
// they count as a read and a write.
void AtomicLoadOp::getEffects(EffectList &effects) {
  addRead(effects, getPtrMutable());
  addWrite(effects, getPtrMutable());
}

void AtomicStoreOp::getEffects(EffectList &effects) {
  addRead(effects, getPtrMutable());
  addWrite(effects, getPtrMutable());
}

void AtomicPollOp::getEffects(EffectList &effects) {
  addRead(effects, getPtrMutable());
  addWrite(effects, getPtrMutable());
}
