//===- CPUFaultsTest.cpp - Kernels that crash -----------------------------===//
// SPDX-License-Identifier: MIT

#include "CPUTestKernels.h"

#include "intel/Support/Faults.h"

#include <csignal>
#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace triton::intel::runtime;
using namespace triton::intel::runtime::cpu;
using namespace triton::intel::runtime::cpu::test;
using namespace triton::intel::support;

namespace {
enum FaultKind { Access, Division, Instruction, StackOverflow };

/// Crashes one program of a grid of 10 x 10, if `program` is one.
void runFault(const Kernel &kernel, FaultKind kind, int program,
              int numSubGroups = 4) {
  launch(kernel, {{10, 10, 1}, numSubGroups * lanes},
         {integer(kind), integer(program), pointer(nullptr)});
}
} // namespace

TEST(CPUFaults, BecomeErrors) {
  Kernel kernel(readObject("fault"), "fault");
  auto getMessage = [&](FaultKind kind) {
    // Checks would name the line of the first two.
    ErrorKind expected = kind == Access || kind == Division ? ErrorKind::Fault
                                                            : ErrorKind::Launch;
    return getError(expected, [&] { runFault(kernel, kind, 42); });
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(getMessage(Access), "kernel `fault` accessed invalid memory at "
                                  "(nil) in program (2, 4, 0)");
    EXPECT_EQ(getMessage(Division),
              "kernel `fault` divided by zero in program (2, 4, 0)");
    EXPECT_EQ(getMessage(StackOverflow),
              "kernel `fault` ran out of stack in program (2, 4, 0)");
    std::string message = getMessage(Instruction);
    EXPECT_EQ(message.rfind("kernel `fault` has an instruction that the "
                            "processor lacks at 0x",
                            0),
              0u)
        << message;
    // The sub-groups that were left at a barrier do not come back.
    runFault(kernel, Access, -1);
  }
}

// Without fibers, on the thread's own stack.
TEST(CPUFaults, OfASingleSubGroup) {
  Kernel kernel(readObject("fault"), "fault");
  EXPECT_EQ(
      getError(ErrorKind::Fault, [&] { runFault(kernel, Division, 7, 1); }),
      "kernel `fault` divided by zero in program (7, 0, 0)");
  runFault(kernel, Access, -1, 1);
}

TEST(CPUFaults, NameTheAddress) {
  Kernel kernel(readObject("fault"), "fault");
  void *page =
      mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char address[32];
  std::snprintf(address, sizeof(address), "%p",
                static_cast<void *>(static_cast<char *>(page) + 24));
  EXPECT_EQ(getError(ErrorKind::Fault,
                     [&] {
                       launch(kernel, {{1, 1, 1}, 2 * lanes},
                              {integer(Access), integer(0),
                               pointer(static_cast<char *>(page) + 24)});
                     }),
            std::string("kernel `fault` accessed invalid memory at ") +
                address + " in program (0, 0, 0)");
  munmap(page, 4096);
}

// The behaviour of a compiler on the calling thread: faults and aborts come
// back, as often as they happen; exceptions pass.
TEST(CPUFaults, OfCompilers) {
  for (int i = 0; i < 3; ++i) {
    std::optional<Fault> fault = catchFaults([] { std::abort(); });
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->signal, SIGABRT);
    fault = catchFaults([] { *static_cast<volatile int *>(nullptr) = 1; });
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->signal, SIGSEGV);
    EXPECT_FALSE(catchFaults([] {}));
    EXPECT_THROW(catchFaults([] { throw 1; }), int);
  }
}

// An abort that no compiler has caused still ends the process, also while
// another thread compiles.
TEST(CPUFaultsDeathTest, AbortsOfOthers) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto abortElsewhere = [] {
    catchFaults([] { std::thread([] { std::abort(); }).join(); });
  };
  EXPECT_EXIT(abortElsewhere(), testing::KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(std::abort(), testing::KilledBySignal(SIGABRT), "");
}

// Faults outside of kernels are those of others, during a launch and after.
TEST(CPUFaultsDeathTest, OfOthersStayTheirs) {
  // The child is a fresh process: a fork of one with threads may not be.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  Kernel kernel(readObject("fault"), "fault");
  Kernel spin(readObject("spin"), "spin");
  struct sigaction before, after;
  sigaction(SIGSEGV, nullptr, &before);
  EXPECT_THROW(runFault(kernel, Access, 0), Error);
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);

  EXPECT_EXIT(
      {
        std::int64_t counter = 0;
        auto crash = []() -> bool {
          *static_cast<volatile char *>(nullptr) = 1;
          return true;
        };
        launch(spin, {{1 << 20, 1, 1}, lanes},
               {pointer(&counter), integer(1000000)}, crash);
      },
      testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { _exit(77); });
        std::int64_t counter = 0;
        auto crash = []() -> bool {
          *static_cast<volatile char *>(nullptr) = 1;
          return true;
        };
        launch(spin, {{1 << 20, 1, 1}, lanes},
               {pointer(&counter), integer(1000000)}, crash);
      },
      testing::ExitedWithCode(77), "");
}

