//===- ScalarElements.h - Scalar elements of values of LLVM IR --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Elements of vectors and arrays and fields of structs, numbered depth first.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_SCALARELEMENTS_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_SCALARELEMENTS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Type;
} // namespace llvm

namespace triton::intel {

/// Returns the number of scalars that a value of `type` consists of: elements
/// of vectors, fields of structs. Zero for void.
unsigned getNumScalars(llvm::Type *type);

/// Returns the type of scalar element `index` of `type`.
llvm::Type *getScalarElementType(llvm::Type *type, unsigned index);

/// Returns the first scalar element of the part of an aggregate of `type` that
/// `indices` lead to.
unsigned getFirstScalar(llvm::Type *type, llvm::ArrayRef<unsigned> indices);

} // namespace triton::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_SCALARELEMENTS_H
