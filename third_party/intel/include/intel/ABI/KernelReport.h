//===- KernelReport.h - What a kernel says of its failure -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
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

/// The element of a tensor for which an assertion does not hold.
struct AssertedElement {
  static constexpr std::int32_t maxRank = 5;
  /// 0 where the condition is no tensor, or one of a higher rank.
  std::int32_t rank;
  std::int32_t coordinates[maxRank];
};

struct KernelReport {
  /// What failed first, counted from 1: the assertions of the kernel, and
  /// behind them its 2D block messages.
  std::int32_t number;
  /// The program that it failed in: x, y, z.
  std::int32_t program[3];
  /// Who asserted it, or sent the message.
  std::int32_t subGroup;
  /// -1 where all lanes did.
  std::int32_t lane;
  union {
    /// Of assertions.
    AssertedElement element;
    /// Of 2D block messages.
    BlockOperands operands;
  };
};

static_assert(offsetof(KernelReport, program) == 4);
static_assert(offsetof(KernelReport, subGroup) == 16);
static_assert(offsetof(KernelReport, lane) == 20);
static_assert(offsetof(KernelReport, element) == 24);
static_assert(offsetof(KernelReport, operands) == 24);
static_assert(sizeof(KernelReport) == 56);

} // namespace triton::intel::abi

#endif // INTEL_ABI_KERNELREPORT_H
