//===- F2Matrix.cpp - Gaussian elimination over F2 ------------------------===//
// SPDX-License-Identifier: MIT
//
// Rows are kept with descending leading bits, so one pass from the top reduces
// a vector: clearing a leading bit only changes lower bits. Each row carries
// the set of generators that it is a XOR of; reducing a vector collects the
// sets, which is the solution of the linear system.
//
//===----------------------------------------------------------------------===//

#include "triton/Tools/F2Matrix.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <cassert>

namespace mlir::triton {

/// Returns the XOR of the columns whose bit is set in `x`.
uint64_t f2Apply(llvm::ArrayRef<uint64_t> columns, uint64_t x) {
  assert((columns.size() >= 64 || (x >> columns.size()) == 0) &&
         "vector has more bits than the matrix has columns");
  uint64_t result = 0;
  for (; x; x &= x - 1)
    result ^= columns[llvm::countr_zero(x)];
  return result;
}

F2Span::Row F2Span::reduce(uint64_t vector) const {
  Row result{vector, 0};
  // From the highest leading bit down.
  for (const Row &row : rows) {
    if (result.vector & llvm::bit_floor(row.vector)) {
      result.vector ^= row.vector;
      result.generators ^= row.generators;
    }
  }
  return result;
}

bool F2Span::add(uint64_t generator) {
  assert(numGenerators < 64 && "at most 64 generators");
  // The new generator's own bit.
  uint64_t self = uint64_t(1) << numGenerators++;
  Row row = reduce(generator);
  row.generators ^= self;
  // Nothing is left: the generators that add up to it are a relation.
  if (row.vector == 0) {
    relations.push_back(row.generators);
    dependent |= self;
    return false;
  }
  // In descending order.
  auto *pos = llvm::find_if(
      rows, [&](const Row &other) { return other.vector < row.vector; });
  rows.insert(pos, row);
  return true;
}

std::optional<uint64_t> F2Span::solve(uint64_t vector) const {
  Row row = reduce(vector);
  // The rest cannot be built from the generators.
  if (row.vector != 0)
    return std::nullopt;
  return row.generators;
}

} // namespace mlir::triton
