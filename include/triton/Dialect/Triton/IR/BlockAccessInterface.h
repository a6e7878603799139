//===- BlockAccessInterface.h - Access through block pointers -------------===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_BLOCKACCESSINTERFACE_H
#define TRITON_DIALECT_TRITON_IR_BLOCKACCESSINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include "triton/Dialect/Triton/IR/Enums.h"

#include "triton/Dialect/Triton/IR/BlockAccessInterface.h.inc"

#endif // TRITON_DIALECT_TRITON_IR_BLOCKACCESSINTERFACE_H
