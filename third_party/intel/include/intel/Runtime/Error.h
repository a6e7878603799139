//===- Error.h - Failures of the runtime ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// One exception type for everything that can go wrong between a compiled kernel
// and its launch. The kind decides which Python exception the user sees.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_ERROR_H
#define TRITON_INTEL_RUNTIME_ERROR_H

#include <stdexcept>
#include <string>

namespace triton::intel::runtime {

enum class ErrorKind {
  Device,    ///< no usable device, or the device was lost
  Binary,    ///< the kernel binary is damaged or the driver refuses it
  Compiler,  ///< the device's compiler crashed
  Argument,  ///< a kernel argument has the wrong type, value or device
  Launch,    ///< the launch geometry is not possible, or execution failed
  Fault,     ///< the processor refused what a kernel without checks did
  Assertion, ///< an assertion of the kernel does not hold
  Access,    ///< a checked kernel accessed memory that it must not
  Race,      ///< two programs or sub-groups of a checked kernel race
  Code,    ///< native code uses a register that was never written, or too early
  Barrier, ///< sub-groups of a checked kernel wait at different barriers
};

class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string &message)
      : std::runtime_error(message), kind(kind) {}

  ErrorKind getKind() const { return kind; }

private:
  ErrorKind kind;
};

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_ERROR_H
