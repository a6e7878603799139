//===- Worker.cpp - A thread that runs programs ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Worker.h"

#include "intel/Runtime/Error.h"
#include "intel/Support/PrintFormat.h"

#include <cstdlib>
#include <vector>

namespace triton::intel::runtime::cpu {

using support::setFaultTarget;

/// Frees memory of aligned_alloc.
void Worker::Free::operator()(char *memory) const { std::free(memory); }

/// Returns the worker of this thread that is free. A kernel that is interrupted
/// may let Python run, which may launch another kernel: that one needs a
/// separate worker, as the outer one's stacks and shared memory are in use.
Worker &Worker::get() {
  static thread_local Worker first;
  Worker *worker = &first;
  while (worker->isRunning) {
    if (!worker->nested)
      worker->nested = std::make_unique<Worker>();
    worker = worker->nested.get();
  }
  return *worker;
}

/// Gets ready for the programs of a launch: memory, stacks, and what is the
/// same in all of their sub-groups' states. Throws `Error` of kind `Launch`
/// without memory.
void Worker::begin(const ProgramSet &programs) {
  this->programs = programs;
  std::size_t bytes = programs.kernel->getSharedBytes();
  // Kept from launch to launch; it grows to the largest.
  if (bytes > sharedBytes) {
    bytes = (bytes + rowAlignment - 1) / rowAlignment * rowAlignment;
    sharedMemory.reset(
        static_cast<char *>(std::aligned_alloc(rowAlignment, bytes)));
    // Zero if it failed, so that the next launch tries again.
    sharedBytes = sharedMemory ? bytes : 0;
    if (!sharedMemory)
      throw Error(ErrorKind::Launch, "no memory for " + std::to_string(bytes) +
                                         " bytes of shared memory");
  }
  // Without barriers, sub-groups run one after the other on the thread's stack,
  // which is much cheaper than switching.
  isInFibers = programs.numSubGroups > 1 && programs.kernel->usesBarrier();
  if (isInFibers)
    fibers.prepare(programs.numSubGroups);
  state.interruptFlag = programs.interruptFlag;
  state.worker = this;
  for (unsigned i = 0; i < programs.numSubGroups; ++i) {
    SubGroupState &subGroup = subGroups[i];
    for (int dimension = 0; dimension < 3; ++dimension)
      subGroup.numPrograms[dimension] =
          static_cast<std::int32_t>(programs.grid[dimension]);
    subGroup.subGroupId = static_cast<std::int32_t>(i);
    subGroup.numSubGroups = static_cast<std::int32_t>(programs.numSubGroups);
    // All sub-groups of a program share it; programs follow each other.
    subGroup.sharedMemory = sharedMemory.get();
    subGroup.runtime = static_cast<RuntimeState *>(&state);
  }
}

/// Runs all sub-groups of the current program, up to their ends.
void Worker::runSubGroups() {
  EntryPoint entry = programs.kernel->getEntryPoint();
  unsigned count = programs.numSubGroups;
  if (programs.checks) {
    programs.checks->begin(program);
    checked.begin(*programs.kernel, sharedMemory.get(), count);
  }
  // Fibers need slots of agreements from the beginning on.
  if (isInFibers) {
    agreements = {};
    nextAgreement = {};
    return fibers.run(entry, programs.arguments, subGroups.data(), count);
  }
  for (unsigned i = 0; i < count; ++i)
    entry(programs.arguments, &subGroups[i]);
}

/// One program; returns the fault that ended it, if there was one. Faults and
/// `leave` come back through the jump: no destructor of what the kernel has
/// called runs then.
std::optional<Fault> Worker::run(std::uint64_t program) {
  this->program = program;
  auto [numX, numY, numZ] = programs.grid;
  // x counts fastest.
  std::uint64_t rest = program / numX;
  std::int32_t id[] = {static_cast<std::int32_t>(program % numX),
                       static_cast<std::int32_t>(rest % numY),
                       static_cast<std::int32_t>(rest / numY)};
  for (unsigned i = 0; i < programs.numSubGroups; ++i)
    for (int dimension = 0; dimension < 3; ++dimension)
      subGroups[i].programId[dimension] = id[dimension];

  std::optional<Fault> fault;
  // The mask of signals is not saved: the handler does not change it.
  isRunning = true;
  if (sigsetjmp(target.position, 0) == 0) {
    setFaultTarget(&target);
    runSubGroups();
  } else {
    fault = target.fault;
    // The sub-groups are somewhere in the middle of the code.
    fibers.abandon();
  }
  setFaultTarget(nullptr);
  isRunning = false;
  // Also after a fault: others wait for this program's turn.
  if (programs.prints)
    programs.prints->complete(program, printed);
  return fault;
}

/// With one sub-group there is nothing to wait for.
void Worker::barrier() {
  if (isInFibers)
    fibers.wait();
}

/// Ends the current program as a fault does, but with signal 0.
void Worker::leave() {
  setFaultTarget(nullptr);
  target.fault = {0, nullptr};
  siglongjmp(target.position, 1);
}

/// A kernel has seen its flag. In the launching thread that only means that it
/// is time to query; in others the launch is to end.
void Worker::interrupted() {
  if (programs.isStopRequested) {
    // The code that runs there is no kernel, and needs a stack of any size.
    FaultTarget *before = setFaultTarget(nullptr);
    bool stops = false;
    std::function<void()> query = [&] {
      stops = (*programs.isStopRequested)();
    };
    // Fibers have small stacks: back to the thread's.
    if (isInFibers)
      fibers.callOutside(query);
    else
      query();
    setFaultTarget(before);
    if (!stops)
      return;
  }
  leave();
}

/// Returns whether any sub-group comes with `any` being true. All of them have
/// to call it equally often.
bool Worker::agree(unsigned subGroup, bool any) {
  if (programs.checks)
    checkBarrier(subGroup, nullptr, /*fences=*/0);
  if (!isInFibers)
    return any;
  unsigned slot = nextAgreement[subGroup];
  agreements[slot] |= any;
  fibers.wait();
  // The slot of the agreement before this one becomes that of the next but one:
  // all have read it, and none writes it until all have been here.
  unsigned next = (slot + 1) % agreements.size();
  agreements[(next + 1) % agreements.size()] = false;
  nextAgreement[subGroup] = static_cast<std::uint8_t>(next);
  return agreements[slot];
}

/// Appends a line to what the program has printed.
void Worker::print(const char *format, const std::uint64_t *values) {
  if (!programs.prints)
    return;
  // Code that crashes here holds locks of the process.
  FaultTarget *target = setFaultTarget(nullptr);
  support::appendFormatted(printed, format, values);
  programs.prints->add(program, printed);
  setFaultTarget(target);
}

/// Returns the worker that a sub-group runs on.
Worker &getWorker(SubGroupState *state) {
  auto *runtime = static_cast<RuntimeState *>(state->runtime);
  return *static_cast<WorkerState *>(runtime)->worker;
}

} // namespace triton::intel::runtime::cpu

