//===- Passes.h - TTIR passes for Intel GPUs --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PASSES_H
#define TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/Transforms/OptionalPass.h"

namespace mlir::triton::intel {

#define GEN_PASS_DECL
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"

} // namespace mlir::triton::intel

#endif // TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PASSES_H
