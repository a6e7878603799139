//===- DpasLayoutTest.cpp - Linear layouts of DPAS, place by place --------===//
// SPDX-License-Identifier: MIT
//
// Every register of every lane of every sub-group, against the lane mapping of
// the instruction written a second time, in plain arithmetic: which row and
// column of one instruction a register holds, and where the instructions of a
// cluster, of the sub-groups and of the repetitions lie. The bases of whole
// layouts are compared with tables, too.
//
//===----------------------------------------------------------------------===//

#include "EncodingTest.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using mlir::triton::test::Table;
using mlir::triton::test::table;

namespace {

enum Operand { A, B, C };

/// Takes digits off a number, lowest first.
class Digits {
public:
  explicit Digits(int64_t number) : number(number) {}
  int64_t next(int64_t radix) {
    int64_t digit = number % radix;
    number /= radix;
    return digit;
  }

private:
  int64_t number;
};

struct Place {
  int64_t batch = 0, row = 0, column = 0;
};

/// One layout of DPAS on a tensor of batches, rows and columns.
struct Dpas {
  int64_t repeatCount, columns, opsPerChannel, lanes;
  /// Along batches, rows and columns.
  int64_t warps[3], clusterRows, clusterColumns;

  int64_t depth() const { return 8 * opsPerChannel; }
  int64_t rowsOf(Operand operand) const {
    return operand == B ? depth() : repeatCount;
  }
  int64_t columnsOf(Operand operand) const {
    return operand == A ? depth() : columns;
  }
  /// Neighbours of a row of A in one lane: a row has 256 bits, of which one
  /// lane per column has a part, or an element.
  int64_t neighbours() const {
    return std::max<int64_t>(1, 8 * opsPerChannel / columns);
  }
  /// Values of one instruction in each lane.
  int64_t valuesOf(Operand operand) const {
    return std::max<int64_t>(1, rowsOf(operand) * columnsOf(operand) / lanes);
  }

  /// Where `value` of `lane` lies in one instruction.
  Place inInstruction(Operand operand, int64_t value, int64_t lane) const {
    if (operand == A) {
      int64_t packed = neighbours();
      int64_t channels = depth() / packed;
      int64_t rowsPerRegister = std::max<int64_t>(1, lanes / channels);
      return {0, value / packed * rowsPerRegister + lane / channels,
              lane % channels * packed + value % packed};
    }
    int64_t rowsPerRegister = lanes / columns;
    // Rows that share the 32 bits of a channel stay together.
    int64_t together = operand == B ? opsPerChannel : 1;
    return {0,
            (value / together * rowsPerRegister + lane / columns) * together +
                value % together,
            lane % columns};
  }

  /// How often the tile of all sub-groups fits into the tensor along a
  /// dimension.
  static int64_t repetitions(int64_t size, int64_t tile) {
    return std::max<int64_t>(1, size / tile);
  }

  /// The element of a tensor of this shape in a register.
  Place find(Operand operand, const int64_t (&shape)[3], int64_t reg,
             int64_t lane, int64_t warp) const {
    Digits registers(reg), warpDigits(warp);
    int64_t rowsInCluster = operand == B ? 1 : clusterRows;
    int64_t columnsInCluster = operand == A ? 1 : clusterColumns;
    Place place =
        inInstruction(operand, registers.next(valuesOf(operand)), lane);
    place.column += registers.next(columnsInCluster) * columnsOf(operand);
    place.row += registers.next(rowsInCluster) * rowsOf(operand);

    // Sub-groups are numbered along columns first. Sub-groups along N need the
    // same A, those along M the same B.
    int64_t tileRows = rowsOf(operand) * rowsInCluster;
    int64_t tileColumns = columnsOf(operand) * columnsInCluster;
    int64_t warpColumn = warpDigits.next(warps[2]);
    int64_t warpRow = warpDigits.next(warps[1]);
    int64_t warpBatch = warpDigits.next(warps[0]);
    if (operand != A) {
      place.column += warpColumn * tileColumns;
      tileColumns *= warps[2];
    }
    if (operand != B) {
      place.row += warpRow * tileRows;
      tileRows *= warps[1];
    }
    place.batch += warpBatch;

    int64_t rowRepetitions = repetitions(shape[1], tileRows);
    int64_t columnRepetitions = repetitions(shape[2], tileColumns);
    if (operand == B)
      place.row += registers.next(rowRepetitions) * tileRows;
    place.column += registers.next(columnRepetitions) * tileColumns;
    if (operand != B)
      place.row += registers.next(rowRepetitions) * tileRows;
    place.batch += registers.next(repetitions(shape[0], warps[0])) * warps[0];
    // An element outside of the tensor is a copy of one inside.
    return {place.batch % shape[0], place.row % shape[1],
            place.column % shape[2]};
  }

