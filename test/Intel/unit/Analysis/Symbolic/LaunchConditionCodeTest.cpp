//===- LaunchConditionCodeTest.cpp - Conditions for the runtime -----------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/LaunchConditionCode.h"
#include "intel/ABI/ConditionOp.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::triton::gpu::intel;
using ::triton::intel::abi::ConditionOp;

namespace {
/// Returns the conditions of a kernel that has arguments %a, %b, %c and %d,
/// and these operations.
std::vector<LaunchConditionCode> getCodes(const std::string &conditions) {
  MLIRContext context;
  context.loadDialect<mlir::triton::TritonDialect, TritonIntelGPUDialect>();
  auto module =
      parseSourceString<ModuleOp>("tt.func public @kernel(%a: i32, %b: i64, "
                                  "%c: !tt.ptr<f32>, %d: !tt.ptr<f16>) {" +
                                      conditions + " tt.return }",
                                  &context);
  if (!module)
    return {};
  SmallVector<LaunchConditionCode> codes = getLaunchConditionCodes(*module);
  return {codes.begin(), codes.end()};
}

/// The notation by hand.
std::vector<int64_t> makeCode(std::initializer_list<int64_t> code) {
  return code;
}
constexpr int64_t code(ConditionOp op) { return static_cast<int64_t>(op); }
constexpr int64_t constant = code(ConditionOp::Constant);
constexpr int64_t argument = code(ConditionOp::Argument);
} // namespace

// Operands come before their operation, and a relation ends each constraint.
TEST(LaunchConditionCode, WritesPostfix) {
  auto codes =
      getCodes("ttig.launch_condition affine_set<()[s0, s1] : (s0 * 2 - 64 >= "
               "0, s1 mod 16 == 0)> [%a, %b] surface 3 : i32, i64");
  ASSERT_EQ(codes.size(), 1u);
  EXPECT_EQ(codes[0].surface, 3);
  EXPECT_EQ(codes[0].code,
            makeCode({argument, 0, constant, 2, code(ConditionOp::Multiply),
                      constant, -64, code(ConditionOp::Add),
                      code(ConditionOp::NonNegative), argument, 1, constant, 16,
                      code(ConditionOp::Modulo), code(ConditionOp::Zero)}));
}

// Divisions keep the direction that they round in.
TEST(LaunchConditionCode, KeepsRounding) {
  auto codes =
      getCodes("ttig.launch_condition affine_set<()[s0] : (s0 floordiv 8 + s0 "
               "ceildiv 4 >= 0)> [%a] surface 0 : i32");
  ASSERT_EQ(codes.size(), 1u);
  EXPECT_EQ(codes[0].code,
            makeCode({argument, 0, constant, 8, code(ConditionOp::FloorDivide),
                      argument, 0, constant, 4, code(ConditionOp::CeilDivide),
                      code(ConditionOp::Add), code(ConditionOp::NonNegative)}));
}

// The conditions that all code relies on come first, under no tensor's number.
TEST(LaunchConditionCode, WritesAssumption) {
  auto codes = getCodes(
      "ttig.launch_condition affine_set<()[s0] : (s0 >= 0)> [%a] "
      "surface 0 : i32\n"
      "ttig.launch_condition affine_set<(d0, d1, d2)[s0] : (s0 - d1 >= "
      "0)> [%a] : i32");
  ASSERT_EQ(codes.size(), 2u);
  EXPECT_EQ(codes[0].surface, -1);
  EXPECT_EQ(codes[0].code,
            makeCode({code(ConditionOp::GridExtent), 1, constant, -1,
                      code(ConditionOp::Multiply), argument, 0,
                      code(ConditionOp::Add), code(ConditionOp::NonNegative)}));
  EXPECT_EQ(codes[1].surface, 0);
}

// Symbols are numbered within their condition, arguments within the kernel; the
// conditions on a tensor are one.
TEST(LaunchConditionCode, NamesArguments) {
  auto codes = getCodes(
      "ttig.launch_condition affine_set<()[s0, s1] : (s0 - s1 >= 0)> [%b, %a] "
      "surface 2 : i64, i32\n"
      "ttig.launch_condition affine_set<()[s0] : (s0 == 0)> [%c] surface 2 : "
      "!tt.ptr<f32>");
  ASSERT_EQ(codes.size(), 1u);
  EXPECT_EQ(codes[0].code,
            makeCode({argument, 1, argument, 0, constant, -1,
                      code(ConditionOp::Multiply), code(ConditionOp::Add),
                      code(ConditionOp::NonNegative), argument, 2,
                      code(ConditionOp::Zero)}));
}

// Extents of the grid are known without any argument.
TEST(LaunchConditionCode, TakesGridsAlone) {
  auto codes = getCodes(
      "ttig.launch_condition affine_set<(d0, d1, d2) : (64 - d0 >= 0)> []");
  ASSERT_EQ(codes.size(), 1u);
  EXPECT_EQ(codes[0].surface, -1);
}

// Pairs of pointers follow the other constraints of their condition.
TEST(LaunchConditionCode, WritesPairs) {
  auto codes = getCodes(
      "ttig.launch_condition affine_set<()[s0] : (s0 == 0)> [%a] disjoint "
      "(%d, %c : !tt.ptr<f16>, !tt.ptr<f32>) : i32\n"
      "ttig.launch_condition disjoint (%c, %d : !tt.ptr<f32>, !tt.ptr<f16>) "
      "surface 2");
  ASSERT_EQ(codes.size(), 2u);
  EXPECT_EQ(codes[0].surface, -1);
  EXPECT_EQ(codes[0].code, makeCode({argument, 0, code(ConditionOp::Zero),
                                     code(ConditionOp::Disjoint), 3, 2}));
  EXPECT_EQ(codes[1].surface, 2);
  EXPECT_EQ(codes[1].code, makeCode({code(ConditionOp::Disjoint), 2, 3}));

  codes = getCodes("ttig.launch_condition disjoint "
                   "(%c, %d : !tt.ptr<f32>, !tt.ptr<f16>) {mayBeSame}");
  ASSERT_EQ(codes.size(), 1u);
  EXPECT_EQ(codes[0].code, makeCode({code(ConditionOp::DisjointOrSame), 2, 3}));
}

// Code that every launch may run has no conditions.
TEST(LaunchConditionCode, IsEmptyWithoutConditions) {
  EXPECT_TRUE(getCodes("").empty());
}
