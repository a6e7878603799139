//===- SliceCosts.h - The registers that operations need --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The registers that a lane has of the tensors of operations determine which
// operations become loops over slices, and the number of slices.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICECOSTS_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICECOSTS_H

#include "mlir/IR/Operation.h"

namespace mlir::triton::gpu::intel {

/// Returns the registers of 32 bits that a lane has of `type`, copies not
/// counted; 0 if it is no tensor.
int64_t getNumRegisters(Type type);

/// Returns the most registers of an operand or result.
int64_t getLargest(Operation *op);

/// Returns the work of an operation: the registers that it computes, for a
/// product as often as it adds to them.
int64_t getWork(Operation *op);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICECOSTS_H
