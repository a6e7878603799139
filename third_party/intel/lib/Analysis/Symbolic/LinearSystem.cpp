//===- LinearSystem.cpp - Inequalities of polynomials ---------------------===//
// SPDX-License-Identifier: MIT

#include "LinearSystem.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Analysis/Presburger/Utils.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <unordered_map>

using namespace mlir;
using namespace mlir::triton::gpu::intel;
using mlir::presburger::Fraction;
using mlir::presburger::Simplex;

namespace {

//===----------------------------------------------------------------------===//
// Answers that are kept
//===----------------------------------------------------------------------===//

/// Bounds the memory of a thread: it keeps this number of answers of each kind,
/// and then starts over. Measured by compiling the 200 launches of the tests
/// (test/python/kernel_suite) in one process: they lead to 2,286 systems, whose
/// keys take 2.4 MB, so that the limit is about 4 MB of keys.
constexpr size_t kMaxAnswers = 4096;

/// Spells a system: the terms of all expressions, with the place of each symbol
/// among those of the system instead of its number.
using Key = std::vector<int64_t>;

struct KeyHash {
  size_t operator()(const Key &key) const {
    return llvm::hash_combine_range(key);
  }
};

/// Keeps answers by the systems that they are about.
template <typename Answer> class AnswerCache {
public:
  Answer get(Key key, llvm::function_ref<Answer()> find) {
    if (auto it = answers.find(key); it != answers.end())
      return it->second;
    Answer answer = find();
    if (answers.size() == kMaxAnswers)
      answers.clear();
    answers.emplace(std::move(key), answer);
    return answer;
  }

private:
  std::unordered_map<Key, Answer, KeyHash> answers;
};

//===----------------------------------------------------------------------===//
// Facts that follow
//===----------------------------------------------------------------------===//

// Limits bound the time of a proof. Their source is SymbolicExprTest
// (test/Intel/unit/Analysis), which was run with other ones, as for those in
// SymbolicProofs.cpp.

/// Bounds the products of facts. With 32, the test proves 6 statements less;
/// with 128, the same.
constexpr size_t kMaxProducts = 64;
/// Bounds the numbers whose products are facts: those of types, and their
/// quotients by sizes of tiles, would make coefficients so long that a proof
/// takes 10 to 30 times as long. The test proves the same with 2^12, and with
/// 2^30.
constexpr int64_t kMaxBound = int64_t(1) << 16;

/// Orders expressions by their terms with symbols.
struct HasLessTerms {
  bool operator()(const SymbolicExpr *lhs, const SymbolicExpr *rhs) const {
    auto getTerms = [](const SymbolicExpr *expr) {
      return llvm::drop_begin(expr->getTerms(), expr->getConstantTerm() != 0);
    };
    auto a = getTerms(lhs), b = getTerms(rhs);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
};

/// Removes facts that another one implies: among those that differ in their
/// constants only, the one with the least constant is the strongest.
std::vector<SymbolicExpr> removeImplied(std::vector<SymbolicExpr> facts) {
  std::set<SymbolicExpr *, HasLessTerms> strongest;
  std::vector<SymbolicExpr> kept;
  // The vector does not move its elements, which the set points to.
  kept.reserve(facts.size());
  for (SymbolicExpr &fact : facts) {
    auto it = strongest.find(&fact);
    if (it == strongest.end()) {
      kept.push_back(std::move(fact));
      strongest.insert(&kept.back());
    } else if (fact.getConstantTerm() < (*it)->getConstantTerm()) {
      **it = std::move(fact);
    }
  }
  return kept;
}

/// Adds products of facts that bound products of symbols in the facts and in
/// `exprs`.
void addProducts(std::vector<SymbolicExpr> &facts,
                 llvm::ArrayRef<SymbolicExpr> exprs,
                 llvm::ArrayRef<SymbolicExpr> constraints) {
  std::set<SymbolicExpr::Product> products;
  std::set<Symbol> factors;
  for (llvm::ArrayRef<SymbolicExpr> list : {exprs, llvm::ArrayRef(facts)})
    for (const SymbolicExpr &expr : list)
      for (auto &term : expr.getTerms())
        if (term.first.size() > 1) {
          products.insert(term.first);
          factors.insert(term.first.begin(), term.first.end());
        }
  if (products.empty())
    return;
  // These facts are about one symbol each.
  std::map<Symbol, SmallVector<SymbolicExpr, 2>> bounds;
  std::set<Symbol> notNegative;
  for (const SymbolicExpr &fact : facts) {
    const auto &terms = fact.getTerms();
    int64_t constant = fact.getConstantTerm();
    if (terms.size() != (constant == 0 ? 1 : 2) ||
        terms.rbegin()->first.size() != 1)
      continue;
    auto [product, factor] = *terms.rbegin();
    if (constant < kMaxBound && constant > -kMaxBound)
      bounds[product.front()].push_back(fact);
    if (factor == 1 && constant <= 0)
      notNegative.insert(product.front());
  }
  size_t limit = facts.size() + kMaxProducts;
  auto add = [&](const SymbolicExpr &lhs, const SymbolicExpr &rhs) {
    SymbolicExpr product = lhs * rhs;
    if (product.isKnown() && facts.size() < limit)
      facts.push_back(product.tighten());
  };
  // A constraint times a symbol that is not negative is not negative.
  for (const SymbolicExpr &constraint : constraints)
    for (Symbol symbol : factors)
      if (notNegative.count(symbol))
        add(constraint, SymbolicExpr::getSymbol(symbol));
  // The product of bounds of two factors bounds the product of the factors.
  for (const SymbolicExpr::Product &product : products) {
    if (product.size() != 2)
      continue;
    for (const SymbolicExpr &lhs : bounds[product.front()])
      for (const SymbolicExpr &rhs : bounds[product.back()])
        add(lhs, rhs);
  }
  // A longer product of symbols that are not negative is not negative.
  for (const SymbolicExpr::Product &product : products)
    if (product.size() > 2 && llvm::all_of(product, [&](Symbol symbol) {
          return notNegative.count(symbol) != 0;
        }))
      facts.push_back(SymbolicExpr::getSum({{product, 1}}));
  facts = removeImplied(std::move(facts));
}

//===----------------------------------------------------------------------===//
// Answers that are found
//===----------------------------------------------------------------------===//

/// Maps products of symbols to variables of a simplex, in the order of the
/// products: the order decides which solution is found.
class Tableau {
public:
  explicit Tableau(llvm::ArrayRef<SymbolicExpr> exprs) {
    for (const SymbolicExpr &expr : exprs)
      for (auto &[product, factor] : expr.getTerms())
        if (!product.empty())
          columns.try_emplace(product, columns.size());
  }

