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

#ifndef TRITON_INTEL_RUNTIME_ARGUMENTS_H
#define TRITON_INTEL_RUNTIME_ARGUMENTS_H

#include <cstdint>
#include <limits>
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

/// Returns the size of an argument of this type in bytes.
unsigned getSizeInBytes(ArgumentType type);

bool isInteger(ArgumentType type);
bool isUnsigned(ArgumentType type);
bool isFloat(ArgumentType type);

/// An argument's value: the low `getSizeInBytes(type)` bytes of `bits`.
struct Argument {
  ArgumentType type;
  std::uint64_t bits;
};

/// The bytes of memory from the lowest to the highest element of a tensor.
struct ArgumentSpan {
  /// Any byte, unless more is known.
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  bool isEmpty() const { return begin == end; }
  bool isDisjointFrom(const ArgumentSpan &other) const {
    return isEmpty() || other.isEmpty() || end <= other.begin ||
           other.end <= begin;
  }
};

/// Finds the span of a tensor from its dimensions.
class SpanBuilder {
public:
  /// Adds a dimension of `size` elements, which are `stride` elements apart,
  /// also backwards or not at all.
  void addDimension(std::int64_t size, std::int64_t stride);

  /// Returns the span of the tensor whose first element is at `pointer`. It is
  /// every byte if the numbers are those of no tensor in memory.
  ArgumentSpan get(std::uint64_t pointer, std::uint64_t elementBytes) const;

private:
  /// Elements before the first one, and after it.
  std::uint64_t before = 0, after = 0;
  bool isEmpty = false, isLegal = true;
};

/// The memory of an argument that is a pointer.
struct ArgumentMemory {
  /// The argument's name in Python, and its position among the arguments.
  std::string name;
  std::size_t position;
  std::uint64_t pointer;
  /// The storage that the pointer points into.
  std::uint64_t begin, size;
  unsigned elementBytes;
  /// This is true if begin and size are known. They are not for an address that
  /// is passed as a number.
  bool isKnown;
};

/// Encodes `value` in the given floating-point type, rounding once, to nearest
/// even. A value beyond the range becomes an infinity.
std::uint64_t encodeFloat(ArgumentType type, double value);

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_ARGUMENTS_H
