//===- BlockPointerAccesses.h - Accesses without block pointers -*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_BLOCKPOINTERACCESSES_H
#define TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_BLOCKPOINTERACCESSES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::triton::gpu::intel {

/// Replaces the block pointers of a module by their parts
/// (BlockPointerParts.h), and each access through one by `ttig.load_block`,
/// `ttig.store_block` or `ttig.prefetch_block`, with a separate `ttig.surface`.
/// Fails, with an error at an access, if a pointer does not come from
/// `tt.make_tensor_ptr`. Returns whether any was replaced.
FailureOr<bool> replaceBlockPointers(ModuleOp module);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_BLOCKPOINTERACCESSES_H
