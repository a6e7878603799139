// SPDX-License-Identifier: MIT
// out[i] = a[i] + b[i] for i < size; arguments a, b, out, size.
#include "TestKernel.h"

KERNEL(add) {
  auto a = getArgument<const float *>(arguments, 0);
  auto b = getArgument<const float *>(arguments, 1);
  auto out = getArgument<float *>(arguments, 2);
  auto size = getArgument<std::int32_t>(arguments, 3);
  std::int64_t subGroup =
      getLinearProgram(state) * state->numSubGroups + state->subGroupId;
  for (int lane = 0; lane < lanes; ++lane) {
    std::int64_t i = subGroup * lanes + lane;
    if (i < size)
      out[i] = a[i] + b[i];
  }
}

KERNEL_INFO(abiVersion, 4, 0, lanes, 0, 0, "add", "avx2", nullptr);
