//===- Registers.h - Access to the registers of a lowered tensor *- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Helpers to take the vectors that hold a tensor's registers apart and to put
// them together again. Register indices are those of the tensor's LinearLayout.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REGISTERS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REGISTERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::triton::gpu::intel {

/// Returns the number of registers in `chunks`.
unsigned getNumRegisters(ValueRange chunks);

/// Returns every register as a scalar.
SmallVector<Value> unpackRegisters(OpBuilder &builder, Location loc,
                                   ValueRange chunks);

/// Scalars (a power of two of them, all of one type) as vectors of at most
/// `kChunkWidth` elements.
SmallVector<Value> packRegisters(OpBuilder &builder, Location loc,
                                 ArrayRef<Value> registers);

/// Returns the same registers, in order, cut into vectors of `width` elements
/// (a power of two, 1 gives scalars). `width` may be above or below
/// `kChunkWidth`.
SmallVector<Value> regroupRegisters(OpBuilder &builder, Location loc,
                                    ValueRange chunks, unsigned width);

/// Returns the bits of all registers, in order, as one vector of `element` (a
/// scalar if that holds them all).
Value joinRegisters(OpBuilder &builder, Location loc, ValueRange chunks,
                    Type element);

/// Register `i` of the result is register `indices[i]` of `chunks`. Whole
/// vectors are reused where the indices allow it.
SmallVector<Value> permuteRegisters(OpBuilder &builder, Location loc,
                                    ValueRange chunks,
                                    ArrayRef<unsigned> indices);

/// Returns `scalar` in all `count` registers.
SmallVector<Value> splatRegisters(OpBuilder &builder, Location loc,
                                  Value scalar, unsigned count);

/// Returns a vector of `width` elements (a scalar for 1), all equal to
/// `scalar`.
Value splatVector(OpBuilder &builder, Location loc, Value scalar,
                  unsigned width);

/// Returns `value` with every i1 as an i8, which has an address and a bit
/// pattern; a value of another type as it is.
Value widenBooleans(OpBuilder &builder, Location loc, Value value);
/// The inverse of `widenBooleans` where `type` requires it.
Value narrowBooleans(OpBuilder &builder, Location loc, Value value, Type type);

/// Returns the number of elements of a vector, 1 for a scalar.
unsigned getVectorWidth(Type type);
/// Returns `element` for width 1, a vector of it otherwise.
Type getVectorType(Type element, unsigned width);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REGISTERS_H
