//===- SymbolicReader.h - Values as symbolic expressions --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads integers and pointers of a function as symbolic expressions. A tensor
// is read element by element: an element's expression is one in its indices, so
// that broadcasts, ranges and strides need no separate forms.
//
// Sums and products of parts of addresses are taken not to overflow: an address
// that wraps around is none of the tensor. Operations that see the number
// itself (divisions, minima, zero extensions) get a symbol where it may have
// wrapped around. Of data nothing is assumed: each result that may have wrapped
// around is a symbol.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_SYMBOLICREADER_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_SYMBOLICREADER_H

#include "intel/Analysis/Symbolic/AddressUses.h"
#include "intel/Analysis/Symbolic/SymbolicExpr.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// States whether sums and products of 32 and more bits may overflow.
enum class Overflow {
  /// They are parts of addresses, which do not overflow (AddressUses.h).
  Excluded,
  /// They are data, which wraps around unless the opposite is proved.
  Wraps
};

/// Returns the loop whose induction variable `value` is; null for all others,
/// those that loops carry among them.
scf::ForOp getCountingLoop(Value value);

/// Returns a number that divides a value according to `tl.multiple_of` or the
/// launch; bytes for a pointer.
int64_t getHintedDivisor(Value value);

/// Describes a pointer as the sum of a base, which is an integer if it was cast
/// to a pointer, and integers, each times a number of bytes.
struct PointerSum {
  Value base;
  llvm::SmallVector<std::pair<Value, int64_t>> offsets;
};
PointerSum splitPointer(Value pointer);

/// Reads values as expressions over symbols of a SymbolicFacts. It creates no
/// operations.
class SymbolicReader {
public:
  /// Holds what a scalar, or each element of a tensor, is at all times:
  /// between these bounds, and a multiple of a positive number.
  struct Bounds {
    SymbolicRange range;
    int64_t divisor = 1;
  };
  using BoundsFn = std::function<Bounds(Value)>;

  /// Is called for expressions that are not proved not to be negative. It
  /// returns true if it has made that a fact.
  using RequireFn = std::function<bool(const SymbolicExpr &)>;

  /// Describes elements along a dimension of a tensor, which is cut into
  /// aligned groups: each element of a group of `contiguity` is one more than
  /// the one before, each of `constancy` is the same, and `divisor` divides the
  /// first one. Pointers are counted in units of their pointee. Groups have
  /// numbers of elements that are powers of two.
  struct Groups {
    int64_t contiguity = 1, constancy = 1, divisor = 1;
    bool operator==(const Groups &other) const {
      return contiguity == other.contiguity && constancy == other.constancy &&
             divisor == other.divisor;
    }
  };
  using GroupsFn = std::function<Groups(Value tensor, unsigned dim)>;

  /// One execution of the code in loops. The number of the iteration is an
  /// expression for each loop; values that are the same in all iterations are
  /// the same in all executions.
  class Execution {
  public:
    /// `number` counts from 0, and must not be negative.
    void setIteration(scf::ForOp loop, SymbolicExpr number) {
      iterations[loop] = std::move(number);
    }
    /// Returns the loop whose iterations a symbol counts; null if there is
    /// none.
    scf::ForOp getCountedLoop(Symbol symbol) const {
      for (auto &[loop, number] : iterations)
        if (number == SymbolicExpr::getSymbol(symbol))
          return cast<scf::ForOp>(loop);
      return {};
    }

  private:
    friend class SymbolicReader;
    llvm::DenseMap<Operation *, SymbolicExpr> iterations;
    llvm::DenseMap<Value, SymbolicExpr> scalars;
    /// Holds the elements of tensors that were read, by their indices.
    using Indices = std::vector<SymbolicExpr::Terms>;
    std::map<std::pair<void *, Indices>, SymbolicExpr> elements;
    /// Holds results of operations, by the expressions of their operands, and
    /// the starts of groups, by their indices.
    std::map<std::pair<void *, Indices>, SymbolicExpr> functions, starts;
  };

