//===- CacheControls.h - Decorations of pointers for caches -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// SPIR-V decorates pointers with cache controls (SPV_INTEL_cache_controls).
// LLVM's backend reads decorations from metadata of instructions.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_CACHECONTROLS_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_CACHECONTROLS_H

#include "llvm/ADT/StringRef.h"

namespace triton::intel::spirv {

/// The metadata of LLVM's backend: decorations with their literals.
inline constexpr llvm::StringLiteral kDecorations = "spirv.Decorations";

/// The decorations of pointers that loads and stores use.
inline constexpr unsigned kLoadDecoration = 6442, kStoreDecoration = 6443;

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_CACHECONTROLS_H
