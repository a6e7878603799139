//===- LinearLayoutTest.cpp - The layout algebra against its definition ---===//
// SPDX-License-Identifier: MIT
//
// Every operation is compared with its definition, point by point, on random
// layouts; the worked examples of LinearLayout.h are tests as well.
//
//===----------------------------------------------------------------------===//

#include "triton/Tools/LinearLayout.h"

#include "RandomLayouts.h"

#include "triton/Tools/F2Matrix.h"
#include "llvm/Support/MathExtras.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace mlir::triton {
namespace {

using test::RandomLayouts;
using Point = LinearLayout::Point;

constexpr LayoutDim kRegister = LayoutDim::Register;
constexpr LayoutDim kLane = LayoutDim::Lane;
constexpr LayoutDim kWarp = LayoutDim::Warp;
constexpr LayoutDim kOffset = LayoutDim::Offset;
const LayoutDim kDim0 = tensorDim(0);
const LayoutDim kDim1 = tensorDim(1);
const LayoutDim kDim2 = tensorDim(2);
constexpr int kRounds = 200;

LinearLayout::Sizes inSizesOf(const LinearLayout &layout) {
  LinearLayout::Sizes sizes;
  for (LayoutDim dim : layout.getInDims())
    sizes.push_back({dim, layout.getInDimSize(dim)});
  return sizes;
}

/// The point of a bit string, first dimension lowest.
Point unpack(uint64_t flat, const LinearLayout::Sizes &sizes) {
  Point point;
  for (auto [dim, size] : sizes) {
    point.push_back({dim, static_cast<int32_t>(flat % size)});
    flat /= size;
  }
  return point;
}

uint64_t pack(const Point &point, const LinearLayout::Sizes &sizes) {
  uint64_t flat = 0, scale = 1;
  for (auto [dim, size] : sizes) {
    for (auto [pointDim, value] : point)
      if (pointDim == dim)
        flat += value * scale;
    scale *= size;
  }
  return flat;
}

std::map<LayoutDim, int32_t> asMap(const Point &point) {
  return {point.begin(), point.end()};
}

/// Calls `fn` for every input point of the layout.
template <typename Fn> void forEachPoint(const LinearLayout &layout, Fn fn) {
  for (int64_t i = 0; i < layout.getTotalInDimSize(); ++i)
    fn(unpack(i, inSizesOf(layout)));
}

/// The value of one dimension at a point, 0 if it is missing.
int32_t valueOf(const Point &point, LayoutDim dim) {
  for (auto [pointDim, value] : point)
    if (pointDim == dim)
      return value;
  return 0;
}

Point restrictTo(const Point &point, llvm::ArrayRef<LayoutDim> dims) {
  Point result;
  for (auto entry : point)
    if (llvm::is_contained(dims, entry.first))
      result.push_back(entry);
  return result;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

// The blocked layout and the swizzle that the header explains.
TEST(LinearLayoutTest, HeaderExamples) {
  LinearLayout blocked(
      {{kRegister, {{0, 1}}}, {kLane, {{0, 2}, {1, 0}}}, {kWarp, {{2, 0}}}},
      {kDim0, kDim1});
  EXPECT_EQ(blocked.apply({{kWarp, 1}, {kLane, 3}, {kRegister, 1}}),
            (Point{{kDim0, 3}, {kDim1, 3}}));
  LinearLayout product = LinearLayout::identity1D(2, kRegister, kDim1) *
                         LinearLayout::identity1D(2, kLane, kDim1) *
                         LinearLayout::identity1D(2, kLane, kDim0) *
                         LinearLayout::identity1D(2, kWarp, kDim0);
  EXPECT_EQ(product.transposeOuts({kDim0, kDim1}), blocked);
  EXPECT_NE(product, blocked);

  LinearLayout swizzle({{kOffset, {{0, 1}, {0, 2}, {1, 1}, {2, 2}}}},
                       {kDim0, kDim1});
  EXPECT_EQ(swizzle.apply({{kOffset, 5}}), (Point{{kDim0, 1}, {kDim1, 0}}));
  LinearLayout position = swizzle.pseudoinvert();
  for (int32_t col = 0; col < 4; ++col) {
    std::set<int32_t> banks;
    for (int32_t row = 0; row < 4; ++row)
      banks.insert(position.apply({{kDim0, row}, {kDim1, col}})[0].second % 4);
    EXPECT_EQ(banks.size(), 4u);
  }
}

// Sizes that are not given are the smallest that hold the bases.
TEST(LinearLayoutTest, InferredSizes) {
  LinearLayout layout({{kRegister, {{3, 0}, {4, 0}}}}, {kDim0, kDim1});
  EXPECT_EQ(layout.getOutDimSize(kDim0), 8);
  EXPECT_EQ(layout.getOutDimSize(kDim1), 1);
  EXPECT_FALSE(layout.isSurjective());
}

// Malformed bases from outside are explained, not asserted on.
TEST(LinearLayoutTest, TryCreateExplains) {
  std::string error;
  auto fails = [&](LinearLayout::BasesMap bases, LinearLayout::Sizes sizes,
                   llvm::StringRef expected) {
    EXPECT_FALSE(LinearLayout::tryCreate(bases, sizes, &error));
    EXPECT_NE(error.find(expected.str()), std::string::npos) << error;
  };
  fails({{kLane, {{4}}}}, {{kDim0, 4}}, "outside of 'dim0' of size 4");
  fails({{kLane, {{-1}}}}, {{kDim0, 4}}, "outside of 'dim0'");
  fails({{kLane, {{1}}}}, {{kDim0, 6}}, "not a power of two");
  fails({{kLane, {{1}}}}, {{kDim0, 0}}, "not a power of two");
  fails({{kLane, {{1, 0}}}}, {{kDim0, 4}}, "has 2 coordinates, expected 1");
  fails({{kLane, {{1}}}, {kLane, {}}}, {{kDim0, 4}}, "'lane' is given twice");
  fails({}, {{kDim0, 4}, {kDim0, 4}}, "'dim0' is given twice");
  fails({}, {{kDim0, 1 << 30}, {kDim1, 1 << 30}, {kDim2, 1 << 30}},
        "more than 63");
  EXPECT_TRUE(LinearLayout::tryCreate({{kLane, {{1}}}}, {{kDim0, 4}}));
}

TEST(LinearLayoutTest, OneDimensionalFactories) {
  LinearLayout strided = LinearLayout::strided1D(4, 8, kLane, kDim0);
  EXPECT_EQ(strided.getOutDimSize(kDim0), 32);
  EXPECT_EQ(strided.apply({{kLane, 3}})[0].second, 24);
  EXPECT_EQ(LinearLayout::empty() * strided, strided);
  EXPECT_EQ(strided * LinearLayout::empty(), strided);
}

// The text is one line per basis bit, with a line for empty dimensions.
TEST(LinearLayoutTest, Printing) {
  LinearLayout layout({{kRegister, {}}, {kLane, {{0, 1}, {2, 0}}}},
                      {kDim0, kDim1});
  EXPECT_EQ(layout.toString(), " - register is a size 1 dimension\n"
                               " - lane=1 -> (0, 1)\n"
                               " - lane=2 -> (2, 0)\n"
                               "to (dim0: 4, dim1: 2)\n");
}

//===----------------------------------------------------------------------===//
// Evaluation and algebra, against the definition
//===----------------------------------------------------------------------===//

class LinearLayoutRandomTest : public testing::Test {
protected:
  RandomLayouts random{20250523};
};

TEST_F(LinearLayoutRandomTest, ApplyIsLinear) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout layout = random.any(random.sizes({kRegister, kLane, kWarp}, 2),
                                     random.sizes({kDim0, kDim1}, 3));
    forEachPoint(layout, [&](const Point &in) {
      std::map<LayoutDim, int32_t> expected;
      for (LayoutDim dim : layout.getOutDims())
        expected[dim] = 0;
      for (auto [dim, value] : in)
        for (int32_t bit = 0; bit < layout.getInDimSizeLog2(dim); ++bit)
          if (value >> bit & 1)
            for (LayoutDim out : layout.getOutDims())
              expected[out] ^= layout.getBasis(dim, bit, out);
      EXPECT_EQ(asMap(layout.apply(in)), expected);
      EXPECT_EQ(f2Apply(layout.getFlatColumns(), pack(in, inSizesOf(layout))),
                pack(layout.apply(in), layout.getOutDimSizes()));
    });
  }
}

