//===- Descriptors.cpp - Tensor descriptors of the host -------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/Descriptors.h"

#include <limits>

namespace triton::intel::runtime {

namespace {
/// The alignment of the base, and of all strides but the last, in bytes.
constexpr std::uint64_t alignment = 16;

/// Returns a text such as "strides[1] of the descriptor is 4: expected 1".
std::string describe(const char *field, unsigned dim, std::int64_t found,
                     const std::string &expected) {
  return std::string(field) + "[" + std::to_string(dim) +
         "] of the descriptor is " + std::to_string(found) + expected;
}
} // namespace

std::optional<std::string> checkDescriptorBase(std::uint64_t base) {
  if (base % alignment == 0)
    return std::nullopt;
  return "the base of the descriptor is " + std::to_string(base % alignment) +
         " bytes past a multiple of " + std::to_string(alignment) +
         ": expected an aligned address";
}

std::optional<std::string> checkDescriptorSizes(const DescriptorSizes &sizes,
                                                unsigned elementBytes) {
  // The kernel has it in i32, too.
  constexpr std::int64_t maxExtent = std::numeric_limits<std::int32_t>::max();
  for (unsigned dim = 0; dim < sizes.rank; ++dim) {
    std::int64_t extent = sizes.shape[dim], stride = sizes.strides[dim];
    if (extent < 0 || extent > maxExtent)
      return describe("shape", dim, extent,
                      ": expected 0 to " + std::to_string(maxExtent));
    // The last dimension is contiguous, the others begin at aligned addresses.
    if (dim + 1 == sizes.rank) {
      if (stride != 1)
        return describe("strides", dim, stride, ": expected 1");
      // Modulo a power of two, which overflow does not change.
    } else if (static_cast<std::uint64_t>(stride) * elementBytes % alignment) {
      return describe("strides", dim, stride,
                      " elements of " + std::to_string(elementBytes) +
                          " bytes: expected a multiple of " +
                          std::to_string(alignment) + " bytes");
    }
  }
  return std::nullopt;
}

void appendDescriptorSizes(const DescriptorSizes &sizes,
                           std::vector<Argument> &arguments) {
  auto append = [&](ArgumentType type, const auto &numbers) {
    for (unsigned dim = 0; dim < sizes.rank; ++dim)
      arguments.push_back({type, static_cast<std::uint64_t>(numbers[dim])});
  };
  append(ArgumentType::Int64, sizes.shape);
  append(ArgumentType::Int64, sizes.strides);
  append(ArgumentType::Int32, sizes.shape);
  append(ArgumentType::Int64, sizes.strides);
}

ArgumentSpan getDescriptorSpan(const Argument *base, unsigned rank,
                               unsigned elementBytes) {
  SpanBuilder span;
  const Argument *shape = base + 1, *strides = shape + rank;
  for (unsigned dim = 0; dim < rank; ++dim)
    span.addDimension(static_cast<std::int64_t>(shape[dim].bits),
                      static_cast<std::int64_t>(strides[dim].bits));
  return span.get(base->bits, elementBytes);
}

} // namespace triton::intel::runtime
