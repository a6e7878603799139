//===- ScalarValues.h - Sums of products of scalars -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Kernels compute addresses from scalars: program ids, strides, counters of
// loops. Here, an expression (SymbolicExpr.h) is a sum of products of such
// values, each of which is a symbol, and can become a value again. Expressions
// show that `(K - k * 32) + k * 32` is K, or which part of an offset is a
// multiple of a stride.
//
// Expressions are exact numbers. The kernel's own arithmetic, which may have 32
// bits, does not overflow either, as these are parts of addresses
// (AddressUses.h).
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_SCALARVALUES_H
#define INTEL_ANALYSIS_SCALARVALUES_H

#include "intel/Analysis/SymbolicExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::gpu::intel {

/// Holds the values that expressions are made of, numbered in the order in
/// which they were found: answers depend on the IR only.
class ScalarValues {
public:
  Symbol getSymbol(Value value) {
    auto [it, isNew] = symbols.try_emplace(value, values.size());
    if (isNew)
      values.push_back(value);
    return it->second;
  }
  Value getValue(Symbol symbol) const { return values[symbol]; }

  /// Reads a scalar integer. Additions, subtractions, products, sign extensions
  /// and constants are arithmetic; the results of all other operations are
  /// symbols. The expression is always known.
  SymbolicExpr read(Value scalar);

  /// Returns the values that are multiplied, term by term.
  SmallVector<Value> getFactors(const SymbolicExpr &expr) const;

  /// Returns whether the expression, a part of an address, is proved not to be
  /// negative where `at` runs (ValueProver.h).
  bool isNonNegative(const SymbolicExpr &expr, ValueSources &sources,
                     Operation *at) const;

  /// Returns a number that divides the expression: 0 if it is zero.
  int64_t getDivisor(const SymbolicExpr &expr, ValueSources &sources) const;

  /// Returns whether all values of an expression dominate the operations of
  /// `region`: none is defined in it.
  bool isDefinedOutside(const SymbolicExpr &expr, Region &region) const;

  /// Prints an expression, e.g. `64 * %3 + 1`.
  void print(raw_ostream &os, const SymbolicExpr &expr) const;

  /// Makes a known expression a value of 64 bits.
  Value create(OpBuilder &builder, Location loc,
               const SymbolicExpr &expr) const;

private:
  SymbolicExpr read(Value scalar, unsigned &numSteps);
  SymbolicExpr translate(const SymbolicExpr &expr,
                         llvm::function_ref<SymbolicExpr(Value)> read) const;

  llvm::DenseMap<Value, Symbol> symbols;
  SmallVector<Value> values;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_SCALARVALUES_H
