//===- WalkerTest.cpp - The command that starts a kernel ------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Walker.h"

#include "Problem.h"
#include "intel/Simulator/Instruction.h"

#include "gtest/gtest.h"

using namespace triton::intel::vgpu;
using namespace triton::intel::vgpu::test;
using triton::intel::simulator::Platform;

namespace {
/// A walker as the driver writes it, of a chip.
std::vector<std::uint32_t> makeWalker(Platform platform) {
  bool isXeHPC = platform == Platform::XeHPC;
  std::vector<std::uint32_t> words(isXeHPC ? 39 : 40);
  words[0] = isXeHPC ? 0x72080025 : 0x72080026;
  words[2] = 0x60;
  words[3] = 0xffbd0040;
  // SIMD32, ids of x and z in the order y, x, z, inline data.
  words[4] = 2u << 30 | 1u << 29 | 5u << 26 | 1u << 25 | 2u << 22;
  words[5] = 0xffff;
  words[6] = 15 | 3u << 10 | 1u << 20;
  words[7] = 64;
  words[8] = 2;
  words[9] = 1;
  unsigned descriptor = isXeHPC ? 18 : 19;
  words[descriptor] = 0xffb80080;
  words[descriptor + 1] = 0x12;
  if (platform == Platform::Xe3)
    words[descriptor + 2] = 5u << 26;
  // Four threads, 96 KB.
  words[descriptor + 5] = 4 | 10u << 16;
  unsigned sync = isXeHPC ? 26 : 27;
  words[sync] = 0x1005;
  words[sync + 1] = 0xaa410000;
  words[sync + 2] = 0xd556;
  words[sync + 3] = 6;
  for (unsigned i = 0; i < 8; ++i)
    words[sync + 5 + i] = 0x11111111 * i;
  return words;
}

class WalkerTest : public testing::TestWithParam<Platform> {};

TEST_P(WalkerTest, ReadsFields) {
  WalkerFields fields = readWalker(makeWalker(GetParam()), GetParam());
  EXPECT_EQ(fields.indirectOffset, 0xffbd0040u);
  EXPECT_EQ(fields.indirectBytes, 0x60u);
  EXPECT_EQ(fields.simdSize, 32u);
  // Xe-HPC has ids of all dimensions in registers, whichever the walker names.
  EXPECT_EQ(fields.idDimensions, GetParam() == Platform::XeHPC ? 7u : 5u);
  EXPECT_EQ(fields.walkOrder, (std::array<std::uint8_t, 3>{1, 0, 2}));
  EXPECT_EQ(fields.lastLanes, 0xffffu);
  EXPECT_EQ(fields.local, (std::array<std::uint32_t, 3>{16, 4, 2}));
  EXPECT_EQ(fields.groups, (std::array<std::uint32_t, 3>{64, 2, 1}));
  EXPECT_EQ(fields.codeOffset, 0x12ffb80080u);
  EXPECT_EQ(fields.numThreads, 4u);
  // The walker of Xe3 has the number of registers of a thread.
  EXPECT_EQ(fields.numRegisters, GetParam() == Platform::Xe3 ? 192u : 0u);
  EXPECT_EQ(fields.sharedBytes, 96u * 1024);
  EXPECT_EQ(fields.postSync, PostSync::Immediate);
  EXPECT_EQ(fields.postSyncAddress, 0xd556aa410000u);
  EXPECT_EQ(fields.postSyncData, 6u);
  ASSERT_EQ(fields.inlineData.size(), 32u);
  EXPECT_EQ(fields.inlineData[28], 0x77);
}

TEST_P(WalkerTest, KnowsKernelsThatLoadTheirIds) {
  std::vector<std::uint32_t> words = makeWalker(GetParam());
  words[4] = 1u << 30;
  WalkerFields fields = readWalker(words, GetParam());
  EXPECT_EQ(fields.simdSize, 16u);
  EXPECT_EQ(fields.idDimensions, 0u);
  EXPECT_TRUE(fields.inlineData.empty());
}

TEST_P(WalkerTest, TilesShareGroups) {
  std::vector<std::uint32_t> words = makeWalker(GetParam());
  EXPECT_FALSE(readWalker(words, GetParam()).partitionDimension);
  words[0] |= 1u << 9;
  words[2] |= 2u << 30;
  words[14] = 12;
  WalkerFields fields = readWalker(words, GetParam());
  EXPECT_EQ(fields.partitionDimension, 1u);
  EXPECT_EQ(fields.partitionGroups, 12u);
}

TEST_P(WalkerTest, NamesWhatItDoesNotKnow) {
  unsigned descriptor = GetParam() == Platform::XeHPC ? 18 : 19;
  auto change = [&](unsigned dword, std::uint32_t value) {
    std::vector<std::uint32_t> words = makeWalker(GetParam());
    words[dword] = value;
    return getProblem([&] { readWalker(words, GetParam()); });
  };
  EXPECT_TRUE(contains(change(4, 0), "SIMD size 0"));
  EXPECT_TRUE(
      contains(change(4, 1u << 30 | 1u << 29 | 7u << 22), "walk order 7"));
  EXPECT_TRUE(contains(change(11, 2), "dword 11, the first group, is 0x2"));
  EXPECT_TRUE(contains(change(descriptor + 5, 4 | 30u << 16), "size 30"));
  EXPECT_TRUE(contains(change(descriptor + 5, 0), "without threads"));
  std::vector<std::uint32_t> words = makeWalker(GetParam());
  words.pop_back();
  EXPECT_TRUE(contains(getProblem([&] { readWalker(words, GetParam()); }),
                       "dwords, found"));
}

INSTANTIATE_TEST_SUITE_P(Platforms, WalkerTest,
                         testing::Values(Platform::XeHPC, Platform::Xe2,
                                         Platform::Xe3));
} // namespace
