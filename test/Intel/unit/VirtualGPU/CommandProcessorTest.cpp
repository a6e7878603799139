//===- CommandProcessorTest.cpp - Executes batches of commands ------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/CommandProcessor.h"

#include "Problem.h"

#include "gtest/gtest.h"

#include <cstring>
#include <thread>

using namespace triton::intel::vgpu;
using namespace triton::intel::vgpu::test;

namespace {
constexpr std::uint64_t batch = 0x100000, second = 0x101000, data = 0x102000;
constexpr std::uint32_t endOfBatch = 0x05000000;

/// A batch, one more that it may call, and a page of data.
struct Fixture {
  explicit Fixture(const char *chip = "bmg")
      : clock(*findChip(chip)),
        processor(*findChip(chip), space, kernels, {},
                  QueueClock(clock, {Clock::firstCopyUnit})) {
    space->bind(batch, buffer->getSize(), buffer, 0, false);
  }
  void write(std::uint64_t address, const std::vector<std::uint32_t> &words) {
    space->write(address, words.data(), words.size() * 4);
  }
  void run(const std::vector<std::uint32_t> &words) {
    write(batch, words);
    processor.run(batch, stops);
  }
  std::uint32_t get(std::uint64_t place) { return space->load32(data + place); }
  std::string fail(const std::vector<std::uint32_t> &words) {
    return getProblem([&] { run(words); });
  }

