//===- Passes.h - Passes on proton_gpu --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_H
#define TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::triton::proton_gpu {

/// What a store of a record does when its segment is full: it replaces the
/// oldest record, or moves all of them to the profile memory.
enum class Strategy { Circular, Flush };

#define GEN_PASS_DECL
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"

} // namespace mlir::triton::proton_gpu

#endif // TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_H
