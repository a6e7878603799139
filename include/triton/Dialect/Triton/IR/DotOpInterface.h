//===- DotOpInterface.h - Matrix products, scaled or not --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_DOTOPINTERFACE_H
#define TRITON_DIALECT_TRITON_IR_DOTOPINTERFACE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

#include "triton/Dialect/Triton/IR/DotOpInterface.h.inc"

#endif // TRITON_DIALECT_TRITON_IR_DOTOPINTERFACE_H
