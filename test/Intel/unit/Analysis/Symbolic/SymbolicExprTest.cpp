//===- SymbolicExprTest.cpp - Every fact for all inputs -------------------===//
// SPDX-License-Identifier: MIT
//
// Random programs on integers of a few bits. Each statement that the facts make
// is compared with the values of all inputs.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Symbolic/SymbolicExpr.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir::triton::gpu::intel;

namespace {

int64_t floorDivide(int64_t lhs, int64_t rhs) {
  return lhs / rhs - (lhs % rhs != 0 && (lhs < 0) != (rhs < 0));
}

int64_t wrapAround(int64_t value, unsigned width) {
  int64_t size = int64_t(1) << width;
  int64_t rest = ((value % size) + size) % size;
  return rest >= size / 2 ? rest - size : rest;
}

/// A program, as expressions and as the values that they have for each input.
/// Inputs of which an operation makes no sense are left out.
class Program {
public:
  Program(unsigned seed, unsigned width) : random(seed), width(width) {
    unsigned numInputs = 1 + pick(3);
    size = 1;
    std::vector<std::pair<int64_t, int64_t>> bounds;
    for (unsigned i = 0; i < numInputs; ++i) {
      int64_t min = -(int64_t(1) << (width - 1)), max = -min - 1;
      // Arguments, counters from zero, sizes.
      if (pick(3))
        min = pick(2);
      if (pick(2))
        max = min + pick(max - min + 1);
      bounds.push_back({min, max});
      size *= max - min + 1;
    }
    for (auto [min, max] : bounds) {
      exprs.push_back(SymbolicExpr::getSymbol(facts.addSymbol({min, max})));
      values.emplace_back();
    }
    for (int64_t number = 0; number < size; ++number) {
      int64_t rest = number;
      for (auto [i, range] : llvm::enumerate(bounds)) {
        int64_t extent = range.second - range.first + 1;
        values[i].push_back(range.first + rest % extent);
        rest /= extent;
      }
    }
    valid.assign(size, true);
    // Kernels may state facts about their arguments (`tl.assume`).
    if (numInputs > 1 && pick(2)) {
      SymbolicExpr fact = exprs[0] - exprs[1] + int64_t(pick(4));
      facts.assumeNonNegative(fact);
      int64_t constant = 0;
      for (auto &[product, factor] : fact.getTerms())
        if (product.empty())
          constant = factor;
      for (int64_t i = 0; i < size; ++i)
        if (values[0][i] - values[1][i] + constant < 0)
          valid[i] = false;
    }
    for (unsigned i = 0, end = 3 + pick(6); i < end; ++i)
      addOperation();
  }

  /// The number of statements that were compared.
  unsigned check() {
    if (!llvm::is_contained(valid, true))
      return 0;
    unsigned count = 0;
    for (size_t i = 0; i < exprs.size(); ++i)
      count += checkOne(i);
    for (unsigned i = 0; i < exprs.size(); ++i)
      count += checkTwo(pick(exprs.size()), pick(exprs.size()));
    return count;
  }

  unsigned numProved = 0;

private:
  unsigned pick(int64_t end) {
    return std::uniform_int_distribution<int64_t>(0, end - 1)(random);
  }

  void addConstant() {
    int64_t constant = int64_t(pick(9)) - 2;
    exprs.push_back(SymbolicExpr(constant));
    values.emplace_back(size, constant);
  }

  template <typename Compute>
  void add(SymbolicExpr expr, size_t lhs, size_t rhs, Compute compute) {
    if (!expr.isKnown())
      return;
    std::vector<int64_t> results(size);
    for (int64_t i = 0; i < size; ++i)
      results[i] = compute(values[lhs][i], values[rhs][i]);
    exprs.push_back(std::move(expr));
    values.push_back(std::move(results));
  }

  void addOperation() {
    if (pick(3) == 0)
      addConstant();
    size_t lhs = pick(exprs.size()), rhs = pick(exprs.size());
    const SymbolicExpr a = exprs[lhs], b = exprs[rhs];
    bool isWrapped = pick(2);
    auto finish = [&](SymbolicExpr expr) {
      return isWrapped ? facts.wrap(expr, width) : expr;
    };
    auto reduce = [&](int64_t value) {
      return isWrapped ? wrapAround(value, width) : value;
    };
    switch (pick(10)) {
    case 0:
      return add(finish(a + b), lhs, rhs,
                 [&](int64_t x, int64_t y) { return reduce(x + y); });
    case 1:
      return add(finish(a - b), lhs, rhs,
                 [&](int64_t x, int64_t y) { return reduce(x - y); });
    case 2:
      return add(finish(a * b), lhs, rhs,
                 [&](int64_t x, int64_t y) { return reduce(x * y); });
    case 3:
      return add(facts.getQuotient(a, b), lhs, rhs, [](int64_t x, int64_t y) {
        return y > 0 ? floorDivide(x, y) : 0;
      });
    case 4:
      return add(facts.getRemainder(a, b), lhs, rhs, [](int64_t x, int64_t y) {
        return y > 0 ? x - y * floorDivide(x, y) : 0;
      });
    case 5: {
      // Branches choose by something other than the two.
      std::mt19937 choice(pick(1000));
      return add(facts.getEither(a, b), lhs, rhs,
                 [&](int64_t x, int64_t y) { return choice() % 2 ? x : y; });
    }
    case 6:
      return add(facts.getMinimum(a, b), lhs, rhs,
                 [](int64_t x, int64_t y) { return std::min(x, y); });
    case 7:
      return add(facts.getIndicator(a), lhs, rhs,
                 [](int64_t x, int64_t) { return x >= 0; });
    case 8:
      // Numbers without a common digit are added by "or".
      if (!facts.haveDisjointBits(a, b))
        return;
      return add(a + b, lhs, rhs, [](int64_t x, int64_t y) { return x | y; });
    default:
      return add(facts.getMaximum(a, b), lhs, rhs,
                 [](int64_t x, int64_t y) { return std::max(x, y); });
    }
  }

