//===- RegistersTest.cpp - The registers of an engine ---------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Registers.h"

#include "Problem.h"

#include "gtest/gtest.h"

using namespace triton::intel::vgpu;
using namespace triton::intel::vgpu::test;

namespace {
constexpr std::uint32_t r0 = 0x2600, r1 = 0x2608, r2 = 0x2610;
constexpr std::uint32_t sourceA = 0x20, sourceB = 0x21, accumulator = 0x31,
                        zero = 0x32, carry = 0x33;

std::uint32_t encode(std::uint32_t operation, std::uint32_t first = 0,
                     std::uint32_t second = 0) {
  return operation << 20 | first << 10 | second;
}

struct Fixture {
  void set(std::uint32_t number, std::uint64_t value) {
    registers.write(number, static_cast<std::uint32_t>(value));
    registers.write(number + 4, static_cast<std::uint32_t>(value >> 32));
  }
  std::uint64_t get(std::uint32_t number) {
    return registers.read(number) | std::uint64_t(registers.read(number + 4))
                                        << 32;
  }
  /// Returns the result of an operation on two numbers, from a part of the
  /// result.
  std::uint64_t compute(std::uint32_t operation, std::uint64_t a,
                        std::uint64_t b, std::uint32_t part = accumulator) {
    set(r0, a);
    set(r1, b);
    const std::uint32_t instructions[] = {
        encode(0x80, sourceA, 0), encode(0x80, sourceB, 1), encode(operation),
        encode(0x180, 2, part)};
    registers.compute(instructions, std::size(instructions), space);
    return get(r2);
  }
  Clock clock{*findChip("lnl")};
  QueueClock queue{clock, {Clock::kernelUnit}};
  AddressSpace space{48};
  Registers registers{queue};
};

TEST(RegistersTest, KeepsNumbersOf64Bits) {
  Fixture test;
  test.set(r1, 0x123456789abcdef0);
  EXPECT_EQ(test.get(r1), 0x123456789abcdef0u);
  EXPECT_EQ(test.get(r0), 0u);
  // The first engine of another class has its own copy of this register.
  EXPECT_EQ(test.registers.read(0x22608), 0x9abcdef0u);
}

TEST(RegistersTest, Computes) {
  Fixture test;
  constexpr std::uint64_t most = ~std::uint64_t(0);
  EXPECT_EQ(test.compute(0x100, 5, most), 4u);
  EXPECT_EQ(test.compute(0x100, 5, most, carry), most);
  EXPECT_EQ(test.compute(0x100, 5, 6, carry), 0u);
  EXPECT_EQ(test.compute(0x101, 5, 7), most - 1);
  EXPECT_EQ(test.compute(0x101, 5, 7, carry), most);
  EXPECT_EQ(test.compute(0x101, 7, 7, zero), most);
  EXPECT_EQ(test.compute(0x101, 7, 6, zero), 0u);
  EXPECT_EQ(test.compute(0x102, 0xff00ff, 0xffff), 0xffu);
  EXPECT_EQ(test.compute(0x103, 0xf0, 0xf), 0xffu);
  EXPECT_EQ(test.compute(0x104, 0xff, 0xf), 0xf0u);
  EXPECT_EQ(test.compute(0x105, 3, 40), std::uint64_t(3) << 40);
  EXPECT_EQ(test.compute(0x106, most, 60), 15u);
}

TEST(RegistersTest, ComputesWithMemory) {
  Fixture test;
  Buffers buffers({0, 1 << 20});
  constexpr std::uint64_t place = 0x10000;
  auto buffer = buffers.create(1, 4096);
  test.space.bind(place, buffer->getSize(), buffer, 0, false);
  test.space.store64(place, 0x123456789abcdef0);
  test.set(r0, place);
  test.set(r1, 8);
  // r2 = memory[r0], and memory[r0 + r1] = r2.
  const std::uint32_t instructions[] = {encode(0x80, sourceA, 0),
                                        encode(0x80, sourceB, 1),
                                        encode(0x82, 2, 0),
                                        encode(0x1),
                                        encode(0x100),
                                        encode(0x181, accumulator, 2),
                                        encode(0x2)};
  test.registers.compute(instructions, std::size(instructions), test.space);
  EXPECT_EQ(test.get(r2), 0x123456789abcdef0u);
  EXPECT_EQ(test.space.load64(place + 8), 0x123456789abcdef0u);
}

TEST(RegistersTest, CountsTime) {
  Fixture test;
  test.queue.join();
  std::uint64_t before = test.get(0x2358);
  EXPECT_NE(before, 0u);
  // Reading either half takes a tick.
  EXPECT_EQ(test.get(0x23a8), before + 2);
  // A millisecond at 19.2 MHz.
  test.queue.work(1'000'000'000);
  EXPECT_EQ(test.get(0x23a8), before + 4 + 19200);
}

TEST(RegistersTest, NamesWhatItDoesNotKnow) {
  Fixture test;
  auto failRead = [&](std::uint32_t number) {
    return getProblem([&] { test.registers.read(number); });
  };
  EXPECT_TRUE(contains(failRead(0x2500), "register 0x2500 is not known"));
  // An engine that commands do not name.
  EXPECT_TRUE(contains(failRead(0x99600), "register 0x99600"));
  EXPECT_TRUE(
      contains(getProblem([&] { test.registers.write(0x2358, 1); }), "0x2358"));
  auto failMath = [&](std::uint32_t instruction) {
    return getProblem(
        [&] { test.registers.compute(&instruction, 1, test.space); });
  };
  EXPECT_TRUE(contains(failMath(encode(0x77)), "operation 0x77"));
  EXPECT_TRUE(contains(failMath(encode(0x80, 0x3f, 0)), "operand 0x3f"));
}
} // namespace