// Handlers of others may come on top, hand nothing on, and restore something
// older than ours: the next one that needs ours finds them in place.
TEST(CPUFaults, HandlersOfOthersComeAndGo) {
  struct sigaction foreign = {}, before, current;
  foreign.sa_handler = [](int) {};
  sigaction(SIGFPE, nullptr, &before);
  // In assembly, as a sanitizer would report the division.
  auto divide = [] {
    asm volatile("xorl %%ecx, %%ecx; idivl %%ecx" ::: "eax", "ecx", "edx");
  };
  for (int i = 0; i < 20; ++i) {
    auto ours = std::make_unique<FaultHandlers>();
    sigaction(SIGFPE, &foreign, nullptr);
    ours.reset();
    // The handler on top belongs to other code and stays.
    sigaction(SIGFPE, nullptr, &current);
    EXPECT_EQ(current.sa_handler, foreign.sa_handler);
    EXPECT_EQ(catchFaults(divide)->signal, SIGFPE);
    sigaction(SIGFPE, nullptr, &current);
    EXPECT_EQ(current.sa_handler, foreign.sa_handler);
    // Not what it was when it came.
    sigaction(SIGFPE, &before, nullptr);
    EXPECT_EQ(catchFaults(divide)->signal, SIGFPE);
  }
}

namespace {
/// A driver's handler, which moves memory that the host accesses; and one that
/// raises what it does not know, as LLVM's does, unless it has removed itself.
char *movedPage = nullptr;
int numMoves = 0;
struct sigaction beforeRaising;
bool isRaising = false;

void movePage(int, siginfo_t *info, void *) {
  if (info->si_addr != movedPage)
    _exit(78);
  ++numMoves;
  mprotect(movedPage, 4096, PROT_READ | PROT_WRITE);
}

void removeRaising() {
  if (std::exchange(isRaising, false))
    sigaction(SIGSEGV, &beforeRaising, nullptr);
}

void raiseAgain(int signal) {
  removeRaising();
  raise(signal);
}

void installRaising() {
  struct sigaction raising = {};
  raising.sa_handler = raiseAgain;
  sigaction(SIGSEGV, &raising, &beforeRaising);
  isRaising = true;
}

void accessMovedPage() {
  mprotect(movedPage, 4096, PROT_NONE);
  *static_cast<volatile char *>(movedPage) = 1;
}
} // namespace

// A handler that came between two of ours is not restored after it has gone:
// faults go to the one below, with their address.
TEST(CPUFaults, HandlersInBetweenGo) {
  struct sigaction moving = {}, before, after;
  moving.sa_sigaction = movePage;
  moving.sa_flags = SA_SIGINFO;
  movedPage = static_cast<char *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  sigaction(SIGSEGV, &moving, &before);
  numMoves = 0;
  auto first = std::make_unique<FaultHandlers>();
  installRaising();
  auto second = std::make_unique<FaultHandlers>();
  // While it exists, it raises the signals that come to it.
  accessMovedPage();
  EXPECT_EQ(numMoves, 1);
  installRaising();
  auto third = std::make_unique<FaultHandlers>();
  removeRaising();
  accessMovedPage();
  EXPECT_EQ(numMoves, 2);
  first.reset();
  second.reset();
  third.reset();
  accessMovedPage();
  EXPECT_EQ(numMoves, 3);
  sigaction(SIGSEGV, &before, &after);
  EXPECT_EQ(after.sa_sigaction, &movePage);
  munmap(movedPage, 4096);
}

// A fault within a guard that is within another one is the inner one's, and the
// outer one still works.
TEST(CPUFaults, AreCaughtInNestedGuards) {
  std::optional<Fault> inner;
  std::optional<Fault> outer = catchFaults([&] {
    inner = catchFaults([] { std::abort(); });
    __builtin_trap();
  });
  EXPECT_EQ(inner->signal, SIGABRT);
  EXPECT_EQ(outer->signal, SIGILL);
}

// Code that knows that it cannot go on leaves without a signal.
TEST(CPUFaults, AreLeftOnPurpose) {
  EXPECT_EQ(catchFaults([] { leaveCatchFaults(); })->signal, 0);
  leaveCatchFaults();
}