  int64_t numRegisters(Operand operand, const int64_t (&shape)[3]) const {
    int64_t rows = rowsOf(operand), cols = columnsOf(operand);
    int64_t values = valuesOf(operand);
    if (operand != B) {
      rows *= clusterRows * warps[1];
      values *= clusterRows;
    }
    if (operand != A) {
      cols *= clusterColumns * warps[2];
      values *= clusterColumns;
    }
    return values * repetitions(shape[0], warps[0]) *
           repetitions(shape[1], rows) * repetitions(shape[2], cols);
  }

  std::string text(bool batched) const {
    std::string batch = batched ? std::to_string(warps[0]) + ", " : "";
    return llvm::formatv(
               "#ttig.dpas<{{repeatCount = {0}, systolicDepth = 8, "
               "executionSize = {1}, opsPerChan = {2}, threadsPerWarp = {3}, "
               "warpsPerCTA = [{4}{5}, {6}], repCluster = [{7}{8}, {9}]}>",
               repeatCount, columns, opsPerChannel, lanes, batch, warps[1],
               warps[2], batched ? "1, " : "", clusterRows, clusterColumns)
        .str();
  }
};

class DpasLayoutTest : public test::EncodingTest {
protected:
  std::string textOf(const Dpas &dpas, Operand operand, bool batched) {
    std::string parent = dpas.text(batched);
    if (operand == C)
      return parent;
    int64_t width = operand == A ? dpas.neighbours() : dpas.opsPerChannel;
    return llvm::formatv(
               "#ttg.dot_op<{{opIdx = {0}, parent = {1}, kWidth = {2}}>",
               static_cast<int>(operand), parent, width)
        .str();
  }

