//===- Dialect.cpp - The proton_gpu dialect -------------------------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/ProtonGPU/IR/Dialect.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::triton::proton_gpu;

#include "triton/Dialect/ProtonGPU/IR/ProtonGPUDialect.cpp.inc"
#include "triton/Dialect/ProtonGPU/IR/ProtonGPUEnums.cpp.inc"

void ProtonGPUDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "triton/Dialect/ProtonGPU/IR/ProtonGPUOps.cpp.inc"
      >();
}
