//===- Functions.h - The device library as tests see it ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_TEST_INTEL_UNIT_DEVICELIBRARY_FUNCTIONS_H
#define TRITON_TEST_INTEL_UNIT_DEVICELIBRARY_FUNCTIONS_H

#include "library.h"

#include <vector>

namespace triton::intel::device_library::test {

/// Lanes of a sub-group.
constexpr int lanes = 16;

/// The instruction sets that this machine can run.
inline std::vector<InstructionSet> getInstructionSets() {
  std::vector<InstructionSet> sets;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c"))
    sets.push_back(InstructionSet::AVX2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    sets.push_back(InstructionSet::AVX512);
  return sets;
}

inline std::vector<Function> toVector(FunctionList list) {
  return {list.functions, list.functions + list.size};
}

} // namespace triton::intel::device_library::test

#endif // TRITON_TEST_INTEL_UNIT_DEVICELIBRARY_FUNCTIONS_H
