//===- Printing.h - Output of a kernel's printf -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Code of the device compiler moves the end of a buffer atomically, and writes
// a record: the address of the format, then of each operand its type and its
// value, in multiples of 4 bytes. The driver reads the records when the kernel
// has ended. The first 4 bytes of the buffer state where its end is (sources:
// OpenCLPrintfResolution.cpp of intel-graphics-compiler, print_formatter.h of
// compute-runtime).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_PRINTING_H
#define TRITON_INTEL_LIB_SIMULATOR_PRINTING_H

#include "intel/Runtime/Arguments.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace triton::intel::simulator {

class PrintBuffer {
public:
  /// Code compares the end with this size; it is in no argument.
  static constexpr std::size_t numBytes = std::size_t(1) << 22;

  /// Has no memory if the kernel does not print.
  explicit PrintBuffer(bool isUsed);

  std::uint64_t getAddress() const {
    return reinterpret_cast<std::uint64_t>(bytes.data());
  }
  std::size_t getSize() const { return bytes.size(); }

  /// Returns the text of all records. Formats and strings are in `data`, memory
  /// of the kernel; damaged records throw `Error` of kind `Launch`.
  std::string format(const std::vector<runtime::ArgumentMemory> &data) const;

  /// Returns the number of bytes of records for which there was no room.
  std::size_t getLost() const;

private:
  std::uint32_t getEnd() const;

  std::vector<std::uint8_t> bytes;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_PRINTING_H
