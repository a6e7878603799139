//===- Passes.h - Verification between stages -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The pass between the stages of a compilation that end and begin with TTGIR.
// It changes nothing, and fails if the next stage cannot handle the module.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_PIPELINES_PASSES_H
#define TRITON_INTEL_PIPELINES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.h"

namespace mlir::triton::gpu::intel {

#define GEN_PASS_DECL
#include "intel/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "intel/Pipelines/Passes.h.inc"

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_PIPELINES_PASSES_H
