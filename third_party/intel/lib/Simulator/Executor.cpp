//===- Executor.cpp - Runs a thread ---------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Checks/Checks.h"
#include "Step.h"
#include "Timing/Trace.h"
#include "intel/Runtime/Error.h"

#include <algorithm>
#include <immintrin.h>

namespace triton::intel::simulator {

using runtime::Error;

namespace {
Next executeIllegal(Step &step) {
  step.fail(std::string("`") + getName(step.instruction.opcode) +
            "`: instructions of this kind are not simulated");
}

Next executeNop(Step &) { return Next::Following; }

Operation getOperation(Opcode opcode) {
  switch (opcode) {
  case Opcode::Nop:
    return executeNop;
  case Opcode::Sync:
    return executeSync;
  case Opcode::Mov:
  case Opcode::Movi:
    return executeMov;
  case Opcode::Sel:
    return executeSel;
  case Opcode::Csel:
    return executeCsel;
  case Opcode::Cmp:
    return executeCmp;
  case Opcode::Add:
    return executeAdd;
  case Opcode::Add3:
    return executeAdd3;
  case Opcode::Addc:
    return executeAddc;
  case Opcode::Subb:
    return executeSubb;
  case Opcode::Avg:
    return executeAvg;
  case Opcode::Mul:
    return executeMul;
  case Opcode::Mach:
  case Opcode::Macl:
    return executeMach;
  case Opcode::Mad:
    return executeMad;
  case Opcode::Madm:
    return executeMadm;
  case Opcode::Dp4a:
    return executeDp4a;
  case Opcode::Rndd:
  case Opcode::Rndu:
  case Opcode::Rnde:
  case Opcode::Rndz:
  case Opcode::Frc:
    return executeRound;
  case Opcode::Math:
    return executeMath;
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Not:
    return executeLogic;
  case Opcode::Bfn:
    return executeBfn;
  case Opcode::Shl:
  case Opcode::Shr:
  case Opcode::Asr:
  case Opcode::Rol:
  case Opcode::Ror:
    return executeShift;
  case Opcode::Bfe:
  case Opcode::Bfi1:
  case Opcode::Bfi2:
    return executeBitField;
  case Opcode::Bfrev:
  case Opcode::Cbit:
  case Opcode::Fbh:
  case Opcode::Fbl:
  case Opcode::Lzd:
    return executeBitCount;
  case Opcode::Goto:
    return executeGoto;
  // It lets lanes go on that an `if` or an `else` has sent there.
  case Opcode::Endif:
  case Opcode::Join:
    return executeJoin;
  case Opcode::If:
    return executeIf;
  case Opcode::Else:
    return executeElse;
  case Opcode::While:
    return executeWhile;
  case Opcode::Jmpi:
    return executeJmpi;
  case Opcode::Call:
  case Opcode::Calla:
    return executeCall;
  case Opcode::Ret:
    return executeRet;
  case Opcode::Dpas:
    return executeDpas;
  case Opcode::Send:
    return executeSend;
  default:
    return executeIllegal;
  }
}

/// One entry per opcode: the first is 0, send is the last.
struct Operations {
  Operations() {
    for (unsigned i = 0; i < std::size(table); ++i)
      table[i] = getOperation(static_cast<Opcode>(i));
  }
  Operation table[static_cast<unsigned>(Opcode::Send) + 1];
};

/// Returns the lanes that an instruction is for: those that run, as far as it
/// does not ignore that, and of these the ones whose predicate holds. A
/// selection and a jump read their predicate themselves.
std::uint32_t getEnabledLanes(const Step &step) {
  const Instruction &instruction = step.instruction;
  std::uint32_t all = getLaneMask(step.numLanes);
  std::uint32_t enabled =
      instruction.ignoresMask
          ? all
          : step.thread.running >> instruction.firstLane & all;
  if (instruction.predicate == Instruction::NoPredicate ||
      instruction.opcode == Opcode::Sel)
    return enabled;
  std::uint32_t flag = step.readFlag();
  if (instruction.predicate == Instruction::Any)
    flag = flag ? all : 0;
  else if (instruction.predicate == Instruction::All)
    flag = flag == all ? all : 0;
  return enabled & (instruction.isPredicateInverted ? ~flag : flag);
}

/// Rounding is that of the thread while it runs, and that of the process again
/// after it.
class RoundingScope {
public:
  RoundingScope(std::uint32_t controlRegister) : saved(_mm_getcsr()) {
    applyRounding(controlRegister);
  }
  ~RoundingScope() { _mm_setcsr(saved); }
  RoundingScope(const RoundingScope &) = delete;
  RoundingScope &operator=(const RoundingScope &) = delete;

private:
  unsigned saved;
};
} // namespace

void Thread::reset(WorkGroup &group, unsigned index, unsigned number,
                   std::uint32_t lanes) {
  // As floats and as integers these are conspicuous numbers.
  constexpr std::uint8_t undefinedByte = 0xa5;
  registers.fill(undefinedByte);
  std::fill(registers.begin() + registerFile::flag, registers.end(), 0);
  wideAccumulator.fill(0);
  ip = 0;
  running = callers = lanes;
  resume.fill(0);
  this->group = &group;
  this->index = index;
  this->number = number;
  credits.fill(0);
  hasEnded = isWaiting = false;
  numSignals = numWaits = 0;
  if (!group.launch->translation)
    scratch.assign(group.launch->scratchBytes, undefinedByte);
  // sr0.0 is the place of the thread, from which the compiler's code computes a
  // dense number: on Xe-HPC without bit 3 and bits 7:6.
  std::uint32_t place = number;
  if (group.launch->code->platform == Platform::XeHPC)
    place = (number & 7) | (number >> 3 & 3) << 4 | (number >> 5) << 8;
  std::uint32_t state[] = {place & 0x7f, 0, lanes};
  if (group.launch->code->platform == Platform::XeHPC)
    state[0] = place;
  std::memcpy(registers.data() + registerFile::state, state, sizeof(state));
  // Xe2 and Xe3 have its upper bits in another register.
  std::uint32_t upper = number >> 7;
  std::memcpy(registers.data() + registerFile::message, &upper, sizeof(upper));
}

StopReason Thread::run(std::uint64_t budget) {
  static const Operations operations;
  const std::vector<Instruction> &code = group->launch->code->instructions;
  isWaiting = false;
  auto control = reinterpret_cast<const std::uint32_t *>(registers.data() +
                                                         registerFile::control);
  RoundingScope rounding(*control);
  for (; budget; --budget) {
    // The end of a thread is an instruction, and branches have known targets.
    const Instruction &instruction = code[ip];
    Step step(*this, instruction);
    step.enabled = getEnabledLanes(step);
    ++numExecuted;
    const auto numLanes =
        static_cast<unsigned>(__builtin_popcount(step.enabled));
    if (counts) {
      InstructionCounts &own = (*counts)[ip];
      ++own.executions;
      own.lanes += numLanes;
    }
    if (recorder)
      recorder->execute(ip);
    // A barrier is looked at when it lets the thread pass.
    if (checks && !(instruction.sync == SyncFunction::Bar &&
                    instruction.opcode == Opcode::Sync))
      checks->begin(step);
    switch (operations.table[static_cast<unsigned>(instruction.opcode)](step)) {
    case Next::Following:
      ++ip;
      if (instruction.destination.offset == registerFile::control &&
          instruction.destination.kind == Operand::Direct)
        applyRounding(*control);
      break;
    case Next::Chosen:
      if (recorder && &code[ip] <= &instruction)
        recorder->jumpBack(ip, running, registers);
      break;
    case Next::Wait:
      // It has not run yet.
      --numExecuted;
      if (counts) {
        --(*counts)[ip].executions;
        (*counts)[ip].lanes -= numLanes;
      }
      if (recorder)
        recorder->undo();
      isWaiting = true;
      return StopReason::AtBarrier;
    case Next::End:
      hasEnded = true;
      return StopReason::Ended;
    }
    if (ip >= code.size())
      throw Error(runtime::ErrorKind::Launch,
                  "the thread ran past the end of the code");
  }
  return StopReason::OutOfTime;
}

} // namespace triton::intel::simulator
