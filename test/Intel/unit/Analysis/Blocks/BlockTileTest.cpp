//===- BlockTileTest.cpp - Messages against layouts, lane by lane ---------===//
// SPDX-License-Identifier: MIT
//
// A plan is right if every register of every lane gets the element that the
// layout puts there. The elements of a lane are simulated from the definition
// of the messages' byte streams, with loops instead of bits.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Blocks/BlockTile.h"

#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

constexpr unsigned kLanes = 16;

const TargetDesc &pvc() {
  static const TargetDesc target(*lookupKnownTarget("pvc"));
  return target;
}

//===----------------------------------------------------------------------===//
// Simulation
//===----------------------------------------------------------------------===//

struct Element {
  int row, column;
};

/// The elements of a tile in the order in which the message streams them.
std::vector<Element> streamOf(const BlockTile &tile, int elementBits) {
  int packed = tile.elementBits / elementBits;
  int width = tile.width, height = tile.height, blocks = tile.numBlocks;
  std::vector<Element> stream;
  switch (tile.mode) {
  case BlockTileMode::Plain:
    for (int block = 0; block < blocks; ++block)
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width * packed; ++column)
          stream.push_back({row, block * width * packed + column});
    break;
  case BlockTileMode::Vnni: {
    int group = 32 / tile.elementBits;
    for (int block = 0; block < blocks; ++block)
      for (int row = 0; row < height; row += group)
        for (int column = 0; column < width; ++column)
          for (int inner = 0; inner < group; ++inner)
            stream.push_back({row + inner, block * width + column});
    break;
  }
  case BlockTileMode::Transposed:
    for (int column = 0; column < width; ++column)
      for (int row = 0; row < height; ++row)
        for (int inner = 0; inner < packed; ++inner)
          stream.push_back({row, column * packed + inner});
    break;
  case BlockTileMode::TransposedPairs:
    for (int first : {0, 1})
      for (int column = 0; column < width; ++column)
        for (int row = first; row < height; row += 2)
          for (int inner = 0; inner < packed; ++inner)
            stream.push_back({row, column * packed + inner});
    break;
  }
  return stream;
}

std::vector<int> apply(const LinearLayout &layout, int reg, int lane,
                       int warp) {
  std::vector<int> place;
  for (auto [dim, value] : layout.apply({{LayoutDim::Register, reg},
                                         {LayoutDim::Lane, lane},
                                         {LayoutDim::Warp, warp}}))
    place.push_back(value);
  return place;
}

/// Checks that the plan fills every register with its element.
void checkPlan(const BlockTilePlan &plan, const LinearLayout &layout,
               const BlockTileRequest &request) {
  std::vector<Element> stream = streamOf(plan.tile, request.elementBits);
  ASSERT_EQ(stream.size(), size_t(plan.elementsPerLane * kLanes));
  int perValue = plan.tile.getValueBits() / request.elementBits;
  int registers = layout.getInDimSize(LayoutDim::Register);
  ASSERT_EQ(plan.sources.size(), size_t(registers));
  for (int warp = 0; warp < layout.getInDimSize(LayoutDim::Warp); ++warp)
    for (int lane = 0; lane < int(kLanes); ++lane)
      for (int reg = 0; reg < registers; ++reg) {
        unsigned message = plan.sources[reg] / plan.elementsPerLane;
        int position = plan.sources[reg] % plan.elementsPerLane;
        ASSERT_LT(message, plan.origins.size());
        Element element =
            stream[(position / perValue * kLanes + lane) * perValue +
                   position % perValue];
        std::vector<int> place = apply(layout, plan.origins[message], 0, warp);
        place[plan.rowDim] += element.row;
        place[plan.columnDim] += element.column;
        ASSERT_EQ(place, apply(layout, reg, lane, warp))
            << "register " << reg << " lane " << lane << " warp " << warp;
      }
}

std::string print(const BlockTile &tile) {
  std::string mode = tile.mode == BlockTileMode::Plain        ? ""
                     : tile.mode == BlockTileMode::Vnni       ? "v"
                     : tile.mode == BlockTileMode::Transposed ? "t"
                                                              : "p";
  return mode + std::to_string(tile.elementBits) + "b " +
         std::to_string(tile.height) + "x" + std::to_string(tile.width) + "x" +
         std::to_string(tile.numBlocks);
}