  Buffers buffers{{0, 1 << 24}};
  std::shared_ptr<Buffer> buffer = buffers.create(1, 3 * 4096);
  std::shared_ptr<AddressSpace> space = std::make_shared<AddressSpace>(48);
  KernelCache kernels{""};
  std::atomic<bool> stops{false};
  Clock clock;
  CommandProcessor processor;
};

std::vector<std::uint32_t> storeWord(std::uint64_t place, std::uint32_t value) {
  return {0x10000002, static_cast<std::uint32_t>(data + place), 0, value};
}

std::vector<std::uint32_t>
join(std::initializer_list<std::vector<std::uint32_t>> commands) {
  std::vector<std::uint32_t> words;
  for (const auto &command : commands)
    words.insert(words.end(), command.begin(), command.end());
  return words;
}

TEST(CommandProcessorTest, StoresWords) {
  Fixture test;
  test.run(
      join({storeWord(8, 42), {0x10200003, data + 16, 0, 1, 2}, {endOfBatch}}));
  EXPECT_EQ(test.get(8), 42u);
  EXPECT_EQ(test.space->load64(data + 16), 1 | std::uint64_t(2) << 32);
}

TEST(CommandProcessorTest, CallsAndChainsBatches) {
  Fixture test;
  // A call returns to what follows it; what follows a jump is not executed.
  test.write(second, join({storeWord(0, 1), {endOfBatch}}));
  test.write(second + 0x100, join({storeWord(8, 3), {endOfBatch}}));
  test.run(join({{0x18c00101, second, 0},
                 storeWord(4, 2),
                 {0x18800101, second + 0x100, 0},
                 storeWord(12, 4),
                 {endOfBatch}}));
  EXPECT_EQ(test.get(0), 1u);
  EXPECT_EQ(test.get(4), 2u);
  EXPECT_EQ(test.get(8), 3u);
  EXPECT_EQ(test.get(12), 0u);
}

TEST(CommandProcessorTest, JumpsByARegisterAndOnACondition) {
  constexpr std::uint32_t onClear = 1, onSet = 2;
  for (std::uint32_t result : {0, 1})
    for (std::uint32_t condition : {onClear, onSet}) {
      Fixture test;
      test.write(second, join({storeWord(0, 1), {endOfBatch}}));
      test.run(join({{0x11000001, 0x23bc, result},
                     {0x11000003, 0x2600, second, 0x2604, 0},
                     {0x00800000 | condition},
                     // The jump's own address does not count.
                     {0x18848101, batch, 0},
                     {0x00800000},
                     storeWord(4, 2),
                     {endOfBatch}}));
      bool isLeftOut = result == (condition == onSet);
      EXPECT_EQ(test.get(0), isLeftOut ? 0u : 1u);
      EXPECT_EQ(test.get(4), isLeftOut ? 2u : 0u);
    }
}

TEST(CommandProcessorTest, JumpsByTheNumberOfTheTile) {
  constexpr std::uint32_t onFirst = 1, onOthers = 2;
  for (std::uint32_t tile : {0, 1})
    for (std::uint32_t condition : {onFirst, onOthers}) {
      Fixture test;
      test.write(second, join({storeWord(0, 1), {endOfBatch}}));
      test.run(join({{0x11000001, 0x221c, tile},
                     {0x00800000 | condition << 4},
                     {0x18808101, second, 0},
                     {0x00800000},
                     {endOfBatch}}));
      bool isLeftOut = tile == (condition == onFirst ? 0u : 1u);
      EXPECT_EQ(test.get(0), isLeftOut ? 0u : 1u);
    }
}

TEST(CommandProcessorTest, ReadsNoCommandBeforeAWaitEnds) {
  Fixture test;
  // Wait until the first word is at least 5. The commands after it write later.
  test.write(batch, {0x0e009003, 5, data, 0, 0, 0xffffffff});
  std::thread thread([&] { test.processor.run(batch, test.stops); });
  test.write(batch + 20, join({storeWord(4, 7), {endOfBatch}}));
  test.space->store32(data, 6);
  thread.join();
  EXPECT_EQ(test.get(4), 7u);
}

TEST(CommandProcessorTest, IgnoresWhatHasNoEffectHere) {
  Fixture test;
  test.run(join({{0},
                 {0x02800000},
                 {0xac000003, 1, 2, 3, 4},
                 {0x61090001, 1, 2},
                 {0x60030002, 1, 2, 3},
                 {0x69040302},
                 storeWord(0, 1),
                 {endOfBatch}}));
  EXPECT_EQ(test.get(0), 1u);
}

TEST(CommandProcessorTest, StopsInAWait) {
  Fixture test;
  test.write(batch, {0x0e009003, 5, data, 0, 0});
  std::thread thread([&] {
    EXPECT_THROW(test.processor.run(batch, test.stops), QueueStopped);
  });
  test.stops = true;
  thread.join();
}

TEST(CommandProcessorTest, ComparesInWaits) {
  // The value in memory is 5: whether it is >, >=, <, <=, ==, != 5.
  const bool expected[] = {false, true, false, true, true, false};
  for (std::uint32_t operation = 0; operation < 6; ++operation) {
    Fixture test;
    test.space->store32(data, 5);
    test.stops = false;
    test.write(batch, join({{0x0e008003 | operation << 12, 5, data, 0, 0},
                            {endOfBatch}}));
    if (expected[operation]) {
      test.processor.run(batch, test.stops);
      continue;
    }
    std::thread thread([&] {
      EXPECT_THROW(test.processor.run(batch, test.stops), QueueStopped);
    });
    test.stops = true;
    thread.join();
  }
}

TEST(CommandProcessorTest, WritesWhatFollowsFlushes) {
  Fixture test;
  test.run(join({{0x7a000204, 0x104400, data, 0, 1, 2},
                 {0x13004303, data + 8, 0, 3, 4},
                 {0x7a000204, 0x100400, 0, 0, 0, 0},
                 {endOfBatch}}));
  EXPECT_EQ(test.space->load64(data), 1 | std::uint64_t(2) << 32);
  EXPECT_EQ(test.space->load64(data + 8), 3 | std::uint64_t(4) << 32);
  // A timestamp, which takes a tick, and advances by work alone.
  const std::vector<std::uint32_t> timestamp =
      join({{0x7a000204, 0x10c000, data, 0, 0, 0}, {endOfBatch}});
  test.run(timestamp);
  std::uint64_t first = test.space->load64(data);
  EXPECT_NE(first, 0u);
  test.run(timestamp);
  EXPECT_EQ(test.space->load64(data), first + 1);
}

TEST(CommandProcessorTest, CopiesAndFillsTakeTime) {
  // 1 MB in memory of the chip, which has 456 GB per second.
  Fixture test;
  constexpr std::uint32_t local = 0x200000, remote = 0x400000;
  constexpr std::uint64_t size = 1 << 20;
  auto bind = [&](std::uint32_t address, unsigned region) {
    test.space->bind(address, size, test.buffers.create(region, size), 0,
                     false);
  };
  bind(local, 1);
  bind(remote, 0);
  auto measure = [&](const std::vector<std::uint32_t> &command) {
    std::uint64_t before = test.clock.read();
    test.run(join({command, {endOfBatch}}));
    return static_cast<double>(test.clock.read() - before) / 1e12;
  };
  constexpr std::uint32_t last = size - 1;
  double fill = measure({0x56c00005, last, 0, 0, local, 0, 0});
  EXPECT_NEAR(fill, size / 456e9, 1e-11);
  // A copy reads and writes it.
  double copy = measure({0x56800008, last, 0, 0, 0, local, 0, local, 0, 0});
  EXPECT_NEAR(copy, 2 * size / 456e9, 1e-11);
  // The link to the host is slower.
  double upload = measure({0x56800008, last, 0, 0, 0, remote, 0, local, 0, 0});
  EXPECT_NEAR(upload, size / 15.75e9, 1e-11);
}

TEST(CommandProcessorTest, CopiesAndFills) {
  Fixture test;
  for (std::uint32_t i = 0; i < 64; ++i)
    test.space->store32(data + 4 * i, i);
  // Three rows of 8 bytes, of 16 and to 12 bytes each.
  test.run(join({{0x56820008, 7, 2, 15, 11, data, 0, data + 0x200, 0, 0},
                 {0x56c00005, 9, 0, 0, data + 0x300, 0, 0xab000000},
                 {endOfBatch}}));
  for (std::uint32_t row = 0; row < 3; ++row) {
    EXPECT_EQ(test.get(0x200 + 12 * row), 4 * row);
    EXPECT_EQ(test.get(0x204 + 12 * row), 4 * row + 1);
    EXPECT_EQ(test.get(0x208 + 12 * row), 0u);
  }
  EXPECT_EQ(test.get(0x304), 0xababababu);
  EXPECT_EQ(test.get(0x308), 0xababu);
}

TEST(CommandProcessorTest, MovesNumbersThroughRegisters) {
  Fixture test;
  test.space->store32(data, 20);
  // Registers are loaded from memory and from the command, copied and added.
  test.run(join({{0x14800002, 0x2600, data, 0},
                 {0x11000003, 0x2610, 22, 0x2614, 0},
                 {0x15000001, 0x2610, 0x2608},
                 {0x0d000002, 0x08008000, 0x08008401, 0x10000000},
                 {0x0d000000, 0x18000c31},
                 {0x12000002, 0x2618, data + 4, 0},
                 {endOfBatch}}));
  EXPECT_EQ(test.get(4), 42u);
}

TEST(CommandProcessorTest, TilesHaveTheirOwnPlaces) {
  Fixture test("pvc");
  // The second tile, whose places are 16 bytes after those of the first.
  test.space->store32(data, 1);
  constexpr std::uint32_t offset = 0x40;
  test.space->store32(data + offset + 16, 7);
  test.run(join({{0x14800002, 0x221c, data, 0},
                 {0x11000001, 0x23b4, 16},
                 {0x10000802, data + 0x80, 0, 5},
                 {0x7a004004, 0x4000, data + 0x100, 0, 6, 0},
                 {0x14810002, 0x2600, data + offset, 0},
                 {0x12010002, 0x2600, data + 0x180, 0},
                 {0x0e04c003, 7, data + offset, 0, 0},
                 {endOfBatch}}));
  EXPECT_EQ(test.get(0x80), 0u);
  EXPECT_EQ(test.get(0x90), 5u);
  EXPECT_EQ(test.get(0x110), 6u);
  EXPECT_EQ(test.get(0x190), 7u);
}

TEST(CommandProcessorTest, ComputesInMemory) {
  Fixture test;
  test.space->store32(data, 5);
  test.run(join({{0x17800501, data, 0},
                 {0x17800501, data, 0},
                 {0x17800601, data, 0},
                 {0x17840409, data + 8, 0, 9, 0, 0, 0, 0, 0, 0, 0},
                 {endOfBatch}}));
  EXPECT_EQ(test.get(0), 6u);
  EXPECT_EQ(test.get(8), 9u);
  std::string problem = test.fail({0x17800701, data, 0});
  EXPECT_TRUE(
      contains(problem, "MI_ATOMIC at 0x100000: `operation` in dword 0"))
      << problem;
  problem = test.fail({0x17880501, data, 0});
  EXPECT_TRUE(contains(problem, "`data size` in dword 0")) << problem;
}

TEST(CommandProcessorTest, NamesWhatItDoesNotKnow) {
  Fixture test;
  // A command, with its place and its bytes.
  std::string problem = test.fail({0, 0x2f800001, 0xaa, 0xbb});
  EXPECT_TRUE(contains(problem, "command at 0x100004: this command is not "
                                "known\n  0x2f800001"))
      << problem;
  // A bit of a command that is known otherwise.
  problem = test.fail({0x10000002 | 1 << 22, data, 0, 1});
  EXPECT_TRUE(contains(problem, "MI_STORE_DATA_IMM at 0x100000: bits 0x400000 "
                                "of dword 0 are not known"))
      << problem;
  // A register.
  problem = test.fail({0x11000001, 0x2504, 1});
  EXPECT_TRUE(contains(problem, "register 0x2504 is not known")) << problem;
  // A condition, and a command that is left out but is no jump.
  problem = test.fail({0x00800003});
  EXPECT_TRUE(contains(problem, "`predicate` in dword 0")) << problem;
  problem = test.fail({0x0080000f, 0});
  EXPECT_TRUE(contains(problem, "MI_NOOP at 0x100004: a command that"))
      << problem;
  // A length that is too small.
  problem = test.fail({0x7a000002, 0, 0, 0});
  EXPECT_TRUE(contains(problem, "expected at least 6 dwords, found 4"))
      << problem;
}

TEST(CommandProcessorTest, NamesPageFaults) {
  Fixture test;
  std::string problem = test.fail({0x10000002, 0x500000, 0, 1});
  EXPECT_TRUE(contains(problem, "MI_STORE_DATA_IMM at 0x100000: page fault: "
                                "write at 0x500000, which is not bound"))
      << problem;
  problem = getProblem([&] { test.processor.run(0x700000, test.stops); });
  EXPECT_TRUE(contains(problem, "page fault: read at 0x700000")) << problem;
}

TEST(CommandProcessorTest, RefusesCallsWithoutAnEnd) {
  Fixture test;
  std::string problem = test.fail({0x18c00101, batch, 0});
  EXPECT_TRUE(contains(problem, "call each other too deep")) << problem;
}
} // namespace
