//===- SymbolicReader.h - Values as symbolic expressions --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads integers and pointers of a function as symbolic expressions. A tensor
// is read element by element: an element's expression is one in its indices, so
// that broadcasts, ranges and strides need no forms of their own.
//
// Sums and products of parts of addresses are taken not to overflow: an address
// that wraps around is none of the tensor. Operations that see the number
// itself (divisions, minima, zero extensions) get a symbol where it may have
// wrapped around. Of data nothing is assumed: each result that may have wrapped
// around is a symbol.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_SYMBOLICREADER_H
#define INTEL_ANALYSIS_SYMBOLICREADER_H

#include "intel/Analysis/SymbolicExpr.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace mlir::triton::gpu::intel {

/// What is assumed of sums and products of 32 and more bits.
enum class Overflow {
  /// They are parts of addresses, and do not overflow (AddressUses.h).
  Excluded,
  /// They wrap around unless the opposite is proved.
  Wraps
};

/// Returns the loop whose induction variable `value` is; null for all others,
/// those that loops carry among them.
scf::ForOp getCountingLoop(Value value);

/// Reads values as expressions over symbols of a SymbolicFacts. It creates no
/// operations.
class SymbolicReader {
public:
  /// Returns bounds of a scalar, or of all elements of a tensor, at all times.
  using RangeFn = std::function<SymbolicRange(Value)>;

  /// One execution of the code in loops. The number of the iteration is an
  /// expression for each loop; values that are the same in all iterations are
  /// the same in all executions.
  class Execution {
  public:
    /// `number` counts from 0, and must not be negative.
    void setIteration(scf::ForOp loop, SymbolicExpr number) {
      iterations[loop] = std::move(number);
    }

  private:
    friend class SymbolicReader;
    llvm::DenseMap<Operation *, SymbolicExpr> iterations;
    llvm::DenseMap<Value, SymbolicExpr> scalars;
    /// Elements of tensors that are no expressions, by their indices.
    using Indices = std::vector<std::map<SymbolicExpr::Product, int64_t>>;
    std::map<std::pair<void *, Indices>, SymbolicExpr> elements;
  };

  /// `getRange` is asked about values that the reader itself cannot read.
  explicit SymbolicReader(SymbolicFacts &facts,
                          Overflow overflow = Overflow::Excluded,
                          RangeFn getRange = nullptr)
      : facts(facts), overflow(overflow), getRange(std::move(getRange)) {}

  /// An integer, or a pointer in units of its pointee. Always known: what
  /// cannot be read is a symbol.
  SymbolicExpr readScalar(Value scalar, Execution &execution);

  /// Element `indices` of a tensor of integers or pointers, or of the block of
  /// a block pointer. What cannot be read is a symbol; unknown is a block
  /// pointer of unknown origin.
  SymbolicExpr readElement(Value tensor, llvm::ArrayRef<SymbolicExpr> indices,
                           Execution &execution);

  /// Takes for granted what is known wherever `op` runs: the branches and loops
  /// around it have compared numbers, and the kernel assumes some
  /// (`tl.assume`). Each loop around `op` gets the number of an iteration,
  /// unless it has one.
  void assumeReached(Operation *op, ValueSources &sources,
                     Execution &execution);

  /// The scalar that is a symbol times a divisor; null for other symbols.
  struct Scalar {
    Value value;
    int64_t divisor = 1;
  };
  Scalar getScalar(Symbol symbol) const { return scalarsOf.lookup(symbol); }

private:
  /// A place in the tensor that a block pointer points into.
  struct BlockPlace {
    SymbolicExpr base;
    llvm::SmallVector<SymbolicExpr> strides, offsets;
  };

  SymbolicExpr readUncached(Value scalar, Execution &execution);
  SymbolicExpr createSymbol(Value value);
  SymbolicExpr readElementUncached(Value tensor,
                                   llvm::ArrayRef<SymbolicExpr> indices,
                                   Execution &execution);
  SymbolicExpr readProgram(bool isCount, unsigned axis, Value value);
  Execution &getOwner(Value value, Execution &execution);
  /// The number that a value has, which is its expression if that fits.
  SymbolicExpr wrap(const SymbolicExpr &expr, Type type);
  /// The number that a branch compares.
  SymbolicExpr readNumber(Value scalar, ValueSources &sources,
                          Execution &execution);
  void assumeTrue(Value condition, ValueSources &sources, Execution &execution,
                  llvm::function_ref<Value(Value)> rename);
  /// The result of an operation of which each element depends on the same
  /// element of the operands.
  SymbolicExpr
  readArithmetic(Operation *op,
                 llvm::function_ref<SymbolicExpr(Value)> readOperand);
  SymbolicExpr readDivision(Operation *op, const SymbolicExpr &lhs,
                            const SymbolicExpr &rhs);
  SymbolicExpr addBetween(Value result, const SymbolicExpr &min,
                          const SymbolicExpr &max);
  bool isInvariant(const SymbolicExpr &expr, scf::ForOp loop);
  SymbolicExpr readCarried(BlockArgument argument,
                           llvm::ArrayRef<SymbolicExpr> indices,
                           Execution &execution,
                           llvm::function_ref<SymbolicExpr(Value)> read);
  std::optional<BlockPlace> readBlock(Value pointer, Execution &execution);
  std::optional<BlockPlace> readCarriedBlock(BlockArgument argument,
                                             Execution &execution);
  SymbolicExpr *findIteration(scf::ForOp loop, Execution &execution);

  SymbolicFacts &facts;
  Overflow overflow;
  RangeFn getRange;
  /// Values outside of loops.
  Execution common;
  llvm::DenseMap<Symbol, Scalar> scalarsOf;
  struct Assumption {
    llvm::SmallVector<SymbolicExpr> indices;
    SymbolicExpr expr;
  };
  /// Values that loops carry, while it is found out what is added to them.
  llvm::DenseMap<Value, Assumption> assumed;
  /// Holds what was read meanwhile.
  std::unique_ptr<Execution> underAssumption;
  /// Chains of operations that are longer are not followed: the stack ends.
  static constexpr unsigned kMaxDepth = 256;
  unsigned depth = 0;
  /// Numbers of programs, and of the grid, by axis.
  std::map<std::pair<bool, unsigned>, SymbolicExpr> programs;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_SYMBOLICREADER_H
