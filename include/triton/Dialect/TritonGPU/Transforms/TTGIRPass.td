//===- TTGIRPass.td - Passes that query layouts ------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_TRANSFORMS_TTGIRPASS_TD
#define TRITON_DIALECT_TRITONGPU_TRANSFORMS_TTGIRPASS_TD

include "mlir/Pass/PassBase.td"

/// A pass on a module whose tensors have layouts; it refuses others
/// (TTGIRPass.h).
class TTGIRPass<string argument>
    : PassBase<argument, "::mlir::triton::gpu::TTGIRPass">;

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_TTGIRPASS_TD
