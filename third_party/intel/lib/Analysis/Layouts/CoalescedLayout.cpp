//===- CoalescedLayout.cpp - Layouts for memory ---------------------------===//
// SPDX-License-Identifier: MIT
//
// The rows of right operands have this reason: with one row per lane, each
// value had to be moved on its own after shared memory. Loops of products of
// 64x64x32 in 8 sub-groups, both operands row-major in ordinary loads, had 517
// instructions on dg2 and 350 on pvc, and have 382 and 281.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Layouts/CoalescedLayout.h"

#include "intel/Analysis/Layouts/AccessPattern.h"
#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Analysis/Symbolic/ElementRuns.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Returns the number of rows of a right operand that an instruction of the
/// systolic array takes, if `op` loads only such operands; otherwise 1.
static int64_t getRowsOfInstruction(Operation *op, ValueSources &sources) {
  if (!isa<LoadOp>(op) && !loadsBlock(op))
    return 1;
  DotUses uses = findDotUses(op->getResult(0), sources, [](Operation *user) {
    return isa<ConvertLayoutOp>(user) ||
           user->hasTrait<mlir::OpTrait::Elementwise>();
  });
  if (uses.isLeft || !uses.isDotOperandOnly())
    return 1;
  int64_t rows = 1;
  for (DotOpInterface dot : uses.dots)
    if (auto dpas =
            dyn_cast_if_present<DpasEncodingAttr>(dot.getType().getEncoding()))
      rows = std::max<int64_t>(rows, dpas.getDPASInstShapeB().front());
  return rows;
}

Attribute getCoalescedLayout(Operation *op, ElementRuns &runs,
                             ValueSources &sources) {
  RankedTensorType type = getAccessedTensor(op);
  if (!type || !type.getEncoding() || type.getRank() == 0)
    return {};
  AccessPattern pattern = getAccessPattern(op, runs);
  unsigned fastest = pattern.getFastestDim();
  int64_t numWarps = lookupNumWarps(op);
  int64_t lanes = lookupThreadsPerWarp(op);
  int64_t bits = getIntOrFloatOrPtrBitWidth(type.getElementType());
  int64_t maxVectorBits = getTargetDesc(op).getMaxVectorBits();
  int64_t maxPerThread =
      std::max<int64_t>(1, type.getNumElements() / (numWarps * lanes));
  int64_t perThread =
      std::min({pattern.enabled[fastest],
                std::max<int64_t>(1, maxVectorBits / bits), maxPerThread});
  SmallVector<unsigned> sizePerThread(type.getRank(), 1);
  sizePerThread[fastest] = perThread;
  if (type.getRank() >= 2 && fastest + 1 == type.getRank())
    sizePerThread[fastest - 1] =
        std::max<int64_t>(1, std::min(getRowsOfInstruction(op, sources),
                                      maxPerThread / perThread));
  return BlockedEncodingAttr::get(op->getContext(), type.getShape(),
                                  sizePerThread, pattern.order, numWarps,
                                  lanes);
}

} // namespace mlir::triton::gpu::intel
