//===- ElementwiseOps.cpp - Operations per element ------------------------===//
// SPDX-License-Identifier: MIT
//
// Verifiers, effects and folders of TritonElementwiseOps.td.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

using EffectList =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Foreign code that is not marked pure may do anything.
static void addForeignEffects(bool pure, EffectList &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

static Speculation::Speculatability getForeignSpeculatability(bool pure) {
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

//===----------------------------------------------------------------------===//
// FpToFpOp
//===----------------------------------------------------------------------===//

LogicalResult FpToFpOp::verify() {
  Type from = getElementTypeOrSelf(getSrc().getType());
  Type to = getElementTypeOrSelf(getType());
  if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth() &&
      !getRounding())
    return emitOpError("expects `rounding` for the narrowing conversion from ")
           << from << " to " << to;
  return success();
}

OpFoldResult FpToFpOp::fold(FoldAdaptor adaptor) {
  return getSrc().getType() == getType() ? OpFoldResult(getSrc())
                                         : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// ExternElementwiseOp
//===----------------------------------------------------------------------===//

LogicalResult ExternElementwiseOp::verify() {
  if (getSymbol().empty())
    return emitOpError("expects the name of a function in `symbol`");
  return success();
}

void ExternElementwiseOp::getEffects(EffectList &effects) {
  addForeignEffects(getPure(), effects);
}

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getForeignSpeculatability(getPure());
}

//===----------------------------------------------------------------------===//
// ElementwiseInlineAsmOp
//===----------------------------------------------------------------------===//

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("expects at least one result");
  int32_t packed = static_cast<int32_t>(getPackedElement());
  if (packed < 1)
    return emitOpError("expects a positive `packed_element`, found ") << packed;
  return success();
}

void ElementwiseInlineAsmOp::getEffects(EffectList &effects) {
  addForeignEffects(getPure(), effects);
}

Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return getForeignSpeculatability(getPure());
}
