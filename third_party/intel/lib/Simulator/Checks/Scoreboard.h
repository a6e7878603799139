//===- Scoreboard.h - Check of waits for registers --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Xe does not interlock registers between instructions in flight: each
// instruction states what it waits for (software scoreboarding). The simulator
// runs one instruction after the other and would never see a wait that is
// missing; this check keeps account of what would be in flight, and reports an
// instruction that reads or writes a register too early.
//
// Instructions of a pipe complete in order, and a distance waits for all but
// its last ones. Messages complete in any order, and are waited for by their
// token. So are dpas, which complete in order among themselves: the token of
// one also covers those before it. Rules: iga's RegDeps.cpp and SWSBSetter.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_CHECKS_SCOREBOARD_H
#define TRITON_INTEL_LIB_SIMULATOR_CHECKS_SCOREBOARD_H

#include "../Pipes.h"
#include "Footprint.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace triton::intel::simulator {

/// The check of one thread.
class ScoreboardCheck {
public:
  void reset();

  /// Issues an instruction; returns what it does too early, if anything:
  /// "reads r5.0 while `send` at 0x1f0 may still write it".
  std::optional<std::string> issue(const Step &step,
                                   const Footprint &footprint);

private:
  static constexpr unsigned numPipes = numInOrderPipes;
  /// Units that instructions are in flight in: pipes, the systolic array, and
  /// one for the messages of each token.
  static constexpr unsigned dpasUnit = numPipes, firstTokenUnit = numPipes + 1;
  /// An instruction in flight, by its ordinal in its unit. An ordinal
  /// of 0 is nothing.
  struct Pending {
    std::uint32_t ordinal = 0;
    /// The index of the instruction in the code.
    std::uint32_t instruction = 0;
    std::uint32_t unit = 0;
  };
  /// The last writer of a byte, and the dpas and the message that read it
  /// since. Instructions of pipes have read their sources when the next one
  /// begins.
  struct Byte {
    Pending writer, dpasReader, messageReader;
  };
  /// The last owner of a token.
  struct Token {
    unsigned unit = 0;
    std::uint32_t ordinal = 0;
  };

  void wait(const Step &step);
  void waitFor(unsigned token, bool isWritten);
  bool isDpasAccumulator(const Step &step, std::uint32_t offset) const;
  bool isWritten(const Pending &pending) const;
  bool isRead(const Pending &pending) const;

  /// The numbers of each unit: how many were issued, and up to which one
  /// sources have been read and results written.
  std::array<std::uint32_t, firstTokenUnit + numTokens> issued, read, written;
  std::array<Token, numTokens> tokens;
  std::vector<Byte> bytes;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_CHECKS_SCOREBOARD_H
