//===- Checks.h - A sanitizer below the compiler ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Checks watch a launch on request. Each of them throws `Error`, which the
// launch completes with kernel, instruction, sub-group and program:
//   Code     a register is used that was never written, or too early
//   Access   memory that the launch does not have, or that was never written
//   Race     sub-groups that get in each other's way in shared memory
//   Barrier  a signal without a wait
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_CHECKS_CHECKS_H
#define TRITON_INTEL_LIB_SIMULATOR_CHECKS_CHECKS_H

#include "Definedness.h"
#include "Memory.h"
#include "Scoreboard.h"

namespace triton::intel::simulator {

struct GroupChecks {
  const GlobalMemoryCheck *global;
  SharedMemoryCheck shared;
};

/// The checks of one thread.
class ThreadChecks {
public:
  explicit ThreadChecks(GroupChecks *group) : group(group) {}

  void reset(unsigned inlineBytes, PrivateSpans privateSpans = {}) {
    privateMemory = privateSpans;
    definedness.reset(inlineBytes, privateMemory.own);
    scoreboard.reset();
  }

  /// Looks at an instruction before it runs.
  void begin(const Step &step);

  /// Checks an access that is about to be made; addresses in shared memory are
  /// offsets. A store that leaves the same bytes changes nothing.
  void access(const Step &step, const AccessedBytes &accessed, AccessKind kind,
              bool isShared, bool changes);

  /// Checks bytes of registers that are about to be stored by a 2D block
  /// message.
  void storeBlock(std::uint32_t offset, std::uint32_t size) const;

  /// At the end of a thread.
  void end(const Thread &thread);

private:
  GroupChecks *group;
  PrivateSpans privateMemory;
  DefinednessCheck definedness;
  ScoreboardCheck scoreboard;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_CHECKS_CHECKS_H
