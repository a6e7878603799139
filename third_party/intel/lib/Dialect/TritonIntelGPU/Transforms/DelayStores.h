//===- DelayStores.h - Stores next to the other uses of values --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A program may store a tensor, then load others, and multiply it by one of
// them. It need not be available before that: the store moves after the loads,
// and what is computed for both alone, such as a conversion to a narrower type,
// moves along. Several such tensors are not in registers at the same time then,
// if these hold the results of products that the store comes after.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_DELAYSTORES_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_DELAYSTORES_H

#include "mlir/IR/Operation.h"

namespace mlir::triton::gpu::intel {

/// Delays the stores of `function` until other operations use their values.
/// `areDisjoint` returns whether a load and a store never access the same
/// memory.
void delayStores(
    Operation *function,
    function_ref<bool(Operation *load, Operation *store)> areDisjoint);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_DELAYSTORES_H
