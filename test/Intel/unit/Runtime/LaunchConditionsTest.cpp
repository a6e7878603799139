//===- LaunchConditionsTest.cpp - Conditions on launches ------------------===//
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
constexpr auto disjoint = static_cast<std::int64_t>(ConditionOp::Disjoint);

/// Returns whether a condition holds for arguments of 64 bits.
bool holds(std::vector<std::int64_t> code, std::vector<std::int64_t> values) {
  std::vector<Argument> arguments;
  for (std::int64_t value : values)
    arguments.push_back(
        {ArgumentType::Int64, static_cast<std::uint64_t>(value)});
  LaunchConditions conditions({{7, std::move(code)}}, arguments.size());
  std::vector<std::int64_t> illegal;
  conditions.check(arguments, {1, 1, 1}, /*spans=*/{}, illegal);
  if (!illegal.empty())
    EXPECT_EQ(illegal, std::vector<std::int64_t>{7});
  return illegal.empty();
}

/// Returns whether `value` `op` `divisor` is `expected`.
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
  conditions.check(arguments, {100, 4, 100}, /*spans=*/{}, illegal);
  EXPECT_TRUE(illegal.empty());
  conditions.check(arguments, {1, 5, 1}, /*spans=*/{}, illegal);
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

// An overflow proves nothing.
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
                   {1, 1, 1}, /*spans=*/{}, illegal);
  EXPECT_EQ(illegal, (std::vector<std::int64_t>{0, 1}));
}

// The span of a tensor, with the sizes and strides of its dimensions.
ArgumentSpan
getSpan(std::uint64_t pointer, unsigned elementBytes,
        std::vector<std::pair<std::int64_t, std::int64_t>> dimensions) {
  SpanBuilder span;
  for (auto [size, stride] : dimensions)
    span.addDimension(size, stride);
  return span.get(pointer, elementBytes);
}

bool isSpan(const ArgumentSpan &span, std::uint64_t begin, std::uint64_t end) {
  return span.begin == begin && span.end == end;
}

// From the lowest element to the end of the highest one.
TEST(LaunchConditions, Spans) {
  EXPECT_TRUE(isSpan(getSpan(4096, 4, {}), 4096, 4100));
  EXPECT_TRUE(isSpan(getSpan(4096, 4, {{8, 1}}), 4096, 4128));
  EXPECT_TRUE(isSpan(getSpan(4096, 2, {{3, 100}, {8, 2}}), 4096, 4526));
  // One element repeatedly, and rows that run backwards.
  EXPECT_TRUE(isSpan(getSpan(4096, 4, {{1000, 0}}), 4096, 4100));
  EXPECT_TRUE(isSpan(getSpan(4096, 4, {{3, -10}, {5, 1}}), 4016, 4116));
  // A single element goes nowhere, whatever the stride is.
  EXPECT_TRUE(
      isSpan(getSpan(4096, 1, {{1, std::numeric_limits<std::int64_t>::min()}}),
             4096, 4097));
}

// Without elements there is no byte; what no memory can hold may be anywhere.
TEST(LaunchConditions, SpansOfNothing) {
  std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(getSpan(4096, 4, {{8, 1}, {0, 8}}).isEmpty());
  EXPECT_TRUE(getSpan(4096, 4, {{largest, largest}, {0, 1}}).isEmpty());
  for (const ArgumentSpan &span :
       {ArgumentSpan(), getSpan(4096, 4, {{largest, largest}}),
        getSpan(4096, 4, {{-1, 1}}), getSpan(4096, 4, {{largest, 4}}),
        getSpan(4096, 4, {{2, -1025}})})
    EXPECT_TRUE(isSpan(span, 0, std::numeric_limits<std::uint64_t>::max()));
}

