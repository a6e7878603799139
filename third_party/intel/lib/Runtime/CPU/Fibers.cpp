//===- Fibers.cpp - Sub-groups that wait for each other -------------------===//
// SPDX-License-Identifier: MIT
//
// Uses the plain contexts of Boost.Context. Its class `fiber` ends a suspended
// fiber by an exception, for which kernels have no unwind tables.
//
//===----------------------------------------------------------------------===//

#include "Fibers.h"

#include "intel/Runtime/Error.h"

#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define HAS_ADDRESS_SANITIZER
#endif
#endif

namespace triton::intel::runtime::cpu {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;

namespace {
/// Returns the page below a stack; touching it is a fault, not damage.
std::size_t getGuardBytes() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// AddressSanitizer follows the switches, as it clears what it knows of a stack
// when code is left by a jump or an exception.

/// Ahead of a switch to the stack at `bottom`. A null `fakeStack` means that
/// control does not come back.
void beginSwitch(void **fakeStack, const void *bottom, std::size_t bytes) {
#ifdef HAS_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(fakeStack, bottom, bytes);
#endif
}

/// After a switch; stores which stack was left.
void endSwitch(void *fakeStack, const void **bottom, std::size_t *bytes) {
#ifdef HAS_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fakeStack, bottom, bytes);
#endif
}
} // namespace

/// Memory that is reserved only: pages are given when they are touched.
Stack::Stack() {
  void *mapping =
      mmap(nullptr, stackBytes + getGuardBytes(), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  // Stacks grow downwards: the guard is at the lower end.
  if (mapping == MAP_FAILED ||
      mprotect(mapping, getGuardBytes(), PROT_NONE) != 0)
    throw Error(ErrorKind::Launch, "no memory for the stack of a sub-group");
  memory = static_cast<char *>(mapping);
}

Stack::~Stack() {
  if (memory)
    munmap(memory, stackBytes + getGuardBytes());
}

/// Returns the first byte past the stack.
char *Stack::top() const { return memory + getGuardBytes() + stackBytes; }

bool Stack::isBelow(const void *address) const {
  const char *byte = static_cast<const char *>(address);
  return byte >= memory && byte < memory + getGuardBytes();
}

/// Stacks stay for later launches.
void Fibers::prepare(unsigned count) {
  while (fibers.size() < count)
    fibers.push_back({Stack(), Place(), 0, 0, false});
}

/// A context that begins with `body` when it is switched to.
void Fibers::start(Fiber &fiber) {
  char *top = fiber.stack.top();
  fiber.place = {make_fcontext(top, stackBytes, &body), top - stackBytes,
                 stackBytes};
}

/// Continues `target`; `saved` is where to find the caller again. It may be
/// somewhere else when the caller continues, as there may be more fibers.
void Fibers::switchTo(const Place &target, Place &saved) {
  left = &saved;
  void *fakeStack = nullptr;
  beginSwitch(&fakeStack, target.bottom, target.bytes);
  Transfer transfer = jump_fcontext(target.context, this);
  arrive(transfer, fakeStack);
}

/// The code that switched here has set where its own context is kept.
void Fibers::arrive(Transfer transfer, void *fakeStack) {
  endSwitch(fakeStack, &left->bottom, &left->bytes);
  left->context = transfer.fctx;
}

/// This is the function that a fiber runs: one sub-group after the other, of
/// this program and of later ones. It never returns.
void Fibers::body(Transfer transfer) {
  auto *self = static_cast<Fibers *>(transfer.data);
  self->arrive(transfer, /*fakeStack=*/nullptr);
  for (;;) {
    self->entry(self->arguments, &self->states[self->current]);
    self->finish();
  }
}

/// The current sub-group has ended; returns when the next program starts.
void Fibers::finish() {
  Fiber &fiber = fibers[current];
  fiber.hasEnded = true;
  --numRunning;
  // The last one ends the program: back to the thread's stack.
  if (numRunning == 0)
    return switchTo(caller, fiber.place);
  // Out of the ring of those that run.
  fibers[fiber.previous].next = fiber.next;
  fibers[fiber.next].previous = fiber.previous;
  current = fiber.next;
  switchTo(fibers[current].place, fiber.place);
}

/// The next sub-group's turn; comes back when all others have been here or have
/// ended.
void Fibers::wait() {
  // OpenCL leaves open what a device does then.
  if (numRunning < numStarted)
    ++divergentBarriers;
  // There is nothing to wait for.
  if (numRunning == 1)
    return;
  Fiber &fiber = fibers[current];
  current = fiber.next;
  switchTo(fibers[current].place, fiber.place);
}

/// `run` calls it and comes back here.
void Fibers::callOutside(const std::function<void()> &action) {
  outside = &action;
  switchTo(caller, fibers[current].place);
}

/// Sub-groups are in a ring, and begin with the first.
void Fibers::run(EntryPoint entry, const void *arguments, SubGroupState *states,
                 unsigned count) {
  this->entry = entry;
  this->arguments = arguments;
  this->states = states;
  for (unsigned i = 0; i < count; ++i) {
    Fiber &fiber = fibers[i];
    if (!fiber.place.context)
      start(fiber);
    fiber.hasEnded = false;
    fiber.previous = i == 0 ? count - 1 : i - 1;
    fiber.next = i + 1 == count ? 0 : i + 1;
  }
  current = 0;
  numRunning = numStarted = count;
  isRunning = true;
  // Returns when all have ended, or one wants something done outside.
  switchTo(fibers[0].place, caller);
  while (outside) {
    (*std::exchange(outside, nullptr))();
    switchTo(fibers[current].place, caller);
  }
  isRunning = false;
}

/// Their stacks are in an unknown state; new contexts start at the top.
void Fibers::abandon() {
  // The jump was one more switch to the thread's stack.
  if (std::exchange(isRunning, false)) {
    beginSwitch(/*fakeStack=*/nullptr, caller.bottom, caller.bytes);
    endSwitch(/*fakeStack=*/nullptr, nullptr, nullptr);
  }
  for (Fiber &fiber : fibers)
    fiber.place.context = nullptr;
}

/// The address of a fault in some guard: an overflow.
bool Fibers::isStackOverflow(const void *address) const {
  for (const Fiber &fiber : fibers)
    if (fiber.stack.isBelow(address))
      return true;
  return false;
}

} // namespace triton::intel::runtime::cpu
