//===- UniformSum.h - Sums of products of scalars ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Kernels compute addresses from scalars: program ids, strides, counters of
// loops. Such a scalar is represented as a sum of products, for example to find
// that `(K - k * 32) + k * 32` is K, or which part of an offset is a multiple
// of a stride:
//
//   c_0 * x_0 * y_0 * ...  +  c_1 * x_1 * ...  +  ...
//
// with integer constants c and values x, y of any other origin. Sums have 64
// bits. The kernel's own arithmetic, which may have 32 bits, is assumed not to
// overflow, as for all coordinates of a tensor.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_UNIFORMSUM_H
#define INTEL_ANALYSIS_UNIFORMSUM_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <vector>

namespace mlir::triton::gpu::intel {

/// The values in the sums of one function, numbered in the order in which they
/// were found. Products are sorted by these numbers, so that answers depend on
/// the IR only.
class UniformValues {
public:
  unsigned getNumber(Value value) {
    auto [it, isNew] = numbers.try_emplace(value, values.size());
    if (isNew)
      values.push_back(value);
    return it->second;
  }
  Value getValue(unsigned number) const { return values[number]; }

private:
  llvm::DenseMap<Value, unsigned> numbers;
  SmallVector<Value> values;
};

/// A sum of at most `kMaxTerms` terms. Longer sums are not computed.
class UniformSum {
public:
  /// Numbers of values, sorted; the empty product is 1.
  using Product = std::vector<unsigned>;
  static constexpr size_t kMaxTerms = 16;

  UniformSum() = default;
  explicit UniformSum(int64_t constant) { add({}, constant); }

  /// The sum that represents a scalar integer. Follows additions, subtractions,
  /// products, sign extensions and constants.
  static UniformSum get(Value scalar, UniformValues &values);
  /// One value by its number.
  static UniformSum get(unsigned number);

  bool isZero() const { return terms.empty(); }
  /// The constant, if the sum is one.
  std::optional<int64_t> getConstant() const;
  size_t size() const { return terms.size(); }

  /// The terms, each a sum of its own.
  std::vector<UniformSum> getTerms() const;
  /// The constant of a sum of one term.
  int64_t getFactor() const { return terms.begin()->second; }
  /// The values that are multiplied, term by term.
  SmallVector<Value> getValues(const UniformValues &values) const;

  UniformSum operator+(const UniformSum &other) const;
  UniformSum operator-(const UniformSum &other) const;
  /// None if the product has too many terms.
  std::optional<UniformSum> operator*(const UniformSum &other) const;
  bool operator==(const UniformSum &other) const {
    return terms == other.terms;
  }

  /// The largest part of this sum that is a multiple of `divisor`, a sum of one
  /// term, divided by it; `rest` is what is left.
  UniformSum divide(const UniformSum &divisor, UniformSum &rest) const;

  /// The first factor of any term that `select` selects.
  std::optional<unsigned>
  findFactor(const UniformValues &values,
             llvm::function_ref<bool(Value)> select) const;

  /// The sum with `by` in the place of value `number`; none if the result has
  /// too many terms.
  std::optional<UniformSum> substitute(unsigned number,
                                       const UniformSum &by) const;

  /// Returns whether the sum, a part of an address, is proved not to be
  /// negative where `at` runs (ValueProver.h).
  bool isKnownNonNegative(const UniformValues &values, ValueSources &sources,
                          Operation *at) const;

  /// Whether all values dominate the insertion point of operations in `region`:
  /// none is defined in it.
  bool isDefinedOutside(const UniformValues &values, Region &region) const;

  /// Prints the sum, e.g. `64 * %3 + 1`.
  void print(raw_ostream &os, const UniformValues &values) const;

  /// The sum as a value of 64 bits.
  Value create(OpBuilder &builder, Location loc,
               const UniformValues &values) const;

private:
  void add(const Product &product, int64_t factor);

  std::map<Product, int64_t> terms;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_UNIFORMSUM_H
