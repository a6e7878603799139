//===- ScalarElements.cpp - Scalar elements of values of LLVM IR ----------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/ScalarElements.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace triton::intel {

/// Nested aggregates are flattened, depth first.
unsigned getNumScalars(Type *type) {
  if (type->isVoidTy())
    return 0;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() * getNumScalars(array->getElementType());
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return 1;
  unsigned count = 0;
  for (Type *field : structure->elements())
    count += getNumScalars(field);
  return count;
}

Type *getScalarElementType(Type *type, unsigned index) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getElementType();
  if (auto *array = dyn_cast<ArrayType>(type))
    return getScalarElementType(array->getElementType(),
                                index % getNumScalars(array->getElementType()));
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return type;
  for (Type *field : structure->elements()) {
    unsigned count = getNumScalars(field);
    if (index < count)
      return getScalarElementType(field, index);
    index -= count;
  }
  llvm_unreachable("no such element");
}

/// Everything ahead of the field or element that the index names.
unsigned getFirstScalar(Type *type, ArrayRef<unsigned> indices) {
  unsigned element = 0;
  for (unsigned index : indices) {
    if (auto *array = dyn_cast<ArrayType>(type)) {
      type = array->getElementType();
      element += index * getNumScalars(type);
      continue;
    }
    auto *structure = cast<StructType>(type);
    for (unsigned i = 0; i < index; ++i)
      element += getNumScalars(structure->getElementType(i));
    type = structure->getElementType(index);
  }
  return element;
}

} // namespace triton::intel
