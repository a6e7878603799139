//===- PrintQueue.h - Output of programs in order ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Programs run in any order and at the same time, but their output appears as
// if one had run after the other, x fastest. Output that cannot be written yet
// is kept; a program with too much of it waits for its turn. That cannot last
// for ever: programs are started in order, so the one whose turn it is always
// runs.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_PRINTQUEUE_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_PRINTQUEUE_H

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace triton::intel::runtime::cpu {

/// The output of one launch, to C's `stdout`.
class PrintQueue {
public:
  /// Takes the output of a running program from `text` if there is much of it.
  void add(std::uint64_t program, std::string &text);

  /// Takes the last output of a program.
  void complete(std::uint64_t program, std::string &text);

  /// Writes what is left, in order, after all programs that were started have
  /// completed.
  void finish();

private:
  void waitForTurn(std::unique_lock<std::mutex> &lock, std::uint64_t program);

  std::mutex mutex;
  std::condition_variable turn;
  /// The program whose output comes next.
  std::uint64_t next = 0;
  /// Output of completed programs that are not yet next.
  std::map<std::uint64_t, std::string> pending;
  std::size_t pendingBytes = 0;
};

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_PRINTQUEUE_H
