//===- Instruction.h - Decoded machine code of Xe ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An instruction in the form that the simulator executes. Operands are resolved
// as far as they can be without registers: a direct operand is a byte offset
// into the one array that holds all register files of a thread, an immediate is
// a separate array, a branch target is the index of an instruction, and a
// message is a description of what it does.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SIMULATOR_INSTRUCTION_H
#define TRITON_INTEL_SIMULATOR_INSTRUCTION_H

#include "intel/Simulator/Message.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace triton::intel::simulator {

/// Generations of Xe that differ in what instructions and messages mean.
enum class Platform : std::uint8_t { XeHPC, Xe2, Xe3 };

/// Lanes of the widest instruction.
inline constexpr unsigned maxLanes = 32;
/// Bytes of a register of the general register file (GRF).
inline constexpr unsigned registerBytes = 64;

/// These offsets are where each register file begins in the bytes of a thread.
/// The architecture registers (ARF) follow the GRF.
namespace registerFile {
inline constexpr std::uint32_t grf = 0;
inline constexpr std::uint32_t maxGRFs = 256;
inline constexpr std::uint32_t acc = maxGRFs * registerBytes;
inline constexpr std::uint32_t numAccumulators = 16;
/// f0 to f3, 32 bits each.
inline constexpr std::uint32_t flag = acc + numAccumulators * registerBytes;
inline constexpr std::uint32_t address = flag + 64;
inline constexpr std::uint32_t control = address + 64;
inline constexpr std::uint32_t state = control + 64;
inline constexpr std::uint32_t channelEnable = state + 64;
inline constexpr std::uint32_t timestamp = channelEnable + 64;
inline constexpr std::uint32_t notification = timestamp + 64;
inline constexpr std::uint32_t scalar = notification + 64;
inline constexpr std::uint32_t debug = scalar + 64;
inline constexpr std::uint32_t message = debug + 64;
/// Reads of the null register find zeros here.
inline constexpr std::uint32_t null = message + 64;
/// A region may run over the end of the last register.
inline constexpr std::uint32_t numBytes = null + maxLanes * 64;
} // namespace registerFile

enum class Type : std::uint8_t {
  UB,
  B,
  UW,
  W,
  UD,
  D,
  UQ,
  Q,
  HF,
  F,
  DF,
  BF,
  TF32,
  BF8,
  HF8,
  // Only as sources of dpas.
  U4,
  S4,
  U2,
  S2,
};

/// Returns the number of bytes of an element; not of the types with fewer than
/// 8 bits.
unsigned getSizeInBytes(Type type);
bool isFloat(Type type);
bool isSigned(Type type);
const char *getName(Type type);

enum class Opcode : std::uint8_t {
  Illegal,
  Nop,
  Sync,
  // Moves and selections.
  Mov,
  Movi,
  Sel,
  Csel,
  // Integer and float arithmetic.
  Add,
  Add3,
  Addc,
  Subb,
  Avg,
  Mul,
  Mach,
  Macl,
  Mad,
  Madm,
  Mac,
  Dp4a,
  Rndd,
  Rndu,
  Rnde,
  Rndz,
  Frc,
  Math,
  Srnd,
  // Bits.
  And,
  Or,
  Xor,
  Not,
  Bfn,
  Shl,
  Shr,
  Asr,
  Rol,
  Ror,
  Bfe,
  Bfi1,
  Bfi2,
  Bfrev,
  Cbit,
  Fbh,
  Fbl,
  Lzd,
  // Comparison.
  Cmp,
  Cmpn,
  // Control flow.
  Goto,
  Join,
  Jmpi,
  Call,
  Calla,
  Ret,
  If,
  Else,
  Endif,
  While,
  Break,
  Cont,
  Halt,
  Brd,
  Brc,
  // The systolic array, and messages.
  Dpas,
  Send,
};
const char *getName(Opcode opcode);

enum class MathFunction : std::uint8_t {
  Inv,
  Sqt,
  Rsqt,
  Exp,
  Log,
  Sin,
  Cos,
  Pow,
  Invm,
  Rsqtm,
  Tanh,
  Sigm,
};

/// Compare the result with zero, or one source with another.
enum class Condition : std::uint8_t {
  None,
  EQ,
  NE,
  GT,
  GE,
  LT,
  LE,
  OV,
  UN,
  EO
};

enum class SyncFunction : std::uint8_t { Nop, AllRd, AllWr, Bar, Host, Fence };

/// A pipe that completes instructions in order, and whose last ones a distance
/// of the scoreboard counts. `All` represents each of them.
enum class Pipe : std::uint8_t {
  None,
  Own,
  All,
  Float,
  Integer,
  Long,
  Math,
  Scalar
};