/// Checks the hardware's limits (Xe HPC).
void checkTile(const BlockTile &tile, bool isStore) {
  unsigned rowBytes = tile.width * tile.numBlocks * tile.elementBits / 8;
  EXPECT_LE(rowBytes, 64u);
  EXPECT_GE(tile.width * tile.elementBits / 8, 4u);
  EXPECT_LE(tile.height, isStore ? 8u : 32u);
  EXPECT_LE(tile.getBytes(), isStore ? 512u : 2048u);
  if (tile.numBlocks > 1) {
    EXPECT_FALSE(isStore);
    // Each block fills registers, or all of them do as one row.
    unsigned blocks = tile.height == 1 ? 1 : tile.numBlocks;
    EXPECT_EQ(tile.getBytes() / blocks % 64, 0u) << print(tile);
  }
  if (tile.mode == BlockTileMode::Vnni) {
    EXPECT_FALSE(isStore);
    EXPECT_LT(tile.elementBits, 32u);
    EXPECT_GE(tile.height * tile.elementBits, 32u);
  }
  if (tile.mode == BlockTileMode::Transposed ||
      tile.mode == BlockTileMode::TransposedPairs) {
    EXPECT_FALSE(isStore);
    EXPECT_EQ(tile.elementBits, 32u);
    EXPECT_LE(tile.width, 8u);
    EXPECT_EQ(tile.numBlocks, 1u);
  }
}

BlockTilePlan planOrFail(const LinearLayout &layout,
                         const BlockTileRequest &request) {
  std::string reason;
  FailureOr<BlockTilePlan> plan =
      planBlockAccess(layout, request, pvc(), &reason);
  EXPECT_TRUE(succeeded(plan)) << reason << "\n" << layout.toString();
  if (failed(plan))
    return {};
  checkTile(plan->tile, request.isStore);
  checkPlan(*plan, layout, request);
  return *plan;
}

