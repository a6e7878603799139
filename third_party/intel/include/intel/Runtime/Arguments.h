//===- Arguments.h - Kernel arguments as bytes ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The kernel ABI: a kernel takes the arguments of its `tt.func` in order, each
// with the size of its Triton type. Booleans take one byte; f16 and bf16 travel
// as their 16-bit patterns; a pointer is 64 bits. A host tensor descriptor
// expands to its base pointer, `rank` shapes of 32 bits and `rank` strides of
// 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_ARGUMENTS_H
#define INTEL_RUNTIME_ARGUMENTS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace triton::intel::runtime {

enum class ArgumentType : std::uint8_t {
  Pointer,
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64,
};

/// Reads a type of a Triton signature (`*fp32`, `i32`, `u1`, `bf16`, ...).
/// Throws `Error` of kind `Argument` for a type that no kernel can take.
ArgumentType parseArgumentType(std::string_view type);

/// Size of an argument of this type in bytes.
unsigned getSizeInBytes(ArgumentType type);

bool isInteger(ArgumentType type);
bool isUnsigned(ArgumentType type);
bool isFloat(ArgumentType type);

/// An argument's value: the low `getSizeInBytes(type)` bytes of `bits`.
struct Argument {
  ArgumentType type;
  std::uint64_t bits;
};

/// The memory behind an argument that is a pointer.
struct ArgumentMemory {
  /// The argument's name in Python, and its position among the arguments.
  std::string name;
  std::size_t position;
  std::uint64_t pointer;
  /// The storage that the pointer points into.
  std::uint64_t begin, size;
  unsigned elementBytes;
  /// Whether begin and size are known. They are not for an address that is
  /// passed as a number.
  bool isKnown;
};

/// Encodes `value` in the given floating-point type, rounding once, to nearest
/// even. A value beyond the range becomes an infinity.
std::uint64_t encodeFloat(ArgumentType type, double value);

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_ARGUMENTS_H
