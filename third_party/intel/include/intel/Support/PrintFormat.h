//===- PrintFormat.h - Formatting by printf ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_SUPPORT_PRINTFORMAT_H
#define TRITON_INTEL_SUPPORT_PRINTFORMAT_H

#include <cstdint>
#include <string>
#include <vector>

namespace triton::intel::support {

/// Appends the text that printf prints for `format`; see triton_xe_cpu_print in
/// CPUKernel.h for `values`. A conversion of OpenCL's vectors, "%v4d", takes
/// one value per element. Conversions that are not known are printed as they
/// are.
void appendFormatted(std::string &text, const char *format,
                     const std::uint64_t *values);

/// Returns, for each conversion of a format that takes a value, how many
/// elements its vector has; 1 for a scalar.
std::vector<unsigned> countElements(const char *format);

} // namespace triton::intel::support

#endif // TRITON_INTEL_SUPPORT_PRINTFORMAT_H
