//===- Attributes.h - Encodings and the target of ttig ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H

#include "triton/Dialect/TritonGPU/IR/Attributes.h"

#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUAttrs.h.inc"

namespace mlir::triton::gpu::intel {

/// Returns whether `encoding` is that of a DPAS accumulator or of one of its
/// operands.
bool isDpasLayout(Attribute encoding);

/// Returns whether 2D block messages may move a tensor of this layout: a layout
/// of DPAS, or one that shape operations have derived from it, which is linear.
/// Blocked layouts are those of ordinary accesses.
bool isBlockAccessLayout(Attribute encoding);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H
