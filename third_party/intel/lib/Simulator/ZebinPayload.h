//===- ZebinPayload.h - Arguments and ids of a zebin kernel -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Arguments and local ids are in memory, where the first instructions of a
// kernel load them from (binding table entry 255); on some chips the first
// arguments come in a register. The group of a thread is in r0. Layouts: visa's
// PrologEpilog.cpp, compute-runtime's zeinfo_decoder.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_ZEBINPAYLOAD_H
#define TRITON_INTEL_LIB_SIMULATOR_ZEBINPAYLOAD_H

#include "Payload.h"
#include "intel/Simulator/Launch.h"

namespace triton::intel::simulator {

/// The places of memory that a launch brings along: private variables of all
/// threads, and what is printed.
struct LaunchMemory {
  std::uint64_t privateBase = 0, printBase = 0;
};

class ZebinPayload : public Payload {
public:
  /// Throws `Error` of kind `Launch` for an argument that no launch here can
  /// give, by its name.
  ZebinPayload(const Kernel &kernel, const Dispatch &dispatch,
               const std::vector<runtime::Argument> &arguments,
               const LaunchMemory &memory);

  std::uint32_t getLanes(unsigned thread) const override;
  void initialize(Thread &thread, const std::array<std::uint32_t, 3> &group,
                  unsigned number) const override;

private:
  void write(const PayloadArgument &argument);
  void writeLocalIds();

  const Kernel &kernel;
  const Dispatch &dispatch;
  const std::vector<runtime::Argument> &arguments;
  LaunchMemory memory;
  std::vector<std::uint8_t> crossThread;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_ZEBINPAYLOAD_H
