//===- Step.h - One instruction of one thread -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// All operations share this: the lanes that take part, sources as arrays of
// lanes, and results that go back to registers, flags included.
//
// Integers are computed with 64 bits, which hold every sum and product of
// 32-bit numbers; of 64-bit results the low bits are kept. Floats are computed
// in f32, or in f64 where an operand is one; results for 16 bits are rounded
// once more, which changes nothing for sums and products, as f32 has more than
// twice their bits.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_STEP_H
#define TRITON_INTEL_LIB_SIMULATOR_STEP_H

#include "intel/Simulator/Machine.h"

#include <cstring>

namespace triton::intel::simulator {

/// Returns a mask of the lowest `count` lanes, 1 to 32.
inline std::uint32_t getLaneMask(unsigned count) {
  return ~std::uint32_t(0) >> (maxLanes - count);
}

template <typename E> struct alignas(64) Lanes {
  E values[maxLanes];
  E &operator[](unsigned lane) { return values[lane]; }
  const E &operator[](unsigned lane) const { return values[lane]; }
};

using Integers = Lanes<std::int64_t>;
using Floats = Lanes<float>;
using Doubles = Lanes<double>;

/// The place where the thread goes on.
enum class Next : std::uint8_t { Following, Chosen, Wait, End };

/// Bits of the control register cr0.0 (visa/iga, and section 1.1 of the public
/// description of vISA).
namespace control {
inline constexpr unsigned roundingShift = 4;
inline constexpr std::uint32_t keepDoubleDenormals = 1u << 6;
inline constexpr std::uint32_t keepFloatDenormals = 1u << 7;
inline constexpr std::uint32_t keepHalfDenormals = 1u << 10;
inline constexpr std::uint32_t roundsToInteger = 1u << 12;
} // namespace control

/// Rounding modes by their number in cr0.0.
enum class Rounding : std::uint8_t { NearestEven, Up, Down, ToZero };

struct Step {
  Step(Thread &thread, const Instruction &instruction)
      : thread(thread), instruction(instruction),
        numLanes(instruction.numLanes) {}

  Thread &thread;
  const Instruction &instruction;
  const unsigned numLanes;
  /// Lanes that take part, the instruction's first one as bit 0.
  std::uint32_t enabled = 0;

  bool isEnabled(unsigned lane) const { return enabled >> lane & 1; }
  bool isFull() const { return enabled == getLaneMask(numLanes); }

  /// Returns the bits of the instruction's flag, for its lanes.
  std::uint32_t readFlag() const;
  /// Changes those of lanes that take part.
  void writeFlag(std::uint32_t bits);

  std::uint32_t readControl() const;
  Rounding getRounding() const {
    return static_cast<Rounding>(readControl() >> control::roundingShift & 3);
  }

  /// Reads a source as numbers, with its modifiers.
  void read(const Operand &operand, Integers &out) const;
  void read(const Operand &operand, Floats &out) const;
  void read(const Operand &operand, Doubles &out) const;
  /// Reads the bits of an operand, zero-extended.
  void readBits(const Operand &operand, Lanes<std::uint64_t> &out) const;

  /// Writes a result: saturated, rounded or cut to the type of the destination,
  /// for lanes that take part. Then sets the flag by the condition.
  void write(Integers &values);
  void write(Floats &values);
  void write(Doubles &values);
  /// Writes without setting the flag, which a selection names and leaves alone.
  template <typename E> Next writeSelection(Lanes<E> &values) {
    setsFlag = false;
    write(values);
    return Next::Following;
  }
  /// Writes bits of elements of the destination's size, without any of that.
  void writeBits(const Lanes<std::uint64_t> &values);

  /// Sets the flag where `holds` is true of a lane.
  template <typename Holds> void setFlag(const Holds &holds) {
    std::uint32_t bits = 0;
    for (unsigned lane = 0; lane < numLanes; ++lane)
      bits |= static_cast<std::uint32_t>(holds(lane)) << lane;
    writeFlag(bits);
  }

  /// Throws `Error`: this instruction cannot be executed.
  [[noreturn]] void fail(const std::string &message) const;

  /// Returns the first byte of a direct or indirect region, in the thread's
  /// registers.
  std::uint32_t getOffset(const Operand &operand) const;
  /// Returns an operand's address register, in bytes of the GRF.
  std::uint32_t getAddress(const Operand &operand, unsigned number) const;

private:
  bool setsFlag = true;

  template <typename Element, typename E, typename Convert>
  void readElements(const Operand &operand, E *out,
                    const Convert &convert) const;
  template <typename Element> void writeElements(const Element *values);
  template <typename E> void setCondition(const Lanes<E> &values);
};

/// A function that executes a step, whose mask is computed already.
using Operation = Next (*)(Step &);

// By family, in files of the same names.
Next executeMov(Step &step);
Next executeSel(Step &step);
Next executeCsel(Step &step);
Next executeCmp(Step &step);
Next executeAdd(Step &step);
Next executeAdd3(Step &step);
Next executeAddc(Step &step);
Next executeSubb(Step &step);
Next executeAvg(Step &step);
Next executeMul(Step &step);
Next executeMach(Step &step);
Next executeMad(Step &step);
Next executeMadm(Step &step);
Next executeDp4a(Step &step);
Next executeRound(Step &step);
Next executeMath(Step &step);
Next executeLogic(Step &step);
Next executeBfn(Step &step);
Next executeShift(Step &step);
Next executeBitField(Step &step);
Next executeBitCount(Step &step);
Next executeGoto(Step &step);
Next executeJoin(Step &step);
Next executeIf(Step &step);
Next executeElse(Step &step);
Next executeWhile(Step &step);
Next executeJmpi(Step &step);
Next executeCall(Step &step);
Next executeRet(Step &step);
Next executeSync(Step &step);
Next executeDpas(Step &step);
Next executeSend(Step &step);

/// Sets this processor's rounding from cr0; for floats only nearest even is the
/// default of the process.
void applyRounding(std::uint32_t controlRegister);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_STEP_H
