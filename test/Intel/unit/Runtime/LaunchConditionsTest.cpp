//===- LaunchConditionsTest.cpp - What a launch has to satisfy ------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/LaunchConditions.h"
#include "intel/Runtime/Error.h"
#include "gtest/gtest.h"

#include <limits>

using namespace triton::intel::runtime;

namespace {
constexpr auto constant = static_cast<std::int64_t>(ConditionOp::Constant);
constexpr auto argument = static_cast<std::int64_t>(ConditionOp::Argument);
constexpr auto gridExtent = static_cast<std::int64_t>(ConditionOp::GridExtent);
constexpr auto add = static_cast<std::int64_t>(ConditionOp::Add);
constexpr auto multiply = static_cast<std::int64_t>(ConditionOp::Multiply);
constexpr auto modulo = static_cast<std::int64_t>(ConditionOp::Modulo);
constexpr auto floorDivide =
    static_cast<std::int64_t>(ConditionOp::FloorDivide);
constexpr auto ceilDivide = static_cast<std::int64_t>(ConditionOp::CeilDivide);
constexpr auto nonNegative =
    static_cast<std::int64_t>(ConditionOp::NonNegative);
constexpr auto zero = static_cast<std::int64_t>(ConditionOp::Zero);

/// Whether a condition holds for arguments of 64 bits.
bool holds(std::vector<std::int64_t> code, std::vector<std::int64_t> values) {
  std::vector<Argument> arguments;
  for (std::int64_t value : values)
    arguments.push_back(
        {ArgumentType::Int64, static_cast<std::uint64_t>(value)});
  LaunchConditions conditions({{7, std::move(code)}}, arguments.size());
  std::vector<std::int64_t> illegal;
  conditions.check(arguments, {1, 1, 1}, illegal);
  if (!illegal.empty())
    EXPECT_EQ(illegal, std::vector<std::int64_t>{7});
  return illegal.empty();
}

/// Whether `value` `op` `divisor` is `expected`.
bool gives(std::int64_t op, std::int64_t value, std::int64_t divisor,
           std::int64_t expected) {
  return holds(
      {argument, 0, constant, divisor, op, constant, -expected, add, zero},
      {value});
}
} // namespace

// All constraints of a condition have to hold.
TEST(LaunchConditions, Conjunction) {
  // 2 * a0 >= 64 and a1 - 2 * a0 >= 0
  std::vector<std::int64_t> code = {
      argument, 0, constant, 2, multiply, constant, -64,      add, nonNegative,
      argument, 1, argument, 0, constant, -2,       multiply, add, nonNegative};
  EXPECT_TRUE(holds(code, {32, 64}));
  EXPECT_FALSE(holds(code, {31, 64}));
  EXPECT_FALSE(holds(code, {32, 63}));
  EXPECT_TRUE(holds({}, {}));
}

// How many programs there are along an axis is known to a launch as well.
TEST(LaunchConditions, GridExtents) {
  // a0 - programs along y >= 0
  LaunchConditions conditions({{-1,
                                {argument, 0, gridExtent, 1, constant, -1,
                                 multiply, add, nonNegative}}},
                              1);
  std::vector<Argument> arguments = {{ArgumentType::Int64, 4}};
  std::vector<std::int64_t> illegal;
  conditions.check(arguments, {100, 4, 100}, illegal);
  EXPECT_TRUE(illegal.empty());
  conditions.check(arguments, {1, 5, 1}, illegal);
  EXPECT_EQ(illegal, std::vector<std::int64_t>{-1});
}

// Remainders are not negative, quotients are rounded down or up.
TEST(LaunchConditions, Division) {
  EXPECT_TRUE(gives(modulo, -3, 16, 13));
  EXPECT_TRUE(gives(modulo, 35, 16, 3));
  EXPECT_TRUE(gives(floorDivide, -3, 2, -2));
  EXPECT_TRUE(gives(floorDivide, 3, 2, 1));
  EXPECT_TRUE(gives(ceilDivide, -3, 2, -1));
  EXPECT_TRUE(gives(ceilDivide, 3, 2, 2));
  EXPECT_FALSE(gives(floorDivide, 3, 0, 0));
}

// What overflows proves nothing.
TEST(LaunchConditions, Overflow) {
  std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(holds({argument, 0, constant, 2, multiply, nonNegative},
                     {largest / 2 + 1}));
  EXPECT_TRUE(
      holds({argument, 0, constant, 2, multiply, nonNegative}, {largest / 2}));
}

// Arguments are as the kernel sees them: narrow ones with their sign.
TEST(LaunchConditions, NarrowArguments) {
  LaunchConditions conditions({{0, {argument, 0, nonNegative}},
                               {1, {argument, 1, nonNegative}},
                               {2, {argument, 2, nonNegative}}},
                              3);
  std::vector<std::int64_t> illegal;
  conditions.check({{ArgumentType::Int32, 0xffffffffu},
                    {ArgumentType::UInt8, 0x80},
                    {ArgumentType::Bool, 1}},
                   {1, 1, 1}, illegal);
  EXPECT_EQ(illegal, (std::vector<std::int64_t>{0, 1}));
}

// Code comes from a file: nothing in it may be taken for granted.
TEST(LaunchConditions, DamagedCode) {
  auto make = [](std::vector<std::int64_t> code) {
    LaunchConditions({{0, std::move(code)}}, 2);
  };
  EXPECT_THROW(make({argument}), Error);
  EXPECT_THROW(make({argument, 2, zero}), Error);
  EXPECT_THROW(make({argument, -1, zero}), Error);
  EXPECT_THROW(make({gridExtent, 3, zero}), Error);
  EXPECT_THROW(make({constant, 1}), Error);
  EXPECT_THROW(make({constant, 1, add, zero}), Error);
  EXPECT_THROW(make({zero}), Error);
  EXPECT_THROW(make({99}), Error);
  EXPECT_THROW(make(std::vector<std::int64_t>(400, constant)), Error);
}