// Tensors are compared by the bytes that they span.
TEST(LaunchConditions, Disjoint) {
  LaunchConditions conditions({{-1, {disjoint, 0, 2}}}, 3);
  EXPECT_EQ(conditions.getSpanned(), (std::vector<std::size_t>{0, 2}));
  auto holds = [&](std::vector<ArgumentSpan> spans, std::uint64_t last = 8) {
    std::vector<std::int64_t> illegal;
    conditions.check({{ArgumentType::Pointer, 8},
                      {ArgumentType::Pointer, 8},
                      {ArgumentType::Pointer, last}},
                     {1, 1, 1}, spans, illegal);
    return illegal.empty();
  };
  ArgumentSpan unknown;
  EXPECT_TRUE(holds({{8, 16}, unknown, {16, 24}}));
  EXPECT_TRUE(holds({{16, 24}, unknown, {8, 16}}));
  EXPECT_FALSE(holds({{8, 17}, unknown, {16, 24}}));
  EXPECT_FALSE(holds({{8, 64}, unknown, {16, 24}}));
  EXPECT_FALSE(holds({{16, 24}, unknown, {8, 64}}));
  EXPECT_FALSE(holds({{8, 16}, unknown, {8, 16}}));
  // Nothing is in the middle of anything.
  EXPECT_TRUE(holds({{8, 64}, unknown, {16, 16}}));
  EXPECT_TRUE(holds({{16, 16}, unknown, unknown}));
  // An unknown span may overlap anything; a missing span is unknown.
  EXPECT_FALSE(holds({{8, 16}, unknown, unknown}));
  EXPECT_FALSE(holds({{8, 16}}));
  EXPECT_FALSE(holds({}));
  // A null pointer.
  EXPECT_TRUE(holds({{8, 16}}, 0));
  EXPECT_TRUE(holds({}, 0));
}

// One tensor twice is fine, a part of it is not, also if nothing else is known.
TEST(LaunchConditions, DisjointOrSame) {
  LaunchConditions conditions(
      {{-1, {static_cast<std::int64_t>(ConditionOp::DisjointOrSame), 0, 1}}},
      2);
  EXPECT_EQ(conditions.getSpanned(), (std::vector<std::size_t>{0, 1}));
  auto holds = [&](std::uint64_t first, std::uint64_t second,
                   std::vector<ArgumentSpan> spans) {
    std::vector<std::int64_t> illegal;
    conditions.check(
        {{ArgumentType::Pointer, first}, {ArgumentType::Pointer, second}},
        {1, 1, 1}, spans, illegal);
    return illegal.empty();
  };
  EXPECT_TRUE(holds(8, 8, {{8, 16}, {8, 16}}));
  EXPECT_TRUE(holds(8, 8, {}));
  EXPECT_TRUE(holds(8, 16, {{8, 16}, {16, 24}}));
  EXPECT_FALSE(holds(8, 12, {{8, 16}, {12, 20}}));
  EXPECT_FALSE(holds(8, 16, {}));
}

// The memory of tensors that no condition compares is not queried; a pair may
// be between other constraints.
TEST(LaunchConditions, SpannedArguments) {
  EXPECT_TRUE(
      LaunchConditions({{0, {argument, 0, zero}}}, 1).getSpanned().empty());
  LaunchConditions conditions({{0, {disjoint, 3, 1, argument, 0, zero}},
                               {1, {disjoint, 3, 2, argument, 0, zero}}},
                              4);
  EXPECT_EQ(conditions.getSpanned(), (std::vector<std::size_t>{1, 2, 3}));
  std::vector<std::int64_t> illegal;
  conditions.check({{ArgumentType::Int32, 0},
                    {ArgumentType::Pointer, 8},
                    {ArgumentType::Pointer, 16},
                    {ArgumentType::Pointer, 16}},
                   {1, 1, 1}, {{}, {8, 16}, {16, 24}, {16, 24}}, illegal);
  EXPECT_EQ(illegal, std::vector<std::int64_t>{1});
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
  EXPECT_THROW(make({disjoint}), Error);
  EXPECT_THROW(make({disjoint, 0}), Error);
  EXPECT_THROW(make({disjoint, 0, 2}), Error);
  EXPECT_THROW(make({disjoint, -1, 1}), Error);
  EXPECT_THROW(make({constant, 1, disjoint, 0, 1}), Error);
  EXPECT_THROW(make(std::vector<std::int64_t>(400, constant)), Error);
}
