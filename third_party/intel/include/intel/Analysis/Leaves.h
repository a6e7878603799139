//===- Leaves.h - Scalars that values of LLVM IR consist of -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Elements of vectors and arrays and fields of structs, numbered depth first.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_LEAVES_H
#define INTEL_ANALYSIS_LEAVES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Type;
} // namespace llvm

namespace triton_xe {

/// Number of scalars that a value of `type` consists of: elements of vectors,
/// fields of structs. Zero for void.
unsigned getNumLeaves(llvm::Type *type);

/// Type of leaf `index` of `type`.
llvm::Type *getLeafType(llvm::Type *type, unsigned index);

/// First leaf of the part of an aggregate of `type` that `indices` lead to.
unsigned getFirstLeaf(llvm::Type *type, llvm::ArrayRef<unsigned> indices);

} // namespace triton_xe

#endif // INTEL_ANALYSIS_LEAVES_H
