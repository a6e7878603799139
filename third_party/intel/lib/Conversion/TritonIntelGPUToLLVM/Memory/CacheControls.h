//===- CacheControls.h - Cache controls of accesses -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Triton's modifiers and policies as those of Xe. They are advice: a driver
// that does not read them caches as it likes.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_CACHECONTROLS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_CACHECONTROLS_H

#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// The attribute of LLVM's loads and stores that XeVM's lowering reads.
inline constexpr StringLiteral kCacheControlAttr = "cache_control";

/// Returns the cache control of a load. Null leaves the choice to the driver.
xevm::LoadCacheControlAttr getLoadCacheControl(CacheModifier modifier,
                                               EvictionPolicy policy,
                                               MLIRContext *context);
/// Returns the cache control of stores: WB writes back later, WT through at
/// once.
xevm::StoreCacheControlAttr getStoreCacheControl(CacheModifier modifier,
                                                 EvictionPolicy policy,
                                                 MLIRContext *context);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_CACHECONTROLS_H
