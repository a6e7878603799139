//===- CacheControls.cpp - Cache controls of accesses ---------------------===//
// SPDX-License-Identifier: MIT

#include "CacheControls.h"

using namespace mlir;
using namespace mlir::triton;

xevm::LoadCacheControlAttr mlir::triton::gpu::intel::getLoadCacheControl(
    CacheModifier modifier, EvictionPolicy policy, MLIRContext *context) {
  using Control = xevm::LoadCacheControl;
  // Levels are L1, L2 and L3; C is cached, UC not, S streaming: first to be
  // evicted.
  auto get = [&](Control control) {
    return xevm::LoadCacheControlAttr::get(context, control);
  };
  switch (modifier) {
  // Cache at all levels.
  case triton::CacheModifier::CA:
    return get(Control::L1C_L2C_L3C);
  // Cache at the global level, not in L1, which is the core's own.
  case triton::CacheModifier::CG:
    return get(Control::L1UC_L2C_L3C);
  // Streaming: used once.
  case triton::CacheModifier::CS:
    return get(Control::L1S_L2C_L3C);
  // Volatile: fetched again each time.
  case triton::CacheModifier::CV:
    return get(Control::L1UC_L2UC_L3UC);
  default:
    break;
  }
  // The modifier is more specific than the policy, so it goes first.
  if (policy == EvictionPolicy::EVICT_FIRST)
    return get(Control::L1S_L2C_L3C);
  return nullptr;
}

xevm::StoreCacheControlAttr mlir::triton::gpu::intel::getStoreCacheControl(
    CacheModifier modifier, EvictionPolicy policy, MLIRContext *context) {
  using Control = xevm::StoreCacheControl;
  auto get = [&](Control control) {
    return xevm::StoreCacheControlAttr::get(context, control);
  };
  switch (modifier) {
  // Global: past L1.
  case triton::CacheModifier::CG:
    return get(Control::L1UC_L2WB_L3WB);
  // Through L1, to where others can see it.
  case triton::CacheModifier::WT:
    return get(Control::L1WT_L2WB_L3WB);
  case triton::CacheModifier::CS:
    return get(Control::L1S_L2WB_L3WB);
  default:
    break;
  }
  if (policy == EvictionPolicy::EVICT_FIRST)
    return get(Control::L1S_L2WB_L3WB);
  return nullptr;
}
