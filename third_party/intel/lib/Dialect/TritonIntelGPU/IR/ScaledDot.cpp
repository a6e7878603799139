//===- ScaledDot.cpp - Products of microscaling formats -------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

Value intel::decodeE2M1(OpBuilder &builder, Location loc, Value bits,
                        FloatType element) {
  auto constant = [&](int32_t value) -> Value {
    TypedAttr attr = builder.getI32IntegerAttr(value);
    if (auto shaped = dyn_cast<ShapedType>(bits.getType()))
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  };
  Value magnitude = arith::AndIOp::create(builder, loc, bits, constant(7));
  // The precision of LLVM counts the bit that is not stored.
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  int32_t mantissaBits = llvm::APFloat::semanticsPrecision(semantics) - 1;
  int32_t bias = 1 - llvm::APFloat::semanticsMinExponent(semantics);
  Value difference = constant((bias - 1) << mantissaBits);
  // Two bits of exponent and one of mantissa move up together; the bias grows
  // from 1 to that of `element`.
  Value normal =
      arith::AddIOp::create(builder, loc,
                            arith::ShLIOp::create(builder, loc, magnitude,
                                                  constant(mantissaBits - 1)),
                            difference);
  // Below the normal numbers are 0 and 1/2.
  Value subnormal = arith::MulIOp::create(builder, loc, magnitude, difference);
  Value isSmall = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        magnitude, constant(2));
  Value number =
      arith::SelectOp::create(builder, loc, isSmall, subnormal, normal);
  // The sign moves from bit 3 to the highest one.
  unsigned width = element.getWidth();
  Value sign = arith::ShLIOp::create(
      builder, loc, arith::ShRUIOp::create(builder, loc, bits, constant(3)),
      constant(width - 1));
  Value result = arith::OrIOp::create(builder, loc, number, sign);
  if (width == 32)
    return result;
  Type narrow = builder.getIntegerType(width);
  if (auto shaped = dyn_cast<ShapedType>(bits.getType()))
    narrow = shaped.clone(narrow);
  return arith::TruncIOp::create(builder, loc, narrow, result);
}

bool intel::hasExponentScale(Value scale) {
  return getElementTypeOrSelf(scale.getType()).isInteger(8);
}

//===----------------------------------------------------------------------===//
// As a common dot
//===----------------------------------------------------------------------===//

/// Returns the number of bits of a value's mantissa, the hidden one included; 0
/// for a format that tensors cannot hold.
static unsigned getSignificantBits(ScaleDotElemType format) {
  // The narrow formats by their names: e2m1 has one bit, e5m2 two, e4m3 three.
  switch (format) {
  case ScaleDotElemType::E2M1:
    return 2;
  case ScaleDotElemType::E5M2:
    return 3;
  case ScaleDotElemType::E4M3:
    return 4;
  case ScaleDotElemType::BF16:
    return 8;
  case ScaleDotElemType::FP16:
    return 11;
  case ScaleDotElemType::E2M3:
  case ScaleDotElemType::E3M2:
    return 0;
  }
  llvm_unreachable("covered switch");
}

FloatType intel::getFormatType(MLIRContext *context, ScaleDotElemType format) {
  switch (format) {
  case ScaleDotElemType::E5M2:
    return Float8E5M2Type::get(context);
  case ScaleDotElemType::E4M3:
    return Float8E4M3FNType::get(context);
  case ScaleDotElemType::E2M1:
    return Float4E2M1FNType::get(context);
  default:
    llvm_unreachable("a format that scaled DPAS takes");
  }
}

std::optional<CommonDot> intel::getCommonDot(DotScaledOp dot) {
  unsigned bits = 0;
  auto addOperand = [&](ScaleDotElemType format, Value scale) {
    unsigned ofFormat = getSignificantBits(format);
    // The bits of a product are those of both factors; an exponent adds none.
    unsigned ofScale = scale && !hasExponentScale(scale)
                           ? getSignificantBits(ScaleDotElemType::E4M3)
                           : 0;
    bits = std::max(bits, ofFormat + ofScale);
    return ofFormat != 0;
  };
  if (!addOperand(dot.getAElemType(), dot.getAScale()) ||
      !addOperand(dot.getBElemType(), dot.getBScale()))
    return std::nullopt;
  MLIRContext *context = dot.getContext();
  // bf16 has 8 bits, tf32 has 11.
  if (bits <= 8)
    return CommonDot{BFloat16Type::get(context), InputPrecision::IEEE};
  return CommonDot{Float32Type::get(context),
                   bits <= 11 ? InputPrecision::TF32 : InputPrecision::IEEE};
}

//===----------------------------------------------------------------------===//
// As instructions
//===----------------------------------------------------------------------===//

