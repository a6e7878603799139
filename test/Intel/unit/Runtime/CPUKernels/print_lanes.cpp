// SPDX-License-Identifier: MIT
// Even lanes print their numbers, and their squares.
#include "TestKernel.h"

KERNEL(print_lanes) {
  std::uint64_t rows[2 * lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    rows[lane] = lane;
    rows[lanes + lane] = lane * lane;
  }
  triton_xe_cpu_print_lanes(state, "%d: %d\n", 0x5555, lanes, 2, rows);
}

KERNEL_INFO(abiVersion, 0, 0, lanes, 1, 0, "print_lanes", "avx2", nullptr);
