// SPDX-License-Identifier: MIT
// Runs until the launch is interrupted.
#include "TestKernel.h"

KERNEL(poll) {
  auto *runtime = static_cast<RuntimeState *>(state->runtime);
  while (!__atomic_load_n(runtime->interruptFlag, __ATOMIC_RELAXED))
    ;
}

KERNEL_INFO(abiVersion, 0, 0, lanes, 0, 0, "poll", "avx2", nullptr);
