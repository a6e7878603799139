//===- WidenHalves.h - Arithmetic of f16 in f32 -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TARGET_CPU_WIDENHALVES_H
#define TARGET_CPU_WIDENHALVES_H

#include "llvm/IR/Module.h"

namespace triton_xe::cpu {

/// Rewrites intrinsic functions on f16 to those on f32, between conversions.
/// Has to come after everything that narrows arithmetic.
void widenHalves(llvm::Module &module);

} // namespace triton_xe::cpu

#endif // TARGET_CPU_WIDENHALVES_H
