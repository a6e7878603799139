// SPDX-License-Identifier: MIT
// Passes the program's number around: in each round a sub-group adds what its
// neighbour had. Arguments: out (a value per program and sub-group), rounds.
#include "TestKernel.h"

KERNEL(exchange) {
  auto out = getArgument<std::int64_t *>(arguments, 0);
  auto rounds = getArgument<std::int32_t>(arguments, 1);
  auto *shared = reinterpret_cast<std::int64_t *>(state->sharedMemory);
  std::int64_t program = getLinearProgram(state);
  int id = state->subGroupId, count = state->numSubGroups;
  std::int64_t value = program + id;
  for (int round = 0; round < rounds; ++round) {
    shared[id] = value;
    triton_xe_cpu_barrier(state);
    value += shared[(id + 1) % count];
    triton_xe_cpu_barrier(state);
  }
  out[program * count + id] = value;
}

KERNEL_INFO(abiVersion, 2, 64 * 8, lanes, 0, UsesBarrier, "exchange", "avx2",
            nullptr);
