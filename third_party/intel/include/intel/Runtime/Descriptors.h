//===- Descriptors.h - Tensor descriptors of the host -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// What a tensor descriptor has to satisfy, and the arguments that a kernel
// takes for it; for all who launch kernels.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_DESCRIPTORS_H
#define INTEL_RUNTIME_DESCRIPTORS_H

#include "intel/Runtime/Arguments.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace triton::intel::runtime {

/// Triton's own limit.
constexpr unsigned maxDescriptorRank = 5;

/// A descriptor without its base: `shape` elements, `strides` elements apart.
struct DescriptorSizes {
  unsigned rank = 0;
  std::array<std::int64_t, maxDescriptorRank> shape = {}, strides = {};
};

/// What Triton asserts when a descriptor is made, and the code relies on: what
/// is wrong, if anything. The rank is from 1 to the limit, elements have so
/// many bytes.
std::optional<std::string> checkDescriptorBase(std::uint64_t base);
std::optional<std::string> checkDescriptorSizes(const DescriptorSizes &sizes,
                                                unsigned elementBytes);

/// Arguments that a descriptor of this rank becomes: the base, and the sizes.
constexpr unsigned getNumDescriptorArguments(unsigned rank) {
  return 1 + 4 * rank;
}

/// Appends what stands behind the base: shape (i64), strides (i64), shape
/// (i32), strides (i64). They are there twice: in i64 as the parts of the
/// descriptor itself, which accesses use, and as the arguments that the
/// frontend puts behind it, which the kernel may read.
void appendDescriptorSizes(const DescriptorSizes &sizes,
                           std::vector<Argument> &arguments);

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_DESCRIPTORS_H
