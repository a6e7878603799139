//===- ControlFlow.cpp - Branches, calls, waiting -------------------------===//
// SPDX-License-Identifier: MIT
//
// A thread has one instruction pointer. Lanes that jump wait at the place that
// they go to, and run again when the thread comes by; where no lane is left,
// the thread goes on at JIP. Code that ignores the mask runs whenever the
// thread passes, also with no lane (GOTO.md in the description of vISA, and
// gotoJumpOnTrue in visa's FlowGraph.cpp).
//
//===----------------------------------------------------------------------===//

#include "Step.h"

namespace triton::intel::simulator {

namespace {
/// Returns the lanes of the thread that take part in an instruction.
std::uint32_t getThreadLanes(const Step &step) {
  return step.enabled << step.instruction.firstLane & step.thread.running;
}

void park(Thread &thread, std::uint32_t lanes, std::uint32_t place) {
  thread.running &= ~lanes;
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    if (lanes >> lane & 1)
      thread.resume[lane] = place;
}

/// Returns the lanes that wait at a place.
std::uint32_t getParked(const Thread &thread, std::uint32_t place) {
  std::uint32_t waiting = thread.callers & ~thread.running, parked = 0;
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    if (waiting >> lane & 1 && thread.resume[lane] == place)
      parked |= 1u << lane;
  return parked;
}

/// The two dwords of a call: where to return to, and which lanes had called the
/// caller.
struct Frame {
  std::uint32_t address, callers;
};

/// Returns the address, or the distance, that a register holds for all lanes.
std::uint32_t readAddress(const Step &step) {
  std::uint32_t address;
  std::memcpy(&address,
              step.thread.registers.data() +
                  step.getOffset(step.instruction.sources[0]),
              sizeof(address));
  return address;
}
} // namespace

Next executeGoto(Step &step) {
  Thread &thread = step.thread;
  const Instruction &instruction = step.instruction;
  std::uint32_t takers = getThreadLanes(step);
  if (instruction.isBackward) {
    if (!takers)
      return Next::Following;
    std::uint32_t others = thread.running & ~takers;
    park(thread, others, instruction.jip);
    thread.ip = instruction.uip;
    return Next::Chosen;
  }
  park(thread, takers, instruction.uip);
  if (thread.running)
    return Next::Following;
  thread.ip = instruction.jip;
  return Next::Chosen;
}

Next executeJoin(Step &step) {
  Thread &thread = step.thread;
  thread.running |= getParked(thread, thread.ip);
  if (thread.running)
    return Next::Following;
  thread.ip = step.instruction.jip;
  return Next::Chosen;
}

/// Lanes without the condition go to JIP: an `endif`, an `else`, or what
/// follows the `else`. One that ignores the mask starts lanes that did not run,
/// also those that were not dispatched: the kernels of oneMKL's products load
/// the rows of 32 lanes in threads of 16.
Next executeIf(Step &step) {
  Thread &thread = step.thread;
  std::uint32_t place = step.instruction.jip;
  std::uint32_t takers = step.enabled << step.instruction.firstLane;
  park(thread, thread.running & ~takers, place);
  thread.running |= takers;
  thread.callers |= takers;
  if (thread.running)
    return Next::Following;
  thread.ip = place;
  Opcode opcode = thread.group->launch->code->instructions[place].opcode;
  if (opcode != Opcode::Else && opcode != Opcode::Endif)
    thread.running = getParked(thread, place);
  return Next::Chosen;
}

Next executeElse(Step &step) {
  Thread &thread = step.thread;
  std::uint32_t others =
      getParked(thread, thread.ip) | getParked(thread, thread.ip + 1);
  park(thread, thread.running, step.instruction.uip);
  thread.running = others;
  if (thread.running)
    return Next::Following;
  thread.ip = step.instruction.jip;
  return Next::Chosen;
}

/// Lanes that have left the loop wait until the last one leaves it.
Next executeWhile(Step &step) {
  Thread &thread = step.thread;
  std::uint32_t takers = getThreadLanes(step);
  if (!takers) {
    thread.running |= getParked(thread, thread.ip + 1);
    return Next::Following;
  }
  park(thread, thread.running & ~takers, thread.ip + 1);
  thread.ip = step.instruction.jip;
  return Next::Chosen;
}

/// Looks at the flag of its first lane, whether that lane runs or not.
Next executeJmpi(Step &step) {
  if (step.instruction.predicate != Instruction::NoPredicate) {
    bool flag = step.readFlag() & 1;
    if (flag == step.instruction.isPredicateInverted)
      return Next::Following;
  }
  // A register has the distance in bytes from the jump itself.
  const Instruction &instruction = step.instruction;
  step.thread.ip = instruction.numSources
                       ? step.thread.group->launch->code->find(
                             instruction.address + readAddress(step))
                       : instruction.jip;
  return Next::Chosen;
}

Next executeCall(Step &step) {
  Thread &thread = step.thread;
  const Instruction &instruction = step.instruction;
  std::uint32_t callers = getThreadLanes(step);
  if (!callers)
    return Next::Following;
  if (callers != thread.running)
    step.fail("a call by some of the lanes that run");
  const std::vector<Instruction> &code =
      thread.group->launch->code->instructions;
  Frame frame = {code[thread.ip].address + code[thread.ip].numBytes,
                 thread.callers};
  // Read first: the frame may take its place.
  std::uint32_t target = instruction.jip;
  if (instruction.opcode == Opcode::Calla)
    target = thread.group->launch->code->find(readAddress(step));
  std::memcpy(thread.registers.data() + step.getOffset(instruction.destination),
              &frame, sizeof(frame));
  thread.callers = callers;
  thread.ip = target;
  return Next::Chosen;
}

Next executeRet(Step &step) {
  Thread &thread = step.thread;
  if (!getThreadLanes(step))
    return Next::Following;
  Frame frame;
  std::memcpy(&frame,
              thread.registers.data() +
                  step.getOffset(step.instruction.sources[0]),
              sizeof(frame));
  if (thread.callers != thread.running)
    step.fail("other lanes return than have called");
  thread.callers = frame.callers;
  thread.ip = thread.group->launch->code->find(frame.address);
  return Next::Chosen;
}

/// Only a barrier waits here, and no other instruction of the scoreboard:
/// registers are written as soon as an instruction has run.
Next executeSync(Step &step) {
  const Instruction &instruction = step.instruction;
  if (instruction.sync != SyncFunction::Bar)
    return Next::Following;
  Lanes<std::uint64_t> ids;
  step.readBits(instruction.sources[0], ids);
  std::uint64_t id = ids[0] & 0xff;
  if (id >= numBarriers)
    step.fail("there is no barrier " + std::to_string(id));
  if (!step.thread.credits[id])
    return Next::Wait;
  --step.thread.credits[id];
  ++step.thread.numWaits;
  return Next::Following;
}

} // namespace triton::intel::simulator
