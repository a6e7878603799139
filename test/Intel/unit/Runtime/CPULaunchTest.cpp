//===- CPULaunchTest.cpp - Launches on the CPU device ---------------------===//
// SPDX-License-Identifier: MIT

#include "CPUTestKernels.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <xmmintrin.h>

using namespace triton::intel::runtime;
using namespace triton::intel::runtime::cpu;
using namespace triton::intel::runtime::cpu::test;

namespace {
std::atomic<std::size_t> numAllocations{0};
} // namespace

/// Counts; the library's own `delete` frees what malloc gives.
void *operator new(std::size_t size) {
  ++numAllocations;
  if (void *memory = std::malloc(size))
    return memory;
  throw std::bad_alloc();
}

namespace {
/// Launches `add` on the number of programs that `size` needs.
void runAdd(const Kernel &kernel, int numSubGroups, int size) {
  std::vector<float> a(size), b(size), out(size + 64, -1);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 7);
  int programSize = numSubGroups * lanes;
  launch(kernel, {{(size + programSize - 1) / programSize, 1, 1}, programSize},
         {pointer(a.data()), pointer(b.data()), pointer(out.data()),
          integer(size)});
  for (int i = 0; i < size; ++i)
    ASSERT_EQ(out[i], a[i] + b[i]) << i;
  for (int i = size; i < size + 64; ++i)
    ASSERT_EQ(out[i], -1) << i;
}

/// Returns what `exchange` leaves.
std::vector<std::int64_t> getExchanged(int programs, int count, int rounds) {
  std::vector<std::int64_t> all;
  for (int program = 0; program < programs; ++program) {
    std::vector<std::int64_t> values(count);
    std::iota(values.begin(), values.end(), program);
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::int64_t> old = values;
      for (int i = 0; i < count; ++i)
        values[i] += old[(i + 1) % count];
    }
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

void runExchange(const Kernel &kernel, int programs, int count, int rounds) {
  std::vector<std::int64_t> out(programs * count);
  launch(kernel, {{programs, 1, 1}, count * lanes},
         {pointer(out.data()), integer(rounds)});
  EXPECT_EQ(out, getExchanged(programs, count, rounds));
}
} // namespace

TEST(CPULaunch, RunsEveryProgramOnce) {
  Kernel kernel(readObject("add"), "add");
  for (int size : {1, 16, 1000, 100000})
    for (int numSubGroups : {1, 4, 64})
      for (int i = 0; i < 3; ++i)
        runAdd(kernel, numSubGroups, size);
}

// A launch is a function call: it takes memory the first time only.
TEST(CPULaunch, AllocatesNothing) {
  Kernel kernel(readObject("add"), "add");
  std::vector<float> values(lanes), out(lanes);
  std::vector<Argument> arguments = {pointer(values.data()),
                                     pointer(values.data()),
                                     pointer(out.data()), integer(lanes)};
  StopRequest neverStop = [] { return false; };
  auto run = [&] {
    launch(kernel, {{1, 1, 1}, lanes}, arguments, neverStop, {});
  };
  run();
  std::size_t before = numAllocations;
  for (int i = 0; i < 100; ++i)
    run();
  EXPECT_EQ(numAllocations, before);
}

TEST(CPULaunch, NumbersProgramsInThreeDimensions) {
  Kernel kernel(readObject("exchange"), "exchange");
  std::vector<std::int64_t> out(3 * 5 * 7);
  launch(kernel, {{3, 5, 7}, lanes}, {pointer(out.data()), integer(0)});
  EXPECT_EQ(out, getExchanged(3 * 5 * 7, 1, 0));
}

TEST(CPULaunch, RunsNothingOnAnEmptyGrid) {
  Kernel kernel(readObject("add"), "add");
  launch(kernel, {{0, 1, 1}, lanes},
         {pointer(nullptr), pointer(nullptr), pointer(nullptr), integer(100)});
}

TEST(CPULaunch, SubGroupsMeetAtBarriers) {
  Kernel kernel(readObject("exchange"), "exchange");
  for (int count : {1, 2, 4, 32, 64})
    for (int programs : {1, 3, 200})
      runExchange(kernel, programs, count, 20);
}

