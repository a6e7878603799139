//===- TritonGPUAttrs.td - All attributes of ttg -----------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRITONGPUATTRS_TD
#define TRITON_DIALECT_TRITONGPU_IR_TRITONGPUATTRS_TD

include "triton/Dialect/TritonGPU/IR/DistributedEncodings.td"
include "triton/Dialect/TritonGPU/IR/DotOperandEncoding.td"
include "triton/Dialect/TritonGPU/IR/SharedEncodings.td"

#endif // TRITON_DIALECT_TRITONGPU_IR_TRITONGPUATTRS_TD
