//===- Dialect.h - The proton dialect -------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTON_IR_DIALECT_H
#define TRITON_DIALECT_PROTON_IR_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "triton/Dialect/Proton/IR/ProtonDialect.h.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/Proton/IR/ProtonOps.h.inc"

#endif // TRITON_DIALECT_PROTON_IR_DIALECT_H
