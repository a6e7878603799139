//===- RunCode.cpp - Instructions without a kernel around them ------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/RunCode.h"

#include "Checks/Checks.h"
#include "Timing/LaunchTiming.h"
#include "intel/Runtime/Error.h"

#include <cstring>
#include <memory>
#include <vector>

namespace triton::intel::simulator {

using runtime::Error;
using runtime::ErrorKind;

namespace {
constexpr std::size_t threadBytes = registerFile::maxGRFs * registerBytes;

/// Runs the threads of a group in turn, until all have ended.
void runGroup(WorkGroup &group) {
  constexpr std::uint64_t budget = 10'000'000;
  for (bool isAnyRunning = true; isAnyRunning;) {
    isAnyRunning = false;
    bool hasProgress = false;
    for (Thread *thread : group.threads) {
      if (thread->hasEnded)
        continue;
      std::uint64_t before = thread->numExecuted;
      if (thread->run(budget) == StopReason::OutOfTime)
        throw Error(ErrorKind::Launch, "the code does not end");
      hasProgress |= thread->numExecuted != before;
      isAnyRunning |= !thread->hasEnded;
    }
    if (isAnyRunning && !hasProgress)
      throw Error(ErrorKind::Launch,
                  "a barrier that no other sub-group comes to");
  }
}
} // namespace

std::string runCode(const Code &code, const CodeInputs &inputs) {
  if (inputs.registers.size() % threadBytes)
    throw Error(ErrorKind::Argument,
                "expected the bytes of 256 registers per thread");
  LaunchState launch;
  launch.code = &code;
  launch.indirectData =
      reinterpret_cast<const std::uint8_t *>(inputs.indirectData.data());
  launch.indirectBytes = inputs.indirectData.size();
  launch.sharedBytes = inputs.sharedBytes;
  constexpr std::uint32_t scratchBytes = 1 << 16;
  launch.scratchBytes = scratchBytes;
  WorkGroup group;
  group.launch = &launch;
  group.sharedMemory.assign(inputs.sharedBytes, 0);
  GlobalMemoryCheck global(getAllMemory(), {});
  GroupChecks groupChecks{&global, {}};
  groupChecks.shared.reset(inputs.sharedBytes);
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<std::unique_ptr<ThreadChecks>> checks;
  std::vector<std::unique_ptr<Recorder>> recorders;
  std::unique_ptr<LaunchTiming> timing;
  LaunchTotals totals;
  LaunchShape shape;
  shape.threadsPerGroup =
      static_cast<unsigned>(inputs.registers.size() / threadBytes);
  shape.sharedBytes = inputs.sharedBytes;
  if (inputs.timing && shape.threadsPerGroup)
    timing = std::make_unique<LaunchTiming>(*inputs.chip, shape);
  for (std::size_t i = 0; i < inputs.registers.size() / threadBytes; ++i) {
    threads.push_back(std::make_unique<Thread>());
    Thread &thread = *threads.back();
    auto index = static_cast<unsigned>(i);
    thread.reset(group, index, index, inputs.lanes);
    std::memcpy(thread.registers.data(),
                inputs.registers.data() + i * threadBytes, threadBytes);
    group.threads.push_back(&thread);
    if (timing) {
      recorders.push_back(std::make_unique<Recorder>(totals));
      thread.recorder = recorders.back().get();
      timing->begin(*thread.recorder, 0, index);
    }
    if (!inputs.checks)
      continue;
    checks.push_back(std::make_unique<ThreadChecks>(&groupChecks));
    checks.back()->reset(registerBytes);
    thread.checks = checks.back().get();
  }
  runGroup(group);
  if (timing) {
    timing->addTotals(totals);
    *inputs.timing = timing->finish(code);
  }
  std::string registers;
  for (const auto &thread : threads)
    registers.append(reinterpret_cast<const char *>(thread->registers.data()),
                     threadBytes);
  return registers;
}

} // namespace triton::intel::simulator
