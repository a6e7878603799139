//===- PointerWebs.cpp - Which block pointers are kept --------------------===//
// SPDX-License-Identifier: MIT

#include "PointerWebs.h"

#include "intel/Analysis/BlockPointerOrigin.h"
#include "intel/Analysis/BlockTile.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// Webs of block pointers. What is made by anything that the rewriting does not
/// know is kept in a list.
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

BlockAccess gpu::intel::decide(BlockAccessOpInterface op,
                               ValueSources &sources) {
  // The memory first; then the layout, which only now is known.
  BlockAccess access = analyzeBlockAccess(op, sources);
  if (!access)
    return access;
  auto block =
      cast<RankedTensorType>(getPointeeType(op.getBlockPointer().getType()));
  // The access is fine for memory, but not in this layout.
  auto refuse = [&](const Twine &reason) {
    access.obstacle = BlockAccessObstacle::Layout;
    access.reason = reason.str();
    return access;
  };
  if (!isBlockAccessLayout(block.getEncoding()))
    return refuse("its layout is neither of DPAS nor of a DPAS operand");
  std::string reason;
  if (!hasBlockTile(op, access.isColumnMajor, &reason))
    return refuse(reason);
  return access;
}
