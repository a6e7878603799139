//===- PointerWebs.cpp - Which block pointers are kept --------------------===//
// SPDX-License-Identifier: MIT

#include "PointerWebs.h"

#include "intel/Analysis/Blocks/BlockPointerOrigin.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// Webs of block pointers. Pointers from operations that the rewriting does not
/// know are kept in a list.
PointerWebs::PointerWebs(ModuleOp module) {
  ValueSources sources(module);
  webs = ValueWebs(module, isTensorPointerType,
                   [&](Value value, SmallVectorImpl<Value> &found) {
                     if (!getBlockPointerSources(value, sources, found))
                       unknown.push_back(value);
                   });
}

Value PointerWebs::findUnknownOrigin() const {
  // A web that is kept may come from anywhere.
  auto it = llvm::find_if(unknown, [&](Value v) { return isRewritten(v); });
  return it == unknown.end() ? Value() : *it;
}
