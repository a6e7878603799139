//===- Messages.h - Execution of messages -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_SIMULATOR_MESSAGES_H
#define TRITON_INTEL_LIB_SIMULATOR_MESSAGES_H

#include "Step.h"

namespace triton::intel::simulator {

/// Returns 1, 2, 4 or 8 bytes as a number. Memory may have any alignment.
inline std::uint64_t readBits(const std::uint8_t *bytes, unsigned size) {
  auto read = [&](auto value) -> std::uint64_t {
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  };
  switch (size) {
  case 1:
    return *bytes;
  case 2:
    return read(std::uint16_t());
  case 4:
    return read(std::uint32_t());
  default:
    return read(std::uint64_t());
  }
}

/// Writes the lowest 1, 2, 4 or 8 bytes of a number.
inline void writeBits(std::uint8_t *bytes, std::uint64_t bits, unsigned size) {
  auto write = [&](auto value) { std::memcpy(bytes, &value, sizeof(value)); };
  switch (size) {
  case 1:
    return write(static_cast<std::uint8_t>(bits));
  case 2:
    return write(static_cast<std::uint16_t>(bits));
  case 4:
    return write(static_cast<std::uint32_t>(bits));
  default:
    return write(bits);
  }
}

/// A message that is being carried out.
struct Request {
  Request(Step &step, const SendOperands &operands, const Message &message)
      : step(step), operands(operands), message(message) {}

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

  /// Reads the addresses of lanes, or that of a message which has one.
  void readAddresses();

  /// The registers of a payload that is listed in the scalar register: address
  /// and data one after the other.
  std::uint8_t gathered[32] = {};

  /// The addresses of lanes, also of those that do not run.
  Lanes<std::uint64_t> addresses;
  /// The address of the first element of the vector that is loaded.
  std::uint64_t begin = 0;

  /// The launch's translation of addresses; null if they are pointers.
  /// `isPlain` is true if an address only has to be translated.
  const AddressTranslation *const translation =
      step.thread.group->launch->translation;
  const bool isPlain = operands.function != SharedFunction::SLM &&
                       message.space == AddressSpace::Flat &&
                       !step.thread.checks;
  /// The range of the last access to the flat space, which may be accessed in
  /// the way that the message does. Most messages stay in one.
  mutable MappedRange range;
};

/// Returns the message of a send. Descriptors in registers are read, and
/// decoded into `decoded`.
const Message &resolveMessage(const Step &step, const SendOperands &operands,
                              Message &decoded);

/// Gathers and scatters, blocks of one address, and atomics.
void executeFlat(Request &request);
void executeBlock2D(Request &request);
/// Adds, exchanges and so on at one address; returns the previous value.
std::uint64_t executeAtomic(Request &request, std::uint8_t *memory,
                            std::uint64_t operand, std::uint64_t other);

/// Looks an access up in the launch's translation, and keeps its range.
std::uint8_t *findVirtual(const Request &request, std::uint64_t address,
                          std::uint64_t size);
[[noreturn]] void failPage(const Request &request, std::uint64_t address,
                           std::uint64_t size);

/// Returns the address in this process of an access to the flat space, or null
/// if not all of it is at one place.
inline std::uint8_t *findFlat(const Request &request, std::uint64_t address,
                              std::uint64_t size) {
  if (!request.translation)
    return reinterpret_cast<std::uint8_t *>(address);
  std::uint8_t *place = request.range.get(address, size, /*isWritten=*/false);
  return place ? place : findVirtual(request, address, size);
}

/// Does the same, and throws `Error` for a page fault.
inline std::uint8_t *translateFlat(const Request &request,
                                   std::uint64_t address, std::uint64_t size) {
  std::uint8_t *place = findFlat(request, address, size);
  if (!place)
    failPage(request, address, size);
  return place;
}

/// Does the same for any space, with checks.
std::uint8_t *translateAny(const Request &request, std::uint64_t address,
                           unsigned size, const std::uint8_t *stored);

/// Returns the address in this process of `size` bytes at an address of the
/// message, in its space. Throws `Error` where the space ends before, and where
/// a check finds something. `stored` are the bytes that will be stored there.
inline std::uint8_t *translate(const Request &request, std::uint64_t address,
                               unsigned size,
                               const std::uint8_t *stored = nullptr) {
  return request.isPlain ? translateFlat(request, address, size)
                         : translateAny(request, address, size, stored);
}

/// Counts a thread's signal at a barrier of its group, and lets those go that
/// waited for it.
void signalBarrier(Request &request);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_MESSAGES_H
