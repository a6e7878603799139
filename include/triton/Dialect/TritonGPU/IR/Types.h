//===- Types.h - Types of ttg -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TYPES_H
#define TRITON_DIALECT_TRITONGPU_IR_TYPES_H

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "triton/Dialect/TritonGPU/IR/Attributes.h"

#define GET_TYPEDEF_CLASSES
#include "triton/Dialect/TritonGPU/IR/TritonGPUTypes.h.inc"

#endif // TRITON_DIALECT_TRITONGPU_IR_TYPES_H
