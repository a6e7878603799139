//===- ClockTest.cpp - The time of a virtual GPU --------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Clock.h"

#include "gtest/gtest.h"

using namespace triton::intel::vgpu;

namespace {
constexpr std::uint64_t microsecond = 1'000'000;

struct Fixture {
  QueueClock makeQueue(std::vector<unsigned> units) {
    return QueueClock(clock, std::move(units));
  }
  const Chip &chip = *findChip("pvc");
  Clock clock{chip};
  const std::uint64_t begin = clock.read();
};

TEST(ClockTest, AdvancesByWorkAlone) {
  Fixture test;
  QueueClock queue = test.makeQueue({Clock::kernelUnit});
  EXPECT_EQ(test.clock.read(), test.begin);
  queue.join();
  EXPECT_EQ(queue.work(3 * microsecond), test.begin);
  EXPECT_EQ(queue.work(2 * microsecond), test.begin + 3 * microsecond);
  EXPECT_EQ(queue.read(), test.begin + 5 * microsecond);
  EXPECT_EQ(test.clock.read(), queue.read());
  // A tick of this chip has 40 nanoseconds.
  std::uint64_t ticks = queue.takeTicks();
  EXPECT_EQ(ticks - test.clock.toTicks(test.begin), 125u);
  // No two timestamps of a queue are the same.
  EXPECT_EQ(queue.takeTicks(), ticks + 1);
}

TEST(ClockTest, QueuesOfOneUnitTakeTurns) {
  Fixture test;
  QueueClock first = test.makeQueue({Clock::kernelUnit}),
             second = test.makeQueue({Clock::kernelUnit});
  first.join();
  second.join();
  first.work(3 * microsecond);
  EXPECT_EQ(second.work(microsecond), test.begin + 3 * microsecond);
  EXPECT_EQ(first.work(microsecond), test.begin + 4 * microsecond);
}

TEST(ClockTest, QueuesOfOtherUnitsWorkAtTheSameTime) {
  Fixture test;
  QueueClock kernels = test.makeQueue({Clock::kernelUnit});
  std::vector<unsigned> copyUnits = {Clock::firstCopyUnit,
                                     Clock::firstCopyUnit + 1};
  QueueClock first = test.makeQueue(copyUnits),
             second = test.makeQueue(copyUnits),
             third = test.makeQueue(copyUnits);
  for (QueueClock *queue : {&kernels, &first, &second, &third})
    queue->join();
  kernels.work(9 * microsecond);
  EXPECT_EQ(first.work(4 * microsecond), test.begin);
  EXPECT_EQ(second.work(5 * microsecond), test.begin);
  // Both units are taken: it gets that which is free first.
  EXPECT_EQ(third.work(microsecond), test.begin + 4 * microsecond);
  EXPECT_EQ(test.clock.read(), test.begin + 9 * microsecond);
}

TEST(ClockTest, CopiesShareThePaths) {
  Fixture test;
  QueueClock first = test.makeQueue({Clock::firstCopyUnit}),
             second = test.makeQueue({Clock::firstCopyUnit + 1}),
             third = test.makeQueue({Clock::firstCopyUnit + 2});
  for (QueueClock *queue : {&first, &second, &third})
    queue->join();
  EXPECT_EQ(first.work(4 * microsecond, Path::FromHost), test.begin);
  // The other direction of the link is free.
  EXPECT_EQ(second.work(microsecond, Path::ToHost), test.begin);
  EXPECT_EQ(third.work(microsecond, Path::FromHost),
            test.begin + 4 * microsecond);
}

TEST(ClockTest, WhatAQueueHasWaitedForIsEarlier) {
  Fixture test;
  QueueClock kernels = test.makeQueue({Clock::kernelUnit}),
             copies = test.makeQueue({Clock::firstCopyUnit});
  kernels.join();
  copies.join();
  kernels.work(3 * microsecond);
  copies.join();
  EXPECT_EQ(copies.work(microsecond), test.begin + 3 * microsecond);
}

TEST(ClockTest, CountersWrap) {
  Fixture test;
  // 36 bits at 25 MHz: 2749 seconds.
  constexpr std::uint64_t second = 1'000'000'000'000;
  EXPECT_EQ(test.clock.toTicks(2748 * second),
            std::uint64_t(2748) * 25'000'000);
  EXPECT_EQ(test.clock.toTicks(2749 * second),
            2749 * std::uint64_t(25'000'000) - (std::uint64_t(1) << 36));
}
} // namespace
