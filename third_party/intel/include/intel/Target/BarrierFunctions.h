//===- BarrierFunctions.h - Barriers of a work-group in LLVM IR -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Names of the functions that are barriers in lowered kernels, mangled.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_BARRIERFUNCTIONS_H
#define TRITON_INTEL_TARGET_BARRIERFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::triton::gpu::intel {

/// OpenCL C's `barrier`, with the memories that it orders as operand.
inline constexpr llvm::StringLiteral kBarrier = "_Z7barrierj";
/// The halves of a barrier (SPV_INTEL_split_barrier), with execution scope,
/// memory scope and memory semantics as operands.
inline constexpr llvm::StringLiteral kArriveBarrier =
    "_Z33__spirv_ControlBarrierArriveINTELiii";
inline constexpr llvm::StringLiteral kWaitBarrier =
    "_Z31__spirv_ControlBarrierWaitINTELiii";

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_BARRIERFUNCTIONS_H
