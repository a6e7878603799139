//===- Dialect.h - The tt dialect: types, operations, interfaces ----------===//
// SPDX-License-Identifier: MIT
//
// The umbrella header: code that works on `tt` operations includes this one.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_IR_DIALECT_H
#define TRITON_DIALECT_TRITON_IR_DIALECT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Dialect/Triton/IR/DotOpInterface.h"
#include "triton/Dialect/Triton/IR/Enums.h"
#include "triton/Dialect/Triton/IR/InferLayoutInterface.h"
#include "triton/Dialect/Triton/IR/Traits.h"
#include "triton/Dialect/Triton/IR/Types.h"

#include "triton/Dialect/Triton/IR/TritonDialect.h.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/Triton/IR/TritonOps.h.inc"

namespace mlir::triton {

/// Reports, on `op`, a read-modify-write operation that elements of this type
/// do not have.
LogicalResult verifyRMWElement(Operation *op, RMWOp kind, Type element);

} // namespace mlir::triton

#endif // TRITON_DIALECT_TRITON_IR_DIALECT_H
