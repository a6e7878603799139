//===- Registers.h - The registers of an engine -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Commands move numbers between memory and registers, and compute with them.
// The driver does so for timestamps, on chips whose walkers do not write what
// it wants. Only registers are known that have a meaning here.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_REGISTERS_H
#define TRITON_INTEL_VIRTUALGPU_REGISTERS_H

#include "intel/VirtualGPU/AddressSpace.h"
#include "intel/VirtualGPU/Clock.h"

#include <array>
#include <cstdint>
#include <vector>

namespace triton::intel::vgpu {

class Registers {
public:
  /// Timestamps are those of the queue's clock.
  explicit Registers(QueueClock &clock) : clock(clock) {}

  /// These throw `QueueError` for a register that is not known, with its
  /// number.
  std::uint32_t read(std::uint32_t number);
  void write(std::uint32_t number, std::uint32_t value);

  /// Returns the bytes from an address of the first tile to that of this one,
  /// in commands that every tile executes.
  std::uint64_t getTileOffset() const {
    return std::uint64_t(tile) * tileStride;
  }
  /// Returns the address of jumps that name none.
  std::uint64_t getJump() const { return general[0]; }
  /// Returns the result of a comparison that jumps depend on.
  bool getPredicate() const { return predicate != 0; }
  /// Returns the number of the tile, as commands have set it.
  std::uint32_t getTile() const { return tile; }

  /// Executes the instructions of MI_MATH, some of which access memory. Throws
  /// likewise for an operation or an operand.
  void compute(const std::uint32_t *instructions, std::size_t count,
               const AddressSpace &space);

private:
  static constexpr unsigned numGeneral = 16;
  std::uint64_t &getOperand(std::uint32_t operand);

  QueueClock &clock;
  std::array<std::uint64_t, numGeneral> general = {};
  std::uint32_t tile = 0, tileStride = 0, predicate = 0;
  /// Sources and results of computations: two numbers, their result, whether
  /// it is zero, and its carry.
  std::uint64_t sourceA = 0, sourceB = 0, accumulator = 0, zero = 0, carry = 0;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_REGISTERS_H
