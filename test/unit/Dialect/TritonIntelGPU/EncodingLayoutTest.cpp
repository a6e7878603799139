//===- EncodingLayoutTest.cpp - Linear layouts of the encodings -----------===//
//
// DPAS against the tables of its lane mapping, and the other encodings against
// their definitions, element by element.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

namespace {

using Table = std::vector<std::vector<int32_t>>;

class EncodingLayoutTest : public ::testing::Test {
protected:
  EncodingLayoutTest() {
    context.loadDialect<TritonDialect, TritonGPUDialect,
                        gpu::intel::TritonIntelGPUDialect>();
  }

  Attribute parse(const std::string &text) {
    Attribute attribute = parseAttribute(text, &context);
    EXPECT_TRUE(attribute) << text;
    return attribute;
  }

  static Table table(const LinearLayout &layout, LayoutDim dim) {
    Table result;
    for (const auto &basis : layout.getBases(dim))
      result.emplace_back(basis.begin(), basis.end());
    return result;
  }

  static std::string dpas(unsigned opsPerChannel, unsigned lanes,
                          StringRef warps, StringRef cluster) {
    return llvm::formatv("#ttig.dpas<{{repeatCount = 8, systolicDepth = 8, "
                         "executionSize = 16, opsPerChan = {0}, "
                         "threadsPerWarp = {1}, warpsPerCTA = {2}, "
                         "repCluster = {3}}>",
                         opsPerChannel, lanes, warps, cluster)
        .str();
  }
  static std::string operand(const std::string &parent, unsigned index,
                             unsigned opsPerChannel) {
    unsigned width =
        index == 0 ? std::max(1u, opsPerChannel / 2) : opsPerChannel;
    return llvm::formatv("#ttg.dot_op<{{opIdx = {0}, parent = {1}, kWidth = "
                         "{2}}>",
                         index, parent, width)
        .str();
  }

  MLIRContext context;
};

/// One instruction: shape, registers and lanes per operand and element width.
TEST_F(EncodingLayoutTest, OneInstruction) {
  struct Case {
    unsigned opsPerChannel;
    int index; // 2 is the accumulator
    std::vector<int64_t> shape;
    Table registers, lanes;
  };
  Table row16 = {{0, 1}, {0, 2}, {0, 4}, {0, 8}};
  const Case cases[] = {
      {1, 0, {8, 8}, {{2, 0}, {4, 0}}, {{0, 1}, {0, 2}, {0, 4}, {1, 0}}},
      {2, 0, {8, 16}, {{1, 0}, {2, 0}, {4, 0}}, row16},
      {4,
       0,
       {8, 32},
       {{0, 1}, {1, 0}, {2, 0}, {4, 0}},
       {{0, 2}, {0, 4}, {0, 8}, {0, 16}}},
      {1, 1, {8, 16}, {{1, 0}, {2, 0}, {4, 0}}, row16},
      {2, 1, {16, 16}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}}, row16},
      {4, 1, {32, 16}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}, row16},
      {2, 2, {8, 16}, {{1, 0}, {2, 0}, {4, 0}}, row16},
  };
  for (const Case &test : cases) {
    std::string text = dpas(test.opsPerChannel, 16, "[1, 1]", "[1, 1]");
    if (test.index < 2)
      text = operand(text, test.index, test.opsPerChannel);
    LinearLayout layout = toLinearLayout(test.shape, parse(text));
    EXPECT_EQ(table(layout, LayoutDim::Register), test.registers) << text;
    EXPECT_EQ(table(layout, LayoutDim::Lane), test.lanes) << text;
    EXPECT_TRUE(table(layout, LayoutDim::Warp).empty()) << text;
  }
}

