//===- F2Matrix.h - Gaussian elimination over F2 ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Matrices over F2 with at most 64 rows and columns, stored as columns: bit r
// of column c is the entry in row r. A LinearLayout is such a matrix: column c
// is the basis of its c-th input bit. All questions on layouts that involve
// several bases (rank, inverse, free bits) are answered by one incremental
// elimination, `F2Span`.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_TOOLS_F2MATRIX_H
#define TRITON_TOOLS_F2MATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::triton {

using F2Columns = llvm::SmallVector<uint64_t, 32>;

/// Returns the matrix times a vector: the XOR of the columns selected by the
/// bits of `x`.
uint64_t f2Apply(llvm::ArrayRef<uint64_t> columns, uint64_t x);

/// A subspace of F2^64, given by generators that are added one by one, which
/// remembers how each of its vectors is a XOR of generators.
///
///   F2Span span;
///   span.add(0b01); // true, generator 0
///   span.add(0b11); // true, generator 1
///   span.add(0b10); // false: generator 2 is generators 0 ^ 1
///   span.solve(0b10) == 0b011
class F2Span {
public:
  F2Span() = default;
  explicit F2Span(llvm::ArrayRef<uint64_t> generators) {
    for (uint64_t generator : generators)
      add(generator);
  }

  /// Adds a generator; true if it was not yet in the span. Generators are
  /// numbered in the order of these calls, whatever the result.
  bool add(uint64_t generator);

  int32_t rank() const { return rows.size(); }
  bool contains(uint64_t vector) const { return reduce(vector).vector == 0; }

  /// Returns the set of generators (bit i: generator i) whose XOR is `vector`,
  /// using only generators that were new when added; none if outside of the
  /// span.
  std::optional<uint64_t> solve(uint64_t vector) const;
  /// Solves as `solve` does, but linear in `vector` on all of F2^64: outside of
  /// the span the answer is right for the projection of `vector` to it.
  uint64_t solveProjected(uint64_t vector) const {
    return reduce(vector).generators;
  }
  /// Returns the representative of `vector` modulo the span (0 if contained).
  uint64_t residue(uint64_t vector) const { return reduce(vector).vector; }

  /// Returns the generators that added nothing, as a bit mask.
  uint64_t getDependentGenerators() const { return dependent; }
  /// Returns a basis of the sets of generators whose XOR is 0.
  llvm::ArrayRef<uint64_t> getRelations() const { return relations; }

private:
  struct Row {
    uint64_t vector;
    uint64_t generators;
  };
  Row reduce(uint64_t vector) const;

  /// Highest bits are distinct and descend.
  llvm::SmallVector<Row, 32> rows;
  llvm::SmallVector<uint64_t, 8> relations;
  uint64_t dependent = 0;
  unsigned numGenerators = 0;
};

} // namespace mlir::triton

#endif // TRITON_TOOLS_F2MATRIX_H
