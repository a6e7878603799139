//===- ExecQueue.cpp - A queue of batches and its thread ------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/ExecQueue.h"

#include "intel/Support/ThreadPool.h"
#include "intel/VirtualGPU/Failure.h"

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace triton::intel::vgpu {

struct ExecQueue::State {
  std::shared_ptr<AddressSpace> space;
  std::shared_ptr<QueueGroup> group;
  BatchRunner run;
  std::deque<Batch> waiting;
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<bool> stops{false}, banned{false};
  std::thread thread;
};

void QueueGroup::add(ExecQueue &queue) {
  std::lock_guard<std::mutex> lock(mutex);
  queues.insert(&queue);
  if (isBanned)
    queue.ban();
}

void QueueGroup::remove(ExecQueue &queue) {
  std::lock_guard<std::mutex> lock(mutex);
  queues.erase(&queue);
}

void QueueGroup::ban() {
  std::lock_guard<std::mutex> lock(mutex);
  isBanned = true;
  for (ExecQueue *queue : queues)
    queue->ban();
}

ExecQueue::ExecQueue(std::shared_ptr<AddressSpace> space,
                     std::shared_ptr<QueueGroup> group, BatchRunner run)
    : state(new State), process(getpid()) {
  state->space = std::move(space);
  state->group = std::move(group);
  state->run = std::move(run);
  // Signals of the program are for its own threads.
  support::BlockedSignals blocked;
  state->thread = std::thread([this] { loop(); });
  state->group->add(*this);
}

ExecQueue::~ExecQueue() {
  if (process != getpid())
    return;
  state->group->remove(*this);
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->stops = true;
  }
  state->wake.notify_all();
  state->thread.join();
  delete state;
}

void ExecQueue::ban() {
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->banned = state->stops = true;
    state->waiting.clear();
  }
  state->wake.notify_all();
}

void ExecQueue::submit(Batch batch) {
  if (process != getpid())
    throw CallError(EIO, "a queue of the process before its fork");
  std::lock_guard<std::mutex> lock(state->mutex);
  if (state->banned)
    throw CallError(ECANCELED);
  state->waiting.push_back(std::move(batch));
  state->wake.notify_all();
}

bool ExecQueue::isBanned() const {
  return process != getpid() || state->banned;
}

void ExecQueue::loop() {
  while (true) {
    Batch batch;
    {
      std::unique_lock<std::mutex> lock(state->mutex);
      state->wake.wait(lock,
                       [&] { return state->stops || !state->waiting.empty(); });
      if (state->stops)
        return;
      batch = std::move(state->waiting.front());
      state->waiting.pop_front();
    }
    run(batch);
  }
}

/// A fence is written only if the batch did what it should: the thread that
/// waits for it queries whether the queue is banned.
void ExecQueue::run(const Batch &batch) {
  try {
    state->run(batch.address, state->stops);
    for (const Fence &fence : batch.fences)
      state->space->store64(fence.address, fence.value);
  } catch (const QueueStopped &) {
    // Its owner no longer wants to know.
  } catch (const std::exception &error) {
    report(std::string(error.what()) + "\n  The device is lost.");
    state->group->ban();
  }
}

} // namespace triton::intel::vgpu