  Simplex solve(llvm::ArrayRef<SymbolicExpr> facts) const {
    Simplex simplex(columns.size());
    for (const SymbolicExpr &fact : facts)
      simplex.addInequality(getRow(fact));
    return simplex;
  }

  SmallVector<DynamicAPInt> getRow(const SymbolicExpr &expr) const {
    SmallVector<DynamicAPInt> row(columns.size() + 1, DynamicAPInt(0));
    for (auto &[product, factor] : expr.getTerms())
      row[product.empty() ? columns.size() : columns.at(product)] =
          DynamicAPInt(factor);
    return row;
  }

  std::optional<LinearSystem::Flaw> findFlaw(const Simplex &simplex) const;

private:
  std::map<SymbolicExpr::Product, size_t> columns;
};

std::optional<LinearSystem::Flaw>
Tableau::findFlaw(const Simplex &simplex) const {
  auto sample = simplex.getRationalSample();
  if (!sample)
    return std::nullopt;
  auto getValue = [&](const SymbolicExpr::Product &product) {
    return (*sample)[columns.at(product)];
  };
  auto getFlaw =
      [](Symbol symbol,
         const Fraction &value) -> std::optional<LinearSystem::Flaw> {
    DynamicAPInt below = floor(value);
    if (abs(below) > DynamicAPInt(std::numeric_limits<int32_t>::max()))
      return std::nullopt;
    return LinearSystem::Flaw{symbol, static_cast<int64_t>(below),
                              below * value.den == value.num};
  };
  for (auto &[product, column] : columns) {
    if (product.size() != 2 || !columns.count({product.front()}) ||
        !columns.count({product.back()}))
      continue;
    Fraction lhs = getValue({product.front()}),
             rhs = getValue({product.back()});
    if (lhs * rhs == getValue(product))
      continue;
    // The smaller factor has fewer values.
    bool isFirst = abs(lhs.num) < abs(rhs.num);
    return getFlaw(isFirst ? product.front() : product.back(),
                   isFirst ? lhs : rhs);
  }
  for (auto &[product, column] : columns)
    if (product.size() == 1)
      if (auto flaw = getFlaw(product.front(), getValue(product));
          flaw && !flaw->isInteger)
        return flaw;
  return std::nullopt;
}

/// Returns an optimum as an integer, rounded up or down.
std::optional<int64_t>
toInteger(const presburger::MaybeOptimum<Fraction> &optimum, bool isUp) {
  if (!optimum.isBounded())
    return std::nullopt;
  DynamicAPInt value = isUp ? ceil(*optimum) : floor(*optimum);
  if (value > DynamicAPInt(std::numeric_limits<int64_t>::max()) ||
      value < DynamicAPInt(std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  return static_cast<int64_t>(value);
}

} // namespace

LinearSystem::LinearSystem(llvm::ArrayRef<SymbolicExpr> constraints,
                           std::vector<const SymbolicExpr *> facts,
                           llvm::ArrayRef<SymbolicExpr> goals)
    : constraints(constraints), facts(std::move(facts)), goals(goals) {
  for (const SymbolicExpr &expr : llvm::concat<const SymbolicExpr>(
           constraints, llvm::make_pointee_range(this->facts), goals))
    for (auto &term : expr.getTerms())
      llvm::append_range(symbols, term.first);
  llvm::sort(symbols);
  symbols.erase(llvm::unique(symbols), symbols.end());
}

std::vector<SymbolicExpr> LinearSystem::expand() const {
  std::vector<SymbolicExpr> all;
  for (const SymbolicExpr &constraint : constraints)
    all.push_back(constraint.tighten());
  for (const SymbolicExpr *fact : facts)
    all.push_back(*fact);
  all = removeImplied(std::move(all));
  addProducts(all, goals, constraints);
  return all;
}

std::vector<int64_t> LinearSystem::spell() const {
  Key key;
  auto add = [&](const auto &exprs) {
    key.push_back(llvm::range_size(exprs));
    for (const SymbolicExpr &expr : exprs) {
      key.push_back(expr.getTerms().size());
      for (auto &[product, factor] : expr.getTerms()) {
        key.push_back(product.size());
        for (Symbol symbol : product)
          key.push_back(getPlace(symbol));
        key.push_back(factor);
      }
    }
  };
  add(constraints);
  add(llvm::make_pointee_range(facts));
  add(goals);
  return key;
}

/// Returns where a symbol is among those of the system.
size_t LinearSystem::getPlace(Symbol symbol) const {
  return llvm::lower_bound(symbols, symbol) - symbols.begin();
}

LinearSystem::Solution LinearSystem::solve() const {
  static thread_local AnswerCache<Solution> known;
  Solution solution = known.get(spell(), [&] {
    std::vector<SymbolicExpr> all = expand();
    bool isWrong = llvm::any_of(all, [](const SymbolicExpr &fact) {
      std::optional<int64_t> constant = fact.getConstant();
      return constant && *constant < 0;
    });
    if (isWrong)
      return Solution{/*isEmpty=*/true, std::nullopt};
    Tableau tableau(all);
    Simplex simplex = tableau.solve(all);
    if (simplex.isEmpty())
      return Solution{/*isEmpty=*/true, std::nullopt};
    Solution found{/*isEmpty=*/false, tableau.findFlaw(simplex)};
    if (found.flaw)
      found.flaw->symbol = getPlace(found.flaw->symbol);
    return found;
  });
  // A cached solution names a symbol by its place in the system.
  if (solution.flaw)
    solution.flaw->symbol = symbols[solution.flaw->symbol];
  return solution;
}

SymbolicRange LinearSystem::getRange() const {
  static thread_local AnswerCache<SymbolicRange> known;
  return known.get(spell(), [&] {
    const SymbolicExpr &goal = goals.front();
    std::vector<SymbolicExpr> all = expand();
    size_t numFacts = all.size();
    all.push_back(goal);
    Tableau tableau(all);
    Simplex simplex = tableau.solve(llvm::ArrayRef(all).take_front(numFacts));
    if (simplex.isEmpty())
      return SymbolicRange();
    SymbolicRange range;
    range.max = toInteger(
        simplex.computeOptimum(Simplex::Direction::Up, tableau.getRow(goal)),
        /*isUp=*/false);
    range.min = toInteger(
        simplex.computeOptimum(Simplex::Direction::Down, tableau.getRow(goal)),
        /*isUp=*/true);
    return range;
  });
}
