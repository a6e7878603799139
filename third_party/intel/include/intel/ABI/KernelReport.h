//===- KernelReport.h - What a kernel says of its failure -------*- C++ -*-===//
//
// Part of what the compiler and the runtime agree on. A kernel that may fail
// has a hidden last parameter: a pointer to a report in global memory, zeros
// when the kernel starts. Whoever turns `number` from zero into another number,
// by an atomic exchange, fills in the rest. The texts that go with the numbers
// are data of the kernel's binary.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ABI_KERNELREPORT_H
#define INTEL_ABI_KERNELREPORT_H

#include "intel/ABI/BlockMessage.h"

namespace triton::intel::abi {

struct KernelReport {
  /// What failed first, counted from 1: the assertions of the kernel, and
  /// behind them its 2D block messages.
  std::int32_t number;
  /// The program that it failed in: x, y, z.
  std::int32_t program[3];
  /// Of 2D block messages: who sent it, and with which operands.
  std::int32_t subGroup;
  std::int32_t reserved;
  BlockOperands operands;
};

static_assert(offsetof(KernelReport, program) == 4);
static_assert(offsetof(KernelReport, subGroup) == 16);
static_assert(offsetof(KernelReport, operands) == 24);
static_assert(sizeof(KernelReport) == 56);

} // namespace triton::intel::abi

#endif // INTEL_ABI_KERNELREPORT_H
