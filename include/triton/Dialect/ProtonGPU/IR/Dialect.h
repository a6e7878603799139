//===- Dialect.h - The proton_gpu dialect ---------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTONGPU_IR_DIALECT_H
#define TRITON_DIALECT_PROTONGPU_IR_DIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "triton/Dialect/ProtonGPU/IR/ProtonGPUDialect.h.inc"
#include "triton/Dialect/ProtonGPU/IR/ProtonGPUEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "triton/Dialect/ProtonGPU/IR/ProtonGPUTypes.h.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/ProtonGPU/IR/ProtonGPUOps.h.inc"

#endif // TRITON_DIALECT_PROTONGPU_IR_DIALECT_H
