//===- Passes.h - Passes on proton_gpu --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_H
#define TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::triton::proton_gpu {

/// A strategy states what happens when the segment of a record is full: the
/// record replaces the oldest one, or all of them move to the profile memory.
enum class Strategy { Circular, Flush };

#define GEN_PASS_DECL
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"

} // namespace mlir::triton::proton_gpu

#endif // TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_H