// Generated code calls these functions by name; declared in
// intel/ABI/CPUKernel.h.
using triton::intel::abi::SubGroupState;
using triton::intel::runtime::cpu::getWorker;
using triton::intel::runtime::cpu::Worker;

extern "C" void triton_xe_cpu_barrier(SubGroupState *state) {
  getWorker(state).barrier();
}

extern "C" void triton_xe_cpu_interrupted(SubGroupState *state) {
  getWorker(state).interrupted();
}

extern "C" std::int32_t triton_xe_cpu_any(SubGroupState *state,
                                          std::int32_t value) {
  return getWorker(state).agree(state->subGroupId, value != 0);
}

extern "C" void triton_xe_cpu_print(SubGroupState *state, const char *format,
                                    const std::uint64_t *values) {
  getWorker(state).print(format, values);
}

/// Prints in the order of lanes, as rows hold an operand of all lanes each.
extern "C" void
triton_xe_cpu_print_lanes(SubGroupState *state, const char *format,
                          std::uint64_t mask, std::uint32_t lanes,
                          std::uint32_t count, const std::uint64_t *rows) {
  Worker &worker = getWorker(state);
  std::vector<std::uint64_t> values(count);
  // The lowest bit of the mask is cleared each time.
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctzll(mask);
    for (std::uint32_t i = 0; i < count; ++i)
      values[i] = rows[i * lanes + lane];
    worker.print(format, values.data());
  }
}
