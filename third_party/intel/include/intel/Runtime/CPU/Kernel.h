//===- Kernel.h - A kernel of the CPU device --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A loaded object with the kernel in it (see CPUKernel.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_CPU_KERNEL_H
#define TRITON_INTEL_RUNTIME_CPU_KERNEL_H

#include "intel/ABI/CPUKernel.h"
#include "intel/Runtime/CPU/ObjectLoader.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace triton::intel::runtime::cpu {

// The contract with kernels is spelled as if it were the runtime's own.
using namespace abi;

/// Returns the instruction sets of `KernelInfo` that this processor has, the
/// smallest first.
std::vector<std::string> getInstructionSets();

class Kernel {
public:
  /// Loads the kernel `name` from an object file. Throws `Error` of kind
  /// `Binary` when the object is damaged, holds no such kernel, was made for
  /// another version of the ABI, or needs instructions or functions that are
  /// missing here.
  Kernel(std::string_view binary, const std::string &name);

  const std::string &getName() const { return name; }
  EntryPoint getEntryPoint() const { return entryPoint; }

  /// Returns the number of arguments, not counting hidden ones.
  unsigned getArgumentCount() const;
  unsigned getSharedBytes() const { return info.sharedBytes; }
  unsigned getSubGroupSize() const { return info.subGroupSize; }
  /// Returns the number of sub-groups that the kernel was compiled for; 0: any
  /// number.
  unsigned getNumSubGroups() const { return info.numSubGroups; }
  const std::string &getInstructionSet() const { return instructionSet; }

  /// Work-items of the largest work-group.
  static constexpr std::size_t maxWorkGroupSize = 1024;
  /// Sub-groups of the largest work-group, which have 16 work-items or more.
  static constexpr unsigned maxSubGroups = maxWorkGroupSize / 16;

  bool usesBarrier() const { return barrier; }
  bool usesPrint() const { return print; }

  /// Returns whether the last argument is the hidden `KernelReport`, and the
  /// texts.
  bool hasAssertions() const { return info.flags & HasAssertions; }
  const std::vector<std::string> &getAssertions() const { return assertions; }

  /// Returns whether the code checks itself; a launch then needs the memory of
  /// its arguments.
  bool hasChecks() const { return info.flags & HasChecks; }
  /// Returns whether code that checks itself may store to the memory of an
  /// argument.
  bool storesTo(std::size_t argument) const {
    return argument < storedArguments.size() && storedArguments[argument];
  }

  /// Returns the time of a program in the last launch, in nanoseconds; 0 before
  /// the first launch. It decides whether waking other threads is worth the
  /// cost.
  std::atomic<std::int64_t> &getProgramTime() const { return programTime; }

private:
  void readInfo();
  void readAssertions();
  void readStoredArguments();

  std::string name;
  LoadedObject object;
  KernelInfo info;
  EntryPoint entryPoint;
  std::string instructionSet;
  std::vector<std::string> assertions;
  std::vector<std::uint8_t> storedArguments;
  bool barrier, print;
  mutable std::atomic<std::int64_t> programTime{0};
};

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_RUNTIME_CPU_KERNEL_H
