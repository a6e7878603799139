//===- Replay.cpp - Threads of a core, cycle by cycle ---------------------===//
// SPDX-License-Identifier: MIT
//
// Each thread issues in order, at most one instruction per cycle, when what its
// annotations wait for is done. Each pipe of an engine takes at most one
// instruction per cycle, of the oldest thread that has one. When a message is
// answered is known when it is sent, so the cycle in which a thread may go on
// is known as soon as it has issued; only barriers depend on other threads.
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

#include "CoreMemory.h"
#include "Issue.h"
#include "intel/Target/LatencyTable.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace triton::intel::simulator {

namespace {
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// A group's barrier: its phases, each with the threads that have signalled it
/// and when the last of them did.
struct GroupState {
  struct Phase {
    unsigned numSignals = 0;
    std::uint64_t cycle = 0;
  };
  std::vector<Phase> phases;
  std::vector<unsigned> threads;
  unsigned numRunning = 0;
};

struct ThreadState {
  const ThreadTrace *trace = nullptr;
  std::size_t position = 0, message = 0, line = 0;
  unsigned engine = 0;
  /// The first cycle after the last instruction, and the first one in which
  /// everything that the next one waits for is done, with what is last of it.
  std::uint64_t turn = 0, ready = 0, queued = 0;
  Stall cause = Stall::Pipe;
  bool isAtBarrier = false, followsBranch = false, hasEnded = false;
  /// Completion of the last instructions of each pipe, by their count.
  static constexpr unsigned maxDistance = 8;
  std::array<std::array<std::uint64_t, maxDistance>, numInOrderPipes>
      completions = {};
  std::array<std::uint64_t, numInOrderPipes> issued = {};
  std::array<CoreMemory::Answer, numTokens> tokens = {};
  std::array<std::uint64_t, numInterlocks> interlocks = {};
  std::uint64_t dpasCompletion = 0;
  std::size_t numSignals = 0, numWaits = 0;

  void waitUntil(std::uint64_t cycle, Stall why, std::uint64_t inQueue = 0) {
    if (cycle <= ready)
      return;
    ready = cycle;
    cause = why;
    queued = inQueue;
  }
};

class Core {
public:
  Core(const Code &code, const ChipModel &chip, std::uint64_t cacheBytes,
       const std::vector<ThreadTrace> &traces);

  CoreTiming run();

private:
  const IssueRule &getRule(const ThreadState &thread) const {
    return rules[thread.trace->instructions[thread.position]];
  }
  /// Computes when the next instruction of a thread may issue.
  void prepare(ThreadState &thread);
  void waitForPipes(ThreadState &thread, const IssueRule &rule);
  void waitForTokens(ThreadState &thread, const IssueRule &rule);
  void waitForBarrier(ThreadState &thread);
  void issue(ThreadState &thread, std::uint64_t cycle);
  void issueMessage(ThreadState &thread, const IssueRule &rule,
                    std::uint64_t cycle);
  void complete(ThreadState &thread, const IssueRule &rule,
                std::uint64_t cycle);
  void account(const ThreadState &thread, std::uint64_t cycle);
  /// Lets threads go on whose barrier is complete; all of them if `force`.
  void release(GroupState &group, std::uint64_t cycle, bool force);
  void end(ThreadState &thread, std::uint64_t cycle);

