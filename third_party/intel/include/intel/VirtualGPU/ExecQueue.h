//===- ExecQueue.h - A queue of batches and its thread ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Each queue has a thread, as a batch may run for as long as its process does:
// the driver keeps one that waits in memory for more commands.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_VIRTUALGPU_EXECQUEUE_H
#define INTEL_VIRTUALGPU_EXECQUEUE_H

#include "intel/VirtualGPU/AddressSpace.h"
#include "intel/VirtualGPU/Device.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
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

/// What runs a batch, on the thread of its queue. It returns early, by throwing
/// `QueueStopped`, once the flag is set.
using BatchRunner =
    std::function<void(std::uint64_t address, const std::atomic<bool> &stops)>;

class ExecQueue {
public:
  ExecQueue(std::shared_ptr<AddressSpace> space, BatchRunner run);
  /// Stops the batch that runs, and drops those that wait.
  ~ExecQueue();
  ExecQueue(const ExecQueue &) = delete;
  ExecQueue &operator=(const ExecQueue &) = delete;

  /// Throws `CallError` if the queue is banned.
  void submit(Batch batch);
  /// Returns whether it executes no more batches: after a failure, and in a
  /// child of the process.
  bool isBanned() const;

private:
  struct State;
  void loop();
  void run(const Batch &batch);

  /// What the thread uses. In a child of the process, which has no such thread,
  /// it is left as it is: it may be locked there for ever.
  State *state;
  int process;
};

} // namespace triton::intel::vgpu

#endif // INTEL_VIRTUALGPU_EXECQUEUE_H
