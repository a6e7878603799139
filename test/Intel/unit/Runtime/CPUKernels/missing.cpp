// SPDX-License-Identifier: MIT
// Calls a function that does not exist.
#include "TestKernel.h"

extern "C" void no_such_function(int);

KERNEL(missing) { no_such_function(state->subGroupId); }

KERNEL_INFO(abiVersion, 0, 0, lanes, 0, 0, "missing", "avx2", nullptr);
