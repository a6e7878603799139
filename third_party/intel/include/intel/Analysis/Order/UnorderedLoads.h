//===- UnorderedLoads.h - Loads of what others may store --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel has to order a load after a store of another sub-group itself
// (docs/MemoryOrder.md). Other backends may do more: a barrier of CUDA orders
// global memory, whatever it is for. So a kernel may rely on the barrier of a
// reduction, which orders shared memory alone here. This analysis finds loads
// that nothing orders, most of which the next iteration of a loop executes.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_ORDER_UNORDEREDLOADS_H
#define TRITON_INTEL_ANALYSIS_ORDER_UNORDEREDLOADS_H

#include "intel/Analysis/Order/AccessOrder.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::triton::gpu::intel {

/// Calls `report` for each load of memory that another sub-group may have
/// stored to before, with the first such store. Between the two there is a path
/// without a barrier of global memory. Accesses through different arguments,
/// which seldom overlap, are not compared.
void findUnorderedLoads(
    ModuleOp module, AccessOrder &accesses,
    llvm::function_ref<void(Operation *load, Operation *store)> report);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_ORDER_UNORDEREDLOADS_H
