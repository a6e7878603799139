//===- Messages.h - Execution of messages -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_LIB_SIMULATOR_MESSAGES_H
#define INTEL_LIB_SIMULATOR_MESSAGES_H

#include "Step.h"

namespace triton::intel::simulator {

/// A message that is being carried out.
struct Request {
  Step &step;
  const SendOperands &operands;
  const Message &message;

  /// Returns byte `offset` of the address payload, of the data, and of what
  /// comes back.
  const std::uint8_t *getAddress(unsigned offset) const;
  const std::uint8_t *getData(unsigned offset) const;
  std::uint8_t *getResult(unsigned offset) const;

  /// Returns the number of lanes that the payload has room for: 16 also for
  /// messages of fewer.
  unsigned getWidth() const { return step.numLanes > 16 ? 32 : 16; }

  [[noreturn]] void fail(const std::string &text) const {
    step.fail(describe(operands.function, message) + ": " + text);
  }

  /// The registers of a payload that is listed in the scalar register: address
  /// and data one behind the other.
  std::uint8_t gathered[32] = {};
};

/// Returns the message of a send. Descriptors in registers are read, and
/// decoded into `decoded`.
const Message &resolveMessage(const Step &step, const SendOperands &operands,
                              Message &decoded);

/// Gathers and scatters, blocks of one address, and atomics.
void executeFlat(Request &request);
void executeBlock2D(Request &request);
/// Adds, exchanges and so on at one address; returns what was there before.
std::uint64_t executeAtomic(Request &request, std::uint8_t *memory,
                            std::uint64_t operand, std::uint64_t other);

/// Returns the address in this process of `size` bytes at an address of the
/// message, in its space. Throws `Error` where the space ends before, and where
/// a check finds something. `stored` are the bytes that will be stored there.
std::uint8_t *translate(const Request &request, std::uint64_t address,
                        unsigned size, const std::uint8_t *stored = nullptr);

/// Looks an access to the flat space up in the launch's translation; returns
/// null if not all of it is at one place.
std::uint8_t *findVirtual(const Request &request, std::uint64_t address,
                          std::uint64_t size);
/// Does the same, and throws `Error` for a page fault.
std::uint8_t *translateVirtual(const Request &request, std::uint64_t address,
                               std::uint64_t size);

/// Returns the address in this process of an access to the flat space.
inline std::uint8_t *translateFlat(const Request &request,
                                   std::uint64_t address, std::uint64_t size) {
  if (!request.step.thread.group->launch->translation)
    return reinterpret_cast<std::uint8_t *>(address);
  return translateVirtual(request, address, size);
}

/// Counts a thread's signal at a barrier of its group, and lets those go that
/// waited for it.
void signalBarrier(Request &request);

} // namespace triton::intel::simulator

#endif // INTEL_LIB_SIMULATOR_MESSAGES_H
