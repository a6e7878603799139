//===- ExecQueueTest.cpp - A queue of batches and its thread --------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/ExecQueue.h"

#include "intel/VirtualGPU/Failure.h"

#include "gtest/gtest.h"

#include <chrono>
#include <thread>

using namespace triton::intel::vgpu;

namespace {
constexpr std::uint64_t fence = 0x10000;

struct Fixture {
  Fixture() { space->bind(fence, 4096, buffer, 0, false); }
  void wait(std::uint64_t value) {
    while (space->load64(fence) != value)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Buffers buffers{{0, 1 << 20}};
  std::shared_ptr<Buffer> buffer = buffers.create(1, 4096);
  std::shared_ptr<AddressSpace> space = std::make_shared<AddressSpace>(48);
  std::shared_ptr<QueueGroup> group = std::make_shared<QueueGroup>();
};

TEST(ExecQueueTest, RunsBatchesInOrderAndWritesFences) {
  Fixture test;
  std::vector<std::uint64_t> addresses;
  ExecQueue queue(test.space, test.group,
                  [&](std::uint64_t address, const auto &) {
                    addresses.push_back(address);
                  });
  for (std::uint64_t i = 1; i <= 20; ++i)
    queue.submit({i, {{fence, i}}});
  test.wait(20);
  ASSERT_EQ(addresses.size(), 20u);
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_EQ(addresses[i], i + 1);
}

TEST(ExecQueueTest, IsBannedAfterAFailure) {
  Fixture test;
  ExecQueue queue(test.space, test.group, [](std::uint64_t, const auto &) {
    throw QueueError("a command that is not known");
  });
  testing::internal::CaptureStderr();
  queue.submit({1, {{fence, 7}}});
  while (!queue.isBanned())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("a command that is not known"), std::string::npos);
  EXPECT_NE(text.find("The device is lost"), std::string::npos);
  // The fence keeps its value, so that no thread takes the batch for ended.
  EXPECT_EQ(test.space->load64(fence), 0u);
  EXPECT_THROW(queue.submit({2, {}}), CallError);
}

TEST(ExecQueueTest, AFailureBansAllQueues) {
  Fixture test;
  std::atomic<bool> hasBegun{false};
  // It waits for what the other queue would have written.
  ExecQueue waiting(test.space, test.group,
                    [&](std::uint64_t, const std::atomic<bool> &stops) {
                      hasBegun = true;
                      while (!stops)
                        std::this_thread::yield();
                      throw QueueStopped();
                    });
  waiting.submit({1, {{fence, 7}}});
  while (!hasBegun)
    std::this_thread::yield();
  testing::internal::CaptureStderr();
  {
    ExecQueue failing(test.space, test.group, [](std::uint64_t, const auto &) {
      throw QueueError("a command that is not known");
    });
    failing.submit({1, {}});
    while (!waiting.isBanned())
      std::this_thread::yield();
  }
  testing::internal::GetCapturedStderr();
  EXPECT_THROW(waiting.submit({2, {}}), CallError);
  // Queues that are made later are banned as well.
  ExecQueue late(test.space, test.group, [](std::uint64_t, const auto &) {});
  EXPECT_TRUE(late.isBanned());
  EXPECT_EQ(test.space->load64(fence), 0u);
}

TEST(ExecQueueTest, EndsWithABatchThatDoesNot) {
  Fixture test;
  std::atomic<bool> hasBegun{false};
  {
    ExecQueue queue(test.space, test.group,
                    [&](std::uint64_t, const std::atomic<bool> &stops) {
                      hasBegun = true;
                      while (!stops)
                        std::this_thread::yield();
                      throw QueueStopped();
                    });
    queue.submit({1, {{fence, 7}}});
    while (!hasBegun)
      std::this_thread::yield();
  }
  EXPECT_EQ(test.space->load64(fence), 0u);
}
} // namespace