  /// The reader calls `getBoundsOf` for values that it cannot read itself.
  explicit SymbolicReader(SymbolicFacts &facts,
                          Overflow overflow = Overflow::Excluded,
                          BoundsFn getBoundsOf = nullptr)
      : facts(facts), overflow(overflow), getBoundsOf(std::move(getBoundsOf)) {}
  virtual ~SymbolicReader() = default;

  /// Returns an integer, or a pointer in units of its pointee. Always known:
  /// what cannot be read is a symbol.
  SymbolicExpr readScalar(Value scalar, Execution &execution);

  /// Returns element `indices` of a tensor of integers or pointers. The result
  /// is a symbol if the operation has no expression.
  SymbolicExpr readElement(Value tensor, llvm::ArrayRef<SymbolicExpr> indices,
                           Execution &execution);

  /// Returns the address of element `indices` of a block, as if it were in one
  /// piece; unknown if the tensor in memory is.
  SymbolicExpr readBlockElement(BlockAccessOpInterface block,
                                llvm::ArrayRef<SymbolicExpr> indices,
                                Execution &execution);

  /// Adds the facts that hold wherever `op` runs: the conditions of branches
  /// and loops around it, and the assumptions of the kernel (`tl.assume`). Each
  /// loop around `op` gets a symbol for the number of the iteration, unless it
  /// has a number already.
  void assumeReached(Operation *op, ValueSources &sources,
                     Execution &execution);

  /// Adds the facts that hold in all launches of a kernel: its launch
  /// conditions, which must not be removed afterwards. They come before others.
  void assumeLaunched(FuncOp kernel, Execution &execution);

  /// Describes a symbol by the scalar that is `divisor` times the symbol, or by
  /// the axis that it counts programs along; other symbols have neither.
  struct Scalar {
    Value value;
    int64_t divisor = 1;
    std::optional<unsigned> programAxis, extentAxis;
  };
  Scalar getScalar(Symbol symbol) const { return scalarsOf.lookup(symbol); }

  /// Returns the number of a program, or of the programs, along an axis.
  SymbolicExpr getProgram(unsigned axis) { return readProgram(false, axis); }
  SymbolicExpr getGridExtent(unsigned axis) { return readProgram(true, axis); }

  /// Lets elements of one tensor be compared with each other. An operation that
  /// has no expression is then a function: it has the same result for the same
  /// operands, also if it loads. `fn` describes tensors that cannot be read.
  /// The hints of the program (`tl.max_contiguous`) are used.
  void setGroups(GroupsFn fn) { getGroups = std::move(fn); }

  /// Takes an element of a mask to be true, and the elements that it is the
  /// conjunction of.
  void assumeTrueElement(Value mask, llvm::ArrayRef<SymbolicExpr> indices,
                         Execution &execution);

  void setRequire(RequireFn fn) { require = std::move(fn); }

