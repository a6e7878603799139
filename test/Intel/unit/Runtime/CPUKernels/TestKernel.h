//===- TestKernel.h - Kernels for tests of the CPU runtime ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Each kernel is a separate object file, by the rules of CPUKernel.h. It loops
// over the lanes where generated code has vectors.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_TEST_INTEL_UNIT_RUNTIME_CPUKERNELS_TESTKERNEL_H
#define TRITON_TEST_INTEL_UNIT_RUNTIME_CPUKERNELS_TESTKERNEL_H

#include "intel/ABI/CPUKernel.h"

using namespace triton::intel::abi;

constexpr int lanes = 16;

/// Argument `index` of a kernel.
template <typename T> T getArgument(const void *arguments, int index) {
  return *reinterpret_cast<const T *>(static_cast<const char *>(arguments) +
                                      8 * index);
}

/// Programs with smaller x, y, z.
inline std::int64_t getLinearProgram(const SubGroupState *state) {
  return state->programId[0] +
         std::int64_t(state->numPrograms[0]) *
             (state->programId[1] +
              std::int64_t(state->numPrograms[1]) * state->programId[2]);
}

#define KERNEL(name)                                                           \
  extern "C" void name([[maybe_unused]] const void *arguments,                 \
                       [[maybe_unused]] SubGroupState *state)

#define KERNEL_INFO(...)                                                       \
  extern "C" const KernelInfo triton_xe_kernel_info;                           \
  const KernelInfo triton_xe_kernel_info = {__VA_ARGS__}

#endif // TRITON_TEST_INTEL_UNIT_RUNTIME_CPUKERNELS_TESTKERNEL_H
