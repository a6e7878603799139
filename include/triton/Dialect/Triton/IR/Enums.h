//===- Enums.h - Enumerations of the tt dialect ---------------------------===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_ENUMS_H
#define TRITON_DIALECT_TRITON_IR_ENUMS_H

#include "mlir/IR/BuiltinAttributes.h"

#include "triton/Dialect/Triton/IR/TritonEnums.h.inc"

#endif // TRITON_DIALECT_TRITON_IR_ENUMS_H
