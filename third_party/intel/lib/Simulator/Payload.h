//===- Payload.h - Registers of a thread at its start -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_SIMULATOR_PAYLOAD_H
#define TRITON_INTEL_LIB_SIMULATOR_PAYLOAD_H

#include "intel/Simulator/Machine.h"

#include <array>
#include <cstdint>
#include <vector>

namespace triton::intel::simulator {

/// The work-items of a launch as its threads get to know them: memory that the
/// launch brings along, and registers.
class Payload {
public:
  virtual ~Payload() = default;

  /// Returns the memory of entry 255 of the binding table.
  const std::vector<std::uint8_t> &getIndirectData() const {
    return indirectData;
  }
  /// Returns the bytes of shared local memory of a group.
  std::uint32_t getSharedBytes() const { return sharedBytes; }
  unsigned getNumThreads() const { return numThreads; }
  /// Returns the number of bytes that a thread finds in registers from r1 on.
  unsigned getInlineBytes() const { return inlineBytes; }

  /// Returns the lanes of a thread that are work-items; the last thread of a
  /// group may have fewer.
  virtual std::uint32_t getLanes(unsigned thread) const = 0;
  /// Sets the registers that a dispatch defines.
  virtual void initialize(Thread &thread,
                          const std::array<std::uint32_t, 3> &group,
                          unsigned number) const = 0;

protected:
  /// Loads of the payload have separate sizes and may go beyond its end.
  static constexpr std::size_t padding = 4096;

  /// Sets r0, which is the same for all launches.
  void initializeHeader(Thread &thread,
                        const std::array<std::uint32_t, 3> &group,
                        unsigned number) const;

  std::vector<std::uint8_t> indirectData;
  std::uint32_t sharedBytes = 0;
  unsigned numThreads = 0, inlineBytes = 0;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_PAYLOAD_H
