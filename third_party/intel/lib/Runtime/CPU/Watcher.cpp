//===- Watcher.cpp - Interrupts of long launches --------------------------===//
// SPDX-License-Identifier: MIT

#include "Watcher.h"
#include "intel/Support/ThreadPool.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace triton::intel::runtime::cpu {

namespace {
/// The thread, and the flags that it raises.
class Watcher {
public:
  static Watcher &get() {
    // Never destroyed, and new in a child, as the thread pool.
    static Watcher *instance = [] {
      pthread_atfork(nullptr, nullptr, [] { instance = new Watcher; });
      return new Watcher;
    }();
    return *instance;
  }

  /// From now on `flag` is set once an interval.
  void add(std::int32_t *flag) {
    std::lock_guard<std::mutex> lock(mutex);
    flags.emplace_back(flag, /*isOld=*/false);
    if (!isStarted)
      start();
    if (isAsleep)
      wake.notify_one();
  }

  /// Returns when `flag` is no longer written.
  void remove(std::int32_t *flag) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found =
        std::find_if(flags.begin(), flags.end(),
                     [&](const auto &entry) { return entry.first == flag; });
    if (found != flags.end())
      flags.erase(found);
  }

private:
  /// Called with the mutex locked; started by the first launch that can be
  /// interrupted.
  void start() {
    // Signals are for the threads of the application.
    support::BlockedSignals blocked;
    try {
      std::thread([this] { loop(); }).detach();
      isStarted = true;
    } catch (const std::system_error &) {
      // No more threads: an interrupt waits for the running programs.
    }
  }

  /// Sets flags that have been here for a whole interval at least: a launch
  /// that has only just begun is not checked.
  void loop() {
    std::unique_lock<std::mutex> lock(mutex);
    for (int idle = 0;;) {
      // Short launches that follow each other wake no thread.
      constexpr int maxIdle = 20;
      if (idle > maxIdle) {
        isAsleep = true;
        wake.wait(lock, [&] { return !flags.empty(); });
        isAsleep = false;
      }
      lock.unlock();
      std::this_thread::sleep_for(stopInterval);
      lock.lock();
      idle = flags.empty() ? idle + 1 : 0;
      for (auto &[flag, isOld] : flags) {
        // The kernel reads it without a lock.
        if (isOld)
          __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
        isOld = true;
      }
    }
  }

  std::mutex mutex;
  std::condition_variable wake;
  /// Flags, and whether they have been here at the last round.
  std::vector<std::pair<std::int32_t *, bool>> flags;
  bool isStarted = false, isAsleep = false;
};
} // namespace

/// Null: nothing to watch.
WatchedFlag::WatchedFlag(std::int32_t *flag) : flag(flag) {
  if (flag)
    Watcher::get().add(flag);
}

WatchedFlag::~WatchedFlag() {
  if (flag)
    Watcher::get().remove(flag);
}

} // namespace triton::intel::runtime::cpu
