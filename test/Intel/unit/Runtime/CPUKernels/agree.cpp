// SPDX-License-Identifier: MIT
// In round r, sub-group r % 7 objects if r is odd. Writes what all of them
// heard to out: bit r. Arguments: out (a value per program and sub-group),
// rounds.
#include "TestKernel.h"

KERNEL(agree) {
  auto out = getArgument<std::uint64_t *>(arguments, 0);
  auto rounds = getArgument<std::int32_t>(arguments, 1);
  std::uint64_t heard = 0;
  for (int round = 0; round < rounds; ++round) {
    std::uint32_t objects = round % 2 && state->subGroupId == round % 7;
    if (triton_xe_cpu_any(state, objects))
      heard |= 1ull << round;
  }
  out[getLinearProgram(state) * state->numSubGroups + state->subGroupId] =
      heard;
}

KERNEL_INFO(abiVersion, 2, 0, lanes, 0, UsesBarrier, "agree", "avx2", nullptr);
