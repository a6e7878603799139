//===- AccessAnswers.cpp - Results of the analysis in the IR --------------===//
// SPDX-License-Identifier: MIT

#include "AccessAnswers.h"

#include "OrdinaryAccesses.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

bool AccessAnswers::record(BlockAccessOpInterface op,
                           const BlockAccess &access) {
  resetAnswer(op);
  if (!access) {
    reportOrdinaryAccess(op, access, category);
    return false;
  }
  op.setOrder(access.isColumnMajor ? BlockOrder::ColumnMajor
                                   : BlockOrder::RowMajor);
  op.setStartsInRow(!access.mayPrecedeRows);
  op.setBoundedRows(!access.hasUnknownRows);
  // Conditions of all accesses of one tensor add up, those of both versions of
  // its code, too: one tensor, one condition.
  if (!access.condition.isTrue()) {
    auto surface = op.getSurface().getDefiningOp<SurfaceOp>();
    if (!conditions[*surface.getNumber()].append(access.condition))
      llvm_unreachable("a tensor is in one kernel");
  }
  return true;
}

void AccessAnswers::createConditions() const {
  // In the order in which they were added.
  for (const auto &[number, condition] : conditions)
    condition.create(number);
}

void gpu::intel::resetAnswer(BlockAccessOpInterface op) {
  op.setOrder(std::nullopt);
  op.setStartsInRow(false);
  op.setBoundedRows(false);
  op.setMessagesAttr({});
}

void gpu::intel::numberSurfaces(ModuleOp module) {
  int32_t next = 0;
  module.walk([&](SurfaceOp surface) {
    if (surface.getNumber())
      next = std::max<int32_t>(next, *surface.getNumber() + 1);
  });
  module.walk([&](SurfaceOp surface) {
    if (!surface.getNumber())
      surface.setNumber(next++);
  });
}
