//===- KernelReport.h - Report of a failed kernel ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Part of the contract between the compiler and the runtime. A kernel that may
// fail has a hidden last parameter: a pointer to a report in global memory,
// which is zero when the kernel starts. The work-item that changes `number`
// from zero to another number, by an atomic exchange, fills in the other
// fields. The kernel's binary contains the texts that belong to the numbers.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ABI_KERNELREPORT_H
#define TRITON_INTEL_ABI_KERNELREPORT_H

#include "intel/ABI/BlockMessage.h"

namespace triton::intel::abi {

/// The element of a tensor for which an assertion does not hold.
struct AssertedElement {
  static constexpr std::int32_t maxRank = 5;
  /// 0 if the condition is no tensor, or a tensor of a higher rank.
  std::int32_t rank;
  std::int32_t coordinates[maxRank];
};

struct KernelReport {
  /// The number of the assertion or 2D block message that failed first. The
  /// assertions of the kernel are numbered from 1, followed by its messages.
  std::int32_t number;
  /// The program in which it failed: x, y, z.
  std::int32_t program[3];
  /// The sub-group in which it failed.
  std::int32_t subGroup;
  /// The lane in which it failed; -1 for all lanes.
  std::int32_t lane;
  union {
    /// The element of an assertion.
    AssertedElement element;
    /// The operands of a 2D block message.
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

#endif // TRITON_INTEL_ABI_KERNELREPORT_H
