//===- UniformSum.h - Sums of products of scalars ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Kernels compute addresses from scalars: program ids, strides, counters of
// loops. To find that `(K - k * 32) + k * 32` is K, or which part of an offset
// is a multiple of a stride, such a scalar is written as a sum of products
//
//   c_0 * x_0 * y_0 * ...  +  c_1 * x_1 * ...  +  ...
//
// with integer constants c and values x, y of any other origin. Sums count in
// 64 bits: that the kernel's own arithmetic, which may have 32, does not
// overflow is what coordinates of a tensor rely on anyway.
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

class UniformSum;

/// The values that sums of one function are made of, in the order in which they
/// were met: products are compared by it, so that answers depend on the IR
/// alone.
class UniformValues {
public:
  unsigned getNumber(Value value) {
    auto [it, isNew] = numbers.try_emplace(value, values.size());
    if (isNew)
      values.push_back(value);
    return it->second;
  }
  Value getValue(unsigned number) const { return values[number]; }

  /// Reads what `function` says by `tl.assume` about sums that are not single
  /// values anyway: that they are not negative.
  void addAssumptions(FuncOp function);
  /// Those of the sums that are said before, or while, `at` runs.
  SmallVector<const UniformSum *> getNonNegativeSums(Operation *at) const;

private:
  llvm::DenseMap<Value, unsigned> numbers;
  SmallVector<Value> values;
  /// With the operation that says so.
  std::vector<std::pair<UniformSum, Operation *>> nonNegative;
};

/// A sum. What would get longer than `kMaxTerms` is not computed.
class UniformSum {
public:
  /// Numbers of values, sorted; the empty product is 1.
  using Product = std::vector<unsigned>;
  static constexpr size_t kMaxTerms = 16;

  UniformSum() = default;
  explicit UniformSum(int64_t constant) { add({}, constant); }

  /// The sum that a scalar integer is, through additions, subtractions,
  /// products, sign extensions and constants.
  static UniformSum get(Value scalar, UniformValues &values);
  /// One value by its number.
  static UniformSum get(unsigned number);

  bool isZero() const { return terms.empty(); }
  /// The constant, if it is one.
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
  /// Nothing if the product has too many terms.
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

  /// The sum with `by` in the place of value `number`; nothing if it has too
  /// many terms then.
  std::optional<UniformSum> substitute(unsigned number,
                                       const UniformSum &by) const;

  /// Whether no term can be negative, or none but those of a multiple of a sum
  /// that the kernel says is not negative where `at` runs.
  bool isKnownNonNegative(const UniformValues &values, ValueSources &sources,
                          Operation *at = nullptr) const;

  /// Whether all values dominate the insertion point of operations in `region`:
  /// none is defined in it.
  bool isDefinedOutside(const UniformValues &values, Region &region) const;

  /// Writes the sum for people, e.g. `64 * %3 + 1`.
  void print(raw_ostream &os, const UniformValues &values) const;

  /// The sum as a value of 64 bits.
  Value create(OpBuilder &builder, Location loc,
               const UniformValues &values) const;

private:
  void add(const Product &product, int64_t factor);
  bool hasNoNegativeTerm(const UniformValues &values,
                         ValueSources &sources) const;

  std::map<Product, int64_t> terms;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_UNIFORMSUM_H
