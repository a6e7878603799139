//===- Passes.h - Lowering of TTGIR to the LLVM dialect ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES_H
#define TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.h"

namespace mlir::triton::gpu::intel {

#define GEN_PASS_DECL
#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h.inc"

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES_H
