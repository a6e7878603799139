//===- Failure.h - Errors of the virtual GPU --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Nothing that the virtual GPU does not know passes silently. The reported
// error depends on the place: a call of the kernel driver's interface fails
// with a number of errno, and a queue that met an unknown command is banned, as
// it is when hardware hangs. In both cases the text is written to standard
// error.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_FAILURE_H
#define TRITON_INTEL_VIRTUALGPU_FAILURE_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace triton::intel::vgpu {

/// A call of the kernel driver's interface that fails.
class CallError : public std::runtime_error {
public:
  /// `number` is the value of errno. Without a text the failure is one that a
  /// driver expects and handles, and nothing is written.
  explicit CallError(int number, const std::string &text = {})
      : std::runtime_error(text), number(number) {}

  int getNumber() const { return number; }

private:
  int number;
};

/// This error bans the queue whose batch caused it.
class QueueError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Thrown in the thread of a queue that ends before its batch does.
struct QueueStopped {};

/// Writes a line to standard error, as the virtual GPU.
void report(const std::string &text);

/// Returns a number with the prefix 0x.
std::string toHex(std::uint64_t value);

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_FAILURE_H
