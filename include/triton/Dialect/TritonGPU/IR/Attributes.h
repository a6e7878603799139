//===- Attributes.h - Encodings of ttg and their interfaces -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_ATTRIBUTES_H
#define TRITON_DIALECT_TRITONGPU_IR_ATTRIBUTES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TensorEncoding.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"
#include "triton/Tools/LinearLayout.h"

#include "triton/Dialect/TritonGPU/IR/LinearLayoutInterface.h.inc"

#define GET_ATTRDEF_CLASSES
#include "triton/Dialect/TritonGPU/IR/TritonGPUAttrs.h.inc"

namespace mlir::triton::gpu {

/// Checks the rules for every distributed encoding on a tensor type: equal
/// ranks, powers of two as sizes, and at most 31 bits to count the places.
/// Implements `verifyEncoding`.
LogicalResult
verifyEncodingOfTensor(LinearLayoutEncodingInterface encoding,
                       ArrayRef<int64_t> shape,
                       function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_ATTRIBUTES_H
