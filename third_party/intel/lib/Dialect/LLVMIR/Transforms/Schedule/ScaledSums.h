//===- ScaledSums.h - Products that are added in place ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A loop may scale a sum by one number and add a product to it. A product that
// starts from zero has separate registers until it is added. If registers are
// short, instructions of the systolic array add it to the scaled sum, in the
// registers of the sum.
//
// Numbers that differ between rows are left alone: see AccelerateMatmul.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_SCALEDSUMS_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_SCALEDSUMS_H

#include "intel/Analysis/Registers/FragmentRegisters.h"

namespace mlir::triton::gpu::intel {

/// Lets products start from sums that the block scales by one number. Returns
/// whether there are any.
bool addInPlace(Block &block, FragmentRegisters &registers);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_SCALEDSUMS_H
