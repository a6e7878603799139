//===- Scoreboard.cpp - Check of waits for registers ----------------------===//
// SPDX-License-Identifier: MIT

#include "Scoreboard.h"

#include <algorithm>
#include <cstdio>

namespace triton::intel::simulator {

namespace {
/// The number of instructions after which a result is available without any
/// wait, by the assembler's own model (SWSBSetter.hpp): those of a pipe that
/// are this far back do not count.
constexpr std::uint32_t settled[] = {10, 10, 12, 18, 10};

/// Architecture registers: hardware lets a read wait for an instruction that
/// writes them. The compiler's dependency setter tracks such reads of general
/// registers only (SBDDD in visa's SWSB_G4IR.cpp).
bool isInterlocked(std::uint32_t offset) { return offset >= registerFile::acc; }

std::string describeByte(std::uint32_t offset) {
  if (offset < registerFile::acc)
    return "r" + std::to_string(offset / registerBytes) + " (byte " +
           std::to_string(offset % registerBytes) + ")";
  if (offset < registerFile::flag)
    return "acc" + std::to_string((offset - registerFile::acc) / registerBytes);
  if (offset < registerFile::address)
    return "f" + std::to_string((offset - registerFile::flag) / 4);
  if (offset < registerFile::control)
    return "a0";
  return "an architecture register";
}

std::string describe(const Step &step, std::uint32_t index) {
  const Instruction &instruction =
      step.thread.group->launch->code->instructions[index];
  char address[16];
  std::snprintf(address, sizeof(address), "0x%x", instruction.address);
  return std::string("`") + getName(instruction.opcode) + "` at " + address;
}
} // namespace

void ScoreboardCheck::reset() {
  issued.fill(0);
  read.fill(0);
  written.fill(0);
  tokens = {};
  bytes.assign(registerFile::null, Byte());
}

/// Waits for the last owner of a token: for its reads, or for all of it.
void ScoreboardCheck::waitFor(unsigned token, bool isWritten) {
  const Token &owner = tokens[token];
  read[owner.unit] = std::max(read[owner.unit], owner.ordinal);
  if (isWritten)
    written[owner.unit] = std::max(written[owner.unit], owner.ordinal);
}

/// Applies the waits of the instruction.
void ScoreboardCheck::wait(const Step &step) {
  const Instruction &instruction = step.instruction;
  const Scoreboard &scoreboard = instruction.scoreboard;
  auto waitForPipe = [&](unsigned waited) {
    if (waited < numPipes && issued[waited] + 1 > scoreboard.distance)
      written[waited] =
          std::max(written[waited], issued[waited] + 1 - scoreboard.distance);
  };
  if (scoreboard.pipe == Pipe::All)
    for (unsigned waited = 0; waited < numPipes; ++waited)
      waitForPipe(waited);
  else if (scoreboard.pipe != Pipe::None)
    waitForPipe(getWaitedPipe(instruction));
  // A token that is set again is waited for.
  if (scoreboard.token != Scoreboard::NoToken)
    waitFor(scoreboard.id % numTokens,
            scoreboard.token != Scoreboard::WaitRead);
  if (instruction.opcode != Opcode::Sync ||
      (instruction.sync != SyncFunction::AllRd &&
       instruction.sync != SyncFunction::AllWr))
    return;
  // Without a list it is about all tokens.
  const Operand &source = instruction.sources[0];
  for (unsigned id = 0; id < numTokens; ++id)
    if (source.kind != Operand::Immediate || source.immediate >> id & 1)
      waitFor(id, instruction.sync == SyncFunction::AllWr);
}

bool ScoreboardCheck::isWritten(const Pending &pending) const {
  if (written[pending.unit] >= pending.ordinal)
    return true;
  return pending.unit < numPipes &&
         issued[pending.unit] >= pending.ordinal + settled[pending.unit];
}

bool ScoreboardCheck::isRead(const Pending &pending) const {
  return read[pending.unit] >= pending.ordinal;
}

/// The array keeps the order of its results.
bool ScoreboardCheck::isDpasAccumulator(const Step &step,
                                        std::uint32_t offset) const {
  const Instruction &instruction = step.instruction;
  if (instruction.opcode != Opcode::Dpas)
    return false;
  constexpr unsigned columns = 16;
  auto contains = [&](const Operand &operand) {
    return operand.kind == Operand::Direct && offset >= operand.offset &&
           offset < operand.offset + instruction.repeat * columns *
                                         getSizeInBytes(operand.type);
  };
  return contains(instruction.sources[0]) || contains(instruction.destination);
}

std::optional<std::string> ScoreboardCheck::issue(const Step &step,
                                                  const Footprint &footprint) {
  const Instruction &instruction = step.instruction;
  unsigned pipe = getPipe(instruction);
  wait(step);
  auto explain = [&](const char *what, std::uint32_t offset,
                     const Pending &pending, const char *still) {
    return std::string(what) + " " + describeByte(offset) + " while " +
           describe(step, pending.instruction) + " may still " + still + " it";
  };
  auto isOrderedDpas = [&](const Pending &pending, std::uint32_t offset) {
    return pending.unit == dpasUnit && isDpasAccumulator(step, offset);
  };
  // Messages to one function read their payloads in order, before any of them
  // is answered.
  const Code &code = *step.thread.group->launch->code;
  auto isOrderedMessage = [&](const Pending &pending) {
    const Instruction &other = code.instructions[pending.instruction];
    return instruction.opcode == Opcode::Send && other.opcode == Opcode::Send &&
           code.messages[instruction.message].function ==
               code.messages[other.message].function;
  };
  for (const Span &span : footprint.reads)
    for (std::uint32_t i = span.offset; i < span.offset + span.size; ++i) {
      const Pending &writer = bytes[i].writer;
      if (!isWritten(writer) && !isInterlocked(i) && !isOrderedDpas(writer, i))
        return explain("it reads", i, writer, "write");
    }
  for (const Span &span : footprint.writes)
    for (std::uint32_t i = span.offset; i < span.offset + span.size; ++i) {
      const Byte &byte = bytes[i];
      if (!isWritten(byte.writer) && byte.writer.unit != pipe &&
          !isOrderedDpas(byte.writer, i))
        return explain("it writes", i, byte.writer, "write");
      for (const Pending &reader : {byte.dpasReader, byte.messageReader})
        if (!isRead(reader) && !isOrderedDpas(reader, i) &&
            !isOrderedMessage(reader))
          return explain("it writes", i, reader, "read");
    }

  // From here on it is in flight itself.
  Pending pending;
  unsigned token = instruction.scoreboard.id % numTokens;
  bool setsToken = instruction.scoreboard.token == Scoreboard::Set;
  if (instruction.opcode == Opcode::Dpas)
    pending.unit = dpasUnit;
  else if (instruction.opcode == Opcode::Send)
    pending.unit = firstTokenUnit + token;
  else if (pipe < numPipes)
    pending.unit = pipe;
  else
    return std::nullopt;
  pending.instruction = step.thread.ip;
  pending.ordinal = ++issued[pending.unit];
  // Branches take longer than anything in a pipe (LatencyTable.h), and the
  // setter counts distances in the order of the code, through branches that are
  // taken.
  if (isBranch(instruction.opcode))
    for (unsigned settledPipe = 0; settledPipe < numPipes; ++settledPipe)
      written[settledPipe] = issued[settledPipe];
  if (setsToken)
    tokens[token] = {pending.unit, pending.ordinal};
  for (const Span &span : footprint.reads)
    for (std::uint32_t i = span.offset; i < span.offset + span.size; ++i) {
      // Descriptors are read when a message is issued, payloads later.
      bool isDescriptor =
          i >= registerFile::address && i < registerFile::control;
      if (pending.unit == dpasUnit)
        bytes[i].dpasReader = pending;
      else if (pending.unit > dpasUnit && !isDescriptor)
        bytes[i].messageReader = pending;
    }
  for (const Span &span : footprint.writes)
    for (std::uint32_t i = span.offset; i < span.offset + span.size; ++i)
      bytes[i] = {pending, {}, {}};
  return std::nullopt;
}

} // namespace triton::intel::simulator
