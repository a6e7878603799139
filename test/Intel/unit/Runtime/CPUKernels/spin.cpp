// SPDX-License-Identifier: MIT
// Counts its programs, each of which takes a while. Arguments: counter, length.
#include "TestKernel.h"

KERNEL(spin) {
  auto counter = getArgument<std::int64_t *>(arguments, 0);
  auto length = getArgument<std::int64_t>(arguments, 1);
  for (volatile std::int64_t i = 0; i < length;)
    i = i + 1;
  if (state->subGroupId == 0)
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

KERNEL_INFO(abiVersion, 2, 0, lanes, 0, 0, "spin", "avx2", nullptr);
