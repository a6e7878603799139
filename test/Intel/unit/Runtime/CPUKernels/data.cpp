// SPDX-License-Identifier: MIT
// Constants, initialized and zeroed data, and a table of functions, so that the
// loader meets every kind of section. Argument: out.
#include "TestKernel.h"

namespace {
using Function = std::int64_t (*)(std::int64_t);
__attribute__((noinline)) std::int64_t twice(std::int64_t x) { return 2 * x; }
__attribute__((noinline)) std::int64_t square(std::int64_t x) { return x * x; }
const Function table[] = {&twice, &square};
const std::int64_t constants[] = {3, 5, 7, 11};
std::int64_t initialized[] = {100, 200};
std::int64_t zeroed[1024];
} // namespace

KERNEL(data) {
  auto out = getArgument<std::int64_t *>(arguments, 0);
  volatile int index = state->subGroupId;
  out[0] = table[index](constants[index + 2]);
  out[1] = initialized[index];
  out[2] = zeroed[index + 1000];
  initialized[index] += 1;
  zeroed[index + 1000] = 5;
}

KERNEL_INFO(abiVersion, 1, 0, lanes, 0, 0, "data", "avx2", nullptr);
