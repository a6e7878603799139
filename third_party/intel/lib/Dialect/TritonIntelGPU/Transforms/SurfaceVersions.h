//===- SurfaceVersions.h - Checks of tensors in the kernel ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel checks a tensor itself if neither the compiler nor the launch knows
// whether 2D block messages can address it. The check chooses between two
// versions of the code that accesses the tensor.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SURFACEVERSIONS_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SURFACEVERSIONS_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// Gives the code that uses the tensors `surfaces`, which are in program order,
/// a second version. The version that runs where the check of the rules
/// (SurfaceRules.h) succeeds keeps the operations, and the rules of its tensors
/// are then checked. The other one consists of copies, whose rules are refused.
/// Tensors for which there is no place for a check do not change.
///
/// `mayVersion` is called for the first operation of each piece of code.
/// Remarks have the category `category`. Returns the number of checks.
unsigned createSurfaceVersions(ArrayRef<SurfaceOp> surfaces, StringRef category,
                               function_ref<bool(Operation *)> mayVersion);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SURFACEVERSIONS_H
