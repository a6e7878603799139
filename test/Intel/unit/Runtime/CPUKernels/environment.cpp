// SPDX-License-Identifier: MIT
// Stores MXCSR, and whether rows and shared memory are aligned, to out.
#include "TestKernel.h"

#include <xmmintrin.h>

KERNEL(environment) {
  auto out = getArgument<std::uint32_t *>(arguments, 0);
  out[0] = _mm_getcsr();
  out[1] = reinterpret_cast<std::uintptr_t>(state->sharedMemory) % rowAlignment;
}

KERNEL_INFO(abiVersion, 1, 4, lanes, 1, 0, "environment", "avx2", nullptr);
