//===- Passes.h - Passes on ttg that suit any target ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES_H
#define TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.h"

namespace mlir::triton::gpu {

#define GEN_PASS_DECL
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES_H
