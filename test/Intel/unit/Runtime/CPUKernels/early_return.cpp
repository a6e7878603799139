// SPDX-License-Identifier: MIT
// Sub-group i takes part in i barriers, then returns. Argument: out, where each
// writes how many had arrived at its last barrier.
#include "TestKernel.h"

KERNEL(early_return) {
  auto out = getArgument<std::int32_t *>(arguments, 0);
  auto *arrived = reinterpret_cast<std::int32_t *>(state->sharedMemory);
  int id = state->subGroupId, count = state->numSubGroups;
  arrived[id] = 0;
  triton_xe_cpu_barrier(state);
  for (int round = 1; round <= id; ++round) {
    ++arrived[round];
    triton_xe_cpu_barrier(state);
  }
  out[getLinearProgram(state) * count + id] = arrived[id];
}

KERNEL_INFO(abiVersion, 1, 64 * 4, lanes, 0, UsesBarrier, "early_return",
            "avx2", nullptr);
