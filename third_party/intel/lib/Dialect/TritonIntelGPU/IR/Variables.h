//===- Variables.h - Verifier of `ttig.variables` ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_IR_VARIABLES_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_IR_VARIABLES_H

#include "mlir/IR/Operation.h"

namespace mlir::triton::gpu::intel {

/// Verifies the discardable attribute `ttig.variables` of `op`.
LogicalResult verifyVariables(Operation *op, NamedAttribute attr);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_IR_VARIABLES_H
