//===- GroupSizes.h - Sizes of a kernel's groups ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_GROUPSIZES_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_GROUPSIZES_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

namespace triton::intel::spirv {

/// Returns the product of the numbers that a function's metadata of that name
/// lists; 0 if there are none.
inline uint64_t multiplyMetadata(const llvm::Function &function,
                                 llvm::StringRef name) {
  const llvm::MDNode *node = function.getMetadata(name);
  if (!node || node->getNumOperands() == 0)
    return 0;
  uint64_t product = 1;
  for (const llvm::MDOperand &operand : node->operands()) {
    auto *number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(operand);
    product *= number ? number->getZExtValue() : 0;
  }
  return product;
}

/// Returns the number of lanes of the sub-groups that run `function`; 0 if it
/// does not state it.
inline unsigned getSubGroupSize(const llvm::Function &function) {
  return multiplyMetadata(function, "intel_reqd_sub_group_size");
}

/// Returns the number of work-items of the work-groups that run `function`; 0
/// if it does not state it.
inline uint64_t getWorkGroupSize(const llvm::Function &function) {
  return multiplyMetadata(function, "reqd_work_group_size");
}

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_GROUPSIZES_H
