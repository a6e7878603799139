//===- Issue.cpp - Dependences and costs ----------------------------------===//
// SPDX-License-Identifier: MIT

#include "Issue.h"

#include "../Checks/Footprint.h"
#include "intel/Target/LatencyTable.h"

#include <algorithm>
#include <cmath>

namespace triton::intel::simulator {

namespace {
/// Returns whether visa counts an opcode as arithmetic, whose wider
/// instructions take longer.
bool isArithmetic(Opcode opcode) {
  return opcode >= Opcode::Add && opcode <= Opcode::Frc;
}

bool isIn(const Operand &operand, std::uint32_t begin, std::uint32_t end) {
  return operand.kind == Operand::Direct && operand.offset >= begin &&
         operand.offset < end;
}
bool isAccumulator(const Operand &operand) {
  return isIn(operand, registerFile::acc, registerFile::flag);
}
bool isAddress(const Operand &operand) {
  return isIn(operand, registerFile::address, registerFile::control);
}

unsigned getLatency(const Code &code, const Instruction &instruction) {
  unsigned scale = latency::getWidthScale(instruction.numLanes);
  switch (instruction.opcode) {
  case Opcode::Dpas:
    return code.platform == Platform::XeHPC
               ? latency::getXeHPCDpas(instruction.repeat)
               : latency::getDpas(instruction.repeat);
  case Opcode::Math:
    return latency::math + scale * latency::mathWidthDelta;
  default:
    break;
  }
  if (isBranch(instruction.opcode))
    return latency::branch;
  if (writesFlag(instruction) || isAddress(instruction.destination))
    return latency::architecture;
  if (!isArithmetic(instruction.opcode))
    return latency::arithmetic;
  return (isAccumulator(instruction.destination) ? latency::accumulator
                                                 : latency::arithmetic) +
         scale * latency::widthDelta;
}

/// Slots of the engine. visa counts them for engines of 8 lanes; in its own
/// newer form, and here, by the lanes that an engine has.
unsigned getOccupancy(const Instruction &instruction, const ChipModel &chip) {
  unsigned lanes = instruction.numLanes, native = chip.lanesPerCycle;
  auto getSlots = [&](unsigned width) {
    return std::max(1u, (lanes + width - 1) / width);
  };
  if (instruction.opcode == Opcode::Dpas)
    return static_cast<unsigned>(
        std::max(1.0, std::ceil(instruction.repeat * chip.dpasCyclesPerRow)));
  if (instruction.opcode == Opcode::Math)
    return latency::mathSlots * getSlots(native);
  if (instruction.opcode == Opcode::Mov &&
      instruction.sources[0].kind == Operand::IndirectLanes)
    return lanes;
  const Operand &destination = instruction.destination;
  if (destination.kind == Operand::None)
    return 1;
  unsigned size = getSizeInBytes(destination.type);
  if (size == 8)
    return getSlots(std::max(1u, native / 2));
  bool isHalf = destination.type == Type::HF && instruction.numSources > 1 &&
                instruction.sources[0].type == Type::HF;
  return getSlots(isHalf ? 2 * native : native);
}

/// Distances and tokens.
void setWaits(const Instruction &instruction, IssueRule &rule) {
  const Scoreboard &scoreboard = instruction.scoreboard;
  constexpr std::uint8_t allPipes = (1 << numInOrderPipes) - 1;
  if (scoreboard.pipe == Pipe::All) {
    rule.waitedPipes = allPipes;
  } else if (scoreboard.pipe != Pipe::None) {
    unsigned pipe = getWaitedPipe(instruction);
    rule.waitedPipes = pipe < numInOrderPipes
                           ? static_cast<std::uint8_t>(1 << pipe)
                           : std::uint8_t(0);
  }
  rule.distance = scoreboard.distance;
  std::uint32_t bit = std::uint32_t(1) << scoreboard.id % numTokens;
  switch (scoreboard.token) {
  case Scoreboard::NoToken:
    break;
  case Scoreboard::Set:
    rule.token = static_cast<std::int8_t>(scoreboard.id % numTokens);
    [[fallthrough]];
  case Scoreboard::WaitWritten:
    rule.writtenTokens |= bit;
    break;
  case Scoreboard::WaitRead:
    rule.readTokens |= bit;
    break;
  }
  if (instruction.opcode != Opcode::Sync ||
      (instruction.sync != SyncFunction::AllRd &&
       instruction.sync != SyncFunction::AllWr))
    return;
  const Operand &list = instruction.sources[0];
  std::uint32_t tokens = list.kind == Operand::Immediate
                             ? static_cast<std::uint32_t>(list.immediate)
                             : ~std::uint32_t(0);
  (instruction.sync == SyncFunction::AllRd ? rule.readTokens
                                           : rule.writtenTokens) |= tokens;
}

/// Returns the interlocks of the accumulators that an operand covers, from the
/// byte at which it begins. Lanes of a broadcast share an element.
std::uint32_t getAccumulators(std::uint32_t offset, std::uint32_t numBytes) {
  std::uint32_t first = (offset - registerFile::acc) / registerBytes,
                last =
                    (offset + numBytes - 1 - registerFile::acc) / registerBytes,
                found = 0;
  for (std::uint32_t i = first; i <= last && i < registerFile::numAccumulators;
       ++i)
    found |= std::uint32_t(1) << (accumulatorBit + i);
  return found;
}
std::uint32_t getAccumulators(const Operand &operand, unsigned numLanes) {
  if (!isAccumulator(operand))
    return 0;
  unsigned last = operand.stride >= 0
                      ? (numLanes - 1) * static_cast<unsigned>(operand.stride)
                      : (numLanes - 1) / operand.width * operand.vertical +
                            (numLanes - 1) % operand.width * operand.horizontal;
  return getAccumulators(operand.offset,
                         (last + 1) * getSizeInBytes(operand.type));
}

/// Flags, accumulators and address registers.
void setInterlocks(const Instruction &instruction, IssueRule &rule) {
  unsigned halves = instruction.numLanes > 16 ? 3u : 1u,
           flags = halves << instruction.flag & 0xff;
  constexpr std::uint32_t address = std::uint32_t(1) << addressBit;
  if (readsFlag(instruction))
    rule.waitedRegisters |= flags;
  if (writesFlag(instruction))
    rule.setRegisters |= flags;
  for (unsigned i = 0; i < instruction.numSources; ++i) {
    const Operand &source = instruction.sources[i];
    rule.waitedRegisters |= getAccumulators(source, instruction.numLanes);
    if (isAddress(source) || source.kind == Operand::IndirectLanes ||
        source.kind == Operand::IndirectRegion)
      rule.waitedRegisters |= address;
  }
  if (instruction.destination.kind == Operand::IndirectRegion)
    rule.waitedRegisters |= address;
  rule.setRegisters |=
      getAccumulators(instruction.destination, instruction.numLanes);
  if (usesImplicitAccumulator(instruction)) {
    std::uint32_t first =
        getAccumulators(registerFile::acc, instruction.numLanes * 4);
    rule.setRegisters |= first;
    rule.waitedRegisters |= first;
  }
  if (isAddress(instruction.destination))
    rule.setRegisters |= address;
}
} // namespace

std::vector<IssueRule> getIssueRules(const Code &code, const ChipModel &chip) {
  std::vector<IssueRule> rules;
  rules.reserve(code.instructions.size());
  for (const Instruction &instruction : code.instructions) {
    IssueRule rule;
    setWaits(instruction, rule);
    switch (instruction.opcode) {
    case Opcode::Sync:
      rule.isBarrierWait = instruction.sync == SyncFunction::Bar;
      break;
    case Opcode::Nop:
      break;
    case Opcode::Send: {
      const SendOperands &send = code.messages[instruction.message];
      rule.unit = messageUnit;
      rule.isMessage = true;
      rule.isBarrierSignal = send.isDescriptorImmediate &&
                             send.message.kind == MessageKind::Signal;
      // Descriptors may be in address registers.
      if (readsFlag(instruction))
        rule.waitedRegisters |= std::uint32_t(1) << instruction.flag;
      if (!send.isDescriptorImmediate || !send.isExtendedImmediate)
        rule.waitedRegisters |= 1 << addressBit;
      break;
    }
    default:
      rule.unit = instruction.opcode == Opcode::Dpas ? unsigned(dpasUnit)
                                                     : getPipe(instruction);
      rule.isBranch = isBranch(instruction.opcode);
      rule.latency = getLatency(code, instruction);
      rule.occupancy = getOccupancy(instruction, chip);
      setInterlocks(instruction, rule);
    }
    rules.push_back(rule);
  }
  return rules;
}

} // namespace triton::intel::simulator
