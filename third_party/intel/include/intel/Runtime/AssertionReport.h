//===- AssertionReport.h - An assertion that failed -------------*- C++ -*-===//
//
// What a kernel with assertions leaves behind, and what becomes of it.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_ASSERTIONREPORT_H
#define INTEL_RUNTIME_ASSERTIONREPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace triton::intel::runtime {

/// What a kernel with assertions writes through its hidden last argument. Zeros
/// before the launch.
struct AssertionReport {
  /// The assertion that failed first, counted from 1.
  std::int32_t number;
  /// The program that it failed in: x, y, z.
  std::int32_t program[3];
};

/// Throws `Error` of kind `Assertion` when an assertion failed. `texts` are
/// those of the kernel's assertions.
void checkAssertions(const AssertionReport &report,
                     const std::vector<std::string> &texts,
                     const std::string &kernelName);

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_ASSERTIONREPORT_H
