//===- Payload.h - Arguments and ids that a thread starts with --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Arguments and local ids are in memory, where the first instructions of a
// kernel load them from (binding table entry 255); on some chips the first
// arguments come in a register. What group a thread belongs to is in r0.
// Layouts: visa's PrologEpilog.cpp, compute-runtime's zeinfo_decoder.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_LIB_SIMULATOR_PAYLOAD_H
#define INTEL_LIB_SIMULATOR_PAYLOAD_H

#include "intel/Simulator/Launch.h"
#include "intel/Simulator/Machine.h"

namespace triton::intel::simulator {

/// Where memory is that a launch brings along: private variables of all
/// threads, and what is printed.
struct LaunchMemory {
  std::uint64_t privateBase = 0, printBase = 0;
};

class Payload {
public:
  /// Throws `Error` of kind `Launch` for an argument that no launch here can
  /// give, by its name.
  Payload(const Kernel &kernel, const Dispatch &dispatch,
          const std::vector<runtime::Argument> &arguments,
          const LaunchMemory &memory);

  const std::vector<std::uint8_t> &getIndirectData() const {
    return indirectData;
  }
  /// Returns the bytes of shared local memory of a group: the kernel's own, and
  /// that of arguments.
  std::uint32_t getSharedBytes() const { return sharedBytes; }
  unsigned getNumThreads() const { return numThreads; }
  /// Returns the number of bytes of arguments in a register.
  unsigned getInlineBytes() const { return inlineBytes; }
  /// Returns the lanes of a thread that are work-items; the last thread of a
  /// group may have fewer.
  std::uint32_t getLanes(unsigned thread) const;

  /// Sets the registers that a dispatch defines.
  void initialize(Thread &thread, const std::array<std::uint32_t, 3> &group,
                  unsigned number) const;

private:
  void write(const PayloadArgument &argument);
  void writeLocalIds();

  const Kernel &kernel;
  const Dispatch &dispatch;
  const std::vector<runtime::Argument> &arguments;
  LaunchMemory memory;
  std::vector<std::uint8_t> crossThread, indirectData;
  unsigned inlineBytes = 0;
  std::uint32_t sharedBytes;
  unsigned numThreads;
};

} // namespace triton::intel::simulator

#endif // INTEL_LIB_SIMULATOR_PAYLOAD_H