TEST(CPULaunch, SubGroupsAgree) {
  Kernel kernel(readObject("agree"), "agree");
  constexpr int programs = 20, rounds = 60;
  for (int count : {1, 2, 7, 32}) {
    std::vector<std::uint64_t> out(programs * count);
    launch(kernel, {{programs, 1, 1}, count * lanes},
           {pointer(out.data()), integer(rounds)});
    std::uint64_t expected = 0;
    for (int round = 1; round < rounds; round += 2)
      if (round % 7 < count)
        expected |= 1ull << round;
    EXPECT_EQ(out, std::vector<std::uint64_t>(programs * count, expected));
  }
}

// Sub-groups that have ended are not waited for, which is counted.
TEST(CPULaunch, SubGroupsMayEndBeforeBarriers) {
  Kernel kernel(readObject("early_return"), "early_return");
  constexpr int count = 32, programs = 50;
  std::uint64_t before = getNumDivergentBarriers();
  std::vector<std::int32_t> out(programs * count, -1);
  launch(kernel, {{programs, 1, 1}, count * lanes}, {pointer(out.data())});
  for (int i = 0; i < programs * count; ++i) {
    int id = i % count;
    EXPECT_EQ(out[i], id == 0 ? 0 : count - id) << i;
  }
  EXPECT_GT(getNumDivergentBarriers(), before);
}

TEST(CPULaunch, SeveralThreadsLaunchAtOnce) {
  Kernel add(readObject("add"), "add");
  Kernel exchange(readObject("exchange"), "exchange");
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 6; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 30; ++i)
        thread % 2 ? runAdd(add, 4, 20000 + thread)
                   : runExchange(exchange, 100, 8, 10);
    });
  for (std::thread &thread : threads)
    thread.join();
}

// A child has none of its parent's threads and starts its own.
TEST(CPULaunch, WorksAfterFork) {
  Kernel kernel(readObject("exchange"), "exchange");
  runExchange(kernel, 200, 8, 10);
  pid_t child = fork();
  if (child == 0) {
    runExchange(kernel, 200, 8, 10);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  runExchange(kernel, 200, 8, 10);
}

TEST(CPULaunch, SetsTheEnvironmentOfKernels) {
  Kernel kernel(readObject("environment"), "environment");
  std::uint32_t out[2] = {};
  unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8040 | 0x6000); // flush denormals, round towards zero
  unsigned changed = _mm_getcsr();
  launch(kernel, {{1, 1, 1}, lanes}, {pointer(out)});
  EXPECT_EQ(_mm_getcsr(), changed);
  _mm_setcsr(saved);
  EXPECT_EQ(out[0], 0x1f80u);
  EXPECT_EQ(out[1], 0u);
}

TEST(CPULaunch, ReportsTheFirstAssertion) {
  Kernel kernel(readObject("check"), "check");
  std::int64_t counter = 0;
  Geometry geometry{{10, 1000, 1}, 2 * lanes};
  auto run = [&](int bad) {
    launch(kernel, geometry, {pointer(&counter), integer(bad)});
  };
  run(-1);
  EXPECT_EQ(counter, 10000);
  counter = 0;
  EXPECT_EQ(getError(ErrorKind::Assertion, [&] { run(123); }),
            "second\nin sub-group 0, lane 0, of program (3, 12, 0) of kernel "
            "`check`");
  // No program is started after that.
  EXPECT_LT(counter, 5000);
  counter = 0;
  run(-1);
  EXPECT_EQ(counter, 10000);
}

/// Barriers order global memory only if they have a fence for it.
TEST(CPULaunch, ReportsRacesOfSubGroups) {
  Kernel kernel(readObject("neighbour"), "neighbour");
  std::vector<std::int32_t> elements;
  auto run = [&](int numSubGroups, std::int64_t fences) {
    elements.assign(4, 0);
    auto address = reinterpret_cast<std::uintptr_t>(elements.data());
    launch(kernel, {{2, 1, 1}, numSubGroups * lanes},
           {pointer(elements.data()), integer(fences)}, {},
           {{"x", 0, address, address, 16, 4, true}});
  };
  // Two programs store to the same elements, so that the second one would race
  // with the first one.
  EXPECT_NE(getError(ErrorKind::Race, [&] { run(4, 3); })
                .find("two programs race for the same memory"),
            std::string::npos);
  EXPECT_EQ(elements, (std::vector<std::int32_t>{3, 5, 7, 5}));
  std::string message = getError(ErrorKind::Race, [&] { run(4, 1); });
  EXPECT_NE(message.find("two sub-groups of a program race for the same "
                         "memory: element 1 of `x`\n"
                         "  sub-group 1 writes it at k.py:1\n"
                         "  sub-group 0 reads it at k.py:2\n"),
            std::string::npos)
      << message;
}

