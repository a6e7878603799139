//===- CacheControls.cpp - Cache controls of accesses ---------------------===//
// SPDX-License-Identifier: MIT

#include "CacheControls.h"

#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

/// The numbers of decorations of pointers (SPV_INTEL_cache_controls).
static constexpr int32_t kLoadDecoration = 6442, kStoreDecoration = 6443;

namespace {

/// The controls of a cache for loads.
enum LoadControl : int32_t { Uncached, Cached, Streaming };

/// The controls of a cache for stores.
enum StoreControl : int32_t {
  UncachedStore,
  WriteThrough,
  WriteBack,
  StreamingStore,
};

} // namespace

std::optional<CacheControls>
mlir::triton::gpu::intel::getLoadCacheControls(CacheModifier modifier,
                                               EvictionPolicy policy) {
  constexpr CacheControls streaming{/*isStore=*/false, Streaming, Cached};
  switch (modifier) {
  case CacheModifier::CA:
    return CacheControls{/*isStore=*/false, Cached, Cached};
  // Cache at the global level.
  case CacheModifier::CG:
    return CacheControls{/*isStore=*/false, Uncached, Cached};
  // Streaming: used once, so first to be evicted.
  case CacheModifier::CS:
    return streaming;
  // Volatile: fetched again each time.
  case CacheModifier::CV:
    return CacheControls{/*isStore=*/false, Uncached, Uncached};
  default:
    break;
  }
  // The modifier is more specific than the policy, so it goes first.
  if (policy == EvictionPolicy::EVICT_FIRST)
    return streaming;
  return std::nullopt;
}

std::optional<CacheControls>
mlir::triton::gpu::intel::getStoreCacheControls(CacheModifier modifier,
                                                EvictionPolicy policy) {
  constexpr CacheControls streaming{/*isStore=*/true, StreamingStore,
                                    WriteBack};
  switch (modifier) {
  // Global: past L1.
  case CacheModifier::CG:
    return CacheControls{/*isStore=*/true, UncachedStore, WriteBack};
  // Through L1, to where others can see it.
  case CacheModifier::WT:
    return CacheControls{/*isStore=*/true, WriteThrough, WriteBack};
  case CacheModifier::CS:
    return streaming;
  default:
    break;
  }
  if (policy == EvictionPolicy::EVICT_FIRST)
    return streaming;
  return std::nullopt;
}

void mlir::triton::gpu::intel::setCacheControls(
    Operation *access, unsigned operand,
    std::optional<CacheControls> controls) {
  if (!controls)
    return;
  Builder builder(access->getContext());
  int32_t decoration = controls->isStore ? kStoreDecoration : kLoadDecoration;
  auto getDecoration = [&](int32_t level, int32_t control) -> Attribute {
    return builder.getI32ArrayAttr(
        {decoration, level, control, static_cast<int32_t>(operand)});
  };
  access->setAttr(xevm::XeVMDialect::getCacheControlsAttrName(),
                  builder.getArrayAttr({getDecoration(0, controls->near),
                                        getDecoration(1, controls->far)}));
}
