//===- Passes.h - Verification after stages ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The passes at the end of the stages of a compilation. They change nothing,
// and fail if the next stage cannot handle the result.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_PIPELINES_PASSES_H
#define INTEL_PIPELINES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.h"

namespace mlir::triton::gpu::intel {

#define GEN_PASS_DECL
#include "intel/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "intel/Pipelines/Passes.h.inc"

} // namespace mlir::triton::gpu::intel

#endif // INTEL_PIPELINES_PASSES_H
