//===- CacheControls.h - Cache controls of accesses -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Triton's modifiers and policies as SPIR-V's cache controls
// (SPV_INTEL_cache_controls). They are advice: a driver that does not read them
// caches as it likes.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_CACHECONTROLS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_CACHECONTROLS_H

#include "mlir/Dialect/SPIRV/IR/SPIRVEnums.h"
#include "mlir/IR/Operation.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <cstdint>
#include <optional>

namespace mlir::triton::gpu::intel {

/// The controls of an access, as SPIR-V numbers them.
struct CacheControls {
  /// States whether the access is a load or a store.
  spirv::Decoration decoration;
  /// `near` controls L1, which a core has for itself, and `far` the caches
  /// after it. The decoration determines their enumeration.
  uint32_t near, far;
};

/// Returns the controls of loads; none leaves the choice to the driver.
std::optional<CacheControls> getLoadCacheControls(CacheModifier modifier,
                                                  EvictionPolicy policy);
/// Returns the controls of stores: WB writes back later, WT through at once.
std::optional<CacheControls> getStoreCacheControls(CacheModifier modifier,
                                                   EvictionPolicy policy);

/// Gives an operation of the LLVM dialect controls, if there are any, for the
/// memory that an operand points to. The translation to LLVM IR writes them as
/// metadata (DecorateCacheControls.cpp).
void setCacheControls(Operation *access, unsigned operand,
                      std::optional<CacheControls> controls);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_CACHECONTROLS_H
