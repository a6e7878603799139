//===- TritonIntelGPUAttrs.td - All attributes of ttig -----*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUATTRS_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUATTRS_TD

include "intel/Dialect/TritonIntelGPU/IR/BlockAttrs.td"
include "intel/Dialect/TritonIntelGPU/IR/DpasEncoding.td"
include "intel/Dialect/TritonIntelGPU/IR/TargetAttr.td"

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUATTRS_TD
