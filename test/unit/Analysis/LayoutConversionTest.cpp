//===- LayoutConversionTest.cpp - Plans, carried out ----------------------===//
// SPDX-License-Identifier: MIT
//
// Every plan is simulated as a lowering would emit it, thread by thread, and
// every destination element compared with the layout. Bank conflicts are
// counted address by address and compared with what the plan claims.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/LayoutConversion.h"

#include "../Tools/HardwareLayouts.h"
#include "../Tools/RandomLayouts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace mlir::triton {
namespace {

using test::blocked;
using test::Dpas;
using test::RandomLayouts;
using test::Shape;
using test::slice;

constexpr LayoutDim kRegister = LayoutDim::Register;
constexpr LayoutDim kLane = LayoutDim::Lane;
constexpr LayoutDim kWarp = LayoutDim::Warp;
constexpr int64_t kNothing = -1;

/// The contents of all registers of all threads: [warp][lane][register] ->
/// element.
class Machine {
public:
  Machine(int32_t warps, int32_t lanes, int32_t registers)
      : values(warps, std::vector<std::vector<int64_t>>(
                          lanes, std::vector<int64_t>(registers, kNothing))) {}

  static Machine holding(const LinearLayout &layout) {
    Machine machine(layout.getInDimSize(kWarp), layout.getInDimSize(kLane),
                    layout.getInDimSize(kRegister));
    LinearLayout flat = layout.flattenOuts();
    machine.forEachThread([&](int32_t warp, int32_t lane) {
      for (size_t r = 0; r < machine.at(warp, lane).size(); ++r)
        machine.at(warp, lane)[r] =
            flat.apply(
                    {{kRegister, int32_t(r)}, {kLane, lane}, {kWarp, warp}})[0]
                .second;
    });
    return machine;
  }

  std::vector<int64_t> &at(int32_t warp, int32_t lane) {
    return values[warp][lane];
  }

  template <typename Fn> void forEachThread(Fn fn) {
    for (size_t warp = 0; warp < values.size(); ++warp)
      for (size_t lane = 0; lane < values[warp].size(); ++lane)
        fn(warp, lane);
  }

