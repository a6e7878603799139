//===- Fibers.h - Sub-groups that wait for each other -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The sub-groups of a program on one thread, each with a separate stack. They
// take turns in a fixed order: one runs until it meets a barrier or ends, then
// the next one continues. When the turn comes back to a sub-group at a barrier,
// all others have been there.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_FIBERS_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_FIBERS_H

#include "intel/ABI/CPUKernel.h"

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace triton::intel::runtime::cpu {

using namespace abi;

/// A stack in separate memory, with a page below that may not be touched.
class Stack {
public:
  /// Throws `Error` of kind `Launch` without memory.
  Stack();
  Stack(Stack &&other) noexcept : memory(other.memory) {
    other.memory = nullptr;
  }
  Stack &operator=(Stack &&) = delete;
  ~Stack();

  /// Returns the end of the stack, where it begins to grow.
  char *top() const;
  /// Returns whether an address is in the page below.
  bool isBelow(const void *address) const;

private:
  char *memory;
};

class Fibers {
public:
  /// Makes stacks for `count` sub-groups. Throws `Error` of kind `Launch` when
  /// there is no memory.
  void prepare(unsigned count);

  /// Calls `entry` for each of `count` sub-groups, which are prepared, and
  /// returns when all of them have.
  void run(EntryPoint entry, const void *arguments, SubGroupState *states,
           unsigned count);

  /// Lets all other sub-groups come here. Called in one that `run` runs.
  void wait();

  /// Calls `action` on the thread's own stack. Called in one that `run` runs.
  void callOutside(const std::function<void()> &action);

  /// Returns whether sub-group `index` of the current program has ended.
  bool hasEnded(unsigned index) const { return fibers[index].hasEnded; }

  /// Drops sub-groups that cannot be continued: one of them was left by a jump
  /// out of `run`.
  void abandon();

  /// Returns whether an address is just below one of the stacks.
  bool isStackOverflow(const void *address) const;

  /// Returns how often a sub-group got past a barrier that another one would
  /// never reach, because it had ended; counted from the last call on.
  std::uint64_t takeNumDivergentBarriers() {
    return std::exchange(divergentBarriers, 0);
  }

private:
  using Context = boost::context::detail::fcontext_t;
  using Transfer = boost::context::detail::transfer_t;

  /// Code that is suspended, or runs, on a separate stack.
  struct Place {
    Context context = nullptr;
    /// The bounds of the stack, for AddressSanitizer.
    const void *bottom = nullptr;
    std::size_t bytes = 0;
  };

  /// A sub-group. It outlives programs: at its end it waits for the next one.
  struct Fiber {
    Stack stack;
    Place place;
    /// Its neighbours among those that still run.
    unsigned previous, next;
    bool hasEnded = false;
  };

  static void body(Transfer transfer);
  void start(Fiber &fiber);
  void switchTo(const Place &target, Place &saved);
  void arrive(Transfer transfer, void *fakeStack);
  void finish();

  std::vector<Fiber> fibers;
  /// The thread's own stack, while fibers run.
  Place caller;
  /// The place that the next switch stores the code it leaves in.
  Place *left = nullptr;
  /// States whether fibers are running: `run` has not returned.
  bool isRunning = false;
  /// The function to run on the thread's own stack.
  const std::function<void()> *outside = nullptr;
  unsigned current = 0, numRunning = 0, numStarted = 0;
  EntryPoint entry = nullptr;
  const void *arguments = nullptr;
  SubGroupState *states = nullptr;
  std::uint64_t divergentBarriers = 0;
};

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_FIBERS_H
