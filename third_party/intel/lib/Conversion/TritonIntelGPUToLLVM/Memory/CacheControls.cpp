//===- CacheControls.cpp - Cache controls of accesses ---------------------===//
// SPDX-License-Identifier: MIT

#include "CacheControls.h"

#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

/// Returns the controls of a load for L1 and for the caches after it.
static constexpr CacheControls getControls(spirv::LoadCacheControl near,
                                           spirv::LoadCacheControl far) {
  return {spirv::Decoration::CacheControlLoadINTEL, static_cast<uint32_t>(near),
          static_cast<uint32_t>(far)};
}

/// Returns the controls of a store. The caches after L1 write back.
static constexpr CacheControls getControls(spirv::StoreCacheControl near) {
  return {spirv::Decoration::CacheControlStoreINTEL,
          static_cast<uint32_t>(near),
          static_cast<uint32_t>(spirv::StoreCacheControl::WriteBack)};
}

std::optional<CacheControls>
mlir::triton::gpu::intel::getLoadCacheControls(CacheModifier modifier,
                                               EvictionPolicy policy) {
  using Control = spirv::LoadCacheControl;
  constexpr CacheControls streaming =
      getControls(Control::Streaming, Control::Cached);
  switch (modifier) {
  case CacheModifier::CA:
    return getControls(Control::Cached, Control::Cached);
  // Cache at the global level.
  case CacheModifier::CG:
    return getControls(Control::Uncached, Control::Cached);
  // Streaming: used once, so first to be evicted.
  case CacheModifier::CS:
    return streaming;
  // Volatile: fetched again each time.
  case CacheModifier::CV:
    return getControls(Control::Uncached, Control::Uncached);
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
  using Control = spirv::StoreCacheControl;
  constexpr CacheControls streaming = getControls(Control::Streaming);
  switch (modifier) {
  // Global: past L1.
  case CacheModifier::CG:
    return getControls(Control::Uncached);
  // Through L1, to where others can see it.
  case CacheModifier::WT:
    return getControls(Control::WriteThrough);
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
  auto getDecoration = [&](int32_t level, uint32_t control) -> Attribute {
    return builder.getI32ArrayAttr({static_cast<int32_t>(controls->decoration),
                                    level, static_cast<int32_t>(control),
                                    static_cast<int32_t>(operand)});
  };
  access->setAttr(xevm::XeVMDialect::getCacheControlsAttrName(),
                  builder.getArrayAttr({getDecoration(0, controls->near),
                                        getDecoration(1, controls->far)}));
}
