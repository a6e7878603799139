//===- ScaledDot.h - Products of microscaling formats -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An operand of `tt.dot_scaled` is a tensor in a small format and a tensor of
// scales, one for each group of values along K (OCP Microscaling Formats (MX)
// Specification 1.0). The systolic array of some targets applies scales itself.
// On others, the values are scaled first, and an ordinary dot multiplies them.
// These functions decide which of both is used, and with which types.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_SCALEDDOT_H
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_SCALEDDOT_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// The number of values along K that share a scale, if scales are exponents.
constexpr int64_t kScaleGroup = 32;

/// Returns the type of a value in one of the formats that scaled DPAS takes:
/// e5m2, e4m3 or e2m1.
FloatType getFormatType(MLIRContext *context, ScaleDotElemType format);

/// Returns the bits of the values, in `element`, that the lower four bits of
/// each i32 are as e2m1: sign, two bits of exponent (bias 1) and one of
/// mantissa. `bits` is a tensor or a vector of i32 below 16; the result is one
/// of integers that are as wide as `element`, which has at most 32 bits.
Value decodeE2M1(OpBuilder &builder, Location loc, Value bits,
                 FloatType element);

/// Returns whether a scale is a power of two (e8m0, as a byte) rather than an
/// e4m3.
bool hasExponentScale(Value scale);

/// The ordinary dot of operands that are already scaled.
struct CommonDot {
  /// bf16 or f32: the narrowest type that holds every scaled value. The
  /// accumulator is f32.
  Type element;
  InputPrecision precision;
};
/// Returns the dot that computes `dot` on every target; none if tensors cannot
/// hold one of its formats (e2m3, e3m2).
std::optional<CommonDot> getCommonDot(DotScaledOp dot);

/// The formats that the operands of an instruction have.
struct ScaledDpasFormats {
  ScaleDotElemType a, b;
};
/// Returns the formats in which scaled DPAS multiplies the operands of `dot`:
/// their own, or wider ones that hold all their values. None if the target has
/// no such instruction, if the instruction has no such formats (scales must be
/// exponents), or if the dot is smaller than the instruction in any dimension.
std::optional<ScaledDpasFormats> getScaledDpasFormats(DotScaledOp dot,
                                                      const TargetDesc &target);

/// Returns whether `dot` has the formats of an instruction, so that operands
/// need no conversion.
bool isScaledDpas(DotScaledOp dot, const TargetDesc &target);

/// Returns the layout of the scales of operand `opIdx` (rows or columns x
/// groups) of a dot whose result has the layout `dpas`. The scale of row r of
/// an instruction is in lane r, and in lane r + 8; that of column n is in lane
/// n. Groups along K are neighbours in registers.
LinearEncodingAttr getScaleEncoding(DpasEncodingAttr dpas, unsigned opIdx,
                                    RankedTensorType result,
                                    RankedTensorType scale);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_SCALEDDOT_H
