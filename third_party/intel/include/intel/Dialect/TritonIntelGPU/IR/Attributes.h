//===- Attributes.h - Encodings and the target of ttig ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H
#define INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H

#include "triton/Dialect/TritonGPU/IR/Attributes.h"

#define GET_ATTRDEF_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUAttrs.h.inc"

namespace mlir::triton::gpu::intel {

/// Returns whether `encoding` is that of a DPAS accumulator or of one of its
/// operands.
bool isDpasLayout(Attribute encoding);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H
