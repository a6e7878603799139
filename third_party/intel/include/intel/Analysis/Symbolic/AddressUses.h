//===- AddressUses.h - Numbers that are parts of addresses ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Integers in a kernel may wrap around: a hash that overflows is correct. Parts
// of the address of an element that is accessed may not: Triton's offsets are
// signed numbers of elements, and an offset that has wrapped addresses other
// memory than the author meant. The compiler therefore assumes that the address
// of such an element and its parts do not overflow. It assumes this neither of
// elements that a mask excludes, nor of data, for which it has to be proved
// (ValueProver.h).
//
// A value is a part of an address if it becomes one through sums, products,
// shifts to the left, sign extensions, and operations that only move elements.
// A dividend is not: the quotient of a number that has wrapped may be a correct
// address, such as the position of a hash in a table.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_ADDRESSUSES_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_ADDRESSUSES_H

#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::triton::gpu::intel {

/// Returns whether `value`, an integer or a tensor of integers, is a part of an
/// address, an offset of a block pointer, or an index of a descriptor.
bool isPartOfAddress(Value value, ValueSources &sources);

/// Holds the parts of one address. Where an element is accessed, none of them
/// has overflowed; where a mask excludes it, they may have.
class AddressParts {
public:
  /// Finds the parts of `pointer`, a pointer or a tensor of pointers; none if
  /// it is null. Other integers are their own only part.
  explicit AddressParts(Value pointer = Value());

  /// Returns whether a value, or the value that it repeats, is a part.
  bool contains(Value value) const;

private:
  llvm::SmallDenseSet<Value> parts;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_ADDRESSUSES_H
