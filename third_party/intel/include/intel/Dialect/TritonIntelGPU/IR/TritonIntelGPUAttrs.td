//===- TritonIntelGPUAttrs.td - All attributes of ttig -----*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUATTRS_TD
#define INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUATTRS_TD

include "intel/Dialect/TritonIntelGPU/IR/BlockAttrs.td"
include "intel/Dialect/TritonIntelGPU/IR/DpasEncoding.td"
include "intel/Dialect/TritonIntelGPU/IR/TargetAttr.td"

#endif // INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUATTRS_TD
