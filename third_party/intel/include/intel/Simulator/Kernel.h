//===- Kernel.h - A kernel that the simulator can launch --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_SIMULATOR_KERNEL_H
#define TRITON_INTEL_SIMULATOR_KERNEL_H

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/ReportCheck.h"
#include "intel/Simulator/Counts.h"
#include "intel/Simulator/Instruction.h"
#include "intel/Simulator/Timing.h"
#include "intel/Simulator/Zebin.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace triton::intel::simulator {

/// The machine code of a kernel, as the disassembler wants it, and for which
/// platform: one of its names ("xehpc").
struct MachineCode {
  std::string_view platform;
  std::vector<std::uint8_t> bytes;
};

/// Finds the code of the kernel `name`, and after it that of the functions
/// that it shares with other kernels. Throws `Error` of kind `Binary`.
MachineCode findMachineCode(std::string_view zebin, const std::string &name);

/// Returns the names of the kernels in a zebin, in its order. Throws likewise.
std::vector<std::string> findKernelNames(std::string_view zebin);

class Kernel {
public:
  /// Loads a kernel whose machine code `igaJson` describes (see Decoder.h).
  /// Throws `Error` of kind `Binary` for a damaged binary, for code that cannot
  /// be simulated, and for functions that the binary lacks.
  Kernel(std::string_view zebin, const std::string &name,
         std::string_view igaJson);
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  const std::string &getName() const { return description.name; }
  const KernelDescription &getDescription() const { return description; }
  const Code &getCode() const { return code; }

  /// Arguments that a launch gives, a hidden report not counted.
  unsigned getArgumentCount() const { return argumentCount; }
  /// Returns whether the last argument is the hidden `KernelReport`, and its
  /// texts.
  bool hasReport() const { return !reportTexts.isEmpty(); }
  const runtime::ReportTexts &getReportTexts() const { return reportTexts; }

  /// Returns the bytes of scratch memory of a thread, and of private memory in
  /// the global space.
  std::uint32_t getScratchBytes() const;
  std::uint32_t getPrivateBytes() const;

  /// Returns the addresses of the module's variables and constants; 0 without
  /// any.
  std::uint64_t getGlobalBase() const { return globalBase; }
  std::uint64_t getConstantBase() const { return constantBase; }

  /// Returns the memory of variables and constants.
  std::vector<runtime::ArgumentMemory> getDataMemory() const;

  /// These add to the counts of all launches that counted, and return them. Any
  /// thread may call them.
  void addCounts(const Counts &part) const;
  Counts getCounts() const;
  /// These do the same for the results of the timing model.
  void addTiming(const Timing &part) const;
  Timing getTiming() const;

  /// Returns the number of work-items of the largest work-group, which has the
  /// maximum number of threads.
  unsigned getMaxWorkGroupSize() const;

private:
  std::uint64_t joinZeros(const std::string &dataName,
                          const std::string &zerosName);
  void relocate();
  void patch(const Relocation &relocation, std::uint64_t codeOffset,
             std::uint64_t value);
  /// Returns where a section begins in the code; none if it is no part of it.
  std::optional<std::uint64_t> getCodeOffset(const Section &section) const;
  std::uint64_t getAddress(const Symbol &symbol) const;

  Zebin zebin;
  KernelDescription description;
  Code code;
  runtime::ReportTexts reportTexts;
  unsigned argumentCount = 0;
  std::uint64_t globalBase = 0, constantBase = 0;
  mutable std::mutex countsMutex;
  mutable Counts counts;
  mutable Timing timing;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_KERNEL_H
