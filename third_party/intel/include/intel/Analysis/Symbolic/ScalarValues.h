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

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_SCALARVALUES_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_SCALARVALUES_H

#include "intel/Analysis/Symbolic/SymbolicExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace mlir {
class DominanceInfo;
} // namespace mlir

namespace mlir::triton::gpu::intel {

class AddressParts;
class LaunchCondition;

/// Describes a number that is loaded for elements of a tensor that share it.
struct SharedLoad {
  /// The load of the tensor, whose hints about caches the new one has.
  LoadOp load;
  /// The address: a pointer and a number of elements.
  Value base;
  SymbolicExpr offset;
  /// If there is a bound, the number is loaded where `first` < `bound`, and is
  /// zero elsewhere.
  SymbolicExpr first;
  std::optional<SymbolicExpr> bound;
};

/// States where operations are created: before an operation, or at the
/// beginning of a block.
using CreationPoint = llvm::PointerUnion<Operation *, Block *>;

/// Holds the numbers that expressions consist of, in the order in which they
/// were found: answers depend on the IR only. A number is a value of the
/// kernel, or one that the kernel can compute. The latter gets its operations
/// when a value that depends on it is created: queries create nothing.
class ScalarValues {
public:
  /// Holds the symbols, others than those of numbers among them.
  SymbolicFacts &getFacts() { return facts; }

  Symbol getSymbol(Value value);
  /// Returns whether a symbol is that of a number.
  bool isNumber(Symbol symbol) const { return numbers.count(symbol); }
  /// Returns the pointer that a symbol represents; null if it is none.
  Value findPointer(Symbol symbol) const;

  /// Returns the quotient of two known expressions, rounded toward zero. It can
  /// be computed at `point`, which has to exist until then, as a `type`: both
  /// operands are numbers that the kernel has in this type, or could have.
  SymbolicExpr divide(const SymbolicExpr &dividend, const SymbolicExpr &divisor,
                      Type type, CreationPoint point);

  /// Returns a known expression modulo 2^32, as a signed integer of 32 bits. It
  /// can be computed at `point`, which has to exist until then.
  SymbolicExpr wrap(const SymbolicExpr &expr, CreationPoint point);

  /// Returns a number that can be loaded before `shared.load`, which has
  /// to exist until then.
  SymbolicExpr load(const SharedLoad &shared);

  /// Returns the values of the kernel that are multiplied, term by term.
  SmallVector<Value> getFactors(const SymbolicExpr &expr) const;

  /// Returns whether the expression is proved not to be negative where `at`
  /// runs and `parts` do not overflow (ValueProver.h). If there is a
  /// `condition`, launches may have to satisfy more of it for that
  /// (LaunchProver.h).
  bool isNonNegative(const SymbolicExpr &expr, ValueSources &sources,
                     Operation *at, const AddressParts &parts,
                     LaunchCondition *condition = nullptr) const;

  /// Returns a number that divides the expression: 0 if it is zero.
  int64_t getDivisor(const SymbolicExpr &expr, ValueSources &sources) const;

  /// Returns whether all numbers of an expression dominate the operations of
  /// `region`: none is defined in it.
  bool isDefinedOutside(const SymbolicExpr &expr, Region &region) const;

  /// Returns whether all numbers of an expression are values that `op` may use.
  bool dominates(const SymbolicExpr &expr, Operation *op,
                 const DominanceInfo &dominance) const;

  /// Prints an expression, e.g. `64 * %3 + 1`.
  void print(raw_ostream &os, const SymbolicExpr &expr) const;

  /// Makes a known expression a value of 64 bits.
  Value create(OpBuilder &builder, Location loc, const SymbolicExpr &expr);

  /// Creates the operations of all numbers of a known expression.
  void createNumbers(const SymbolicExpr &expr);

private:
  /// Describes how to compute a number: a load, a quotient or, if the divisor
  /// is zero, the dividend modulo 2^32.
  struct Computation {
    CreationPoint point;
    SymbolicExpr dividend, divisor;
    Type type;
    std::optional<SharedLoad> shared;

    bool isWrapped() const { return !shared && divisor.isZero(); }
  };
  struct Number {
    /// Null until the operations are created.
    Value value;
    /// The region that the number is defined in.
    Region *region;
    /// Null for values of the kernel.
    std::shared_ptr<const Computation> computation;
  };
  using Key =
      std::tuple<void *, void *, SymbolicExpr::Terms, SymbolicExpr::Terms>;

  void print(raw_ostream &os, Symbol symbol) const;
  SymbolicExpr addComputed(Key key, Computation computation);
  Value getValue(Symbol symbol);
  Value create(const Computation &computation);
  SymbolicExpr translate(const SymbolicExpr &expr, SymbolicFacts &facts,
                         llvm::function_ref<SymbolicExpr(Value)> read,
                         std::map<Symbol, SymbolicExpr> &computed) const;

  SymbolicFacts facts;
  llvm::DenseMap<Value, Symbol> symbols;
  /// Finds computed numbers by their point, and by dividend and divisor, or by
  /// base, offset and what is compared with the bound, which the load has.
  std::map<Key, Symbol> computedSymbols;
  std::map<Symbol, Number> numbers;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_SCALARVALUES_H
