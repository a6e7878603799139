//===- CPUTestKernels.h - Kernels for tests of the CPU runtime --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_TEST_INTEL_UNIT_RUNTIME_CPUTESTKERNELS_H
#define TRITON_TEST_INTEL_UNIT_RUNTIME_CPUTESTKERNELS_H

#include "intel/Runtime/CPU/Launch.h"
#include "intel/Runtime/Error.h"
#include "gtest/gtest.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace triton::intel::runtime::cpu::test {

constexpr int lanes = 16;

/// The object file that CPUKernels/<name>.cpp was compiled to.
inline std::string readObject(const std::string &name) {
  std::ifstream file(std::string(CPU_KERNELS_DIR) + "/" + name + ".o",
                     std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  EXPECT_FALSE(bytes.empty()) << name;
  return bytes;
}

inline Argument pointer(const volatile void *value) {
  return {ArgumentType::Pointer, reinterpret_cast<std::uintptr_t>(value)};
}

inline Argument integer(std::int64_t value) {
  return {ArgumentType::Int64, static_cast<std::uint64_t>(value)};
}

/// The message of the `Error` that `function` throws.
template <typename Function>
std::string getError(ErrorKind kind, Function function) {
  try {
    function();
  } catch (const Error &error) {
    EXPECT_EQ(error.getKind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

} // namespace triton::intel::runtime::cpu::test

#endif // TRITON_TEST_INTEL_UNIT_RUNTIME_CPUTESTKERNELS_H
