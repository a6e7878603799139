//===- Pipes.cpp - Which pipe executes an instruction ---------------------===//
// SPDX-License-Identifier: MIT

#include "Pipes.h"

namespace triton::intel::simulator {

unsigned getPipe(const Instruction &instruction) {
  switch (instruction.opcode) {
  case Opcode::Send:
  case Opcode::Dpas:
  case Opcode::Sync:
  case Opcode::Nop:
    return noPipe;
  case Opcode::Math:
    return mathPipe;
  default:
    break;
  }
  const Operand &destination = instruction.destination;
  if (destination.kind == Operand::None)
    return integerPipe;
  if (destination.offset >= registerFile::scalar &&
      destination.offset < registerFile::debug &&
      destination.kind == Operand::Direct)
    return scalarPipe;
  if (destination.type == Type::DF)
    return longPipe;
  // A comparison with nowhere to write is in the pipe of what it compares.
  Type type = destination.type;
  for (unsigned i = 0; i < instruction.numSources; ++i)
    if (instruction.sources[i].type == Type::DF &&
        instruction.opcode != Opcode::Mov)
      return longPipe;
  return isFloat(type) ? floatPipe : integerPipe;
}

namespace {
/// Returns the pipe that a distance without a letter is about: by the type of
/// the operands (`isOperandTypeIndicated` in visa's SWSB_G4IR.cpp).
unsigned getOperandPipe(const Instruction &instruction) {
  if (!instruction.numSources || instruction.opcode == Opcode::Sync)
    return getPipe(instruction);
  Type type = instruction.sources[0].type;
  if (type == Type::DF)
    return longPipe;
  return isFloat(type) ? floatPipe : integerPipe;
}
} // namespace

unsigned getWaitedPipe(const Instruction &instruction) {
  switch (instruction.scoreboard.pipe) {
  case Pipe::Float:
    return floatPipe;
  case Pipe::Integer:
    return integerPipe;
  case Pipe::Long:
    return longPipe;
  case Pipe::Math:
    return mathPipe;
  case Pipe::Scalar:
    return scalarPipe;
  default:
    return getOperandPipe(instruction);
  }
}

bool isBranch(Opcode opcode) {
  switch (opcode) {
  case Opcode::Goto:
  case Opcode::Join:
  case Opcode::Jmpi:
  case Opcode::Call:
  case Opcode::Calla:
  case Opcode::Ret:
  case Opcode::If:
  case Opcode::Else:
  case Opcode::Endif:
  case Opcode::While:
    return true;
  default:
    return false;
  }
}

} // namespace triton::intel::simulator
