//===- Dialect.h - The ttg dialect: encodings, types, operations ----------===//
// SPDX-License-Identifier: MIT
//
// The umbrella header: code that works on layouts or `ttg` operations includes
// this one.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_IR_DIALECT_H
#define TRITON_DIALECT_TRITONGPU_IR_DIALECT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Attributes.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutCache.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "triton/Dialect/TritonGPU/IR/Traits.h"
#include "triton/Dialect/TritonGPU/IR/Types.h"

#include "triton/Dialect/TritonGPU/IR/TritonGPUDialect.h.inc"
#include "triton/Dialect/TritonGPU/IR/TritonGPUEnums.h.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/TritonGPU/IR/TritonGPUOps.h.inc"

#endif // TRITON_DIALECT_TRITONGPU_IR_DIALECT_H
