//===- Descriptors.h - Tensor descriptors of the host -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The rules for tensor descriptors, and the arguments that a kernel takes for
// them. All launchers of kernels use these.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_DESCRIPTORS_H
#define TRITON_INTEL_RUNTIME_DESCRIPTORS_H

#include "intel/Runtime/Arguments.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace triton::intel::runtime {

/// Triton's own limit.
constexpr unsigned maxDescriptorRank = 5;

/// A descriptor without its base, with shape and strides in elements.
struct DescriptorSizes {
  unsigned rank = 0;
  std::array<std::int64_t, maxDescriptorRank> shape = {}, strides = {};
};

/// These check what Triton asserts when a descriptor is made, on which the code
/// relies. They return a description of the error, if there is one. The rank is
/// from 1 to the limit, and `elementBytes` is the size of an element.
std::optional<std::string> checkDescriptorBase(std::uint64_t base);
std::optional<std::string> checkDescriptorSizes(const DescriptorSizes &sizes,
                                                unsigned elementBytes);

/// Returns the number of arguments of a descriptor of this rank: the base, the
/// sizes, and the sizes once more where the frontend has added them.
constexpr unsigned getNumDescriptorArguments(unsigned rank,
                                             bool hasFields = true) {
  return 1 + (hasFields ? 4 : 2) * rank;
}

/// Appends the arguments that follow the base: shape (i64), strides (i64),
/// shape (i32), strides (i64). The first two are the parts of the descriptor
/// itself, which accesses use. The last two are the arguments that the frontend
/// adds after the descriptor, which the kernel may read.
void appendDescriptorSizes(const DescriptorSizes &sizes,
                           std::vector<Argument> &arguments);

/// Returns the span of the tensor that a descriptor of this rank describes,
/// which has become the arguments from `base` on.
ArgumentSpan getDescriptorSpan(const Argument *base, unsigned rank,
                               unsigned elementBytes);

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_DESCRIPTORS_H
