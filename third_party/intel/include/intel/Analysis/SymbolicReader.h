//===- SymbolicReader.h - Values as symbolic expressions --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads integers and pointers of a function as symbolic expressions. A tensor
// is read element by element: an element's expression is one in its indices, so
// that broadcasts, ranges and strides need no forms of their own.
//
// Only parts of addresses are to be read. Their sums and products are taken not
// to overflow: an address that wraps around is none of the tensor. Operations
// that see the number itself (divisions, minima, zero extensions) get a symbol
// where it may have wrapped around.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_SYMBOLICREADER_H
#define INTEL_ANALYSIS_SYMBOLICREADER_H

#include "intel/Analysis/SymbolicExpr.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace mlir::triton::gpu::intel {

/// Reads values as expressions over symbols of a SymbolicFacts. It creates no
/// operations.
class SymbolicReader {
public:
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
  };

  explicit SymbolicReader(SymbolicFacts &facts) : facts(facts) {}

  /// An integer, or a pointer in units of its pointee. Always known: what
  /// cannot be read is a symbol.
  SymbolicExpr readScalar(Value scalar, Execution &execution);

  /// Element `indices` of a tensor of integers or pointers, or of the block of
  /// a block pointer. Unknown if it is no expression in the indices.
  SymbolicExpr readElement(Value tensor, llvm::ArrayRef<SymbolicExpr> indices,
                           Execution &execution);

  /// The scalar that a symbol stands for; null for other symbols.
  Value getScalar(Symbol symbol) const { return scalarsOf.lookup(symbol); }

private:
  /// A place in the tensor that a block pointer points into.
  struct BlockPlace {
    SymbolicExpr base;
    llvm::SmallVector<SymbolicExpr> strides, offsets;
  };

  SymbolicExpr readUncached(Value scalar, Execution &execution);
  SymbolicExpr createSymbol(Value scalar);
  /// The result of an operation of which each element depends on the same
  /// element of the operands.
  SymbolicExpr
  readArithmetic(Operation *op,
                 llvm::function_ref<SymbolicExpr(Value)> readOperand);
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
  /// Values outside of loops.
  Execution common;
  llvm::DenseMap<Symbol, Value> scalarsOf;
  struct Assumption {
    llvm::SmallVector<SymbolicExpr> indices;
    SymbolicExpr expr;
  };
  /// Values that loops carry, while it is found out what is added to them.
  llvm::DenseMap<Value, Assumption> assumed;
  /// Numbers of programs, and of the grid, by axis.
  std::map<std::pair<bool, unsigned>, SymbolicExpr> programs;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_SYMBOLICREADER_H
