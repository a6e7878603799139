//===- Checks.cpp - A sanitizer below the compiler ------------------------===//
// SPDX-License-Identifier: MIT

#include "Checks.h"

#include "intel/Runtime/Error.h"

#include <algorithm>

namespace triton::intel::simulator {

using runtime::Error;
using runtime::ErrorKind;

namespace {
[[noreturn]] void failUndefined(const std::string &found) {
  throw Error(ErrorKind::Code,
              "an instruction uses what was never computed: " + found);
}
} // namespace

void ThreadChecks::begin(const Step &step) {
  if (auto found = scoreboard.issue(step, getFootprint(step)))
    throw Error(ErrorKind::Code, "an instruction does not wait: " + *found);
  if (auto found = definedness.check(step))
    failUndefined(*found);
}

void ThreadChecks::storeBlock(std::uint32_t offset, std::uint32_t size) const {
  if (auto found = definedness.checkData(offset, size))
    failUndefined(*found);
}

void ThreadChecks::access(const Step &step, const AccessedBytes &accessed,
                          AccessKind kind, bool isShared, bool changes) {
  if (!group)
    return;
  auto [address, size, vectorBegin] = accessed;
  if (isShared)
    return group->shared.check(step.thread, address, size, kind, changes);
  checkPrivate(privateMemory, address, size, kind);
  // Pointers that were loaded may lead anywhere.
  const Code &code = *step.thread.group->launch->code;
  const SendOperands &send = code.messages[step.instruction.message];
  if (!address ||
      !definedness.isLoaded(send.addressRegister * registerBytes,
                            send.message.addressLength * registerBytes))
    group->global->check(accessed, kind);
}

void ThreadChecks::end(const Thread &thread) {
  bool hasCredits =
      std::any_of(thread.credits.begin(), thread.credits.end(),
                  [](std::uint8_t credits) { return credits != 0; });
  if (hasCredits || thread.numSignals != thread.numWaits)
    throw Error(ErrorKind::Barrier, "the sub-group ends after " +
                                        std::to_string(thread.numSignals) +
                                        " signals of its barrier and " +
                                        std::to_string(thread.numWaits) +
                                        " waits");
}

} // namespace triton::intel::simulator
