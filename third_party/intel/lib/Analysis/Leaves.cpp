//===- Leaves.cpp - Scalars that values of LLVM IR consist of -------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Leaves.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace triton_xe {

/// Nested aggregates are flattened, depth first.
unsigned getNumLeaves(Type *type) {
  if (type->isVoidTy())
    return 0;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() * getNumLeaves(array->getElementType());
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return 1;
  unsigned count = 0;
  for (Type *field : structure->elements())
    count += getNumLeaves(field);
  return count;
}

Type *getLeafType(Type *type, unsigned index) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getElementType();
  if (auto *array = dyn_cast<ArrayType>(type))
    return getLeafType(array->getElementType(),
                       index % getNumLeaves(array->getElementType()));
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return type;
  for (Type *field : structure->elements()) {
    unsigned count = getNumLeaves(field);
    if (index < count)
      return getLeafType(field, index);
    index -= count;
  }
  llvm_unreachable("no such leaf");
}

/// Everything ahead of the field or element that the index names.
unsigned getFirstLeaf(Type *type, ArrayRef<unsigned> indices) {
  unsigned leaf = 0;
  for (unsigned index : indices) {
    if (auto *array = dyn_cast<ArrayType>(type)) {
      type = array->getElementType();
      leaf += index * getNumLeaves(type);
      continue;
    }
    auto *structure = cast<StructType>(type);
    for (unsigned i = 0; i < index; ++i)
      leaf += getNumLeaves(structure->getElementType(i));
    type = structure->getElementType(index);
  }
  return leaf;
}

} // namespace triton_xe
