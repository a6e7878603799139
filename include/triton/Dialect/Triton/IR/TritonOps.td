//===- TritonOps.td - All tt operations --------------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONOPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONOPS_TD

include "triton/Dialect/Triton/IR/TritonPointerOps.td"
include "triton/Dialect/Triton/IR/TritonMemoryOps.td"
include "triton/Dialect/Triton/IR/TritonDescriptorOps.td"
include "triton/Dialect/Triton/IR/TritonElementwiseOps.td"
include "triton/Dialect/Triton/IR/TritonShapeOps.td"
include "triton/Dialect/Triton/IR/TritonRegionOps.td"
include "triton/Dialect/Triton/IR/TritonDotOps.td"
include "triton/Dialect/Triton/IR/TritonFunctionOps.td"

#endif // TRITON_DIALECT_TRITON_IR_TRITONOPS_TD
