//===- Passes.h - Passes on proton ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTON_TRANSFORMS_PASSES_H
#define TRITON_DIALECT_PROTON_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::triton::proton {

#define GEN_PASS_DECL
#include "triton/Dialect/Proton/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton/Dialect/Proton/Transforms/Passes.h.inc"

} // namespace mlir::triton::proton

#endif // TRITON_DIALECT_PROTON_TRANSFORMS_PASSES_H