std::optional<ScaledDpasFormats>
intel::getScaledDpasFormats(DotScaledOp dot, const TargetDesc &target) {
  if (!target.has(Capability::ScaledDpas) || !getCommonDot(dot))
    return std::nullopt;
  Value aScale = dot.getAScale(), bScale = dot.getBScale();
  if (!aScale && !bScale)
    return std::nullopt;
  for (Value scale : {aScale, bScale})
    if (scale && !hasExponentScale(scale))
      return std::nullopt;

  ScaleDotElemType a = dot.getAElemType(), b = dot.getBElemType();
  // Instructions with 16 bits have scales, too, but with one operand of 16 bits
  // the compiler makes longer code of them than of a common dot: see
  // docs/DeviceCompiler.md.
  auto isWide = [](ScaleDotElemType type) {
    return type == ScaleDotElemType::BF16 || type == ScaleDotElemType::FP16;
  };
  if (isWide(a) || isWide(b))
    return std::nullopt;
  auto isPair = [](ScaleDotElemType type) {
    return type == ScaleDotElemType::E2M1;
  };
  ArrayRef<int64_t> shape = dot.getType().getShape();
  int64_t k = dot.getA().getType().getShape().back() *
              (isPair(a) && dot.getLhsKPack() ? 2 : 1);
  // An instruction takes `depth` times 32 bits of a row; two scales of pairs.
  int64_t kOfPairs = int64_t(target.getDpasSystolicDepth()) * 8;
  bool hasPairs = isPair(a) && isPair(b) && dot.getLhsKPack() &&
                  dot.getRhsKPack() && k >= kOfPairs;
  if (shape[shape.size() - 2] < target.getDpasMaxRepeatCount() ||
      shape.back() < target.getDpasExecutionSize() || k < kScaleGroup)
    return std::nullopt;
  if (hasPairs)
    return ScaledDpasFormats{a, b};
  // Types of 8 bits may meet, and e4m3 holds all values of e2m1.
  auto widen = [&](ScaleDotElemType type) {
    return isPair(type) ? ScaleDotElemType::E4M3 : type;
  };
  return ScaledDpasFormats{widen(a), widen(b)};
}

bool intel::isScaledDpas(DotScaledOp dot, const TargetDesc &target) {
  auto formats = getScaledDpasFormats(dot, target);
  return formats && formats->a == dot.getAElemType() &&
         formats->b == dot.getBElemType();
}

LinearEncodingAttr intel::getScaleEncoding(DpasEncodingAttr dpas,
                                           unsigned opIdx,
                                           RankedTensorType result,
                                           RankedTensorType scale) {
  LinearLayout ofResult = toLinearLayout(result.getShape(), dpas);
  unsigned rank = result.getRank();
  // The scales' dimension ahead of the groups is the rows or the columns of the
  // result.
  unsigned own = opIdx == 0 ? rank - 2 : rank - 1;
  // An instruction has this many of them.
  int32_t tile = opIdx == 0 ? dpas.getRepeatCount() : dpas.getExecutionSize();
  auto place = [&](int32_t row, int32_t group) {
    SmallVector<int32_t> basis(rank, 0);
    basis[rank - 2] = row;
    basis[rank - 1] = group;
    return basis;
  };
  // A basis of the result moves the scales along its rows or columns.
  auto follow = [&](ArrayRef<int32_t> basis) {
    SmallVector<int32_t> moved = place(basis[own], 0);
    llvm::copy(basis.drop_back(2), moved.begin());
    return moved;
  };

  LinearLayout::Bases registers, lanes, warps;
  for (int32_t group = 1; group < scale.getShape().back(); group *= 2)
    registers.push_back(place(0, group));
  for (ArrayRef<int32_t> basis : ofResult.getBases(LayoutDim::Register)) {
    SmallVector<int32_t> moved = follow(basis);
    // The rows or columns of one instruction are in lanes.
    if (moved[rank - 2] >= tile ||
        llvm::any_of(basis.drop_back(2), [](int32_t b) { return b != 0; }))
      registers.push_back(moved);
  }
  for (int32_t row = 1; row < int32_t(dpas.getThreadsPerWarp()); row *= 2)
    lanes.push_back(place(row < tile ? row : 0, 0));
  for (ArrayRef<int32_t> basis : ofResult.getBases(LayoutDim::Warp))
    warps.push_back(follow(basis));
  LinearLayout::Sizes sizes;
  for (unsigned dim : llvm::seq(rank))
    sizes.emplace_back(tensorDim(dim),
                       static_cast<int32_t>(scale.getDimSize(dim)));
  return LinearEncodingAttr::get(dpas.getContext(),
                                 LinearLayout({{LayoutDim::Register, registers},
                                               {LayoutDim::Lane, lanes},
                                               {LayoutDim::Warp, warps},
                                               {LayoutDim::Block, {}}},
                                              sizes));
}
