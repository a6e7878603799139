//===- EncodingLayoutTest.cpp - Linear layouts of the encodings -----------===//
// SPDX-License-Identifier: MIT
//
// DPAS against the tables of its lane mapping, and the other encodings against
// their definitions, element by element.
//
//===----------------------------------------------------------------------===//

#include "EncodingTest.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using mlir::triton::test::Table;
using mlir::triton::test::table;

namespace {

class EncodingLayoutTest : public test::EncodingTest {
protected:
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

/// Operands of scalar multiply-adds: K in registers, lanes and warps along it
/// hold copies, the rest as the accumulator has it.
TEST_F(EncodingLayoutTest, OperandsOfBlockedByDefinition) {
  struct Parent {
    SmallVector<int64_t> registers, lanes, warps, order;
  };
  const Parent parents[] = {
      {{2, 4}, {4, 4}, {2, 2}, {1, 0}},
      {{1, 1}, {2, 8}, {4, 1}, {0, 1}},
      {{1, 2, 2}, {2, 2, 4}, {2, 1, 2}, {2, 0, 1}},
  };
  for (const Parent &parent : parents)
    for (unsigned index : {0u, 1u})
      for (int64_t size : {4, 32}) {
        unsigned rank = parent.order.size();
        auto list = [](ArrayRef<int64_t> values) {
          auto numbers = llvm::map_range(
              values, [](int64_t value) { return std::to_string(value); });
          return "[" + llvm::join(numbers, ", ") + "]";
        };
        std::string text = "#ttg.dot_op<{opIdx = " + std::to_string(index) +
                           ", parent = #ttg.blocked<{sizePerThread = " +
                           list(parent.registers) +
                           ", threadsPerWarp = " + list(parent.lanes) +
                           ", warpsPerCTA = " + list(parent.warps) +
                           ", order = " + list(parent.order) + "}>}>";
        unsigned kDim = index == 0 ? rank - 1 : rank - 2;
        SmallVector<int64_t> shape(rank, size);
        LinearLayout layout = toLinearLayout(shape, parse(text));
        test::forEachPlace(layout, [&](int64_t reg, int64_t lane, int64_t warp,
                                       ArrayRef<int64_t> element) {
          SmallVector<int64_t> expected(rank, 0), tile(rank, 1);
          // Digits of each number, along the order of the dimensions.
          auto take = [&](int64_t &number, ArrayRef<int64_t> counts,
                          bool copiesAlongK) {
            for (int64_t dim : parent.order) {
              int64_t digit = number % counts[dim];
              number /= counts[dim];
              if (copiesAlongK && dim == kDim)
                continue;
              expected[dim] += digit * tile[dim];
              tile[dim] *= counts[dim];
            }
          };
          SmallVector<int64_t> registers = parent.registers;
          registers[kDim] = size;
          take(reg, registers, /*copiesAlongK=*/false);
          take(lane, parent.lanes, /*copiesAlongK=*/true);
          take(warp, parent.warps, /*copiesAlongK=*/true);
          SmallVector<int64_t> repetitions;
          for (unsigned dim = 0; dim < rank; ++dim)
            repetitions.push_back(std::max<int64_t>(1, size / tile[dim]));
          take(reg, repetitions, /*copiesAlongK=*/false);
          for (int64_t &coordinate : expected)
            coordinate %= size;
          ASSERT_EQ(SmallVector<int64_t>(element), expected) << text;
          ASSERT_EQ(reg, 0) << "more registers than the definition has";
        });
      }
}

/// Bases given directly: repeated on a larger tensor along the order of their
/// first steps, cropped on a smaller one.
TEST_F(EncodingLayoutTest, LinearByDefinition) {
  Attribute encoding = parse("#ttg.linear<{register = [[0, 1], [2, 0]], lane = "
                             "[[1, 0], [0, 2], [0, 0], [4, 0]], warp = "
                             "[[0, 4]], block = []}>");
  LinearLayout own = toLinearLayout({8, 8}, encoding);
  EXPECT_EQ(table(own, LayoutDim::Register), (Table{{0, 1}, {2, 0}}));
  EXPECT_EQ(table(own, LayoutDim::Lane),
            (Table{{1, 0}, {0, 2}, {0, 0}, {4, 0}}));
  LinearLayout larger = toLinearLayout({16, 32}, encoding);
  EXPECT_EQ(table(larger, LayoutDim::Register),
            (Table{{0, 1}, {2, 0}, {0, 8}, {0, 16}, {8, 0}}));
  EXPECT_EQ(table(larger, LayoutDim::Warp), (Table{{0, 4}}));
  LinearLayout smaller = toLinearLayout({2, 4}, encoding);
  EXPECT_EQ(table(smaller, LayoutDim::Register), (Table{{0, 1}}));
  EXPECT_EQ(table(smaller, LayoutDim::Lane),
            (Table{{1, 0}, {0, 2}, {0, 0}, {0, 0}}));
  EXPECT_EQ(table(smaller, LayoutDim::Warp), (Table{{0, 0}}));
}

/// Blocks side by side, lanes along their rows: narrower than, as wide as, and
/// wider than a sub-group.
TEST_F(EncodingLayoutTest, BlocksByDefinition) {
  struct Block {
    int height, width, count;
  };
  for (Block block : {Block{8, 16, 2}, {32, 8, 1}, {4, 64, 2}, {16, 4, 4}})
    for (bool across : {false, true}) {
      std::string text =
          llvm::formatv("#ttig.subgroup_2d_block<{{warpsPerCTA = {0}, "
                        "instrShape = [{1}, {2}], numBlocks={3}, order={4}, "
                        "kWidth=2, threadsPerWarp=16}>",
                        across ? "[2, 4]" : "[4, 2]", block.height, block.width,
                        block.count, across ? "[0, 1]" : "[1, 0]")
              .str();
      const int64_t rows = 64, columns = 512;
      LinearLayout layout = toLinearLayout({rows, columns}, parse(text));
      test::forEachPlace(layout, [&](int64_t reg, int64_t lane, int64_t warp,
                                     ArrayRef<int64_t> element) {
        auto take = [&](int64_t &number, int64_t radix) {
          int64_t digit = number % radix;
          number /= radix;
          return digit;
        };
        int64_t perLane = std::max(1, block.width / 16);
        int64_t rowsPerRegister = std::max(1, 16 / block.width);
        int64_t column = take(reg, perLane);
        column += take(lane, block.width / perLane) * perLane;
        int64_t row = take(lane, rowsPerRegister);
        row += take(reg, block.height / rowsPerRegister) * rowsPerRegister;
        column += take(reg, block.count) * block.width;
        // Sub-groups along order[0] hold copies and are the low bits.
        take(warp, 2);
        int64_t tileRows = block.height,
                tileColumns = block.width * block.count;
        if (across) {
          column += take(warp, 4) * tileColumns;
          tileColumns *= 4;
          row += take(reg, std::max<int64_t>(1, rows / tileRows)) * tileRows;
          column += reg * tileColumns;
        } else {
          row += take(warp, 4) * tileRows;
          tileRows *= 4;
          column += take(reg, std::max<int64_t>(1, columns / tileColumns)) *
                    tileColumns;
          row += reg * tileRows;
        }
        ASSERT_EQ(element[0], row % rows) << text;
        ASSERT_EQ(element[1], column % columns) << text;
      });
    }
}

/// Padding moves what the bases have placed.
TEST_F(EncodingLayoutTest, PaddedByDefinition) {
  auto encoding = cast<SharedEncodingInterface>(
      parse("#ttg.padded_shared<[4:+2, 16:+8] {order = [0, 1], shape = [8, "
            "8]}>"));
  LinearLayout layout = toLinearLayout({8, 8}, encoding);
  int64_t last = 0;
  for (int64_t offset = 0; offset < 64; ++offset) {
    auto point =
        layout.apply({{LayoutDim::Offset, static_cast<int32_t>(offset)}});
    EXPECT_EQ(point[0].second, offset % 8);
    EXPECT_EQ(point[1].second, offset / 8);
    last = offset + offset / 4 * 2 + offset / 16 * 8;
    EXPECT_EQ(encoding.padOffset(offset), last);
  }
  EXPECT_EQ(encoding.getStorageElements({8, 8}), last + 1);
}

/// Layouts that text cannot spell are refused as well.
TEST_F(EncodingLayoutTest, RefusesForeignDimensions) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  LinearLayout lanes =
      LinearLayout::identity1D(4, LayoutDim::Lane, tensorDim(0));
  EXPECT_FALSE(LinearEncodingAttr::getChecked(emitError, &context, lanes));
  EXPECT_EQ(message, "expected a layout of (register, lane, warp, block)");
  EXPECT_FALSE(
      SharedLinearEncodingAttr::getChecked(emitError, &context, lanes, 16u));
  EXPECT_EQ(message, "expected a layout of (offset, block)");
  LinearLayout::BasesMap hardware = {{LayoutDim::Register, {{1}}},
                                     {LayoutDim::Lane, {}},
                                     {LayoutDim::Warp, {}},
                                     {LayoutDim::Block, {}}};
  EXPECT_FALSE(LinearEncodingAttr::getChecked(
      emitError, &context, LinearLayout(hardware, {tensorDim(1)})));
  EXPECT_EQ(message, "expected a layout onto dim0, dim1, ..., of rank 1 to 32");
  LinearLayout::BasesMap memory = {{LayoutDim::Offset, {{1}}},
                                   {LayoutDim::Block, {}}};
  EXPECT_FALSE(SharedLinearEncodingAttr::getChecked(
      emitError, &context, LinearLayout(memory, {tensorDim(1)}), 16u));
  EXPECT_EQ(message, "expected a layout onto dim0, dim1, ..., of rank 1 to 32");
}

} // namespace
