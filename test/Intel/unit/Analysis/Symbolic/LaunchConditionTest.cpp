//===- LaunchConditionTest.cpp - Conditions on launches -------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/LaunchCondition.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {
/// An argument, in expressions of conditions.
struct LaunchConditionTest : testing::Test {
  MLIRContext context;
  AffineExpr a = getAffineSymbolExpr(0, &context);
};
} // namespace

// A remainder is never negative, and less than its divisor.
TEST_F(LaunchConditionTest, LeavesOutWhatAlwaysHolds) {
  LaunchCondition condition;
  EXPECT_TRUE(condition.requireNonNegative(64 - a % 64));
  EXPECT_TRUE(condition.requireNonNegative(63 - a % 64));
  EXPECT_TRUE(condition.requireNonNegative((a % 64) * 2 + a % 3));
  EXPECT_TRUE(condition.isTrue());
}

// Everything else stays, however close it is to always being true.
TEST_F(LaunchConditionTest, KeepsWhatMayFail) {
  for (AffineExpr expression :
       {62 - a % 64, a, 64 - a, (a % 64) * -2 + 125, a.floorDiv(64)}) {
    LaunchCondition condition;
    EXPECT_TRUE(condition.requireNonNegative(expression));
    EXPECT_FALSE(condition.isTrue());
  }
}

// A constant is the answer by itself.
TEST_F(LaunchConditionTest, KnowsConstants) {
  LaunchCondition condition;
  EXPECT_TRUE(condition.requireNonNegative(getAffineConstantExpr(0, &context)));
  EXPECT_FALSE(
      condition.requireNonNegative(getAffineConstantExpr(-1, &context)));
  EXPECT_TRUE(condition.isTrue());
}
