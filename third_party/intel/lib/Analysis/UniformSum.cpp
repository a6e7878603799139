//===- UniformSum.cpp - Sums of products of scalars -----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/UniformSum.h"

#include "intel/Analysis/ValueProver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

namespace {

/// Reads the definition of a scalar: additions, subtractions, products and sign
/// extensions become terms, everything else is a value of its own. Reading
/// starts anew for every question, so that `kMaxSteps` bounds each one.
class SumReader {
public:
  explicit SumReader(UniformValues &values) : values(values) {}

  /// The sum that `value` is. There always is one: where reading stops, for
  /// whatever reason, the value itself is the only term.
  UniformSum read(Value value) {
    APInt constant;
    // Constants of more than 64 bits stay values: factors have 64 bits.
    if (matchPattern(value, m_ConstantInt(&constant)) &&
        constant.getSignificantBits() <= 64)
      return UniformSum(constant.getSExtValue());
    std::optional<UniformSum> sum;
    if (Operation *op = value.getDefiningOp(); op && ++numSteps <= kMaxSteps)
      sum = readOperation(op);
    return sum ? *sum : UniformSum::get(values.getNumber(value));
  }

private:
  /// Sums of a long chain would cost more than they are worth.
  static constexpr unsigned kMaxSteps = 64;

  /// The sum that the result of `op` is; nothing if `op` is none of the
  /// operations above, or its product would have too many terms.
  std::optional<UniformSum> readOperation(Operation *op) {
    return llvm::TypeSwitch<Operation *, std::optional<UniformSum>>(op)
        .Case([&](arith::AddIOp add) {
          return read(add.getLhs()) + read(add.getRhs());
        })
        .Case([&](arith::SubIOp sub) {
          return read(sub.getLhs()) - read(sub.getRhs());
        })
        .Case([&](arith::MulIOp mul) {
          return read(mul.getLhs()) * read(mul.getRhs());
        })
        // Only sign extensions are read through: a zero extension of a negative
        // number is another number.
        .Case([&](arith::ExtSIOp ext) -> std::optional<UniformSum> {
          // A flag is 0 or -1.
          if (ext.getIn().getType().isInteger(1))
            return std::nullopt;
          return read(ext.getIn());
        })
        .Default([](Operation *) { return std::nullopt; });
  }

  /// Numbers the values that the sum is made of.
  UniformValues &values;
  /// Operations read so far, for the limit above.
  unsigned numSteps = 0;
};

} // namespace

/// The product of the one value, once.
UniformSum UniformSum::get(unsigned number) {
  UniformSum sum;
  sum.add({number}, 1);
  return sum;
}

UniformSum UniformSum::get(Value scalar, UniformValues &values) {
  return SumReader(values).read(scalar);
}

void UniformSum::add(const Product &product, int64_t factor) {
  // A term that cancels out is erased, so that equal sums have equal maps and
  // `isZero` is a look at the size.
  int64_t &sum = terms[product];
  // In unsigned arithmetic, which wraps around where signed overflow would be
  // undefined behaviour.
  sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + factor);
  if (sum == 0)
    terms.erase(product);
}

std::optional<int64_t> UniformSum::getConstant() const {
  if (terms.empty())
    return 0;
  // The empty product is the first key of the map, but other terms may follow.
  auto &[product, factor] = *terms.begin();
  if (terms.size() == 1 && product.empty())
    return factor;
  return std::nullopt;
}

std::vector<UniformSum> UniformSum::getTerms() const {
  std::vector<UniformSum> result;
  for (auto &[product, factor] : terms)
    result.emplace_back().add(product, factor);
  return result;
}

SmallVector<Value> UniformSum::getValues(const UniformValues &values) const {
  SmallVector<Value> result;
  for (auto &[product, factor] : terms)
    for (unsigned number : product)
      result.push_back(values.getValue(number));
  return result;
}

UniformSum UniformSum::operator+(const UniformSum &other) const {
  UniformSum sum = *this;
  for (auto &[product, factor] : other.terms)
    // Terms of the same product are added up in `add`, so the result may have
    // fewer terms than both sums together.
    sum.add(product, factor);
  return sum;
}

UniformSum UniformSum::operator-(const UniformSum &other) const {
  UniformSum sum = *this;
  for (auto &[product, factor] : other.terms)
    sum.add(product, -factor);
  return sum;
}