  template <typename Holds> void expectAll(Holds holds, const char *what) {
    for (int64_t i = 0; i < size; ++i)
      if (valid[i])
        ASSERT_TRUE(holds(i)) << what;
  }

  unsigned checkOne(size_t number) {
    const std::vector<int64_t> &found = values[number];
    SymbolicRange range = facts.getRange(exprs[number]);
    if (range.min)
      expectAll([&](int64_t i) { return found[i] >= *range.min; }, "min");
    if (range.max)
      expectAll([&](int64_t i) { return found[i] <= *range.max; }, "max");
    int64_t divisor = facts.getDivisor(exprs[number]);
    expectAll(
        [&](int64_t i) {
          return divisor == 0 ? found[i] == 0 : found[i] % divisor == 0;
        },
        "divisor");
    bool isNonNegative = facts.isNonNegative(exprs[number]);
    if (isNonNegative)
      expectAll([&](int64_t i) { return found[i] >= 0; }, "sign");
    bool isAll = true;
    for (int64_t i = 0; i < size; ++i)
      isAll &= !valid[i] || found[i] >= 0;
    numTrue += isAll;
    numProved += isNonNegative;
    return bool(range.min) + bool(range.max) + 1 + isNonNegative;
  }

  unsigned checkTwo(size_t lhs, size_t rhs) {
    const std::vector<int64_t> &a = values[lhs], &b = values[rhs];
    unsigned count = 0;
    if (facts.areEqual(exprs[lhs], exprs[rhs])) {
      ++count;
      expectAll([&](int64_t i) { return a[i] == b[i]; }, "equal");
    }
    if (facts.areDistinct(exprs[lhs], exprs[rhs])) {
      ++count;
      expectAll([&](int64_t i) { return a[i] != b[i]; }, "distinct");
    }
    if (facts.isNonNegative(exprs[lhs] - exprs[rhs])) {
      ++count;
      expectAll([&](int64_t i) { return a[i] >= b[i]; }, "order");
    }
    return count;
  }

public:
  unsigned numTrue = 0;

private:
  std::mt19937 random;
  unsigned width;
  int64_t size;
  SymbolicFacts facts;
  std::vector<SymbolicExpr> exprs;
  std::vector<std::vector<int64_t>> values;
  std::vector<bool> valid;
};

/// Programs with successive numbers, and how many bits their inputs have.
struct Programs {
  unsigned width, first, end;
};

class SymbolicExprTest : public testing::TestWithParam<Programs> {};

TEST_P(SymbolicExprTest, AllInputs) {
  const auto [width, first, end] = GetParam();
  unsigned long count = 0, numProved = 0, numTrue = 0;
  for (unsigned seed = first; seed < end && !HasFailure(); ++seed) {
    Program program(seed, width);
    count += program.check();
    numProved += program.numProved;
    numTrue += program.numTrue;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  RecordProperty("statements", static_cast<int>(count));
  EXPECT_GT(numProved, numTrue * 9 / 10);
  printf("%u bits: %lu statements, signs proved %lu of %lu\n", width, count,
         numProved, numTrue);
}

// Inputs of 6 bits are many more. Long runs of the tests have more programs.
INSTANTIATE_TEST_SUITE_P(Widths, SymbolicExprTest,
                         testing::Values(Programs{4, 0, 10000},
                                         Programs{6, 0, 200}));
INSTANTIATE_TEST_SUITE_P(DISABLED_More, SymbolicExprTest,
                         testing::Values(Programs{4, 10000, 30000}));

/// Sums are the same in whatever order their terms come, and unknown where a
/// number or the sum itself is too long.
TEST(SymbolicSums, HaveOneForm) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(),
                    largest = std::numeric_limits<int64_t>::max();
  using Terms = SymbolicExpr::Terms;
  SymbolicExpr x = SymbolicExpr::getSymbol(0), y = SymbolicExpr::getSymbol(1);
  EXPECT_EQ(SymbolicExpr::getSum({{{1}, 2}, {{}, 3}, {{0}, 1}, {{1}, -1}}),
            x + y + 3);
  // Terms that cancel each other leave no term, also if others follow.
  EXPECT_EQ(SymbolicExpr::getSum({{{0}, 1}, {{1}, 4}, {{0}, -1}}), y * 4);
  EXPECT_TRUE(SymbolicExpr::getSum({{{0}, 1}, {{0}, -1}}).isZero());
  EXPECT_EQ((x - y) * (x + y), x * x - y * y);
  EXPECT_EQ((x + 7).getConstantTerm(), 7);
  EXPECT_EQ((x * y).getConstantTerm(), 0);
  EXPECT_FALSE(SymbolicExpr::getSum({{{0}, largest}, {{0}, 1}}).isKnown());
  EXPECT_FALSE((-(x * least)).isKnown());
  Terms many;
  for (Symbol symbol = 0; symbol <= SymbolicExpr::kMaxTerms; ++symbol)
    many.push_back({{symbol}, 1});
  EXPECT_FALSE(SymbolicExpr::getSum(many).isKnown());
  many.pop_back();
  EXPECT_TRUE(SymbolicExpr::getSum(many).isKnown());
  SymbolicExpr power(1);
  for (size_t degree = 0; degree < SymbolicExpr::kMaxDegree; ++degree)
    power = power * x;
  EXPECT_TRUE(power.isKnown());
  EXPECT_FALSE((power * x).isKnown());
  // All terms but the constant are multiples of the divisor.
  EXPECT_EQ((x * 4 + y * 6 + 7).tighten(), x * 2 + y * 3 + 3);
  EXPECT_EQ((x * 4 - y * 6 - 7).tighten(), x * 2 - y * 3 - 4);
  EXPECT_EQ((x * 4 + y * 3 + 7).tighten(), x * 4 + y * 3 + 7);
}

/// Compares proofs that two accesses of a tensor in loops meet in elements with
/// the same indices only with all addresses of both.
TEST(SymbolicAccesses, MeetInEqualElementsOnly) {
  std::mt19937 random(1);
  auto pick = [&](int64_t min, int64_t max) {
    return std::uniform_int_distribution<int64_t>(min, max)(random);
  };
  unsigned numProved = 0, numApart = 0;
  constexpr unsigned numAccesses = 4000;
  for (unsigned n = 0; n < numAccesses; ++n) {
    SymbolicFacts facts;
    unsigned rank = pick(1, 2);
    int64_t trips = pick(1, 4);
    // A row stride that is an argument, of which a part of the values is known.
    SymbolicRange strideRange{pick(-2, 6), 0};
    strideRange.max = *strideRange.min + pick(0, 4);
    SymbolicExpr stride = SymbolicExpr::getSymbol(facts.addSymbol(strideRange));
    SymbolicExpr first =
        SymbolicExpr::getSymbol(facts.addSymbol({0, trips - 1}));
    SymbolicExpr later =
        SymbolicExpr::getSymbol(facts.addSymbol({1 - trips, trips - 1}));
    facts.assumeNonNegative(first + later);
    facts.assumeNonNegative(SymbolicExpr(trips - 1) - first - later);
    int64_t step = pick(0, 6), shift = pick(0, 3) == 0 ? pick(-3, 3) : 0;
    SymbolicExpr difference = later * step + shift;
    std::vector<int64_t> sizes, factors;
    std::vector<SymbolicExpr> distances;
    for (unsigned dim = 0; dim < rank; ++dim) {
      int64_t size = pick(1, 4);
      // The last dimension has a constant stride.
      int64_t factor = dim + 1 == rank ? pick(0, 2) : 1;
      sizes.push_back(size);
      factors.push_back(factor);
      SymbolicExpr distance =
          SymbolicExpr::getSymbol(facts.addSymbol({1 - size, size - 1}));
      distances.push_back(distance);
      difference =
          difference + distance * factor * (dim + 1 == rank ? 1 : stride);
    }
    bool isProved = llvm::all_of(distances, [&](const SymbolicExpr &distance) {
      return facts.isContradiction({difference, -difference, distance - 1}) &&
             facts.isContradiction({difference, -difference, -distance - 1});
    });
    bool isApart = true;
    for (int64_t row = *strideRange.min; row <= *strideRange.max; ++row)
      for (int64_t u = 0; u < trips; ++u)
        for (int64_t v = 0; v < trips; ++v)
          for (int64_t i = 1 - sizes[0]; i < sizes[0]; ++i)
            for (int64_t j = rank == 2 ? 1 - sizes[1] : 0;
                 j < (rank == 2 ? sizes[1] : 1); ++j) {
              int64_t between =
                  step * (v - u) + shift +
                  (rank == 2 ? i * row + j * factors[1] : i * factors[0]);
              isApart &= between != 0 || (i == 0 && j == 0);
            }
    ASSERT_TRUE(!isProved || isApart) << "access " << n;
    numProved += isProved;
    numApart += isApart;
  }
  printf("accesses: %u of %u that are apart are proved\n", numProved, numApart);
  // A proof that never succeeds would pass all of the above.
  EXPECT_GT(numProved, numApart * 3 / 4);
}
} // namespace