TEST(CPULaunch, ChecksItsGeometry) {
  Kernel kernel(readObject("add"), "add");
  auto getMessage = [&](const Geometry &geometry) {
    return getError(ErrorKind::Launch, [&] {
      launch(
          kernel, geometry,
          {pointer(nullptr), pointer(nullptr), pointer(nullptr), integer(0)});
    });
  };
  EXPECT_EQ(getMessage({{-1, 1, 1}, 16}), "grid[0] is negative: -1");
  EXPECT_EQ(getMessage({{1, 1, 1ll << 31}, 16}),
            "grid[2] is too large: expected at most 2147483647 programs, found "
            "2147483648");
  EXPECT_EQ(getMessage({{1, 1, 1}, 2048}),
            "work-group of kernel `add` is too large: expected at most 1024 "
            "work-items, found 2048; reduce `num_warps`");
  EXPECT_EQ(getMessage({{1, 1, 1}, 24}),
            "kernel `add` takes work-groups of multiples of 16 work-items, "
            "found 24");
  constexpr std::int64_t most = (1ll << 31) - 1;
  for (const Geometry &geometry :
       {Geometry{{most, most, most}, 16}, Geometry{{1 << 16, 1 << 15, 1}, 16}})
    EXPECT_EQ(getMessage(geometry),
              "the grid has too many programs: expected at most 2147483647");
  Kernel single(readObject("environment"), "environment");
  EXPECT_EQ(
      getError(ErrorKind::Launch,
               [&] { launch(single, {{1, 1, 1}, 32}, {pointer(nullptr)}); }),
      "kernel `environment` takes work-groups of 16 work-items, found "
      "32");
}

TEST(CPULaunch, ChecksTheNumberOfArguments) {
  Kernel kernel(readObject("check"), "check");
  EXPECT_EQ(getError(ErrorKind::Argument,
                     [&] { launch(kernel, {{1, 1, 1}, 16}, {integer(0)}); }),
            "kernel `check` takes 2 arguments, found 1");
}

// Programs that have not started do not run when the launching thread wants to
// stop.
TEST(CPULaunch, StopsOnRequest) {
  Kernel kernel(readObject("spin"), "spin");
  std::int64_t counter = 0;
  int questions = 0;
  auto stopAtThird = [&] { return ++questions == 3; };
  EXPECT_EQ(getError(ErrorKind::Launch,
                     [&] {
                       launch(kernel, {{1 << 30, 1, 1}, lanes},
                              {pointer(&counter), integer(1000000)},
                              stopAtThird);
                     }),
            "kernel `spin` was interrupted");
  EXPECT_EQ(questions, 3);
  EXPECT_GT(counter, 3);
  EXPECT_LT(counter, 100000);
}

// The answer to the question may take a separate launch.
TEST(CPULaunch, MayBeNested) {
  Kernel outer(readObject("spin"), "spin");
  Kernel inner(readObject("exchange"), "exchange");
  std::int64_t counter = 0;
  auto launchInner = [&] {
    runExchange(inner, 100, 8, 5);
    return false;
  };
  launch(outer, {{400, 1, 1}, 2 * lanes}, {pointer(&counter), integer(300000)},
         launchInner);
  EXPECT_EQ(counter, 400);
}

// Kernels that look at the flag can be stopped within a program.
TEST(CPULaunch, AnotherThreadInterrupts) {
  Kernel kernel(readObject("poll"), "poll");
  std::atomic<bool> ended{false};
  std::thread interrupter([&] {
    while (!ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      requestInterrupt();
    }
  });
  EXPECT_EQ(getError(ErrorKind::Launch,
                     [&] { launch(kernel, {{100, 1, 1}, lanes}, {}); }),
            "kernel `poll` was interrupted");
  ended = true;
  interrupter.join();
}