  std::vector<IssueRule> rules;
  CoreMemory memory;
  std::vector<ThreadState> threads;
  std::vector<GroupState> groups;
  /// The threads of each engine, the oldest first, and when its units are free.
  std::vector<std::vector<unsigned>> engines;
  std::vector<std::array<std::uint64_t, numIssueUnits>> unitFree;
  /// The next cycle in which something may happen.
  std::uint64_t next = 0;
  std::size_t numRunning = 0;
  CoreTiming result;
};

Core::Core(const Code &code, const ChipModel &chip, std::uint64_t cacheBytes,
           const std::vector<ThreadTrace> &traces)
    : rules(getIssueRules(code, chip)), memory(chip, cacheBytes),
      threads(traces.size()), engines(chip.engines), unitFree(chip.engines) {
  result.instructions.resize(code.instructions.size());
  for (unsigned i = 0; i < traces.size(); ++i) {
    ThreadState &thread = threads[i];
    thread.trace = &traces[i];
    if (traces[i].instructions.empty()) {
      thread.hasEnded = true;
      continue;
    }
    thread.engine = i % chip.engines;
    engines[thread.engine].push_back(i);
    if (groups.size() <= traces[i].group)
      groups.resize(traces[i].group + 1);
    GroupState &group = groups[traces[i].group];
    group.threads.push_back(i);
    ++group.numRunning;
    ++numRunning;
  }
}

void Core::waitForPipes(ThreadState &thread, const IssueRule &rule) {
  for (unsigned pipe = 0; pipe < numInOrderPipes; ++pipe) {
    if (!(rule.waitedPipes >> pipe & 1) || !rule.distance ||
        thread.issued[pipe] < rule.distance)
      continue;
    // They complete in order: those before are done, too.
    std::uint64_t last = thread.issued[pipe] - rule.distance;
    thread.waitUntil(thread.completions[pipe][last % ThreadState::maxDistance],
                     pipe == mathPipe ? Stall::Math : Stall::Pipe);
  }
  for (unsigned i = 0; i < numInterlocks; ++i)
    if (rule.waitedRegisters >> i & 1)
      thread.waitUntil(thread.interlocks[i], Stall::Pipe);
}

void Core::waitForTokens(ThreadState &thread, const IssueRule &rule) {
  std::uint32_t both = rule.readTokens | rule.writtenTokens;
  for (unsigned id = 0; both >> id; ++id) {
    const CoreMemory::Answer &owner = thread.tokens[id];
    if (rule.readTokens >> id & 1)
      thread.waitUntil(owner.read, owner.cause);
    if (rule.writtenTokens >> id & 1)
      thread.waitUntil(std::max(owner.read, owner.written), owner.cause,
                       owner.queued);
    if (id + 1 == numTokens)
      break;
  }
}

void Core::waitForBarrier(ThreadState &thread) {
  const GroupState &group = groups[thread.trace->group];
  if (thread.numWaits < group.phases.size()) {
    const GroupState::Phase &phase = group.phases[thread.numWaits];
    if (phase.numSignals >= group.numRunning) {
      thread.waitUntil(phase.cycle, Stall::Barrier);
      return;
    }
  }
  thread.isAtBarrier = true;
}

void Core::prepare(ThreadState &thread) {
  const IssueRule &rule = getRule(thread);
  thread.ready = thread.turn;
  thread.queued = 0;
  if (thread.followsBranch)
    thread.waitUntil(thread.turn + latency::branch - 1, Stall::Branch);
  waitForPipes(thread, rule);
  waitForTokens(thread, rule);
  if (rule.isBarrierWait)
    waitForBarrier(thread);
  if (!thread.isAtBarrier)
    next = std::min(next, thread.ready);
}

void Core::account(const ThreadState &thread, std::uint64_t cycle) {
  InstructionTiming &timing =
      result.instructions[thread.trace->instructions[thread.position]];
  ++timing.issued;
  std::uint64_t waited = thread.ready - thread.turn;
  std::uint64_t inQueue = std::min(waited, thread.queued);
  timing.stalls[static_cast<unsigned>(Stall::Queue)] += inQueue;
  timing.stalls[static_cast<unsigned>(thread.cause)] += waited - inQueue;
  timing.stalls[static_cast<unsigned>(Stall::Busy)] += cycle - thread.ready;
}

void Core::complete(ThreadState &thread, const IssueRule &rule,
                    std::uint64_t cycle) {
  // A wide instruction issues in several parts.
  std::uint64_t done = cycle + rule.latency;
  if (rule.unit == dpasUnit) {
    thread.dpasCompletion = std::max(thread.dpasCompletion, done);
    if (rule.token >= 0)
      thread.tokens[static_cast<unsigned>(rule.token)] = {
          cycle + rule.occupancy, thread.dpasCompletion, 0, Stall::Dpas};
    return;
  }
  if (rule.unit >= numInOrderPipes)
    return;
  auto &completions = thread.completions[rule.unit];
  std::uint64_t &count = thread.issued[rule.unit];
  if (count)
    done = std::max(done, completions[(count - 1) % ThreadState::maxDistance]);
  completions[count++ % ThreadState::maxDistance] = done;
  for (unsigned i = 0; i < numInterlocks; ++i)
    if (rule.setRegisters >> i & 1)
      thread.interlocks[i] = done;
}

void Core::issueMessage(ThreadState &thread, const IssueRule &rule,
                        std::uint64_t cycle) {
  // The last one may be cut off.
  if (thread.message >= thread.trace->messages.size())
    return;
  const TracedMessage &message = thread.trace->messages[thread.message++];
  CoreMemory::Answer answer =
      memory.send(cycle, message, thread.trace->lines.data() + thread.line);
  thread.line += message.numLines;
  if (rule.token >= 0)
    thread.tokens[static_cast<unsigned>(rule.token)] = answer;
  if (!rule.isBarrierSignal)
    return;
  GroupState &group = groups[thread.trace->group];
  if (group.phases.size() <= thread.numSignals)
    group.phases.resize(thread.numSignals + 1);
  GroupState::Phase &phase = group.phases[thread.numSignals++];
  ++phase.numSignals;
  phase.cycle = std::max(phase.cycle, answer.written);
  release(group, cycle, /*force=*/false);
}

void Core::release(GroupState &group, std::uint64_t cycle, bool force) {
  for (unsigned index : group.threads) {
    ThreadState &thread = threads[index];
    if (!thread.isAtBarrier)
      continue;
    thread.isAtBarrier = false;
    waitForBarrier(thread);
    if (thread.isAtBarrier && force) {
      thread.isAtBarrier = false;
      thread.waitUntil(cycle + 1, Stall::Barrier);
    }
    if (!thread.isAtBarrier)
      next = std::min(next, std::max(thread.ready, cycle + 1));
  }
}

void Core::end(ThreadState &thread, std::uint64_t cycle) {
  thread.hasEnded = true;
  --numRunning;
  result.cycles = std::max(result.cycles, cycle + 1);
  GroupState &group = groups[thread.trace->group];
  --group.numRunning;
  // Threads that have ended are not waited for.
  release(group, cycle, /*force=*/false);
}

void Core::issue(ThreadState &thread, std::uint64_t cycle) {
  const IssueRule &rule = getRule(thread);
  account(thread, cycle);
  if (rule.unit != noUnit)
    unitFree[thread.engine][rule.unit] = cycle + rule.occupancy;
  if (rule.isBarrierWait)
    ++thread.numWaits;
  if (rule.isMessage)
    issueMessage(thread, rule, cycle);
  else
    complete(thread, rule, cycle);
  thread.turn = cycle + 1;
  thread.followsBranch = rule.isBranch;
  if (++thread.position == thread.trace->instructions.size())
    end(thread, cycle);
  else
    prepare(thread);
}

CoreTiming Core::run() {
  for (ThreadState &thread : threads)
    if (!thread.hasEnded)
      prepare(thread);
  std::uint64_t cycle = 0;
  while (numRunning) {
    next = never;
    for (const std::vector<unsigned> &engine : engines)
      for (unsigned index : engine) {
        ThreadState &thread = threads[index];
        if (thread.hasEnded || thread.isAtBarrier)
          continue;
        std::uint64_t first = thread.ready;
        if (unsigned unit = getRule(thread).unit; unit != noUnit)
          first = std::max(first, unitFree[thread.engine][unit]);
        if (first > cycle)
          next = std::min(next, first);
        else
          issue(thread, cycle);
      }
    // Barriers of some threads of a group are not distinguished: where all
    // wait, all may go on.
    if (next == never)
      for (GroupState &group : groups)
        release(group, cycle, /*force=*/true);
    cycle = std::max(cycle + 1, next);
  }
  return std::move(result);
}
} // namespace

CoreTiming replay(const Code &code, const ChipModel &chip,
                  std::uint64_t cacheBytes,
                  const std::vector<ThreadTrace> &traces) {
  return Core(code, chip, cacheBytes, traces).run();
}

} // namespace triton::intel::simulator
