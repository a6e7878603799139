//===- AxisInfoTransfer.h - Axis facts through operations -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The transfer functions of the axis analysis: what is known of a result, given
// what is known of the operands. One function per group of operations; each
// returns nothing for operations that it does not know.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_LIB_ANALYSIS_AXISINFOTRANSFER_H
#define TRITON_LIB_ANALYSIS_AXISINFOTRANSFER_H

#include "triton/Analysis/AxisInfo.h"

#include "mlir/IR/Operation.h"

namespace mlir::triton::axis {

using Operands = ArrayRef<const AxisInfo *>;

/// The shape that the axes of a value of this type refer to: of a tensor, of a
/// block pointer's block, {1} for scalars.
SmallVector<int64_t> getAxisShape(Type type);
/// Distance of neighbours: 1, or the bytes of what a pointer points to.
int64_t getUnit(Type type);

/// The largest power of two that divides `value`.
int64_t getPowerOfTwoFactor(int64_t value);
/// Product of two divisors, capped.
int64_t multiplyDivisors(int64_t a, int64_t b);
/// The smallest `bits` with -2^bits <= value < 2^bits.
unsigned getBitsOf(int64_t value);

/// Operations of the arith and math dialects and other elementwise ones.
std::optional<AxisInfo> inferArith(Operation *op, Operands operands);
/// Operations of the tt and ttg dialects on pointers and shapes; `result` is
/// the number of the result.
std::optional<AxisInfo> inferTriton(Operation *op, Operands operands,
                                    unsigned result);

/// The sum of values of `type` (a pointer: `rhs` counts elements).
AxisInfo inferSum(Type type, const AxisInfo &lhs, const AxisInfo &rhs);
/// The same bits read with wider integers.
AxisInfo inferExtension(Type from, Type to, const AxisInfo &info,
                        bool isSigned);

} // namespace mlir::triton::axis

#endif // TRITON_LIB_ANALYSIS_AXISINFOTRANSFER_H
