//===- DotPrecision.h - Products of f32 -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The input precisions `tf32x3`, `bf16x3` and `bf16x6` split f32 operands into
// sums of a few values of a type that the systolic array has. Exact products
// have the layouts of tf32, and are multiply-adds of the vector engines.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DOTPRECISION_H
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DOTPRECISION_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// Returns the element type of the products on the systolic array by which
/// `dot` can be replaced (f32 for tf32). Null if its precision does not split
/// operands, or if the array does not have the type.
Type getSplitElementType(DotOp dot, const TargetDesc &target);

/// Returns whether `dot` multiplies f32 exactly, and can do so in the layouts
/// that DPAS of tf32 has: block messages fill them, and a multiply-add reads an
/// element of A from the register and lane that have it. Its shape must fill
/// DPAS of tf32 too.
bool isExactSingleDot(DotOpInterface dot, const TargetDesc &target);

/// The elements of K that exact products take at once, if there are that many:
/// a row of the left operand in the lanes of a register, as a result has it.
inline constexpr unsigned kExactDepth = 16;

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DOTPRECISION_H
