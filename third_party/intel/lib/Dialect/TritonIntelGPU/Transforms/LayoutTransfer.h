//===- LayoutTransfer.h - How layouts pass through operations ---*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The layouts of an operation's operands and results depend on each other: all
// are equal for elementwise code, the result of a reduction is a slice of its
// operand, and so on. One layout, the *label* of the operation, determines all
// of them. The functions here go from the label to an operand or a result and
// back, so that a layout can be pushed through the operation in any direction.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTTRANSFER_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTTRANSFER_H

#include "mlir/IR/Operation.h"

namespace mlir::triton::gpu::intel {

/// Returns whether layouts pass through `op`, and the layouts that its operands
/// and results have now are those that go with its present label.
bool isLayoutTransparent(Operation *op);

/// Returns whether a dialect has to be queried for the layouts of `op`, which
/// takes much longer than the rest.
bool isLayoutInferred(Operation *op);

/// Returns the label that `op` has now; null if it has no operand or result
/// with a layout.
Attribute getLabel(Operation *op);

/// Returns the layout that operand (result) `index` has when `op` has this
/// label; null if there is none. Operands and results without a layout are not
/// queried.
Attribute getOperandLayout(Operation *op, unsigned index, Attribute label);
Attribute getResultLayout(Operation *op, unsigned index, Attribute label);

/// Returns the label with which operand (result) `index` has this layout; null
/// if there is none.
Attribute getLabelFromOperand(Operation *op, unsigned index, Attribute layout);
Attribute getLabelFromResult(Operation *op, unsigned index, Attribute layout);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAYOUTTRANSFER_H
