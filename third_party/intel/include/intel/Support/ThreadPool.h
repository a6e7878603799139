//===- ThreadPool.h - Threads that run programs -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// One thread per processor that the process may use, the calling one among
// them. They are started when they are first needed, and again in the child
// after a fork.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SUPPORT_THREADPOOL_H
#define TRITON_INTEL_SUPPORT_THREADPOOL_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>

namespace triton::intel::support {

/// Signals go to the threads of the caller, faults to the thread that causes
/// them: for threads that are started while one of these exists.
class BlockedSignals {
public:
  BlockedSignals();
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;

private:
  sigset_t previous;
};

class ThreadPool {
public:
  static ThreadPool &get();

  /// Processors that the process may use.
  unsigned getNumThreads() const { return numThreads; }

  /// Calls `work` in the calling thread and, as far as they are free, in all
  /// others at the same time; returns when all calls have. `work` must not
  /// throw. The caller, once it has nothing left to do, calls `whileWaiting`
  /// every `waitInterval`.
  void run(const std::function<void()> &work,
           const std::function<void()> &whileWaiting,
           std::chrono::milliseconds waitInterval);

private:
  ThreadPool();
  void startThreads();
  void loop();

  unsigned numThreads;
  /// This is true if a caller has the threads. No mutex, because that caller
  /// may come again: a signal handler in Python can launch a kernel.
  std::atomic<bool> isOwned{false};
  std::mutex mutex;
  std::condition_variable wake, idle;
  const std::function<void()> *job = nullptr;
  std::uint64_t generation = 0;
  unsigned numBusy = 0;
  bool isStarted = false;
};

/// Calls `work` in the calling thread and in `numThreads - 1` new ones, all of
/// which run at a time; returns when all calls have. Otherwise as
/// `ThreadPool::run`. Throws `std::system_error`, without a call, if there are
/// not enough threads.
void runInOwnThreads(std::uint64_t numThreads,
                     const std::function<void()> &work,
                     const std::function<void()> &whileWaiting,
                     std::chrono::milliseconds waitInterval);

} // namespace triton::intel::support

#endif // TRITON_INTEL_SUPPORT_THREADPOOL_H