std::string reasonOf(const LinearLayout &layout,
                     const BlockTileRequest &request) {
  std::string reason;
  EXPECT_TRUE(failed(planBlockAccess(layout, request, pvc(), &reason)));
  return reason;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The layouts of DPAS operands on two-dimensional tensors.
struct Dpas {
  int repeatCount = 8;
  int opsPerChannel = 2;
  int warpRows = 1, warpColumns = 1;
  int clusterRows = 1, clusterColumns = 1;

  enum Operand { A, B, C };

  LinearLayout layout(Operand operand, int rows, int columns) const {
    Bases bases{rows, columns, {}, {}, {}};
    int k = 8 * opsPerChannel, m = repeatCount, n = 16;
    if (operand == A) {
      int packed = opsPerChannel == 4 ? 2 : 1;
      int rowLanes = std::min<int>(kLanes, k / packed);
      bases.grow(bases.registers, 1, packed, 1);
      bases.grow(bases.registers, 0, m, kLanes / rowLanes);
      bases.grow(bases.lanes, 1, packed * rowLanes, packed);
      bases.grow(bases.lanes, 0, kLanes / rowLanes, 1);
      bases.grow(bases.registers, 0, m * clusterRows, m);
      bases.broadcast(bases.warps, warpColumns);
      bases.grow(bases.warps, 0, m * clusterRows * warpRows, m * clusterRows);
      bases.grow(bases.registers, 1, columns, k);
      bases.grow(bases.registers, 0, rows, m * clusterRows * warpRows);
    } else if (operand == B) {
      bases.grow(bases.registers, 0, k, 1);
      bases.grow(bases.lanes, 1, n, 1);
      bases.grow(bases.registers, 1, n * clusterColumns, n);
      bases.grow(bases.warps, 1, n * clusterColumns * warpColumns,
                 n * clusterColumns);
      bases.broadcast(bases.warps, warpRows);
      bases.grow(bases.registers, 0, rows, k);
      bases.grow(bases.registers, 1, columns, n * clusterColumns * warpColumns);
    } else {
      bases.grow(bases.registers, 0, m, 1);
      bases.grow(bases.lanes, 1, n, 1);
      bases.grow(bases.registers, 1, n * clusterColumns, n);
      bases.grow(bases.registers, 0, m * clusterRows, m);
      bases.grow(bases.warps, 1, n * clusterColumns * warpColumns,
                 n * clusterColumns);
      bases.grow(bases.warps, 0, m * clusterRows * warpRows, m * clusterRows);
      bases.grow(bases.registers, 1, columns, n * clusterColumns * warpColumns);
      bases.grow(bases.registers, 0, rows, m * clusterRows * warpRows);
    }
    return bases.get();
  }

private:
  struct Bases {
    int rows, columns;
    LinearLayout::Bases registers, lanes, warps;

    /// Steps from `first` to below `limit` along `dim`; those that leave the
    /// tensor are broadcasts.
    void grow(LinearLayout::Bases &bases, int dim, int limit, int first) {
      for (int step = first; step < limit; step *= 2) {
        bool isInside = step < (dim == 0 ? rows : columns);
        bases.push_back(
            {dim == 0 && isInside ? step : 0, dim == 1 && isInside ? step : 0});
      }
    }
    void broadcast(LinearLayout::Bases &bases, int count) {
      for (; count > 1; count /= 2)
        bases.push_back({0, 0});
    }
    LinearLayout get() const {
      return LinearLayout({{LayoutDim::Register, registers},
                           {LayoutDim::Lane, lanes},
                           {LayoutDim::Warp, warps}},
                          {{tensorDim(0), rows}, {tensorDim(1), columns}});
    }
  };
};

BlockTileRequest load(unsigned elementBits) {
  BlockTileRequest request;
  request.elementBits = elementBits;
  return request;
}
BlockTileRequest vnni(unsigned elementBits) {
  BlockTileRequest request = load(elementBits);
  request.prefersVnni = true;
  return request;
}
BlockTileRequest columnMajor(unsigned elementBits) {
  BlockTileRequest request = load(elementBits);
  request.isColumnMajor = true;
  return request;
}
BlockTileRequest store(unsigned elementBits) {
  BlockTileRequest request = load(elementBits);
  request.isStore = true;
  return request;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// The messages of the 256x256x32 bf16 GEMM with 32 sub-groups.
TEST(BlockTile, ReferenceGemm) {
  Dpas dpas{8, 2, 8, 4, 4, 2};
  BlockTilePlan a = planOrFail(dpas.layout(Dpas::A, 256, 32), load(16));
  EXPECT_EQ(print(a.tile), "16b 32x16x2");
  EXPECT_EQ(a.origins.size(), 1u);
  BlockTilePlan b = planOrFail(dpas.layout(Dpas::B, 32, 256), vnni(16));
  EXPECT_EQ(print(b.tile), "v16b 32x16x2");
  EXPECT_EQ(b.origins.size(), 2u);
  LinearLayout c = dpas.layout(Dpas::C, 256, 256);
  BlockTilePlan d = planOrFail(c, load(32));
  EXPECT_EQ(print(d.tile), "32b 32x16x1");
  EXPECT_EQ(d.origins.size(), 4u);
  BlockTilePlan out = planOrFail(c, store(32));
  EXPECT_EQ(print(out.tile), "32b 8x16x1");
  EXPECT_EQ(out.origins.size(), 16u);
  BlockTilePlan narrow = planOrFail(c, load(16));
  EXPECT_EQ(print(narrow.tile), "16b 32x16x2");
  EXPECT_EQ(narrow.origins.size(), 2u);
}

/// Operands of other widths, and memory that is contiguous along K of B.
TEST(BlockTile, OperandWidths) {
  Dpas bytes{8, 4, 4, 2, 4, 4};
  EXPECT_EQ(print(planOrFail(bytes.layout(Dpas::A, 128, 64), load(8)).tile),
            "16b 32x16x2");
  EXPECT_EQ(print(planOrFail(bytes.layout(Dpas::B, 64, 128), vnni(8)).tile),
            "v8b 32x16x4");
  Dpas tf32{8, 1, 4, 2, 4, 1};
  EXPECT_EQ(print(planOrFail(tf32.layout(Dpas::A, 128, 32), load(32)).tile),
            "32b 32x8x2");
  EXPECT_EQ(print(planOrFail(tf32.layout(Dpas::B, 32, 128), vnni(32)).tile),
            "32b 32x16x1");
  Dpas half{8, 2, 4, 2, 4, 2};
  EXPECT_EQ(
      print(planOrFail(half.layout(Dpas::B, 64, 64), columnMajor(16)).tile),
      "t32b 16x8x1");
  EXPECT_EQ(
      print(planOrFail(tf32.layout(Dpas::B, 32, 64), columnMajor(32)).tile),
      "t32b 16x8x1");
}

/// Left operands whose columns memory has one after the other. Neighbours along
/// K in a lane come in two messages; sub-groups with few rows have narrow ones.
TEST(BlockTile, TurnedLeftOperands) {
  auto print8 = [](Dpas dpas, int rows, int columns, unsigned bits) {
    LinearLayout layout = dpas.layout(Dpas::A, rows, columns);
    return print(planOrFail(layout, columnMajor(bits)).tile);
  };
  Dpas bytes{8, 4, 4, 2, 4, 2};
  EXPECT_EQ(print8(bytes, 128, 64, 8), "p32b 32x8x1");
  EXPECT_EQ(print8({8, 4, 4, 2, 1, 2}, 32, 64, 8), "p32b 32x2x1");
  EXPECT_EQ(print8({8, 4, 4, 2, 2, 2}, 64, 64, 8), "p32b 32x4x1");
  EXPECT_EQ(print8({8, 2, 4, 2, 4, 2}, 128, 32, 16), "t32b 16x8x1");
  EXPECT_EQ(print8({8, 2, 4, 2, 1, 2}, 32, 32, 16), "t32b 16x4x1");
  EXPECT_EQ(print8({8, 1, 4, 2, 4, 1}, 128, 32, 32), "t32b 8x8x1");
  // Two messages, of which each lane gets the same amount.
  LinearLayout layout = bytes.layout(Dpas::A, 128, 64);
  BlockTilePlan plan = planOrFail(layout, columnMajor(8));
  EXPECT_EQ(plan.tile.getNumMessages(), 2u);
  EXPECT_EQ(plan.elementsPerLane, 64u);
  EXPECT_EQ(plan.origins.size(), 2u);
  // Neither 8 bits where lanes have one place along K with 32, nor stores.
  EXPECT_EQ(
      reasonOf(Dpas{8, 1, 4, 2, 4, 1}.layout(Dpas::A, 128, 32), columnMajor(8)),
      "the lanes of the layout are not those of any 2D block message for "
      "column-major memory");
  BlockTileRequest stored = store(8);
  stored.isColumnMajor = true;
  EXPECT_TRUE(failed(planBlockAccess(layout, stored, pvc())));
}

/// Every combination of a layout's parameters that fits the tensor.
/// The driver has no loads of single blocks of 16 bytes: bytes in lanes load
/// four blocks side by side, of eight rows or more, or not at all.
static bool hasMessage(const LinearLayout &layout,
                       const BlockTileRequest &request) {
  if (request.elementBits == 8 && !request.isStore && !request.prefersVnni &&
      !request.isColumnMajor && failed(planBlockAccess(layout, request, pvc())))
    return false;
  planOrFail(layout, request);
  return true;
}

TEST(BlockTile, DpasLayouts) {
  int checked = 0, loadedBytes = 0;
  for (int opsPerChannel : {1, 2, 4})
    for (int repeatCount : {1, 2, 4, 8})
      for (int warps : {1, 4})
        for (int cluster : {1, 2})
          for (int rows : {16, 64})
            for (int columns : {32, 128}) {
              if (opsPerChannel == 1 && repeatCount == 1)
                continue; // a fragment smaller than the lanes
              Dpas dpas{repeatCount, opsPerChannel, warps,
                        4 / warps,   cluster,       2 * cluster};
              unsigned bits = 32 / opsPerChannel;
              planOrFail(dpas.layout(Dpas::A, rows, columns), load(bits));
              planOrFail(dpas.layout(Dpas::B, columns, rows), vnni(bits));
              hasMessage(dpas.layout(Dpas::B, columns, rows), load(bits));
              planOrFail(dpas.layout(Dpas::B, columns, rows),
                         columnMajor(bits));
              for (unsigned resultBits : {8, 16, 32}) {
                LinearLayout c = dpas.layout(Dpas::C, rows, columns);
                loadedBytes +=
                    hasMessage(c, load(resultBits)) && resultBits == 8;
                planOrFail(c, store(resultBits));
              }
              ++checked;
            }
  EXPECT_EQ(checked, 176);
  EXPECT_GT(loadedBytes, 0);
}

/// The order of a layout's registers does not matter.
TEST(BlockTile, PermutedRegisters) {
  std::mt19937 random(7);
  LinearLayout c = Dpas{8, 2, 2, 2, 2, 2}.layout(Dpas::C, 64, 128);
  unsigned messages = planOrFail(c, load(32)).origins.size();
  for (int round = 0; round < 20; ++round) {
    LinearLayout::Bases bases = c.getBases(LayoutDim::Register);
    std::shuffle(bases.begin(), bases.end(), random);
    LinearLayout permuted = c.withBases(LayoutDim::Register, bases);
    EXPECT_EQ(planOrFail(permuted, load(32)).origins.size(), messages);
    planOrFail(permuted, store(32));
  }
}

/// Elements that several registers hold move once.
TEST(BlockTile, Copies) {
  LinearLayout c = Dpas{8, 2, 1, 1, 1, 1}.layout(Dpas::C, 8, 16);
  LinearLayout::Bases bases = c.getBases(LayoutDim::Register);
  bases.insert(bases.begin() + 1, {0, 0});
  LinearLayout copied = c.withBases(LayoutDim::Register, bases);
  EXPECT_EQ(planOrFail(copied, load(32)).origins.size(), 1u);
  EXPECT_EQ(planOrFail(copied, store(32)).origins.size(), 1u);
  // Sub-groups that hold the same elements are fine too.
  LinearLayout rows = Dpas{8, 2, 4, 4, 1, 1}.layout(Dpas::C, 8, 16);
  EXPECT_EQ(planOrFail(rows, load(32)).origins.size(), 1u);
}

/// Leading dimensions of a tensor of higher rank only make more messages.
TEST(BlockTile, Batch) {
  LinearLayout layout(
      {{LayoutDim::Register, {{0, 1, 0}, {0, 2, 0}, {0, 4, 0}, {1, 0, 0}}},
       {LayoutDim::Lane, {{0, 0, 1}, {0, 0, 2}, {0, 0, 4}, {0, 0, 8}}},
       {LayoutDim::Warp, {{2, 0, 0}}}},
      {{tensorDim(0), 4}, {tensorDim(1), 8}, {tensorDim(2), 16}});
  BlockTilePlan plan = planOrFail(layout, load(16));
  EXPECT_EQ(print(plan.tile), "16b 8x16x1");
  EXPECT_EQ(plan.origins.size(), 2u);
}

/// Two 16-bit neighbours in a lane are one element of a 32-bit message.
TEST(BlockTile, NeighboursInLane) {
  LinearLayout layout({{LayoutDim::Register, {{0, 1}, {1, 0}, {2, 0}, {4, 0}}},
                       {LayoutDim::Lane, {{0, 2}, {0, 4}, {0, 8}, {0, 16}}},
                       {LayoutDim::Warp, {}}},
                      {{tensorDim(0), 8}, {tensorDim(1), 32}});
  EXPECT_EQ(print(planOrFail(layout, load(16)).tile), "32b 8x16x1");
  EXPECT_EQ(print(planOrFail(layout, store(16)).tile), "32b 8x16x1");
  EXPECT_EQ(print(planOrFail(layout, load(8)).tile), "16b 8x16x1");
  // There is no message of 64-bit elements to hold two of 32.
  EXPECT_NE(reasonOf(layout, load(32)).find("lanes"), std::string::npos);
}

/// One matrix of rows per message.
TEST(BlockTile, LimitedTiles) {
  Dpas dpas{8, 2, 8, 4, 4, 2};
  BlockTileRequest request = vnni(16);
  request.maxRows = 16;
  BlockTilePlan plan = planOrFail(dpas.layout(Dpas::B, 32, 256), request);
  EXPECT_EQ(print(plan.tile), "v16b 16x16x2");
  EXPECT_EQ(plan.origins.size(), 4u);
}

/// Rows that are no neighbours take a message each, of one block: what is less
/// than a register has no further one beside it. Nothing is put together from
/// two rows.
TEST(BlockTile, SingleRows) {
  auto single = [](BlockTileRequest request) {
    request.maxRows = 1;
    return request;
  };
  Dpas dpas{8, 2, 8, 4, 4, 2};
  BlockTilePlan a = planOrFail(dpas.layout(Dpas::A, 256, 32), single(load(16)));
  EXPECT_EQ(print(a.tile), "16b 1x16x2");
  EXPECT_EQ(a.origins.size(), 32u);
  BlockTilePlan b = planOrFail(dpas.layout(Dpas::B, 32, 256), single(vnni(16)));
  EXPECT_EQ(print(b.tile), "16b 1x16x2");
  LinearLayout c = dpas.layout(Dpas::C, 256, 256);
  EXPECT_EQ(print(planOrFail(c, single(load(32))).tile), "32b 1x16x1");
  EXPECT_EQ(print(planOrFail(c, single(store(16))).tile), "16b 1x16x1");
  Dpas bytes{8, 4, 4, 2, 4, 4};
  EXPECT_EQ(
      print(planOrFail(bytes.layout(Dpas::A, 128, 64), single(load(8))).tile),
      "16b 1x16x2");
  Dpas tf32{8, 1, 4, 2, 4, 1};
  EXPECT_NE(
      reasonOf(tf32.layout(Dpas::A, 128, 32), single(load(32))).find("lanes"),
      std::string::npos);
}

/// Layouts without messages, and the reasons for them.
TEST(BlockTile, Refusals) {
  LinearLayout c = Dpas{}.layout(Dpas::C, 16, 32);
  EXPECT_EQ(reasonOf(c, load(64)), "elements of 64 bits do not fit the "
                                   "registers of a 2D block message");
  BlockTileRequest transposedStore = store(16);
  transposedStore.isColumnMajor = true;
  EXPECT_EQ(reasonOf(c, transposedStore),
            "the lanes of the layout are not those of any 2D block message for "
            "column-major memory");
  std::string reason;
  EXPECT_TRUE(failed(planBlockAccess(c, load(16), TargetDesc(), &reason)));
  EXPECT_EQ(reason, "the target has no 2D block messages");
  LinearLayout half({{LayoutDim::Register, {}},
                     {LayoutDim::Lane, {{0, 1}, {0, 2}, {0, 4}}},
                     {LayoutDim::Warp, {}}},
                    {{tensorDim(0), 1}, {tensorDim(1), 8}});
  EXPECT_EQ(reasonOf(half, load(16)),
            "2D block messages need sub-groups of 16 lanes");
  LinearLayout row({{LayoutDim::Register, {}},
                    {LayoutDim::Lane, {{1}, {2}, {4}, {8}}},
                    {LayoutDim::Warp, {}}},
                   {{tensorDim(0), 16}});
  EXPECT_EQ(reasonOf(row, load(16)),
            "a block of rank 1 has no rows and columns");
  // Stores move full rows of lanes only.
  LinearLayout tf32 = Dpas{8, 1}.layout(Dpas::A, 16, 16);
  EXPECT_NE(reasonOf(tf32, store(32)).find("lanes"), std::string::npos);
  // The only 8-bit neighbours of a transposed 32-bit element are in other
  // lanes.
  LinearLayout split({{LayoutDim::Register, {}},
                      {LayoutDim::Lane, {{0, 1}, {0, 2}, {0, 4}, {1, 0}}},
                      {LayoutDim::Warp, {}}},
                     {{tensorDim(0), 2}, {tensorDim(1), 8}});
  EXPECT_NE(reasonOf(split, load(8)).find("lanes"), std::string::npos);
  LinearLayout twice({{LayoutDim::Register, {{1, 0}, {1, 0}}},
                      {LayoutDim::Lane, {{0, 1}, {0, 2}, {0, 4}, {0, 8}}},
                      {LayoutDim::Warp, {}}},
                     {{tensorDim(0), 2}, {tensorDim(1), 16}});
  EXPECT_EQ(reasonOf(twice, load(16)),
            "the layout holds elements in several places");
}

/// A stated shape is that of the tile, not the largest one; among impossible
/// ones, the possible are listed, the largest first.
TEST(BlockTile, StatedTiles) {
  LinearLayout layout = Dpas{8, 2, 8, 4, 4, 2}.layout(Dpas::B, 32, 256);
  BlockTileRequest request = vnni(16);
  request.stated = BlockMessageShape{16, 16, 1};
  BlockTilePlan plan = planOrFail(layout, request);
  EXPECT_EQ(print(plan.tile), "v16b 16x16x1");
  EXPECT_EQ(plan.origins.size(), 8u);
  request.stated = BlockMessageShape{64, 16, 1};
  EXPECT_NE(reasonOf(layout, request)
                .find("(64, 16, 1) here; rows, columns and blocks of those "
                      "that are possible: (32, 16, 2), "),
            std::string::npos);
}

/// Returns the plan of a prefetch with the messages that are chosen for `pvc`.
BlockPrefetchPlan planPrefetch(ArrayRef<int64_t> shape, unsigned bits,
                               bool isColumnMajor, unsigned numWarps) {
  return planBlockPrefetch(shape, bits, isColumnMajor, numWarps,
                           choosePrefetchTile(shape, bits, isColumnMajor,
                                              numWarps,
                                              pvc().getBlockIOLimits()));
}

/// All sub-groups together fetch the block, each a part of it.
TEST(BlockPrefetch, CoversTheBlock) {
  for (unsigned bits : {8, 16, 32, 64})
    for (bool isColumnMajor : {false, true})
      for (unsigned warps : {1, 4, 32})
        for (int64_t rows : {8, 32, 256})
          for (int64_t columns : {8, 32, 256}) {
            BlockPrefetchPlan plan =
                planPrefetch({2, rows, columns}, bits, isColumnMajor, warps);
            checkTile(plan.tile, false);
            int64_t memoryRows = isColumnMajor ? columns : rows;
            int64_t memoryColumns = isColumnMajor ? rows : columns;
            std::vector<bool> seen(2 * memoryRows * memoryColumns);
            for (int reg = 0;
                 reg < plan.origins.getInDimSize(LayoutDim::Register); ++reg)
              for (int warp = 0; warp < int(warps); ++warp) {
                std::vector<int> place = apply(plan.origins, reg, 0, warp);
                for (Element element :
                     streamOf({BlockTileMode::Plain, std::min(bits, 32u),
                               plan.tile.width, plan.tile.height,
                               plan.tile.numBlocks},
                              std::min(bits, 32u))) {
                  int64_t row = place[plan.rowDim] + element.row;
                  int64_t column = place[plan.columnDim] +
                                   element.column * std::min(bits, 32u) / bits;
                  if (row < memoryRows && column < memoryColumns)
                    seen[(place[0] * memoryRows + row) * memoryColumns +
                         column] = true;
                }
              }
            EXPECT_TRUE(llvm::all_of(seen, [](bool is) { return is; }));
          }
}

/// Tiles of another shape, which the author of a kernel may state, cover the
/// block as well.
TEST(BlockPrefetch, TakesAnyTile) {
  BlockPrefetchPlan plan = planBlockPrefetch(
      {64, 64}, 16, false, 4, {BlockTileMode::Plain, 16, 16, 4, 2});
  // 16 tiles down and two across, of which each sub-group has a quarter.
  EXPECT_EQ(plan.origins.getInDimSize(LayoutDim::Register), 8);
}

/// Whatever is prefetched, the target has the message.
TEST(BlockPrefetch, HasLegalTiles) {
  for (StringRef arch : {"pvc", "bmg"}) {
    const TargetDesc target(*lookupKnownTarget(arch));
    for (unsigned bits : {8, 16, 32, 64})
      for (unsigned warps : {1, 2, 4, 8, 16, 32, 64})
        for (int64_t rows = 1; rows <= 512; rows *= 2)
          for (int64_t columns = 1; columns <= 512; columns *= 2)
            for (bool isColumnMajor : {false, true}) {
              BlockTile tile =
                  choosePrefetchTile({rows, columns}, bits, isColumnMajor,
                                     warps, target.getBlockIOLimits());
              std::string reason;
              EXPECT_TRUE(target.getBlockIOLimits().isLegalPrefetch(
                  tile.elementBits, tile.height, tile.width, tile.numBlocks,
                  &reason))
                  << arch.str() << " " << bits << " bits, " << rows << "x"
                  << columns << ", " << warps << " sub-groups: " << reason;
            }
  }
}

/// One message per sub-group for each operand of the reference GEMM.
TEST(BlockPrefetch, ReferenceGemm) {
  BlockPrefetchPlan a = planPrefetch({256, 32}, 16, false, 32);
  EXPECT_EQ(print(a.tile), "16b 8x16x2");
  EXPECT_EQ(a.origins.getInDimSize(LayoutDim::Register), 1);
  BlockPrefetchPlan b = planPrefetch({32, 256}, 16, false, 32);
  EXPECT_EQ(print(b.tile), "16b 8x16x2");
  EXPECT_EQ(b.origins.getInDimSize(LayoutDim::Register), 1);
}

} // namespace