  bool operator==(const Machine &other) const { return values == other.values; }

private:
  std::vector<std::vector<std::vector<int64_t>>> values;
};

void runSteps(const LayoutConversionPlan &plan, Machine &machine) {
  for (const ShuffleStep &step : plan.steps) {
    Machine before = machine;
    machine.forEachThread([&](int32_t warp, int32_t lane) {
      int32_t index = step.index.evaluate(lane, warp);
      int64_t value = step.kind == ShuffleStep::Kind::Shuffle
                          ? before.at(warp, index)[step.operands[0]]
                          : before.at(warp, lane)[step.operands[index]];
      machine.at(warp, lane).push_back(value);
    });
  }
}

/// Passes over the banks of one access of one warp.
int32_t countCycles(const SharedMemoryPlan &plan, const SharedSide &side,
                    const SharedAccess &access, int32_t warp, int32_t lanes,
                    int32_t *minCycles) {
  std::map<int64_t, std::set<int64_t>> wordsOfBank;
  std::set<int64_t> words;
  for (int32_t lane = 0; lane < lanes; ++lane) {
    int64_t offset = access.offset ^ side.threadOffset.evaluate(lane, warp);
    for (int32_t i = 0; i < side.vectorSize; ++i)
      for (int32_t byte = 0; byte < plan.elementBytes; ++byte) {
        int64_t element = offset + side.getDistance(i);
        int64_t word = (element * plan.elementBytes + byte) / 4;
        words.insert(word);
        wordsOfBank[word % 32].insert(word);
      }
  }
  size_t cycles = 0;
  for (const auto &[bank, bankWords] : wordsOfBank)
    cycles = std::max(cycles, bankWords.size());
  *minCycles = (words.size() + 31) / 32;
  return cycles;
}

void checkSide(const SharedMemoryPlan &plan, const SharedSide &side,
               const LinearLayout &layout) {
  // The map states where elements are, and accesses follow the map.
  LinearLayout found = side.map.compose(plan.layout);
  EXPECT_EQ(found.transposeOuts(layout.getOutDims()), layout);
  for (const SharedAccess &access : side.accesses) {
    ASSERT_EQ(int32_t(access.registers.size()), side.vectorSize);
    int32_t vectorElements =
        side.vectorSize / side.wordElements * side.vectorStride;
    EXPECT_EQ(access.offset % vectorElements, 0);
    for (int32_t warp = 0; warp < layout.getInDimSize(kWarp); ++warp) {
      for (int32_t lane = 0; lane < layout.getInDimSize(kLane); ++lane) {
        int32_t start = access.offset ^ side.threadOffset.evaluate(lane, warp);
        // Lanes follow each other within a register that goes as it is.
        EXPECT_EQ(start % vectorElements,
                  side.vectorStride == 1
                      ? 0
                      : lane * side.wordElements % side.vectorStride);
        EXPECT_LE((start + side.getDistance(side.vectorSize - 1) + 1) *
                      plan.elementBytes,
                  plan.scratchBytes);
        for (auto [i, reg] : llvm::enumerate(access.registers)) {
          LinearLayout::Point expected = {
              {LayoutDim::Offset, start + side.getDistance(i)},
              {LayoutDim::Iteration, access.iteration}};
          EXPECT_EQ(
              side.map.apply({{kRegister, reg}, {kLane, lane}, {kWarp, warp}}),
              expected);
        }
      }
      int32_t minCycles = 0;
      EXPECT_EQ(countCycles(plan, side, access, warp,
                            layout.getInDimSize(kLane), &minCycles),
                side.cycles);
      EXPECT_EQ(minCycles, side.minCycles);
    }
  }
}

void runSharedMemory(const LayoutConversionPlan &plan, Machine &machine,
                     Machine &result) {
  const SharedMemoryPlan &shared = *plan.shared;
  for (int32_t it = 0; it < shared.numIterations; ++it) {
    std::vector<int64_t> scratch(shared.scratchBytes / shared.elementBytes,
                                 kNothing);
    auto forEachAccess = [&](const SharedSide &side, auto fn) {
      machine.forEachThread([&](int32_t warp, int32_t lane) {
        for (const SharedAccess &access : side.accesses) {
          if (access.iteration != it)
            continue;
          int32_t start =
              access.offset ^ side.threadOffset.evaluate(lane, warp);
          for (auto [i, reg] : llvm::enumerate(access.registers))
            fn(warp, lane, reg, start + side.getDistance(i));
        }
      });
    };
    forEachAccess(shared.store,
                  [&](int32_t warp, int32_t lane, int32_t reg, size_t offset) {
                    if ((lane & shared.store.redundantLanes) ||
                        (warp & shared.store.redundantWarps))
                      return;
                    int64_t value = machine.at(warp, lane)[reg];
                    EXPECT_EQ(scratch[offset], kNothing) << "stored twice";
                    scratch[offset] = value;
                  });
    forEachAccess(shared.load,
                  [&](int32_t warp, int32_t lane, int32_t reg, size_t offset) {
                    result.at(warp, lane)[reg] = scratch[offset];
                  });
  }
}

/// An estimate is not a guess.
void checkEstimate(const LayoutConversionPlan &plan,
                   const LayoutConversionEstimate &estimate) {
  EXPECT_EQ(estimate.kind, plan.kind);
  EXPECT_EQ(estimate.numShuffles, plan.getNumShuffles());
  EXPECT_EQ(estimate.numSelects, plan.getNumSelects());
  EXPECT_EQ(estimate.numBroadcasts,
            llvm::count_if(plan.steps, [](const ShuffleStep &step) {
              auto isZero = [](int32_t column) { return column == 0; };
              return step.kind == ShuffleStep::Kind::Shuffle &&
                     llvm::all_of(step.index.lane, isZero) &&
                     llvm::all_of(step.index.warp, isZero);
            }));
  EXPECT_EQ(estimate.scratchBytes, plan.shared ? plan.shared->scratchBytes : 0);
  EXPECT_EQ(estimate.numIterations,
            plan.shared ? plan.shared->numIterations : 1);
}

/// Plans, simulates, compares.
LayoutConversionPlan check(const LinearLayout &src, const LinearLayout &dst,
                           int32_t bits = 32,
                           LayoutConversionOptions options = {}) {
  std::string error;
  auto plan = planLayoutConversion(src, dst, bits, options, &error);
  EXPECT_TRUE(plan.has_value()) << error;
  if (!plan)
    return {};
  checkEstimate(*plan, estimateLayoutConversion(src, dst, bits, options));
  Machine machine = Machine::holding(src);
  Machine expected = Machine::holding(dst.transposeOuts(src.getOutDims()));
  Machine result(dst.getInDimSize(kWarp), dst.getInDimSize(kLane),
                 dst.getInDimSize(kRegister));
  EXPECT_EQ(plan->numSrcRegisters, src.getInDimSize(kRegister));
  EXPECT_EQ(int32_t(plan->results.size()), dst.getInDimSize(kRegister));
  Machine *values = &machine;
  if (plan->kind == ConversionKind::SharedMemory) {
    EXPECT_TRUE(plan->shared->layout.isInvertible());
    checkSide(*plan->shared, plan->shared->store, src);
    checkSide(*plan->shared, plan->shared->load, dst);
    Machine loaded = result;
    runSharedMemory(*plan, machine, loaded);
    result.forEachThread([&](int32_t warp, int32_t lane) {
      for (size_t r = 0; r < plan->results.size(); ++r)
        result.at(warp, lane)[r] = loaded.at(warp, lane)[plan->results[r]];
    });
  } else {
    EXPECT_EQ(plan->kind == ConversionKind::SubgroupShuffle,
              !plan->steps.empty());
    runSteps(*plan, machine);
    result.forEachThread([&](int32_t warp, int32_t lane) {
      for (size_t r = 0; r < plan->results.size(); ++r)
        result.at(warp, lane)[r] = values->at(warp, lane)[plan->results[r]];
    });
  }
  EXPECT_TRUE(result == expected) << "from\n"
                                  << src.toString() << "to\n"
                                  << dst.toString();
  return *plan;
}

LinearLayout make(LinearLayout::Bases reg, LinearLayout::Bases lane,
                  LinearLayout::Bases warp, int32_t size) {
  return LinearLayout({{kRegister, reg}, {kLane, lane}, {kWarp, warp}},
                      LinearLayout::Sizes{{tensorDim(0), size}});
}

//===----------------------------------------------------------------------===//
// Within a thread
//===----------------------------------------------------------------------===//

TEST(LayoutConversionTest, Identity) {
  LinearLayout layout = blocked({32, 32}, {1, 4}, {2, 8}, {4, 1}, {1, 0});
  LayoutConversionPlan plan = check(layout, layout);
  EXPECT_EQ(plan.kind, ConversionKind::Identity);
  // The order of output dimensions is not part of the layout.
  plan = check(layout, layout.transposeOuts({tensorDim(1), tensorDim(0)}));
  EXPECT_EQ(plan.kind, ConversionKind::Identity);
}

TEST(LayoutConversionTest, RegisterPermutationAndCopies) {
  LinearLayout src = make({{1}, {2}}, {{4}, {8}}, {{16}}, 32);
  LinearLayout permuted = make({{2}, {3}}, {{4}, {8}}, {{16}}, 32);
  LinearLayout copied = make({{2}, {0}, {1}, {3}}, {{4}, {8}}, {{16}}, 32);
  EXPECT_EQ(check(src, permuted).results,
            (llvm::SmallVector<int32_t>{0, 2, 3, 1}));
  EXPECT_EQ(check(src, copied).kind, ConversionKind::Registers);
  EXPECT_EQ(check(copied, src).kind, ConversionKind::Registers);
}

// Lanes and warps that hold copies keep theirs.
TEST(LayoutConversionTest, CopiesStayInTheirThread) {
  LinearLayout src = make({{1}, {2}}, {{4}, {0}}, {{0}, {8}}, 16);
  LinearLayout dst = make({{2}, {1}}, {{4}, {0}}, {{0}, {8}}, 16);
  EXPECT_EQ(check(src, dst).kind, ConversionKind::Registers);
}

// The register depends on the lane (on the warp): selects, no shuffle.
TEST(LayoutConversionTest, SelectWithoutShuffle) {
  LinearLayout src = make({{1}, {2}}, {{4}, {0}}, {{8}}, 16);
  LinearLayout byLane = make({{1}}, {{4}, {2}}, {{8}}, 16);
  LayoutConversionPlan plan = check(src, byLane);
  EXPECT_EQ(plan.kind, ConversionKind::SubgroupShuffle);
  EXPECT_EQ(plan.getNumShuffles(), 0);
  EXPECT_EQ(plan.getNumSelects(), 2);
  LinearLayout byWarp = make({{1}, {2}}, {{4}, {0}}, {{9}}, 16);
  plan = check(src, byWarp);
  EXPECT_EQ(plan.kind, ConversionKind::SubgroupShuffle);
  EXPECT_EQ(plan.getNumShuffles(), 0);
  EXPECT_EQ(plan.getNumSelects(), 4);
  EXPECT_TRUE(plan.steps.front().index.isUniform());
}

//===----------------------------------------------------------------------===//
// Within a warp
//===----------------------------------------------------------------------===//

TEST(LayoutConversionTest, LanePermutation) {
  LinearLayout src = make({{1}, {2}}, {{4}, {8}, {16}}, {{32}}, 64);
  LinearLayout dst = make({{1}, {2}}, {{16}, {4}, {12}}, {{32}}, 64);
  LayoutConversionPlan plan = check(src, dst);
  EXPECT_EQ(plan.kind, ConversionKind::SubgroupShuffle);
  EXPECT_EQ(plan.getNumShuffles(), 4);
  EXPECT_EQ(plan.getNumSelects(), 0);
  // A register that moves by a fixed distance is a butterfly.
  LinearLayout butterfly = make({{5}, {2}}, {{4}, {8}, {16}}, {{32}}, 64);
  plan = check(src, butterfly);
  EXPECT_EQ(plan.getNumShuffles(), 2);
  EXPECT_EQ(plan.getNumSelects(), 0);
  EXPECT_TRUE(plan.steps.front().index.isLaneXor());
}

// One register bit against one lane bit: half of the registers travel, one
// select before and one after each.
TEST(LayoutConversionTest, ExchangeOfRegisterAndLaneBit) {
  LinearLayout src = make({{1}, {2}}, {{4}, {8}}, {}, 16);
  LinearLayout dst = make({{4}, {2}}, {{1}, {8}}, {}, 16);
  LayoutConversionPlan plan = check(src, dst);
  EXPECT_EQ(plan.getNumShuffles(), 2);
  EXPECT_EQ(plan.getNumSelects(), 8);
  for (const ShuffleStep &step : plan.steps)
    if (step.kind == ShuffleStep::Kind::Shuffle) {
      EXPECT_TRUE(step.index.isLaneXor());
    }
}

// A full transpose of 16 registers and 16 lanes: one shuffle per register but
// the first, and log2 selects per register on either side.
TEST(LayoutConversionTest, TransposeInRegisters) {
  LinearLayout src = blocked({16, 16}, {1, 16}, {16, 1}, {1, 1}, {1, 0});
  LinearLayout dst = blocked({16, 16}, {16, 1}, {1, 16}, {1, 1}, {0, 1});
  LayoutConversionPlan plan = check(src, dst);
  EXPECT_EQ(plan.kind, ConversionKind::SubgroupShuffle);
  EXPECT_EQ(plan.getNumShuffles(), 15);
  EXPECT_EQ(plan.getNumSelects(), 2 * 4 * 16);
}

// A value that all lanes want from one lane.
TEST(LayoutConversionTest, Broadcast) {
  LinearLayout src = make({}, {{1}, {2}}, {}, 4);
  LinearLayout dst = make({{1}, {2}}, {{0}, {0}}, {}, 4);
  LayoutConversionPlan plan = check(src, dst);
  EXPECT_EQ(plan.getNumShuffles(), 4);
  EXPECT_EQ(plan.getNumSelects(), 0);
  for (const ShuffleStep &step : plan.steps)
    EXPECT_TRUE(step.index.isUniform());
  plan = check(dst, src);
  EXPECT_EQ(plan.getNumShuffles(), 0);
  EXPECT_EQ(plan.getNumSelects(), 3);
}

// Lanes that hold copies are used: each lane reads from a separate lane.
TEST(LayoutConversionTest, CopiesSpareShuffles) {
  LinearLayout src = make({{1}, {2}}, {{4}, {8}, {0}, {0}}, {}, 16);
  LinearLayout dst = make({}, {{1}, {2}, {4}, {8}}, {}, 16);
  LayoutConversionPlan plan = check(src, dst);
  EXPECT_EQ(plan.getNumShuffles(), 1);
  EXPECT_EQ(plan.getNumSelects(), 3);
}

// Several lanes want different registers of one lane and no register of theirs
// can be exchanged: one shuffle for each.
TEST(LayoutConversionTest, ManyRegistersOfOneLane) {
  LinearLayout src = make({{1}, {2}}, {{4}, {8}}, {{0}, {0}}, 16);
  LinearLayout dst = make({}, {{1}, {2}}, {{4}, {8}}, 16);
  LayoutConversionPlan plan = check(src, dst);
  EXPECT_EQ(plan.kind, ConversionKind::SubgroupShuffle);
  EXPECT_EQ(plan.getNumShuffles(), 4);
  EXPECT_EQ(plan.getNumSelects(), 3);
}

// Copies among destination registers cost nothing.
TEST(LayoutConversionTest, CopiedRegistersAreShuffledOnce) {
  LinearLayout src = make({{1}}, {{2}, {4}}, {}, 8);
  LinearLayout dst = make({{0}, {1}, {1}}, {{4}, {2}}, {}, 8);
  EXPECT_EQ(check(src, dst).getNumShuffles(), 2);
}

//===----------------------------------------------------------------------===//
// Through shared memory
//===----------------------------------------------------------------------===//

void expectNoConflicts(const LayoutConversionPlan &plan) {
  ASSERT_TRUE(plan.shared.has_value());
  EXPECT_EQ(plan.shared->store.cycles, plan.shared->store.minCycles);
  EXPECT_EQ(plan.shared->load.cycles, plan.shared->load.minCycles);
}

TEST(LayoutConversionTest, BlockedToBlocked) {
  LinearLayout src = blocked({64, 64}, {1, 4}, {2, 8}, {4, 1}, {1, 0});
  LinearLayout dst = blocked({64, 64}, {4, 4}, {1, 16}, {1, 4}, {1, 0});
  for (int32_t bits : {8, 16, 32, 64}) {
    LayoutConversionPlan plan = check(src, dst, bits);
    EXPECT_EQ(plan.kind, ConversionKind::SharedMemory);
    EXPECT_EQ(plan.shared->scratchBytes, 64 * 64 * bits / 8);
    EXPECT_GE(plan.shared->store.vectorSize, std::min(128 / bits, 4));
    EXPECT_GE(plan.shared->load.vectorSize, std::min(128 / bits, 4));
    expectNoConflicts(plan);
  }
  EXPECT_EQ(check(src, dst, /*bits=*/1).shared->elementBytes, 1);
}

// A transposing conversion: the swizzle removes conflicts on both sides, and
// one side still uses vectors.
TEST(LayoutConversionTest, TransposeIsFreeOfConflicts) {
  LinearLayout src = blocked({64, 64}, {1, 4}, {1, 16}, {4, 1}, {1, 0});
  LinearLayout dst = blocked({64, 64}, {4, 1}, {16, 1}, {1, 4}, {0, 1});
  for (int32_t bits : {8, 16, 32, 64}) {
    LayoutConversionPlan plan = check(src, dst, bits);
    EXPECT_EQ(plan.kind, ConversionKind::SharedMemory);
    EXPECT_GT(plan.shared->store.vectorSize * plan.shared->load.vectorSize, 1);
    expectNoConflicts(plan);
  }
}

TEST(LayoutConversionTest, DpasOperandsAndResults) {
  Dpas dpas{2, {4, 2}, {4, 2}};
  Shape shape = {128, 64};
  LinearLayout io = blocked(shape, {1, 8}, {2, 8}, {8, 1}, {1, 0});
  LinearLayout c = dpas.c(shape), a = dpas.a(shape);
  Dpas wide{2, {2, 4}, {2, 2}};
  for (int32_t bits : {16, 32}) {
    for (auto [src, dst] :
         {std::pair{io, c}, {c, io}, {io, a}, {c, wide.c(shape)}}) {
      LayoutConversionPlan plan = check(src, dst, bits);
      EXPECT_EQ(plan.kind, ConversionKind::SharedMemory);
      expectNoConflicts(plan);
    }
    LinearLayout b = dpas.b({64, 128});
    LinearLayout ioB = blocked({64, 128}, {1, 8}, {2, 8}, {8, 1}, {1, 0});
    expectNoConflicts(check(ioB, b, bits));
  }
  // C to A of one shape without warps along N is a matter of registers: the
  // chained dot of attention kernels needs nothing.
  Dpas chained{2, {8, 1}, {2, 2}};
  LayoutConversionPlan plan = check(chained.c(shape), chained.a(shape), 16);
  EXPECT_EQ(plan.kind, ConversionKind::Registers);
}

// Registers go as they are where lanes stay, of the number of bytes that an
// access has: a left operand takes rows of two warps' results.
TEST(LayoutConversionTest, WholeRegisters) {
  Dpas dpas{2, {4, 2}, {1, 1}};
  Shape shape = {32, 32};
  LayoutConversionOptions options;
  options.hasBlockAccess = true;
  for (int32_t bits : {16, 32, 64}) {
    LayoutConversionPlan plan =
        check(dpas.c(shape), dpas.a(shape), bits, options);
    EXPECT_EQ(plan.kind, ConversionKind::SharedMemory);
    for (const SharedSide &side : {plan.shared->store, plan.shared->load}) {
      EXPECT_EQ(side.vectorStride, 16);
      EXPECT_EQ(side.vectorSize, 128 / bits);
    }
    // A warp has 8 rows of results, and takes double the number.
    size_t accesses = bits / 16;
    EXPECT_EQ(plan.shared->store.accesses.size(), accesses);
    EXPECT_EQ(plan.shared->load.accesses.size(), 2 * accesses);
  }
  // Bytes would have to be packed, and other lanes take other elements.
  EXPECT_EQ(check(dpas.c(shape), dpas.a(shape), 8, options)
                .shared->store.vectorStride,
            1);
  LinearLayout io = blocked(shape, {1, 4}, {2, 8}, {8, 1}, {1, 0});
  EXPECT_EQ(check(dpas.c(shape), io, 16, options).shared->store.vectorStride,
            1);
}

// An operand needs pairs of rows in a word: both sides have the pair in
// registers, and lanes have the same columns. A block has all words of a
// message.
TEST(LayoutConversionTest, WordsOfRegisters) {
  Dpas dpas{2, {4, 2}, {1, 1}};
  Shape shape = {32, 32};
  LayoutConversionOptions options;
  options.hasBlockAccess = true;
  options.wordElements = 2;
  LinearLayout columns = blocked(shape, {4, 1}, {1, 16}, {4, 2}, {0, 1});
  LayoutConversionPlan plan = check(columns, dpas.b(shape), 16, options);
  for (const SharedSide &side : {plan.shared->store, plan.shared->load}) {
    EXPECT_EQ(side.wordElements, 2);
    EXPECT_EQ(side.vectorStride, 32);
  }
  // A sub-group has four words, and takes eight.
  EXPECT_EQ(plan.shared->store.vectorSize, 8);
  EXPECT_EQ(plan.shared->load.vectorSize, 16);
  // The elements of a word are in different lanes.
  LinearLayout rows = blocked(shape, {1, 1}, {2, 8}, {4, 2}, {1, 0});
  EXPECT_EQ(check(rows, dpas.b(shape), 16, options).shared->store.vectorStride,
            1);
  // Words of 8 bytes are none.
  EXPECT_EQ(
      check(columns, dpas.b(shape), 32, options).shared->store.vectorStride, 1);
}

TEST(LayoutConversionTest, Slices) {
  Dpas dpas{2, {4, 2}, {4, 2}};
  LinearLayout rows = slice(dpas.c({128, 1}), 1);
  LinearLayout blockedRows =
      slice(blocked({128, 1}, {1, 4}, {2, 8}, {8, 1}, {1, 0}), 1);
  LinearLayout line = blocked({128}, {1}, {16}, {8}, {0});
  for (const LinearLayout &src : {rows, blockedRows, line})
    for (const LinearLayout &dst : {rows, blockedRows, line})
      check(src, dst, 32);
  // The row of a reduction result in all lanes: every warp has what it needs
  // for the one value per lane of another layout of the same warps.
  Dpas tall{2, {8, 1}, {2, 1}};
  LinearLayout tallRows = slice(tall.c({128, 1}), 1);
  LayoutConversionPlan plan = check(tallRows, line, 32);
  EXPECT_EQ(plan.kind, ConversionKind::SubgroupShuffle);
  EXPECT_EQ(plan.getNumShuffles(), 0);
}

// With a limit the scratch is used several times.
TEST(LayoutConversionTest, ScratchLimit) {
  Dpas dpas{2, {8, 4}, {4, 2}};
  Shape shape = {256, 256};
  LinearLayout io = blocked(shape, {1, 4}, {1, 16}, {32, 1}, {1, 0});
  LayoutConversionPlan whole = check(dpas.c(shape), io, 32);
  EXPECT_EQ(whole.shared->scratchBytes, 256 * 1024);
  LayoutConversionOptions options;
  options.maxScratchBytes = 64 * 1024;
  LayoutConversionPlan plan = check(dpas.c(shape), io, 32, options);
  EXPECT_LE(plan.shared->scratchBytes, 128 * 1024);
  EXPECT_GT(plan.shared->numIterations, 1);
  EXPECT_EQ(plan.shared->scratchBytes * plan.shared->numIterations, 256 * 1024);
}

//===----------------------------------------------------------------------===//
// Random layouts
//===----------------------------------------------------------------------===//

// All kinds of pairs, with copies, on one warp and on several.
TEST(LayoutConversionTest, RandomPairs) {
  RandomLayouts random(42);
  std::map<ConversionKind, int> seen;
  for (int round = 0; round < 2000; ++round) {
    int32_t lanes = 1 << random.below(5), warps = 1 << random.below(3);
    LinearLayout::Sizes shape = random.sizes({tensorDim(0), tensorDim(1)}, 3);
    int32_t size = shape[0].second * shape[1].second;
    auto layout = [&] {
      int32_t registers = std::max(1, size / lanes / warps) << random.below(3);
      return random.surjective(
          {{kRegister, registers}, {kLane, lanes}, {kWarp, warps}}, shape,
          random.below(2));
    };
    LinearLayout src = layout(), dst = layout();
    LayoutConversionOptions options;
    options.forceSharedMemory = random.below(3) == 0;
    options.maxScratchBytes = random.below(2) * 64;
    int32_t bits = 8 << random.below(4);
    ++seen[check(src, dst, bits, options).kind];
    // The same with the warps in place, so that shuffles come up.
    LinearLayout warpBits = LinearLayout::identity1D(2, kWarp, tensorDim(0));
    ++seen[check(src * warpBits, src * warpBits, bits, options).kind];
  }
  for (auto kind : {ConversionKind::SubgroupShuffle,
                    ConversionKind::SharedMemory, ConversionKind::Identity})
    EXPECT_GT(seen[kind], 50) << stringify(kind).str();
}

// Both layouts of a pair have the same lanes, next to each other or not.
TEST(LayoutConversionTest, RandomWholeRegisters) {
  RandomLayouts random(7);
  int numBlocks = 0, numWords = 0;
  for (int round = 0; round < 1000; ++round) {
    int32_t warps = 1 << random.below(3);
    LinearLayout::Sizes shape = random.sizes({tensorDim(0), tensorDim(1)}, 3);
    int32_t size = shape[0].second * shape[1].second;
    auto layout = [&] {
      int32_t registers = std::max(1, size / warps) << random.below(2);
      return random.surjective(
          {{kRegister, registers}, {kLane, 1}, {kWarp, warps}}, shape,
          random.below(2));
    };
    LinearLayout src = layout(), dst = layout();
    LayoutConversionOptions options;
    options.hasBlockAccess = true;
    options.maxScratchBytes = random.below(2) * 256;
    int32_t bits = 8 << random.below(4);
    if (bits < 32)
      options.wordElements = random.below(2) ? 32 / bits : 1;
    // Registers come first among the inputs of all layouts, and those of a word
    // before all others.
    LinearLayout lanes =
        LinearLayout::identity1D(options.wordElements, kRegister,
                                 tensorDim(0)) *
        LinearLayout::identity1D(16, kLane, tensorDim(random.below(2)));
    LayoutConversionPlan plan =
        random.below(2) ? check(lanes * src, lanes * dst, bits, options)
                        : check(src * lanes, dst * lanes, bits, options);
    numBlocks += plan.shared && plan.shared->store.vectorStride > 1;
    numWords += plan.shared && plan.shared->store.wordElements > 1;
  }
  EXPECT_GT(numBlocks, 200);
  EXPECT_GT(numWords, 30);
}

// Conversions within one warp always are shuffles (or less).
TEST(LayoutConversionTest, RandomPairsOfOneWarp) {
  RandomLayouts random(7);
  std::map<ConversionKind, int> seen;
  for (int round = 0; round < 3000; ++round) {
    int32_t lanes = 1 << random.below(5);
    LinearLayout::Sizes shape = random.sizes({tensorDim(0), tensorDim(1)}, 3);
    int32_t size = shape[0].second * shape[1].second;
    auto layout = [&] {
      int32_t registers = std::max(1, size / lanes) << random.below(3);
      return random.surjective({{kRegister, registers}, {kLane, lanes}}, shape,
                               random.below(2)) *
             LinearLayout::identity1D(2, kWarp, tensorDim(0));
    };
    LinearLayout src = layout(), dst = layout();
    LayoutConversionPlan plan = check(src, dst, 32);
    ++seen[plan.kind];
    EXPECT_NE(plan.kind, ConversionKind::SharedMemory);
    // Never more shuffles than choosing among all source registers would take.
    EXPECT_LE(plan.getNumShuffles(),
              dst.getInDimSize(kRegister) * src.getInDimSize(kRegister));
  }
  EXPECT_GT(seen[ConversionKind::Registers], 20);
  EXPECT_GT(seen[ConversionKind::SubgroupShuffle], 500);
}

//===----------------------------------------------------------------------===//
// Layouts that cannot be converted
//===----------------------------------------------------------------------===//

TEST(LayoutConversionTest, ErrorsExplain) {
  auto fails = [](const LinearLayout &src, const LinearLayout &dst,
                  llvm::StringRef expected) {
    std::string error;
    EXPECT_FALSE(planLayoutConversion(src, dst, 32, {}, &error));
    EXPECT_NE(error.find(expected.str()), std::string::npos) << error;
  };
  LinearLayout good = make({{1}}, {{2}}, {}, 4);
  fails(make({}, {{2}}, {}, 4), good, "source layout does not hold all");
  fails(good, make({}, {{2}}, {}, 4), "destination layout does not hold all");
  fails(good, make({{1}}, {{2}, {0}}, {}, 4), "number of lanes: 2 and 4");
  fails(good, make({{1}, {4}}, {{2}}, {}, 8), "different shapes");
  auto withoutWarps = [&](LayoutDim instead) {
    LinearLayout::BasesMap bases = good.getBases();
    for (auto &[dim, inBases] : bases)
      if (dim == kWarp)
        dim = instead;
    return LinearLayout(bases, good.getOutDimSizes());
  };
  fails(withoutWarps(LayoutDim::Block), good, "no input 'warp'");
  fails(withoutWarps(LayoutDim::Offset), good, "has an input 'offset'");
  LinearLayout blocks({{LayoutDim::Block, {{0}}}}, {tensorDim(0)});
  fails(good * blocks, good, "several blocks");
}

} // namespace
} // namespace mlir::triton