TEST_F(LinearLayoutRandomTest, Product) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout a = random.any(random.sizes({kRegister, kLane}, 2),
                                random.sizes({kDim0, kDim1}, 2));
    LinearLayout b = random.any(random.sizes({kLane, kWarp}, 2),
                                random.sizes({kDim1, kDim2}, 2));
    LinearLayout product = a * b;
    EXPECT_EQ(product.getInDims(),
              (llvm::SmallVector<LayoutDim>{kRegister, kLane, kWarp}));
    EXPECT_EQ(product.getOutDims(),
              (llvm::SmallVector<LayoutDim>{kDim0, kDim1, kDim2}));
    int32_t lanes = a.getInDimSize(kLane);
    forEachPoint(product, [&](const Point &in) {
      int32_t lane = valueOf(in, kLane);
      Point low =
          a.apply({{kRegister, valueOf(in, kRegister)}, {kLane, lane % lanes}});
      Point high =
          b.apply({{kLane, lane / lanes}, {kWarp, valueOf(in, kWarp)}});
      Point out = product.apply(in);
      EXPECT_EQ(valueOf(out, kDim0), valueOf(low, kDim0));
      EXPECT_EQ(valueOf(out, kDim1),
                valueOf(low, kDim1) +
                    a.getOutDimSize(kDim1) * valueOf(high, kDim1));
      EXPECT_EQ(valueOf(out, kDim2), valueOf(high, kDim2));
    });
  }
}

