//===- Footprint.cpp - Bytes that an instruction touches ------------------===//
// SPDX-License-Identifier: MIT

#include "Footprint.h"

#include "../Messages.h"

namespace triton::intel::simulator {

namespace {
/// Adds a span, to the last one where it goes on there.
void add(llvm::SmallVectorImpl<Span> &spans, std::uint32_t offset,
         std::uint32_t size) {
  if (!size || offset >= registerFile::null)
    return;
  if (!spans.empty() && spans.back().offset + spans.back().size == offset)
    spans.back().size += size;
  else
    spans.push_back({offset, size});
}

void addOperand(const Step &step, const Operand &operand, bool isDestination,
                llvm::SmallVectorImpl<Span> &spans) {
  // A scalar is read once.
  unsigned size = getSizeInBytes(operand.type);
  if (operand.kind == Operand::Direct && operand.stride == 0 &&
      !isDestination) {
    if (step.enabled)
      add(spans, operand.offset, size);
    return;
  }
  visitElements(
      step, operand, isDestination,
      [&](unsigned, std::uint32_t offset) { add(spans, offset, size); });
}

/// Address registers that an operand reads.
void addAddresses(const Step &step, const Operand &operand,
                  llvm::SmallVectorImpl<Span> &reads) {
  constexpr unsigned addressBytes = 2;
  if (operand.kind == Operand::IndirectRegion)
    add(reads, operand.offset, addressBytes);
  else if (operand.kind == Operand::IndirectLanes)
    add(reads, operand.offset,
        (step.numLanes + operand.width - 1) / operand.width * addressBytes);
}

void addRegisters(llvm::SmallVectorImpl<Span> &spans, unsigned first,
                  unsigned count) {
  add(spans, first * registerBytes, count * registerBytes);
}

void addSend(const Step &step, Footprint &footprint) {
  const Code &code = *step.thread.group->launch->code;
  const SendOperands &send = code.messages[step.instruction.message];
  Message decoded;
  const Message &message = resolveMessage(step, send, decoded);
  if (send.gathers) {
    add(footprint.reads, send.gatherOffset, message.addressLength);
    const std::uint8_t *numbers =
        step.thread.registers.data() + send.gatherOffset;
    for (unsigned i = 0; i < message.addressLength; ++i)
      addRegisters(footprint.reads, numbers[i], 1);
  } else {
    addRegisters(footprint.reads, send.addressRegister, message.addressLength);
  }
  addRegisters(footprint.reads, send.dataRegister, send.dataLength);
  if (!send.isDescriptorImmediate)
    add(footprint.reads, send.descriptor, 4);
  if (!send.isExtendedImmediate)
    add(footprint.reads, send.extended, 4);
  if (!send.isNull)
    addRegisters(footprint.writes, send.destinationRegister,
                 message.responseLength);
}

void addDpas(const Step &step, Footprint &footprint) {
  constexpr unsigned columns = 16, weightRegisters = 8;
  const Instruction &instruction = step.instruction;
  const auto &sources = instruction.sources;
  auto getRows = [&](const Operand &operand) {
    return instruction.repeat * columns * getSizeInBytes(operand.type);
  };
  if (sources[0].kind == Operand::Direct)
    add(footprint.reads, sources[0].offset, getRows(sources[0]));
  add(footprint.reads, sources[1].offset, weightRegisters * registerBytes);
  add(footprint.reads, sources[2].offset,
      instruction.repeat * registerBytes / 2);
  add(footprint.writes, instruction.destination.offset,
      getRows(instruction.destination));
}
} // namespace

bool usesImplicitAccumulator(const Instruction &instruction) {
  switch (instruction.opcode) {
  case Opcode::Mach:
  case Opcode::Macl:
  case Opcode::Addc:
  case Opcode::Subb:
    return true;
  default:
    return false;
  }
}

bool readsFlag(const Instruction &instruction) {
  return instruction.predicate != Instruction::NoPredicate;
}

bool writesFlag(const Instruction &instruction) {
  return instruction.condition != Condition::None &&
         instruction.opcode != Opcode::Sel &&
         instruction.opcode != Opcode::Csel;
}

Footprint getFootprint(const Step &step) {
  const Instruction &instruction = step.instruction;
  Footprint footprint;
  constexpr unsigned flagBytes = 2;
  std::uint32_t flag = registerFile::flag + instruction.flag * flagBytes;
  std::uint32_t flagSize = step.numLanes > 16 ? 2 * flagBytes : flagBytes;
  if (instruction.firstLane)
    flag += instruction.firstLane / 8;
  if (readsFlag(instruction))
    add(footprint.reads, flag, flagSize);
  if (instruction.opcode == Opcode::Send) {
    addSend(step, footprint);
    return footprint;
  }
  if (instruction.opcode == Opcode::Dpas) {
    addDpas(step, footprint);
    return footprint;
  }
  // A copy without a destination reads nothing that matters: the compiler emits
  // such copies after messages (SWSB_G4IR.cpp in visa).
  if (instruction.opcode == Opcode::Mov &&
      instruction.destination.kind == Operand::Null && !writesFlag(instruction))
    return footprint;
  // A frame has the address to return to, and the lanes.
  constexpr unsigned frameBytes = 8;
  if (instruction.opcode == Opcode::Calla)
    add(footprint.reads, instruction.sources[0].offset, 4);
  if (instruction.opcode == Opcode::Call ||
      instruction.opcode == Opcode::Calla) {
    add(footprint.writes, instruction.destination.offset, frameBytes);
    return footprint;
  }
  if (instruction.opcode == Opcode::Ret) {
    add(footprint.reads, instruction.sources[0].offset, frameBytes);
    return footprint;
  }
  for (unsigned i = 0; i < instruction.numSources; ++i) {
    addAddresses(step, instruction.sources[i], footprint.reads);
    addOperand(step, instruction.sources[i], /*isDestination=*/false,
               footprint.reads);
  }
  if (instruction.destination.kind == Operand::IndirectRegion)
    addAddresses(step, instruction.destination, footprint.reads);
  addOperand(step, instruction.destination, /*isDestination=*/true,
             footprint.writes);
  if (writesFlag(instruction))
    add(footprint.writes, flag, flagSize);
  if (usesImplicitAccumulator(instruction)) {
    // The first one, for the upper half of 32 lanes, too.
    std::uint32_t accumulator = registerFile::acc;
    if (instruction.opcode == Opcode::Mach ||
        instruction.opcode == Opcode::Macl)
      add(footprint.reads, accumulator, step.numLanes * 4);
    add(footprint.writes, accumulator, step.numLanes * 4);
  }
  return footprint;
}

} // namespace triton::intel::simulator
