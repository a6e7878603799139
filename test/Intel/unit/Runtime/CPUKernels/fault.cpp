// SPDX-License-Identifier: MIT
// Crashes in one program; arguments: what it does, the program, an address.
// Later sub-groups are at a barrier by then, or come to it first.
#include "TestKernel.h"

namespace {
__attribute__((noinline)) int recurse(volatile char *previous, int depth) {
  volatile char frame[4096];
  frame[0] = previous[0];
  return depth == 0 ? 0 : recurse(frame, depth - 1) + frame[0];
}
} // namespace

KERNEL(fault) {
  auto kind = getArgument<std::int32_t>(arguments, 0);
  auto program = getArgument<std::int64_t>(arguments, 1);
  auto address = getArgument<volatile char *>(arguments, 2);
  triton_xe_cpu_barrier(state);
  if (getLinearProgram(state) == program &&
      state->subGroupId == state->numSubGroups / 2) {
    volatile int zero = 0;
    switch (kind) {
    case 0:
      *address = 1;
      break;
    case 1:
      // Not in C++, where the compiler would know that it does not happen.
      asm volatile("cltd; idivl %1" : : "a"(1), "m"(zero) : "edx");
      break;
    case 2:
      asm volatile("ud2");
      break;
    case 3: {
      volatile char first = 0;
      recurse(&first, 1 << 20);
      break;
    }
    }
  }
  triton_xe_cpu_barrier(state);
}

KERNEL_INFO(abiVersion, 3, 0, lanes, 0, UsesBarrier, "fault", "avx2", nullptr);