TEST_F(LinearLayoutRandomTest, Compose) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout::Sizes middle = random.sizes({kDim0, kDim1}, 3);
    LinearLayout first =
        random.any(random.sizes({kRegister, kLane}, 3), middle);
    // The outer layout may be larger, and list its inputs in another order.
    LinearLayout outer =
        random.any({{kDim1, middle[1].second * 2}, {kDim0, middle[0].second}},
                   random.sizes({kOffset, kDim2}, 3));
    LinearLayout composed = first.compose(outer);
    forEachPoint(composed, [&](const Point &in) {
      EXPECT_EQ(composed.apply(in), outer.apply(first.apply(in)));
    });
  }
}

// The pseudoinverse of an invertible layout is its inverse.
TEST_F(LinearLayoutRandomTest, Invert) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout::Sizes outSizes = random.sizes({kDim0, kDim1}, 3);
    int32_t total = outSizes[0].second * outSizes[1].second;
    int32_t lanes = std::min(total, 1 << random.below(4));
    LinearLayout layout = random.surjective(
        {{kRegister, total / lanes}, {kLane, lanes}}, outSizes, round % 2);
    ASSERT_TRUE(layout.isInvertible());
    LinearLayout inverse = layout.pseudoinvert();
    forEachPoint(layout, [&](const Point &in) {
      EXPECT_EQ(inverse.apply(layout.apply(in)), in);
    });
    forEachPoint(inverse, [&](const Point &in) {
      EXPECT_EQ(layout.apply(inverse.apply(in)), in);
    });
  }
}

TEST_F(LinearLayoutRandomTest, Pseudoinvert) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout layout = random.any(random.sizes({kRegister, kLane, kWarp}, 2),
                                     random.sizes({kDim0, kDim1}, 2));
    LinearLayout inverse = layout.pseudoinvert();
    auto masks = layout.getFreeVariableMasks();
    forEachPoint(layout, [&](const Point &in) {
      Point out = layout.apply(in);
      Point back = inverse.apply(out);
      EXPECT_EQ(layout.apply(back), out);
      for (auto [dim, mask] : masks)
        EXPECT_EQ(valueOf(back, dim) & mask, 0);
    });
  }
}

