//===- Pipes.h - Which pipe executes an instruction -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Instructions of a pipe complete in order, and the scoreboard counts distances
// by them.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_PIPES_H
#define TRITON_INTEL_LIB_SIMULATOR_PIPES_H

#include "intel/Simulator/Instruction.h"

namespace triton::intel::simulator {

enum InOrderPipe : unsigned {
  floatPipe,
  integerPipe,
  longPipe,
  mathPipe,
  scalarPipe,
  noPipe
};

inline constexpr unsigned numInOrderPipes = noPipe;
/// Tokens of the scoreboard.
inline constexpr unsigned numTokens = 32;

/// Returns the pipe of an instruction; `noPipe` for instructions that have
/// tokens, and for those that only wait. Scalar moves have a separate pipe on
/// Xe3.
unsigned getPipe(const Instruction &instruction);

/// Returns the pipe whose last instructions a distance of `instruction` counts;
/// not for `Pipe::All`.
unsigned getWaitedPipe(const Instruction &instruction);

/// Branches, and what follows them in the flow of control.
bool isBranch(Opcode opcode);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_PIPES_H