  /// Takes the parts of one address to be exact, whatever holds for others.
  void setExactParts(const AddressParts *exact) { parts = exact; }
  /// Returns whether the expression is proved not to be negative, or demanded.
  bool isNonNegative(const SymbolicExpr &expr) {
    return facts.isNonNegative(expr) || (require && require(expr));
  }

protected:
  /// Reads a scalar, or an element of a tensor, that is not cached. A reader
  /// that takes some operations for more, or for less, overrides these.
  virtual SymbolicExpr readUncached(Value scalar, Execution &execution);
  virtual SymbolicExpr readElementUncached(Value tensor,
                                           llvm::ArrayRef<SymbolicExpr> indices,
                                           Execution &execution);
  /// Creates a symbol for a value, or an element of it, that is a multiple of
  /// `units`.
  virtual SymbolicExpr createSymbol(Value value, int64_t units = 1);
  /// Creates the symbol of a value that a loop carries, while it is found out
  /// what is added to it.
  virtual Symbol createCarried() { return facts.addSymbol(); }
  /// Returns whether all symbols of an expression are values outside of `loop`.
  virtual bool isInvariant(const SymbolicExpr &expr, scf::ForOp loop);
  /// Returns what all earlier iterations have added to a value, each of them
  /// `step`. `number` counts them.
  virtual SymbolicExpr getProgress(scf::ForOp loop, const SymbolicExpr &number,
                                   const SymbolicExpr &step) {
    return number * step;
  }
  /// Reads what loops carry as the symbols that `other` reads at the moment.
  void inheritCarried(const SymbolicReader &other) {
    assumed = other.assumed;
    if (!assumed.empty())
      underAssumption = std::make_unique<Execution>();
  }

private:
  /// Describes an element by the group that it is in, if its tensor has
  /// groups that `expr`, which may be unknown, does not show.
  SymbolicExpr readGroup(Value tensor, llvm::ArrayRef<SymbolicExpr> indices,
                         const SymbolicExpr &expr, Execution &execution);
  /// Reads an element of the result of an operation, which is the same for the
  /// same elements of the operands.
  SymbolicExpr readFunction(Operation *op,
                            llvm::function_ref<SymbolicExpr(Value)> readOperand,
                            Execution &execution);
  SymbolicExpr readComparison(arith::CmpIOp compare, const SymbolicExpr &lhs,
                              const SymbolicExpr &rhs);
  SymbolicExpr readProgram(bool isCount, unsigned axis);
  Execution &getOwner(Value value, Execution &execution);
  /// Returns the number that a value of a type has if its exact result is
  /// `expr`.
  SymbolicExpr wrap(const SymbolicExpr &expr, Type type);
  /// Reads the number that a branch compares.
  SymbolicExpr readNumber(Value scalar, ValueSources &sources,
                          Execution &execution);
  void assumeTrue(Value condition, ValueSources &sources, Execution &execution,
                  llvm::function_ref<Value(Value)> rename);
  void assumeCompared(arith::CmpIPredicate predicate, const SymbolicExpr &lhs,
                      const SymbolicExpr &rhs);
  /// Returns the result of an operation of which each element depends on the
  /// same element of the operands.
  SymbolicExpr
  readArithmetic(Operation *op,
                 llvm::function_ref<SymbolicExpr(Value)> readOperand);
  /// Returns the unsigned number that has the bits of a number of a type.
  SymbolicExpr readUnsigned(const SymbolicExpr &expr, Type type);
  SymbolicExpr readBits(Operation *op, const SymbolicExpr &lhs,
                        const SymbolicExpr &rhs);
  SymbolicExpr readRightShift(Operation *op, const SymbolicExpr &lhs,
                              std::optional<int64_t> shift);
  SymbolicExpr readAddress(Operation *op, const SymbolicExpr &source);
  SymbolicExpr readDivision(Operation *op, const SymbolicExpr &lhs,
                            const SymbolicExpr &rhs);
  SymbolicExpr addBetween(Value result, const SymbolicExpr &min,
                          const SymbolicExpr &max);
  SymbolicExpr readCarried(BlockArgument argument,
                           llvm::ArrayRef<SymbolicExpr> indices,
                           Execution &execution,
                           llvm::function_ref<SymbolicExpr(Value)> read);
  SymbolicExpr *findIteration(scf::ForOp loop, Execution &execution);

  /// Returns whether sums and products that make `value` do not overflow.
  bool isExact(Value value) const {
    return overflow == Overflow::Excluded || (parts && parts->contains(value));
  }

  SymbolicFacts &facts;
  Overflow overflow;
  const AddressParts *parts = nullptr;
  BoundsFn getBoundsOf;
  RequireFn require;
  GroupsFn getGroups;
  /// Values outside of loops.
  Execution common;
  llvm::DenseMap<Symbol, Scalar> scalarsOf;
  struct Assumption {
    llvm::SmallVector<SymbolicExpr> indices;
    SymbolicExpr expr;
  };
  /// Values that loops carry, while it is found out what is added to them.
  llvm::DenseMap<Value, Assumption> assumed;
  /// Caches the expressions that were read under these assumptions.
  std::unique_ptr<Execution> underAssumption;
  /// Bounds the chain of operations that is read, and so the stack: results of
  /// longer ones are symbols. Kernels of the suite and of `static_cost.py` have
  /// chains of up to 13 operations.
  static constexpr unsigned kMaxDepth = 64;
  unsigned depth = 0;
  /// Numbers of programs, and of the grid, by axis.
  std::map<std::pair<bool, unsigned>, SymbolicExpr> programs;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_SYMBOLICREADER_H