// The conversion that the header explains: a place of `dst` goes to the place
// of `src` that holds its element.
TEST_F(LinearLayoutRandomTest, PlacesOfAnotherLayout) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout::Sizes sizes = random.sizes({kDim0, kDim1}, 2);
    LinearLayout src =
        random.surjective({{kRegister, sizes[0].second * sizes[1].second},
                           {kWarp, 1 << random.below(3)}},
                          sizes, round % 2);
    LinearLayout dst = random.any(random.sizes({kRegister, kLane}, 3), sizes);
    LinearLayout places = dst.compose(src.pseudoinvert());
    EXPECT_EQ(places.getInDims(), dst.getInDims());
    EXPECT_EQ(places.getOutDims(), src.getInDims());
    forEachPoint(dst, [&](const Point &in) {
      EXPECT_EQ(src.apply(places.apply(in)), dst.apply(in));
    });
  }
}

TEST_F(LinearLayoutRandomTest, DivideUndoesProduct) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout a = random.any(random.sizes({kRegister, kLane}, 2),
                                random.sizes({kDim0, kDim1}, 2));
    LinearLayout b = random.any(random.sizes({kRegister, kLane}, 2),
                                random.sizes({kDim0, kDim1}, 2));
    EXPECT_EQ((a * b).divideLeft(a), b);
  }
}

// A division either multiplies back to the dividend or is refused; on small
// layouts every candidate for the quotient is tried.
TEST_F(LinearLayoutRandomTest, DivideIsComplete) {
  unsigned divisible = 0;
  for (int round = 0; round < 20 * kRounds; ++round) {
    LinearLayout whole =
        random.any({{kRegister, 4}, {kLane, 2}}, {{kDim0, 4}, {kDim1, 2}});
    LinearLayout divisor = random.any(random.sizes({kRegister, kLane}, 1),
                                      random.sizes({kDim0}, 1));
    auto left = whole.divideLeft(divisor);
    divisible += left.has_value();
    if (left) {
      EXPECT_EQ((divisor * *left).transposeOuts(whole.getOutDims()), whole);
    }

    LinearLayout::Sizes outs = {{kDim0, 4 / divisor.getOutDimSize(kDim0)},
                                {kDim1, 2}};
    LinearLayout::Sizes ins = {{kRegister, 4 / divisor.getInDimSize(kRegister)},
                               {kLane, 2 / divisor.getInDimSize(kLane)}};
    unsigned numColumns = 0;
    for (auto [dim, size] : ins)
      numColumns += llvm::Log2_32(size);
    unsigned numValues = outs[0].second * outs[1].second;
    unsigned numCandidates = 1;
    for (unsigned i = 0; i < numColumns; ++i)
      numCandidates *= numValues;
    bool anyLeft = false;
    for (unsigned c = 0; c < numCandidates; ++c) {
      unsigned rest = c;
      LinearLayout::BasesMap bases;
      for (auto [dim, size] : ins) {
        LinearLayout::Bases inBases;
        for (int32_t i = 1; i < size; i *= 2) {
          unsigned value = rest % numValues;
          rest /= numValues;
          inBases.push_back({int32_t(value % outs[0].second),
                             int32_t(value / outs[0].second)});
        }
        bases.push_back({dim, inBases});
      }
      LinearLayout candidate(bases, outs);
      anyLeft |= divisor * candidate == whole;
    }
    EXPECT_EQ(left.has_value(), anyLeft);
  }
  EXPECT_GT(divisible, 50u);
}

// A divisor with dimensions that the dividend lacks fits only if they are of
// size 1.
TEST(LinearLayoutTest, DivideForeignDims) {
  LinearLayout layout = LinearLayout::identity1D(8, kRegister, kDim0);
  LinearLayout unit = LinearLayout::identity1D(1, kLane, kDim1);
  EXPECT_EQ(layout.divideLeft(unit), layout);
  EXPECT_FALSE(
      layout.divideLeft(LinearLayout::identity1D(2, kRegister, kDim1)));
  EXPECT_FALSE(
      layout.divideLeft(LinearLayout::identity1D(16, kRegister, kDim0)));
}

//===----------------------------------------------------------------------===//
// Restriction and reordering
//===----------------------------------------------------------------------===//

