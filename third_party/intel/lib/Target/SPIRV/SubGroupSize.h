//===- SubGroupSize.h - Lanes of a kernel's sub-groups ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_SUBGROUPSIZE_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_SUBGROUPSIZE_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

namespace triton_xe::spirv {

/// Returns the number of lanes of the sub-groups that run `function`; 0 if it
/// does not say.
inline unsigned getSubGroupSize(const llvm::Function &function) {
  const llvm::MDNode *node = function.getMetadata("intel_reqd_sub_group_size");
  if (!node || node->getNumOperands() != 1)
    return 0;
  auto *size =
      llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(0));
  return size ? size->getZExtValue() : 0;
}

} // namespace triton_xe::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_SUBGROUPSIZE_H
