// SPDX-License-Identifier: MIT
// Its second assertion fails in program `bad`. Arguments: counter of programs
// that ran, bad, and the hidden report.
#include "TestKernel.h"

#include "intel/ABI/KernelReport.h"

using triton::intel::abi::KernelReport;

KERNEL(check) {
  auto counter = getArgument<std::int64_t *>(arguments, 0);
  auto bad = getArgument<std::int64_t>(arguments, 1);
  auto *report = getArgument<KernelReport *>(arguments, 2);
  if (state->subGroupId != 0)
    return;
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
  std::int32_t none = 0;
  if (getLinearProgram(state) == bad &&
      __atomic_compare_exchange_n(&report->number, &none, 2, false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    for (int i = 0; i < 3; ++i)
      report->program[i] = state->programId[i];
}

KERNEL_INFO(abiVersion, 3, 0, lanes, 0, HasAssertions, "check", "avx2",
            "first\0second\0");
