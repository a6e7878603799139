//===- ReportCheck.h - Reports of failed kernels ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Turns the report of a kernel (intel/ABI/KernelReport.h) into an error.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_REPORTCHECK_H
#define TRITON_INTEL_RUNTIME_REPORTCHECK_H

#include "intel/ABI/KernelReport.h"
#include "intel/ABI/SPIRVBinary.h"

#include <string>
#include <vector>

namespace triton::intel::runtime {

/// The texts that belong to the numbers in a report.
struct ReportTexts {
  std::vector<std::string> assertions;
  std::vector<abi::CheckedBlockMessage> messages;

  bool isEmpty() const { return assertions.empty() && messages.empty(); }
};

/// Throws `Error` if something failed: of kind `Assertion`, or `Access` for a
/// 2D block message.
void checkReport(const abi::KernelReport &report, const ReportTexts &texts,
                 const std::string &kernelName);

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_REPORTCHECK_H