/// Clusters, sub-groups and repetitions: the GEMM with a tile of 256 x 256 x
/// 32, and layouts of sub-groups of 32.
TEST_F(EncodingLayoutTest, WholeTensors) {
  struct Case {
    unsigned lanes;
    const char *warps, *cluster;
    int index;
    std::vector<int64_t> shape;
    Table registers, warpBases;
  };
  const Case cases[] = {
      {16,
       "[8, 4]",
       "[4, 2]",
       0,
       {256, 32},
       {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {0, 16}},
       {{0, 0}, {0, 0}, {32, 0}, {64, 0}, {128, 0}}},
      {16,
       "[8, 4]",
       "[4, 2]",
       1,
       {32, 256},
       {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 16}, {16, 0}, {0, 128}},
       {{0, 32}, {0, 64}, {0, 0}, {0, 0}, {0, 0}}},
      {16,
       "[8, 4]",
       "[4, 2]",
       2,
       {256, 256},
       {{1, 0}, {2, 0}, {4, 0}, {0, 16}, {8, 0}, {16, 0}, {0, 128}},
       {{0, 32}, {0, 64}, {32, 0}, {64, 0}, {128, 0}}},
      {16,
       "[4, 1]",
       "[1, 2]",
       2,
       {32, 32},
       {{1, 0}, {2, 0}, {4, 0}, {0, 16}},
       {{8, 0}, {16, 0}}},
      {32,
       "[2, 2]",
       "[2, 2]",
       2,
       {128, 128},
       {{2, 0}, {4, 0}, {0, 16}, {8, 0}, {0, 64}, {32, 0}, {64, 0}},
       {{0, 32}, {16, 0}}},
      {32,
       "[2, 2]",
       "[4, 2]",
       0,
       {64, 64},
       {{2, 0}, {4, 0}, {8, 0}, {16, 0}, {0, 16}, {0, 32}},
       {{0, 0}, {32, 0}}},
  };
  for (const Case &test : cases) {
    std::string text = dpas(2, test.lanes, test.warps, test.cluster);
    if (test.index < 2)
      text = operand(text, test.index, 2);
    LinearLayout layout = toLinearLayout(test.shape, parse(text));
    EXPECT_EQ(table(layout, LayoutDim::Register), test.registers) << text;
    EXPECT_EQ(table(layout, LayoutDim::Warp), test.warpBases) << text;
  }
}

/// Blocked: registers in lanes in warps, along `order`, repeated over the
/// tensor.
TEST_F(EncodingLayoutTest, BlockedByDefinition) {
  Attribute encoding =
      parse("#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], "
            "warpsPerCTA = [2, 2], order = [1, 0]}>");
  LinearLayout layout = toLinearLayout({512, 64}, encoding);
  const int32_t tileRows = 2 * 4 * 2, tileColumns = 2 * 8 * 2;
  for (int32_t warp = 0; warp < 4; ++warp)
    for (int32_t lane = 0; lane < 32; ++lane)
      for (int32_t reg = 0; reg < layout.getInDimSize(LayoutDim::Register);
           ++reg) {
        int32_t inner = reg % 4, repeat = reg / 4;
        int32_t row = inner / 2 + lane / 8 * 2 + warp / 2 * 8 +
                      repeat / (64 / tileColumns) * tileRows;
        int32_t column = inner % 2 + lane % 8 * 2 + warp % 2 * 16 +
                         repeat % (64 / tileColumns) * tileColumns;
        auto point = layout.apply({{LayoutDim::Register, reg},
                                   {LayoutDim::Lane, lane},
                                   {LayoutDim::Warp, warp}});
        ASSERT_EQ(point[0].second, row);
        ASSERT_EQ(point[1].second, column);
      }
}

/// A slice drops a dimension, and the registers that thereby become copies.
TEST_F(EncodingLayoutTest, SliceOfBlocked) {
  std::string parent =
      "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], "
      "warpsPerCTA = [2, 1], order = [1, 0]}>";
  LinearLayout rows = toLinearLayout(
      {32}, parse("#ttg.slice<{dim = 1, parent = " + parent + "}>"));
  EXPECT_EQ(table(rows, LayoutDim::Register), (Table{{8}, {16}}));
  EXPECT_EQ(table(rows, LayoutDim::Lane), (Table{{0}, {0}, {1}, {2}}));
  EXPECT_EQ(table(rows, LayoutDim::Warp), (Table{{4}}));
  LinearLayout columns = toLinearLayout(
      {16}, parse("#ttg.slice<{dim = 0, parent = " + parent + "}>"));
  EXPECT_EQ(table(columns, LayoutDim::Register), (Table{{1}, {2}}));
  EXPECT_EQ(table(columns, LayoutDim::Lane), (Table{{4}, {8}, {0}, {0}}));
}

/// Swizzled storage: the column of row r is ((c / vec) ^ phase) * vec + c %
/// vec.
TEST_F(EncodingLayoutTest, SwizzledByDefinition) {
  for (auto [vec, perPhase, maxPhase] :
       {std::tuple(1, 1, 1), std::tuple(8, 1, 4), std::tuple(4, 2, 8)}) {
    Attribute encoding =
        parse(llvm::formatv("#ttg.swizzled_shared<{{vec = {0}, perPhase = {1}, "
                            "maxPhase = {2}, order = [1, 0]}>",
                            vec, perPhase, maxPhase)
                  .str());
    LinearLayout layout = toLinearLayout({32, 64}, encoding);
    for (int32_t row = 0; row < 32; ++row)
      for (int32_t column = 0; column < 64; ++column) {
        int32_t phase = row / perPhase % maxPhase;
        int32_t place = (column / vec ^ phase) * vec + column % vec;
        auto point = layout.apply({{LayoutDim::Offset, row * 64 + place}});
        ASSERT_EQ(point[0].second, row);
        ASSERT_EQ(point[1].second, column);
      }
  }
}

} // namespace
