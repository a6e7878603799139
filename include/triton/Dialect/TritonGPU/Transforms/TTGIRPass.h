//===- TTGIRPass.h - Passes that query layouts ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The verifiers of operations accept tensors without layouts, because TTIR has
// no others. A pass that queries the layout of a tensor would have to look for
// it first, at each place. It derives from this class instead (`TTGIRPass` in
// its definition), which refuses a module that is not TTGIR before the pass
// sees it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_TRANSFORMS_TTGIRPASS_H
#define TRITON_DIALECT_TRITONGPU_TRANSFORMS_TTGIRPASS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::triton::gpu {

/// A pass on a module in which registers can hold each value.
class TTGIRPass : public OperationPass<ModuleOp> {
public:
  /// Reports values that no register can hold; the pass runs if there is none.
  void runOnOperation() final;

protected:
  using OperationPass::OperationPass;

  /// The pass itself.
  virtual void runOnTTGIR() = 0;
};

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_TTGIRPASS_H
