//===- Registers.cpp - The registers of an engine -------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Registers.h"

#include "intel/VirtualGPU/Clock.h"
#include "intel/VirtualGPU/Failure.h"

#include <algorithm>

namespace triton::intel::vgpu {

namespace {
/// The first register of each class of engines, that of the first engine.
/// Commands name those, also in batches for the others.
constexpr std::uint32_t engines[] = {0x2000, 0x1a000, 0x22000};
constexpr std::uint32_t engineMask = 0xfff;

/// Offsets from the beginning.
constexpr std::uint32_t timestampLow = 0x358, timestampHigh = 0x35c,
                        contextTimestampLow = 0x3a8,
                        contextTimestampHigh = 0x3ac, preemption = 0x580,
                        generalBegin = 0x600, generalEnd = 0x680,
                        partition = 0x21c, partitionStride = 0x3b4,
                        predicateResult = 0x3bc;

[[noreturn]] void fail(std::uint32_t number) {
  throw QueueError("register " + toHex(number) + " is not known");
}

/// Returns the offset of a register from the first of its engine.
std::uint32_t getPlace(std::uint32_t number) {
  if (std::find(std::begin(engines), std::end(engines), number & ~engineMask) ==
      std::end(engines))
    fail(number);
  return number & engineMask;
}

/// Numbers of operations and operands of MI_MATH.
enum MathOperation : std::uint32_t {
  noOperation = 0x000,
  fenceReads = 0x001,
  fenceWrites = 0x002,
  load = 0x080,
  loadIndirect = 0x082,
  loadInverted = 0x480,
  loadZero = 0x081,
  loadOnes = 0x481,
  add = 0x100,
  subtract = 0x101,
  bitAnd = 0x102,
  bitOr = 0x103,
  bitXor = 0x104,
  shiftLeft = 0x105,
  shiftRight = 0x106,
  store = 0x180,
  storeIndirect = 0x181,
  storeInverted = 0x580,
};
enum MathOperand : std::uint32_t {
  operandA = 0x20,
  operandB = 0x21,
  operandAccumulator = 0x31,
  operandZero = 0x32,
  operandCarry = 0x33,
};
} // namespace

std::uint32_t Registers::read(std::uint32_t number) {
  std::uint32_t place = getPlace(number);
  constexpr unsigned wordBits = 32;
  if (place >= generalBegin && place < generalEnd) {
    std::uint64_t value = general[(place - generalBegin) / 8];
    return static_cast<std::uint32_t>(place % 8 ? value >> wordBits : value);
  }
  switch (place) {
  // Contexts are never exchanged: their time is that of all.
  case timestampLow:
  case contextTimestampLow:
    return static_cast<std::uint32_t>(clock.takeTicks());
  case timestampHigh:
  case contextTimestampHigh:
    return static_cast<std::uint32_t>(clock.takeTicks() >> wordBits);
  default:
    fail(number);
  }
}

void Registers::write(std::uint32_t number, std::uint32_t value) {
  std::uint32_t place = getPlace(number);
  // A batch is never preempted, whatever it requests.
  if (place == preemption)
    return;
  if (place == partition || place == partitionStride ||
      place == predicateResult) {
    (place == partition         ? tile
     : place == partitionStride ? tileStride
                                : predicate) = value;
    return;
  }
  if (place < generalBegin || place >= generalEnd)
    fail(number);
  constexpr unsigned wordBits = 32;
  constexpr std::uint64_t lowMask = 0xffffffff;
  std::uint64_t &whole = general[(place - generalBegin) / 8];
  whole = place % 8 ? (whole & lowMask) | std::uint64_t(value) << wordBits
                    : (whole & ~lowMask) | value;
}

std::uint64_t &Registers::getOperand(std::uint32_t operand) {
  if (operand < numGeneral)
    return general[operand];
  switch (operand) {
  case operandA:
    return sourceA;
  case operandB:
    return sourceB;
  case operandAccumulator:
    return accumulator;
  case operandZero:
    return zero;
  case operandCarry:
    return carry;
  default:
    throw QueueError("operand " + toHex(operand) + " of MI_MATH is not known");
  }
}

void Registers::compute(const std::uint32_t *instructions, std::size_t count,
                        const AddressSpace &space) {
  constexpr unsigned operationShift = 20, firstShift = 10;
  constexpr std::uint32_t operandMask = 0x3ff, shiftMask = 63;
  auto setResult = [&](std::uint64_t result, bool carries = false) {
    accumulator = result;
    zero = result == 0 ? ~std::uint64_t(0) : 0;
    carry = carries ? ~std::uint64_t(0) : 0;
  };
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t operation = instructions[i] >> operationShift;
    std::uint32_t first = instructions[i] >> firstShift & operandMask,
                  second = instructions[i] & operandMask;
    switch (operation) {
    // Every access ends before the next one begins.
    case noOperation:
    case fenceReads:
    case fenceWrites:
      break;
    case loadIndirect:
      getOperand(first) = space.load64(getOperand(second));
      break;
    case storeIndirect:
      space.store64(getOperand(first), getOperand(second));
      break;
    case load:
      getOperand(first) = getOperand(second);
      break;
    case loadInverted:
      getOperand(first) = ~getOperand(second);
      break;
    case loadZero:
      getOperand(first) = 0;
      break;
    case loadOnes:
      getOperand(first) = ~std::uint64_t(0);
      break;
    case add:
      setResult(sourceA + sourceB, sourceA + sourceB < sourceA);
      break;
    case subtract:
      setResult(sourceA - sourceB, sourceA < sourceB);
      break;
    case bitAnd:
      setResult(sourceA & sourceB);
      break;
    case bitOr:
      setResult(sourceA | sourceB);
      break;
    case bitXor:
      setResult(sourceA ^ sourceB);
      break;
    case shiftLeft:
      setResult(sourceA << (sourceB & shiftMask));
      break;
    case shiftRight:
      setResult(sourceA >> (sourceB & shiftMask));
      break;
    case store:
      getOperand(first) = getOperand(second);
      break;
    case storeInverted:
      getOperand(first) = ~getOperand(second);
      break;
    default:
      throw QueueError("operation " + toHex(operation) +
                       " of MI_MATH is not known");
    }
  }
}

} // namespace triton::intel::vgpu
