//===- Types.h - Types of PTX instructions ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_TYPES_H
#define TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_TYPES_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::triton::intel::ptx {

/// The type that a modifier such as `.bf16x2` names.
struct NumberType {
  enum class Kind { Bits, Unsigned, Signed, Float };

  bool isFloat() const { return kind == Kind::Float; }
  bool isSigned() const { return kind == Kind::Signed; }
  /// Returns the bits of all numbers together.
  unsigned getWidth() const { return width * count; }
  /// Returns whether ordinary arithmetic has the type: it is no format that
  /// only conversions know.
  bool isArithmetic() const { return !isFloat() || width >= 16; }

  Kind kind = Kind::Bits;
  /// Bits of one number.
  unsigned width = 0;
  /// The number of values side by side, the first one in the low bits.
  unsigned count = 1;
  /// The element type of floats; null for tf32, which is an f32 whose low bits
  /// do not count.
  Type element;
  bool isTF32 = false;
  /// The modifier; empty for types that have none.
  llvm::StringRef name = {};
};

/// Returns the type of this name, nothing if there is none.
std::optional<NumberType> parseType(llvm::StringRef name, MLIRContext *context);

} // namespace mlir::triton::intel::ptx

#endif // TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_TYPES_H