std::optional<UniformSum> UniformSum::operator*(const UniformSum &other) const {
  // The number of terms before equal products are added up: an upper bound,
  // which keeps the work of a product bounded too.
  if (size() * other.size() > kMaxTerms)
    return std::nullopt;
  UniformSum sum;
  for (auto &[lhs, lhsFactor] : terms)
    for (auto &[rhs, rhsFactor] : other.terms) {
      Product product = lhs;
      llvm::append_range(product, rhs);
      // Sorted products are the keys: x * y and y * x are one term.
      llvm::sort(product);
      sum.add(product, static_cast<int64_t>(static_cast<uint64_t>(lhsFactor) *
                                            rhsFactor));
    }
  return sum;
}

UniformSum UniformSum::divide(const UniformSum &divisor,
                              UniformSum &rest) const {
  assert(divisor.size() == 1 && "a sum of one term");
  // Each term of this sum either contains all factors of the divisor, as often
  // as it does, or belongs to the rest.
  auto &[part, scale] = *divisor.terms.begin();
  UniformSum quotient;
  rest = UniformSum();
  for (auto &[product, factor] : terms) {
    // A constant factor has to be divisible as well: no fractions.
    if (factor % scale != 0 || !std::includes(product.begin(), product.end(),
                                              part.begin(), part.end())) {
      rest.add(product, factor);
      continue;
    }
    // What is left of the product: a difference of multisets.
    Product left;
    std::set_difference(product.begin(), product.end(), part.begin(),
                        part.end(), std::back_inserter(left));
    quotient.add(left, factor / scale);
  }
  return quotient;
}

std::optional<unsigned>
UniformSum::findFactor(const UniformValues &values,
                       llvm::function_ref<bool(Value)> select) const {
  for (auto &[product, factor] : terms)
    for (unsigned number : product)
      if (select(values.getValue(number)))
        return number;
  return std::nullopt;
}

std::optional<UniformSum> UniformSum::substitute(unsigned number,
                                                 const UniformSum &by) const {
  UniformSum result;
  // Each term is multiplied out again, one factor at a time.
  for (auto &[product, factor] : terms) {
    UniformSum term(factor);
    for (unsigned part : product) {
      std::optional<UniformSum> longer =
          term * (part == number ? by : UniformSum::get(part));
      if (!longer)
        return std::nullopt;
      term = *longer;
    }
    result = result + term;
  }
  return result;
}

bool UniformSum::isKnownNonNegative(const UniformValues &values,
                                    ValueSources &sources,
                                    Operation *at) const {
  ValueProver prover(sources, Overflow::Excluded);
  return prover.isNonNegative(at, [&](ValueProver::ReadFn read) {
    SymbolicExpr sum;
    for (auto &[product, factor] : terms) {
      SymbolicExpr term(factor);
      for (unsigned number : product)
        term = term * read(values.getValue(number));
      sum = sum + term;
    }
    return sum;
  });
}

bool UniformSum::isDefinedOutside(const UniformValues &values,
                                  Region &region) const {
  return llvm::all_of(terms, [&](auto &term) {
    return llvm::none_of(term.first, [&](unsigned number) {
      return region.isAncestor(values.getValue(number).getParentRegion());
    });
  });
}

void UniformSum::print(raw_ostream &os, const UniformValues &values) const {
  if (terms.empty())
    // The empty sum has no term that would print.
    os << "0";
  llvm::interleave(
      terms, os,
      [&](auto &term) {
        auto &[product, factor] = term;
        // A factor of 1 is left out, unless it is all that the term has.
        if (factor != 1 || product.empty())
          os << factor << (product.empty() ? "" : " * ");
        llvm::interleave(
            product, os,
            [&](unsigned number) {
              values.getValue(number).printAsOperand(os, OpPrintingFlags());
            },
            " * ");
      },
      " + ");
}

Value UniformSum::create(OpBuilder &builder, Location loc,
                         const UniformValues &values) const {
  Type type = builder.getI64Type();
  // All arithmetic has 64 bits, as sums count: the scalars, whose own
  // arithmetic may have 32, are sign-extended first.
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  auto extend = [&](Value value) -> Value {
    if (value.getType() == type)
      return value;
    return arith::ExtSIOp::create(builder, loc, type, value);
  };
  Value sum;
  // Term by term, in the order of the map, so that the same sum always becomes
  // the same IR.
  for (auto &[product, factor] : terms) {
    Value value;
    for (unsigned number : product) {
      Value next = extend(values.getValue(number));
      value = value
                  ? arith::MulIOp::create(builder, loc, value, next).getResult()
                  : next;
    }
    // The empty product is the constant term.
    if (!value)
      value = constant(factor);
    else if (factor != 1)
      value = arith::MulIOp::create(builder, loc, value, constant(factor));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult()
              : value;
  }
  return sum ? sum : constant(0);
}

} // namespace mlir::triton::gpu::intel
