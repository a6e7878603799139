//===- WidenHalves.h - Arithmetic of f16 in f32 -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_TARGET_CPU_WIDENHALVES_H
#define TRITON_INTEL_LIB_TARGET_CPU_WIDENHALVES_H

#include "llvm/IR/Module.h"

namespace triton::intel::cpu {

/// Rewrites intrinsic functions on f16 to those on f32, between conversions.
/// Has to come after everything that narrows arithmetic.
void widenHalves(llvm::Module &module);

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_WIDENHALVES_H
