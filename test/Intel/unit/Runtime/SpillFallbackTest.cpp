//===- SpillFallbackTest.cpp - Another build for a kernel that spills -----===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/SpillFallback.h"
#include "gtest/gtest.h"

#include <optional>

using namespace triton::intel::runtime;

namespace {
/// The outcome of two builds that spill these numbers of bytes; the second one
/// is refused where it has no number.
struct Outcome {
  std::size_t kept;
  std::optional<SpillFallback> fallback;
  int numBuilt;
};

Outcome choose(std::size_t first, std::optional<std::size_t> second) {
  int numBuilt = 0;
  auto [kept, fallback] = keepBetterBuild(
      first, [](std::size_t spilled) { return spilled; },
      [&] {
        ++numBuilt;
        if (!second)
          throw Error(ErrorKind::Binary, "refused");
        return *second;
      });
  return {kept, fallback, numBuilt};
}
} // namespace

// Nothing is built a second time without need.
TEST(SpillFallback, KeepsWhatDoesNotSpill) {
  Outcome outcome = choose(0, 0);
  EXPECT_EQ(outcome.kept, 0u);
  EXPECT_FALSE(outcome.fallback);
  EXPECT_EQ(outcome.numBuilt, 0);
}

TEST(SpillFallback, KeepsWhatSpillsLess) {
  Outcome outcome = choose(512, 64);
  EXPECT_EQ(outcome.kept, 64u);
  ASSERT_TRUE(outcome.fallback);
  EXPECT_TRUE(outcome.fallback->isSecond);
  EXPECT_EQ(outcome.fallback->otherSpillSize, 512u);
  EXPECT_EQ(outcome.numBuilt, 1);
}

// More registers that bring nothing only cost threads.
TEST(SpillFallback, KeepsTheFirstOfEquals) {
  for (std::size_t second : {512, 1024}) {
    Outcome outcome = choose(512, second);
    EXPECT_EQ(outcome.kept, 512u);
    ASSERT_TRUE(outcome.fallback);
    EXPECT_FALSE(outcome.fallback->isSecond);
    EXPECT_EQ(outcome.fallback->otherSpillSize, second);
  }
}

// A build that spills is better than none.
TEST(SpillFallback, KeepsTheFirstWhereTheSecondIsRefused) {
  Outcome outcome = choose(512, std::nullopt);
  EXPECT_EQ(outcome.kept, 512u);
  EXPECT_FALSE(outcome.fallback);
  EXPECT_EQ(outcome.numBuilt, 1);
}