TEST_F(LinearLayoutRandomTest, Reshape) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout layout =
        random.any({{kRegister, 4}, {kLane, 8}}, {{kDim0, 8}, {kDim1, 2}});
    LinearLayout outs =
        layout.reshapeOuts({{kDim2, 4}, {kDim0, 1}, {kOffset, 4}});
    EXPECT_EQ(outs.getOutDims(),
              (llvm::SmallVector<LayoutDim>{kDim2, kDim0, kOffset}));
    EXPECT_EQ(outs.getFlatColumns(), layout.getFlatColumns());
    EXPECT_EQ(layout.flattenOuts().getFlatColumns(), layout.getFlatColumns());
    EXPECT_EQ(layout.flattenOuts().getOutDimSize(kDim0), 16);
  }
}

TEST_F(LinearLayoutRandomTest, TransposeAndSublayout) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout layout = random.any(random.sizes({kRegister, kLane, kWarp}, 2),
                                     random.sizes({kDim0, kDim1, kDim2}, 2));
    LinearLayout transposed = layout.transposeOuts({kDim2, kDim0, kDim1});
    EXPECT_EQ(transposed.getOutDims().front(), kDim2);
    LinearLayout part = layout.sublayout({kWarp, kRegister}, {kDim1, kDim0});
    EXPECT_EQ(part.getInDims(),
              (llvm::SmallVector<LayoutDim>{kRegister, kWarp}));
    bool allZero = true;
    forEachPoint(layout, [&](const Point &in) {
      EXPECT_EQ(asMap(transposed.apply(in)), asMap(layout.apply(in)));
      if (valueOf(in, kLane) != 0)
        return;
      Point expected = restrictTo(layout.apply(in), {kDim0, kDim1});
      EXPECT_EQ(part.apply(restrictTo(in, {kRegister, kWarp})), expected);
      for (auto [dim, value] : expected)
        allZero &= value == 0;
    });
    EXPECT_EQ(layout.sublayoutIsZero({kWarp, kRegister}, {kDim1, kDim0}),
              allZero);
  }
}

TEST(LinearLayoutTest, BasisEditing) {
  LinearLayout layout({{kRegister, {{1}, {0}, {2}, {0}}}, {kLane, {{0}}}},
                      {kDim0});
  EXPECT_EQ(layout.removeZeroBasesAlongDim(kRegister),
            LinearLayout({{kRegister, {{1}, {2}}}, {kLane, {{0}}}}, {kDim0}));
  EXPECT_EQ(layout.withBases(kRegister, {{3}}),
            LinearLayout({{kRegister, {{3}}}, {kLane, {{0}}}}, {kDim0}));
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

TEST_F(LinearLayoutRandomTest, RankAndFreeVariables) {
  for (int round = 0; round < kRounds; ++round) {
    LinearLayout layout = random.any(random.sizes({kRegister, kLane, kWarp}, 2),
                                     random.sizes({kDim0, kDim1}, 2));
    auto masks = layout.getFreeVariableMasks();
    std::set<uint64_t> image, imageOfRepresentatives;
    unsigned numRepresentatives = 0;
    forEachPoint(layout, [&](const Point &in) {
      uint64_t out = pack(layout.apply(in), layout.getOutDimSizes());
      image.insert(out);
      if (llvm::all_of(masks, [&](auto mask) {
            return (valueOf(in, mask.first) & mask.second) == 0;
          })) {
        ++numRepresentatives;
        imageOfRepresentatives.insert(out);
      }
    });
    EXPECT_EQ(image.size(), size_t(1) << layout.rank());
    EXPECT_EQ(imageOfRepresentatives, image);
    EXPECT_EQ(numRepresentatives, image.size());
    EXPECT_EQ(layout.isSurjective(),
              int64_t(image.size()) == layout.getTotalOutDimSize());
    EXPECT_EQ(layout.isInvertible(),
              layout.isSurjective() &&
                  int64_t(image.size()) == layout.getTotalInDimSize());
  }
}

TEST(LinearLayoutTest, FreeVariablesPreferLowBits) {
  LinearLayout layout({{kRegister, {{1}, {2}, {3}}}, {kLane, {{0}, {4}}}},
                      {kDim0});
  EXPECT_EQ(layout.getFreeVariableMasks(),
            (Point{{kRegister, 0b100}, {kLane, 0b01}}));
}

} // namespace
} // namespace mlir::triton
