//===- Attributes.h - Encodings and the target of ttig ----------*- C++ -*-===//

#ifndef INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H
#define INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H

#include "triton/Dialect/TritonGPU/IR/Attributes.h"

#define GET_ATTRDEF_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUAttrs.h.inc"

#endif // INTEL_DIALECT_TRITONINTELGPU_IR_ATTRIBUTES_H
