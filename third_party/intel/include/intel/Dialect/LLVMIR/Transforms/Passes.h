//===- Passes.h - Passes over lowered kernels -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES_H
#define TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/Transforms/OptionalPass.h"

namespace mlir::triton::gpu::intel {

#define GEN_PASS_DECL
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES_H
