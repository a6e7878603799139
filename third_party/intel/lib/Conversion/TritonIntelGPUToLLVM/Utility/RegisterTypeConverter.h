//===- RegisterTypeConverter.h - Tensors as registers -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The type mapping of the lowering: one tensor becomes the registers that one
// work-item holds of it, packed into vectors of at most `kChunkWidth` elements.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REGISTERTYPECONVERTER_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REGISTERTYPECONVERTER_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::triton::gpu::intel {

/// Elements per vector. Eight is the number of rows of a DPAS accumulator, and
/// SPIR-V knows vectors of 2, 3, 4, 8 and 16 elements only.
constexpr unsigned kChunkWidth = 8;

/// Converts types for the lowering, one to many:
///   tensor with a layout    -> its registers, see `getChunkTypes`
///   block pointer, rank r   -> base pointer, r shapes (i64), r strides (i64),
///                              r offsets (i32)
///   pointer                 -> !llvm.ptr with the same address space
///   bf16, 8-bit floats      -> integer of the same width
///   memdesc of rank r       -> SLM pointer, r offsets (i32)
///   private memory      -> !llvm.ptr
///   everything else         -> itself
class RegisterTypeConverter : public TypeConverter {
public:
  explicit RegisterTypeConverter(MLIRContext *context);

  /// Returns the type of an element of a tensor in a register.
  static Type convertElementType(Type type);
  /// Returns the vectors that hold `count` registers of `element`: `count` is a
  /// power of two; up to `kChunkWidth` registers share a vector, one is a
  /// scalar.
  static SmallVector<Type> getChunkTypes(Type element, unsigned count);
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_REGISTERTYPECONVERTER_H
