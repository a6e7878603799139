//===- LinearLayoutConversions.cpp - Layouts of types ---------------------===//
// SPDX-License-Identifier: MIT
//
// Resolves types to linear layouts through the dialect's cache, and finds the
// launch geometry around an operation.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

LinearLayout
LinearLayoutCache::lookupOrCompute(Attribute encoding, ArrayRef<int64_t> shape,
                                   function_ref<LinearLayout()> compute) {
  Shape key(shape.begin(), shape.end());
  {
    llvm::sys::SmartScopedReader<true> lock(mutex);
    auto it = layouts.find(encoding);
    if (it != layouts.end()) {
      auto entry = it->second.find(key);
      if (entry != it->second.end())
        return entry->second;
    }
  }
  // Without the lock, as computing may query other layouts. Two threads may
  // compute the same, which does no harm.
  LinearLayout layout = compute();
  llvm::sys::SmartScopedWriter<true> lock(mutex);
  layouts[encoding].try_emplace(std::move(key), layout);
  return layout;
}

/// All layouts of a context go through this cache: passes query the same ones
/// repeatedly.
LinearLayout TritonGPUDialect::toLinearLayout(ArrayRef<int64_t> shape,
                                              Attribute encoding) {
  return layoutCache.lookupOrCompute(encoding, shape, [&] {
    return cast<LinearLayoutEncodingInterface>(encoding).toLinearLayout(shape);
  });
}

LinearLayout gpu::toLinearLayout(ArrayRef<int64_t> shape, Attribute encoding) {
  // Code that has an encoding has loaded the dialect: those of other dialects
  // depend on ttg.
  auto *dialect = encoding.getContext()->getLoadedDialect<TritonGPUDialect>();
  return dialect->toLinearLayout(shape, encoding);
}

LinearLayout gpu::toLinearLayout(RankedTensorType type) {
  return toLinearLayout(type.getShape(), type.getEncoding());
}

/// Returns the layout of the whole allocation; a view is a part of it.
LinearLayout gpu::toLinearLayout(MemDescType type) {
  return toLinearLayout(type.getEncodedAllocShape(), type.getEncoding());
}

/// Scalars and tensors without a layout count as one element.
unsigned gpu::getTotalElemsPerThread(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return 1;
  return toLinearLayout(tensor).getInDimSize(LayoutDim::Register);
}

bool gpu::areLayoutsEquivalent(ArrayRef<int64_t> shape, Attribute a,
                               Attribute b) {
  if (a == b)
    return true;
  if (!a || !b)
    return false;
  // Other attributes have no meaning to compare.
  auto first = dyn_cast<LinearLayoutEncodingInterface>(a);
  auto second = dyn_cast<LinearLayoutEncodingInterface>(b);
  if (!first || !second || first.getRank() != shape.size() ||
      second.getRank() != shape.size())
    return false;
  // Paddings are not part of the linear map.
  auto paddingsOf = [](Attribute encoding) {
    auto shared = dyn_cast<SharedEncodingInterface>(encoding);
    return shared ? shared.getPaddingRules()
                  : SmallVector<std::pair<unsigned, unsigned>>();
  };
  return toLinearLayout(shape, a) == toLinearLayout(shape, b) &&
         paddingsOf(a) == paddingsOf(b);
}

Attribute gpu::getDefaultBlockedEncoding(MLIRContext *context,
                                         ArrayRef<int64_t> shape, int numWarps,
                                         int threadsPerWarp) {
  SmallVector<unsigned> sizePerThread(shape.size(), 1);
  return BlockedEncodingAttr::get(context, shape, sizePerThread,
                                  getRowMajorOrder(shape.size()), numWarps,
                                  threadsPerWarp);
}

//===----------------------------------------------------------------------===//
// Launch geometry
//===----------------------------------------------------------------------===//

/// Returns the integer `name` of an operation, if there is one.
static std::optional<int32_t> getIntAttr(Operation *op, StringRef name) {
  if (auto attr = op->getAttrOfType<IntegerAttr>(name))
    return static_cast<int32_t>(attr.getInt());
  return std::nullopt;
}

int32_t TritonGPUDialect::getNumWarps(ModuleOp module) {
  // Modules without the attribute have one warp.
  return getIntAttr(module, getNumWarpsAttrName()).value_or(1);
}

int32_t TritonGPUDialect::getNumCTAs(ModuleOp module) {
  return getIntAttr(module, getNumCTAsAttrName()).value_or(1);
}

int32_t TritonGPUDialect::getThreadsPerWarp(ModuleOp module) {
  return getIntAttr(module, getThreadsPerWarpAttrName())
      .value_or(kDefaultThreadsPerWarp);
}

/// The innermost operation that states it: functions may differ from their
/// module.
std::optional<int32_t> gpu::maybeLookupNumWarps(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto warps = getIntAttr(op, TritonGPUDialect::getNumWarpsAttrName()))
      return warps;
  return std::nullopt;
}

int32_t gpu::lookupNumWarps(Operation *op) {
  return maybeLookupNumWarps(op).value_or(1);
}

/// Returns the module that `op` is, or is in; null if there is none.
static ModuleOp getModule(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  return module ? module : op->getParentOfType<ModuleOp>();
}

int32_t gpu::lookupThreadsPerWarp(Operation *op) {
  ModuleOp module = getModule(op);
  return module ? TritonGPUDialect::getThreadsPerWarp(module)
                : TritonGPUDialect::kDefaultThreadsPerWarp;
}
