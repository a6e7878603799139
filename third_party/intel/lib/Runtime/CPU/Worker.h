//===- Worker.h - A thread that runs programs -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The state that a thread needs to run programs, kept from launch to launch:
// stacks, shared memory and the states of sub-groups.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_WORKER_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_WORKER_H

#include "CheckedProgram.h"
#include "Fibers.h"
#include "PrintQueue.h"
#include "intel/Support/Faults.h"

#include "intel/Runtime/CPU/Kernel.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace triton::intel::runtime::cpu {

using support::Fault;
using support::FaultTarget;
using support::SignalStack;

/// The data that the programs of a launch share.
struct ProgramSet {
  const Kernel *kernel;
  /// 8 bytes per argument.
  const void *arguments;
  std::array<std::int64_t, 3> grid;
  unsigned numSubGroups;
  const std::int32_t *interruptFlag;
  PrintQueue *prints;
  /// The checks of a kernel that checks itself; null for others.
  CheckedLaunch *checks;
  /// Called in the launching thread at loops of kernels. Returns whether to
  /// end.
  const std::function<bool()> *isStopRequested;
};

class Worker;

/// The object that `SubGroupState::runtime` points to.
struct WorkerState : RuntimeState {
  Worker *worker;
};

class Worker {
public:
  /// Returns one of the calling thread that runs nothing: a signal's handler
  /// may launch a kernel while another one is interrupted for it.
  static Worker &get();

  /// Prepares for the programs of a launch. Throws `Error` of kind `Launch`
  /// when there is no memory.
  void begin(const ProgramSet &programs);

  /// Runs a program, numbered with x fastest. Returns what crashed it, if
  /// something did.
  std::optional<Fault> run(std::uint64_t program);

  /// Returns whether a fault means that a sub-group's stack was too small.
  bool isStackOverflow(const Fault &fault) const {
    return fibers.isStackOverflow(fault.address);
  }

  /// See Fibers.h.
  std::uint64_t takeNumDivergentBarriers() {
    return fibers.takeNumDivergentBarriers();
  }

  /// Returns the error of a check that ended a program, if there was one.
  std::optional<CheckFailure> takeFailure() {
    return std::exchange(failure, std::nullopt);
  }

  // Called by kernels.
  void barrier();
  void interrupted();
  void checkAccess(unsigned subGroup, const AccessSite &site,
                   const char *const *pointers, std::uint64_t mask,
                   std::uint32_t lanes, const void *values);
  void checkBlock(unsigned subGroup, const BlockSite &site,
                  const abi::BlockOperands &operands, const char *values);
  void checkBarrier(unsigned subGroup, const char *place, std::uint32_t fences);
  bool agree(unsigned subGroup, bool any);
  void print(const char *format, const std::uint64_t *values);

private:
  struct Free {
    void operator()(char *memory) const;
  };

  void runSubGroups();
  bool findFault(unsigned subGroup, const AccessSite &site,
                 const char *const *pointers, std::uint64_t mask,
                 std::uint32_t lanes, const void *values);
  bool findFault(unsigned subGroup, const BlockSite &site,
                 const abi::BlockOperands &operands, const char *values);
  bool findFault(const Access &access, unsigned subGroup, int lane,
                 bool changes);
  bool fails(std::optional<CheckFailure> found, unsigned subGroup,
             int lane = -1);
  /// Jumps out of the program.
  [[noreturn]] void leave();

  static constexpr unsigned maxSubGroups = Kernel::maxSubGroups;

  SignalStack signalStack;
  Fibers fibers;
  bool isInFibers = false;
  ProgramSet programs = {};
  std::uint64_t program = 0;
  WorkerState state = {};
  std::array<SubGroupState, maxSubGroups> subGroups = {};
  /// The result of the n-th agreement of the sub-groups is in agreements[n %
  /// 3]. Each sub-group has an index of its next agreement.
  std::array<bool, 3> agreements = {};
  std::array<std::uint8_t, maxSubGroups> nextAgreement = {};
  std::unique_ptr<char, Free> sharedMemory;
  std::size_t sharedBytes = 0;
  /// The text that the program has printed so far.
  std::string printed;
  FaultTarget target;
  bool isRunning = false;
  CheckedProgram checked;
  std::optional<CheckFailure> failure;
  std::unique_ptr<Worker> nested;
};

Worker &getWorker(SubGroupState *state);

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_WORKER_H
