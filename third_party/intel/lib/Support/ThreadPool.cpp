//===- ThreadPool.cpp - Threads that run programs -------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Support/ThreadPool.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <pthread.h>
#include <sched.h>
#include <system_error>
#include <thread>
#include <vector>

namespace triton::intel::support {

namespace {
/// More processors than any machine has.
constexpr int maxProcessors = 1 << 14;

/// Processors that this process may use, which may be fewer than there are; 1
/// if the system does not report it.
unsigned countProcessors() {
  std::unique_ptr<cpu_set_t, void (*)(cpu_set_t *)> set(
      CPU_ALLOC(maxProcessors), [](cpu_set_t *set) { CPU_FREE(set); });
  std::size_t size = CPU_ALLOC_SIZE(maxProcessors);
  if (!set || sched_getaffinity(0, size, set.get()) != 0)
    return 1;
  return std::max(CPU_COUNT_S(size, set.get()), 1);
}
} // namespace

/// All signals but those of faults, which are about the thread's own code.
BlockedSignals::BlockedSignals() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
    sigdelset(&blocked, signal);
  pthread_sigmask(SIG_SETMASK, &blocked, &previous);
}

BlockedSignals::~BlockedSignals() {
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

ThreadPool &ThreadPool::get() {
  // Never destroyed: its threads wait for work until the process ends. A child
  // has none of them, and mutexes in an unknown state: it takes a new one.
  static ThreadPool *instance = [] {
    pthread_atfork(nullptr, nullptr, [] { instance = new ThreadPool; });
    return new ThreadPool;
  }();
  return *instance;
}

/// Threads are started by the first launch that needs them.
ThreadPool::ThreadPool() : numThreads(countProcessors()) {}

/// The calling thread is one of them.
void ThreadPool::startThreads() {
  BlockedSignals blocked;
  for (unsigned i = 1; i < numThreads; ++i)
    try {
      std::thread([this] { loop(); }).detach();
    } catch (const std::system_error &) {
      // The system has no more threads; those that there are do the work.
      return;
    }
}

/// Runs in each thread of the pool, and does each job once.
void ThreadPool::loop() {
  std::uint64_t last = 0;
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    // A generation is a job: a thread that comes late does not take one twice.
    wake.wait(lock, [&] { return job && generation != last; });
    last = generation;
    const std::function<void()> &work = *job;
    ++numBusy;
    lock.unlock();
    work();
    lock.lock();
    if (--numBusy == 0)
      idle.notify_one();
  }
}

/// The threads have one caller at a time. Another one, or a nested call, does
/// its work alone.
void ThreadPool::run(const std::function<void()> &work,
                     const std::function<void()> &whileWaiting,
                     std::chrono::milliseconds waitInterval) {
  // Threads that have work already leave the caller to itself.
  if (numThreads == 1 || isOwned.exchange(true))
    return work();
  if (!isStarted) {
    startThreads();
    isStarted = true;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    job = &work;
    ++generation;
  }
  wake.notify_all();
  work();
  // A thread that has not woken up by now is not needed.
  {
    std::unique_lock<std::mutex> lock(mutex);
    job = nullptr;
    // The caller polls for signals here, as Python handles them in this thread
    // alone.
    while (!idle.wait_for(lock, waitInterval, [&] { return numBusy == 0; })) {
      lock.unlock();
      whileWaiting();
      lock.lock();
    }
  }
  // Only now: the threads have no more use for `work`.
  isOwned = false;
}

void runInOwnThreads(std::uint64_t numThreads,
                     const std::function<void()> &work,
                     const std::function<void()> &whileWaiting,
                     std::chrono::milliseconds waitInterval) {
  std::mutex mutex;
  std::condition_variable changed;
  enum { Starting, Started, Cancelled } state = Starting;
  std::uint64_t numBusy = 0;
  std::vector<std::thread> threads;
  auto runThread = [&] {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return state != Starting; });
    if (state == Started) {
      lock.unlock();
      work();
      lock.lock();
    }
    --numBusy;
    changed.notify_all();
  };
  auto joinAll = [&] {
    for (std::thread &thread : threads)
      thread.join();
  };
  try {
    BlockedSignals blocked;
    threads.reserve(numThreads - 1);
    for (std::uint64_t i = 1; i < numThreads; ++i) {
      threads.emplace_back(runThread);
      std::lock_guard<std::mutex> lock(mutex);
      ++numBusy;
    }
  } catch (...) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      state = Cancelled;
    }
    changed.notify_all();
    joinAll();
    throw;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    state = Started;
  }
  changed.notify_all();
  work();
  {
    std::unique_lock<std::mutex> lock(mutex);
    while (
        !changed.wait_for(lock, waitInterval, [&] { return numBusy == 0; })) {
      lock.unlock();
      whileWaiting();
      lock.lock();
    }
  }
  joinAll();
}

} // namespace triton::intel::support