  void check(const Dpas &dpas, Operand operand, const int64_t (&shape)[3],
             bool batched) {
    std::string text = textOf(dpas, operand, batched);
    SmallVector<int64_t> tensor(batched ? &shape[0] : &shape[1], &shape[3]);
    LinearLayout layout = toLinearLayout(tensor, parse(text));
    int64_t numWarps = dpas.warps[0] * dpas.warps[1] * dpas.warps[2];
    ASSERT_EQ(layout.getInDimSize(LayoutDim::Register),
              dpas.numRegisters(operand, shape))
        << text << layout.toString();
    ASSERT_EQ(layout.getInDimSize(LayoutDim::Lane), dpas.lanes) << text;
    ASSERT_EQ(layout.getInDimSize(LayoutDim::Warp), numWarps) << text;
    test::forEachPlace(layout, [&](int32_t reg, int32_t lane, int32_t warp,
                                   ArrayRef<int64_t> element) {
      Place place = dpas.find(operand, shape, reg, lane, warp);
      SmallVector<int64_t> expected = {place.row, place.column};
      if (batched)
        expected.insert(expected.begin(), place.batch);
      ASSERT_EQ(SmallVector<int64_t>(element), expected)
          << text << " register " << reg << " lane " << lane << " warp "
          << warp;
    });
  }
};

/// All shapes of the instruction, for one sub-group.
TEST_F(DpasLayoutTest, EveryInstruction) {
  for (int64_t ops : {1, 2, 4})
    for (int64_t lanes : {8, 16, 32})
      for (int64_t columns : {8, 16})
        for (int64_t repeatCount : {1, 2, 4, 8}) {
          // The verifier wants a full register of A, and a lane per column.
          if (repeatCount * (ops == 1 ? 8 : columns) < lanes || lanes < columns)
            continue;
          Dpas dpas = {repeatCount, columns, ops, lanes, {1, 1, 1}, 1, 1};
          check(dpas, A, {1, repeatCount, dpas.depth()}, false);
          check(dpas, B, {1, dpas.depth(), columns}, false);
          check(dpas, C, {1, repeatCount, columns}, false);
        }
}

/// Clusters, sub-groups and repetitions of all widths of operands, on tensors
/// that are larger than, as large as, and smaller than the tile of all
/// sub-groups.
TEST_F(DpasLayoutTest, WholeTensors) {
  for (int64_t ops : {1, 2, 4})
    for (int64_t lanes : {16, 32})
      for (auto [clusterRows, clusterColumns] :
           {std::pair<int64_t, int64_t>(1, 1), {4, 2}, {2, 1}, {1, 4}})
        for (auto [warpRows, warpColumns] :
             {std::pair<int64_t, int64_t>(1, 1), {2, 2}, {4, 1}, {1, 8}})
          for (auto [rows, columns] :
               {std::pair<int64_t, int64_t>(64, 64), {128, 32}, {8, 16}}) {
            Dpas dpas = {8,
                         16,
                         ops,
                         lanes,
                         {1, warpRows, warpColumns},
                         clusterRows,
                         clusterColumns};
            check(dpas, A, {1, rows, 64}, false);
            check(dpas, B, {1, 64, columns}, false);
            check(dpas, C, {1, rows, columns}, false);
            // Less of K than one instruction takes.
            check(dpas, A, {1, rows, 4}, false);
            check(dpas, B, {1, 4, columns}, false);
            // Instructions of 8 columns.
            if (lanes != 16)
              continue;
            dpas.columns = dpas.lanes = 8;
            check(dpas, A, {1, rows, 64}, false);
            check(dpas, B, {1, 64, columns}, false);
            check(dpas, C, {1, rows, columns}, false);
          }
}

/// Batches: sub-groups first, then repetitions, both outside of the matrix.
TEST_F(DpasLayoutTest, Batches) {
  for (int64_t ops : {1, 2, 4})
    for (int64_t lanes : {16, 32})
      for (int64_t batchWarps : {1, 2, 4})
        for (int64_t batches : {1, 2, 8})
          for (auto [rows, columns] :
               {std::pair<int64_t, int64_t>(32, 32), {8, 16}}) {
            Dpas dpas = {8, 16, ops, lanes, {batchWarps, 2, 1}, 2, 2};
            check(dpas, A, {batches, rows, 32}, true);
            check(dpas, B, {batches, 32, columns}, true);
            check(dpas, C, {batches, rows, columns}, true);
          }
}

/// A layout for sub-groups of 32, and the tables that it has.
struct WideCase {
  int64_t opsPerChannel;
  Operand operand;
  int64_t warpRows, warpColumns, clusterRows, clusterColumns;
  SmallVector<int64_t> shape;
  Table registers, lanes, warps;
};

/// Sub-groups of 32: the table of one instruction, and composed layouts.
TEST_F(DpasLayoutTest, TablesOf32Lanes) {
  const Table a16 = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}};
  const Table b16 = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {2, 0}};
  const Table c = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}};
  const WideCase cases[] = {
      {1,
       A,
       1,
       1,
       1,
       1,
       {8, 8},
       {{4, 0}},
       {{0, 1}, {0, 2}, {0, 4}, {1, 0}, {2, 0}},
       {}},
      {2, A, 1, 1, 1, 1, {8, 16}, {{2, 0}, {4, 0}}, a16, {}},
      {4,
       A,
       1,
       1,
       1,
       1,
       {8, 32},
       {{0, 1}, {2, 0}, {4, 0}},
       {{0, 2}, {0, 4}, {0, 8}, {0, 16}, {1, 0}},
       {}},
      {1,
       B,
       1,
       1,
       1,
       1,
       {8, 16},
       {{2, 0}, {4, 0}},
       {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}},
       {}},
      {2, B, 1, 1, 1, 1, {16, 16}, {{1, 0}, {4, 0}, {8, 0}}, b16, {}},
      {4,
       B,
       1,
       1,
       1,
       1,
       {32, 16},
       {{1, 0}, {2, 0}, {8, 0}, {16, 0}},
       {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {4, 0}},
       {}},
      {2, C, 1, 1, 1, 1, {8, 16}, {{2, 0}, {4, 0}}, c, {}},
      {2, A, 1, 1, 4, 2, {32, 16}, {{2, 0}, {4, 0}, {8, 0}, {16, 0}}, a16, {}},
      {2, B, 1, 1, 4, 2, {16, 32}, {{1, 0}, {4, 0}, {8, 0}, {0, 16}}, b16, {}},
      {2,
       B,
       2,
       2,
       4,
       2,
       {64, 64},
       {{1, 0}, {4, 0}, {8, 0}, {0, 16}, {16, 0}, {32, 0}},
       b16,
       {{0, 32}, {0, 0}}},
      {2,
       C,
       2,
       2,
       4,
       2,
       {64, 64},
       {{2, 0}, {4, 0}, {0, 16}, {8, 0}, {16, 0}},
       c,
       {{0, 32}, {32, 0}}},
      {2,
       C,
       2,
       1,
       4,
       2,
       {64, 64},
       {{2, 0}, {4, 0}, {0, 16}, {8, 0}, {16, 0}, {0, 32}},
       c,
       {{32, 0}}},
  };
  for (const WideCase &test : cases) {
    Dpas dpas = {8,
                 16,
                 test.opsPerChannel,
                 32,
                 {1, test.warpRows, test.warpColumns},
                 test.clusterRows,
                 test.clusterColumns};
    std::string text = textOf(dpas, test.operand, /*batched=*/false);
    LinearLayout layout = toLinearLayout(test.shape, parse(text));
    EXPECT_EQ(table(layout, LayoutDim::Register), test.registers) << text;
    EXPECT_EQ(table(layout, LayoutDim::Lane), test.lanes) << text;
    EXPECT_EQ(table(layout, LayoutDim::Warp), test.warps) << text;
  }
}

