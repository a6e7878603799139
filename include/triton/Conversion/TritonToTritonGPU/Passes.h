//===- Passes.h - Conversion of tt to tt with layouts -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_CONVERSION_TRITONTOTRITONGPU_PASSES_H
#define TRITON_CONVERSION_TRITONTOTRITONGPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::triton {

#define GEN_PASS_DECL
#include "triton/Conversion/TritonToTritonGPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton/Conversion/TritonToTritonGPU/Passes.h.inc"

} // namespace mlir::triton

#endif // TRITON_CONVERSION_TRITONTOTRITONGPU_PASSES_H
