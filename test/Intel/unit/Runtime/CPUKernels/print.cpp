// SPDX-License-Identifier: MIT
// Prints `lines` lines per sub-group and program. Argument: lines.
#include "TestKernel.h"

KERNEL(print) {
  auto lines = getArgument<std::int32_t>(arguments, 0);
  for (int line = 0; line < lines; ++line) {
    std::uint64_t values[] = {
        static_cast<std::uint64_t>(getLinearProgram(state)),
        static_cast<std::uint64_t>(state->subGroupId),
        static_cast<std::uint64_t>(line)};
    triton_xe_cpu_print(state, "program %lld sub-group %d line %d\n", values);
  }
}

KERNEL_INFO(abiVersion, 1, 0, lanes, 0, 0, "print", "avx2", nullptr);