/// How often a sub-group repeats its cluster, at least once.
TEST_F(DpasLayoutTest, Repetitions) {
  auto encoding = [&](const std::string &text) {
    return cast<gpu::intel::DpasEncodingAttr>(parse(text));
  };
  using Counts = SmallVector<int64_t>;
  auto matrix = encoding(Dpas{8, 16, 2, 16, {1, 8, 4}, 4, 2}.text(false));
  EXPECT_EQ(matrix.getDPASRepetitions({256, 32}, A), Counts({1, 1, 2}));
  EXPECT_EQ(matrix.getDPASRepetitions({32, 256}, B), Counts({1, 2, 2}));
  EXPECT_EQ(matrix.getDPASRepetitions({256, 256}, C), Counts({1, 1, 2}));
  EXPECT_EQ(matrix.getDPASRepetitions({8, 16}, C), Counts({1, 1, 1}));
  auto batched = encoding(Dpas{8, 16, 4, 16, {2, 2, 1}, 1, 1}.text(true));
  EXPECT_EQ(batched.getDPASRepetitions({8, 64, 64}, A), Counts({4, 4, 2}));
  EXPECT_EQ(batched.getDPASRepetitions({8, 64, 64}, B), Counts({4, 2, 4}));
  EXPECT_EQ(batched.getDPASRepetitions({8, 64, 64}, C), Counts({4, 4, 4}));
}

} // namespace
