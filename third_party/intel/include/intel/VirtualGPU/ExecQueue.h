//===- ExecQueue.h - A queue of batches and its thread ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Each queue has a thread, as a batch may run for as long as its process does:
// the driver keeps one that waits in memory for more commands.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_EXECQUEUE_H
#define TRITON_INTEL_VIRTUALGPU_EXECQUEUE_H

#include "intel/VirtualGPU/AddressSpace.h"
#include "intel/VirtualGPU/Device.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace triton::intel::vgpu {

/// A number that a batch writes to memory of the GPU when it has ended.
struct Fence {
  std::uint64_t address, value;
};

struct Batch {
  std::uint64_t address;
  std::vector<Fence> fences;
};

/// A function that runs a batch, on the thread of its queue. It returns early,
/// by throwing `QueueStopped`, once the flag is set.
using BatchRunner =
    std::function<void(std::uint64_t address, const std::atomic<bool> &stops)>;

class ExecQueue;

/// The queues of an opened device. A failure of one bans all of them: others
/// may wait for what it would have written, and for the program the device is
/// lost.
class QueueGroup {
public:
  void add(ExecQueue &queue);
  void remove(ExecQueue &queue);
  void ban();

private:
  std::mutex mutex;
  std::set<ExecQueue *> queues;
  bool isBanned = false;
};

class ExecQueue {
public:
  ExecQueue(std::shared_ptr<AddressSpace> space,
            std::shared_ptr<QueueGroup> group, BatchRunner run);
  /// Stops the batch that runs, and drops those that wait.
  ~ExecQueue();
  ExecQueue(const ExecQueue &) = delete;
  ExecQueue &operator=(const ExecQueue &) = delete;

  /// Throws `CallError` if the queue is banned.
  void submit(Batch batch);
  /// Returns whether it executes no more batches: after a failure, and in a
  /// child of the process.
  bool isBanned() const;
  /// Stops the batch that runs, and executes no more.
  void ban();

private:
  struct State;
  void loop();
  void run(const Batch &batch);

  /// The state that the thread uses. In a child of the process, which has no
  /// such thread, it is left as it is: it may be locked there for ever.
  State *state;
  int process;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_EXECQUEUE_H
