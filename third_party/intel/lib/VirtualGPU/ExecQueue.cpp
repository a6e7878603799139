//===- ExecQueue.cpp - A queue of batches and its thread ------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/ExecQueue.h"

#include "intel/Support/ThreadPool.h"
#include "intel/VirtualGPU/Failure.h"

#include <cerrno>

namespace triton::intel::vgpu {

ExecQueue::ExecQueue(std::shared_ptr<AddressSpace> space, BatchRunner run)
    : space(std::move(space)), runBatch(std::move(run)) {
  // Signals of the program are for its own threads.
  support::BlockedSignals blocked;
  thread = std::thread([this] { loop(); });
}

ExecQueue::~ExecQueue() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stops = true;
  }
  wake.notify_all();
  thread.join();
}

void ExecQueue::submit(Batch batch) {
  std::lock_guard<std::mutex> lock(mutex);
  if (banned)
    throw CallError(ECANCELED);
  waiting.push_back(std::move(batch));
  wake.notify_all();
}

void ExecQueue::loop() {
  while (true) {
    Batch batch;
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return stops || !waiting.empty(); });
      if (stops)
        return;
      batch = std::move(waiting.front());
      waiting.pop_front();
    }
    run(batch);
  }
}

/// A fence is written only if the batch did what it should: whoever waits for
/// it asks whether the queue is banned.
void ExecQueue::run(const Batch &batch) {
  try {
    runBatch(batch.address, stops);
    for (const Fence &fence : batch.fences)
      space->store64(fence.address, fence.value);
  } catch (const QueueStopped &) {
    // Its owner no longer wants to know.
  } catch (const std::exception &error) {
    report(std::string(error.what()) + "\n  The queue is banned.");
    std::lock_guard<std::mutex> lock(mutex);
    banned = true;
    waiting.clear();
  }
}

} // namespace triton::intel::vgpu
