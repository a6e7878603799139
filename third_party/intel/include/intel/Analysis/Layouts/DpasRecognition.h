//===- DpasRecognition.h - DPAS layouts given as linear ones ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel in Gluon cannot name layouts of this dialect: its author's DPAS
// layouts arrive as linear ones. These functions find the DPAS layout that is
// the same map, by comparing with each one that there is for a tensor of this
// shape. Nothing similar is accepted.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_LAYOUTS_DPASRECOGNITION_H
#define TRITON_INTEL_ANALYSIS_LAYOUTS_DPASRECOGNITION_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Target/KnownTargets.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include <optional>

namespace mlir::triton::gpu::intel {

/// The layouts of a product on DPAS.
struct DpasProduct {
  DotOperandEncodingAttr a, b;
  DpasEncodingAttr result;
};

/// Returns the layouts that are the same maps as those of the two operands and
/// of the result of a product of matrices; nothing if the three are not
/// those of one DPAS layout of the target.
std::optional<DpasProduct> recognizeProduct(RankedTensorType a,
                                            RankedTensorType b,
                                            RankedTensorType result,
                                            int32_t numWarps,
                                            const TargetDesc &target);

/// Returns the layouts of a result of DPAS and of its operands that are the
/// same map as that of a matrix, at most one of each kind.
SmallVector<Attribute> recognizeMatrix(RankedTensorType type, int32_t numWarps,
                                       const TargetDesc &target);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_LAYOUTS_DPASRECOGNITION_H