/// The waits that an instruction requests (software scoreboarding, SWSB).
struct Scoreboard {
  Pipe pipe = Pipe::None;
  /// Wait until all but the last `distance - 1` instructions of `pipe` are
  /// done.
  std::uint8_t distance = 0;
  enum Token : std::uint8_t { NoToken, Set, WaitRead, WaitWritten };
  Token token = NoToken;
  std::uint8_t id = 0;
};

struct Operand {
  enum Kind : std::uint8_t {
    None,
    /// No register: reads zeros, drops what is written.
    Null,
    Direct,
    Immediate,
    /// Each lane reads at a separate address register.
    IndirectLanes,
    /// One address register, then a region.
    IndirectRegion,
  };
  Kind kind = None;
  Type type = Type::UD;
  bool negate = false, absolute = false;
  /// Element i is at ((i / width) * vertical + (i % width) * horizontal), in
  /// elements; of a destination only `horizontal` counts.
  std::uint8_t vertical = 0, width = 1, horizontal = 0;
  /// The distance between elements, in elements, if it is the same for all;
  /// else -1.
  std::int16_t stride = 0;
  /// The number of the accumulator extension (mme0 to mme7), or -1.
  std::int8_t extension = -1;
  /// Direct: the first byte, in the bytes of a thread. Indirect: the first
  /// address register.
  std::uint32_t offset = 0;
  /// Indirect: added to the addresses, in bytes.
  std::int32_t addressOffset = 0;
  /// Immediate: one element; lanes of a vector immediate are in `lanes`.
  std::uint64_t immediate = 0;
  /// A vector immediate: eight integers of 4 bits, or four floats of 8.
  bool isVector = false;
  /// IndirectLanes: the register is that of the first address; of the others
  /// only the place in a register counts.
  bool sharesRegister = false;
};

/// Returns the general register that an operand names, for messages and dpas.
inline unsigned getRegister(const Operand &operand) {
  return operand.offset / registerBytes;
}

struct Instruction {
  Opcode opcode = Opcode::Illegal;
  MathFunction math = MathFunction::Inv;
  SyncFunction sync = SyncFunction::Nop;
  /// The function of bfn: bit (s0 + 2*s1 + 4*s2) is the result for three bits.
  std::uint8_t booleanTable = 0;
  /// The systolic depth and the number of rows of a dpas.
  std::uint8_t depth = 0, repeat = 0;
  /// The number of lanes, and the first one.
  std::uint8_t numLanes = 1, firstLane = 0;
  /// Lanes that are off take part (NoMask, printed `(W)`).
  bool ignoresMask = false;
  enum Predicate : std::uint8_t { NoPredicate, Normal, Any, All };
  Predicate predicate = NoPredicate;
  bool isPredicateInverted = false;
  Condition condition = Condition::None;
  /// The flag of predicate and condition, as the number of a 16-bit half:
  /// f1.1 is 3.
  std::uint8_t flag = 0;
  bool saturates = false;
  bool isAtomic = false, isEndOfThread = false;
  /// The lanes that take a goto go backward (branch control).
  bool isBackward = false;
  Scoreboard scoreboard;
  Operand destination;
  std::array<Operand, 3> sources;
  std::uint8_t numSources = 0;
  /// The targets of a branch, as indices of instructions. The thread goes on at
  /// JIP if no lane is left; lanes that jump go to UIP.
  std::uint32_t jip = 0, uip = 0;
  /// The number of a send in the kernel's list of messages.
  std::uint32_t message = 0;
  /// The address in bytes, in the section of the kernel.
  std::uint32_t address = 0;
  /// 8 or 16.
  std::uint8_t numBytes = 16;
};

/// The operands of a send other than those in its descriptors.
struct SendOperands {
  SharedFunction function;
  /// Registers of the address payload and of the data; 0 registers for none.
  unsigned addressRegister = 0, dataRegister = 0, dataLength = 0;
  bool hasAddress = true;
  /// The first register of the answer; `isNull` drops the answer.
  unsigned destinationRegister = 0;
  bool isNull = true;
  /// Descriptors: immediates, or the byte offsets of their registers.
  bool isDescriptorImmediate = true, isExtendedImmediate = true;
  std::uint32_t descriptor = 0, extended = 0;
  /// The payload's registers are listed in the scalar register (gather-send).
  bool gathers = false;
  std::uint32_t gatherOffset = 0;
  /// The decoded descriptors, if both are immediates.
  Message message;
};

/// A kernel's code.
struct Code {
  Platform platform = Platform::XeHPC;
  std::vector<Instruction> instructions;
  std::vector<SendOperands> messages;

  /// Returns the index of the instruction at an address in bytes; throws
  /// `Error` if none begins there.
  std::uint32_t find(std::uint32_t address) const;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_INSTRUCTION_H
