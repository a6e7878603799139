//===- AddressUses.h - Numbers that are parts of addresses ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Integers in a kernel wrap around: a hash, or a counter of bits, may overflow
// and is right. What a kernel adds up to an address does not: Triton's offsets
// are signed numbers of elements, and one that has wrapped names other memory
// than the author meant. So what is assumed not to overflow is an address or a
// part of one, and never data. Everything else has to be proved
// (IntegerBounds.h).
//
// A part of an address is what becomes one through sums, products, shifts to
// the left, extensions of the sign, and operations that only move elements. A
// quotient is none: of a number that has wrapped it may be a good address, as
// the place of a hash in a table is.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_ADDRESSUSES_H
#define INTEL_ANALYSIS_ADDRESSUSES_H

#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"

namespace mlir::triton::gpu::intel {

/// Whether `value`, an integer or a tensor of integers, is a part of an
/// address, an offset of a block pointer, or an index of a descriptor.
bool isPartOfAddress(Value value, ValueSources &sources);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_ADDRESSUSES_H
