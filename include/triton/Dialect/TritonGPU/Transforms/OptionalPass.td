//===- OptionalPass.td - Passes whose rewrites are numbered -*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_TRANSFORMS_OPTIONALPASS_TD
#define TRITON_DIALECT_TRITONGPU_TRANSFORMS_OPTIONALPASS_TD

include "mlir/Pass/PassBase.td"

/// A pass on a module that code is right without (OptionalPass.h).
class OptionalPass<string argument>
    : PassBase<argument, "::mlir::triton::gpu::OptionalPass<"
                         "::mlir::OperationPass<::mlir::ModuleOp>>">;

/// The same for a pass on a module whose tensors have layouts (TTGIRPass.h).
class OptionalTTGIRPass<string argument>
    : PassBase<argument, "::mlir::triton::gpu::OptionalPass<"
                         "::mlir::triton::gpu::TTGIRPass>">;

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_OPTIONALPASS_TD
