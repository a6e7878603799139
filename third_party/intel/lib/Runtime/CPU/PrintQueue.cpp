//===- PrintQueue.cpp - Output of programs in order -----------------------===//
// SPDX-License-Identifier: MIT

#include "PrintQueue.h"

#include <cstdio>

namespace triton::intel::runtime::cpu {

namespace {
/// Output of a program that is worth writing before its end.
constexpr std::size_t writeBytes = 1 << 16;
/// Output that a program may keep, and that completed programs may.
constexpr std::size_t maxProgramBytes = 1 << 20;
constexpr std::size_t maxPendingBytes = 1 << 24;

/// Writes to C's standard output, which Python's may share, and empties `text`.
void write(std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  text.clear();
}
} // namespace

/// Blocks until all programs before have completed.
void PrintQueue::waitForTurn(std::unique_lock<std::mutex> &lock,
                             std::uint64_t program) {
  turn.wait(lock, [&] { return next == program; });
}

/// Little output waits for the end of the program.
void PrintQueue::add(std::uint64_t program, std::string &text) {
  if (text.size() < writeBytes)
    return;
  std::unique_lock<std::mutex> lock(mutex);
  // It is not its turn, but it may still keep some more.
  if (next != program && text.size() < maxProgramBytes)
    return;
  waitForTurn(lock, program);
  write(text);
}

/// Completes the output of a program that has ended. If it is its turn, it is
/// written, with what follows and has ended already; otherwise it is kept.
void PrintQueue::complete(std::uint64_t program, std::string &text) {
  std::unique_lock<std::mutex> lock(mutex);
  // Too much is kept already: wait instead.
  if (next != program && pendingBytes + text.size() > maxPendingBytes)
    waitForTurn(lock, program);
  if (next != program) {
    pendingBytes += text.size();
    pending[program] = std::move(text);
    text.clear();
    return;
  }
  write(text);
  ++next;
  for (auto it = pending.begin(); it != pending.end() && it->first == next;
       it = pending.erase(it), ++next) {
    pendingBytes -= it->second.size();
    write(it->second);
  }
  // The programs that wait for room or for their turn.
  turn.notify_all();
}

/// Some programs may never run after a failure: gaps are skipped.
void PrintQueue::finish() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[program, text] : pending)
    write(text);
  pending.clear();
  std::fflush(stdout);
}

} // namespace triton::intel::runtime::cpu
