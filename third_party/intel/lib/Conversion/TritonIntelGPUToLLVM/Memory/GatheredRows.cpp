//===- GatheredRows.cpp - Messages for rows given by number ---------------===//
// SPDX-License-Identifier: MIT

#include "GatheredRows.h"

#include "../Utility/Exchange.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/Registers.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

/// Returns the rows of all registers in lane 0 of warp 0.
static SmallVector<int32_t> getRows(RankedTensorType type) {
  LinearLayout layout = toLinearLayout(type);
  SmallVector<int32_t> rows;
  for (int32_t index = 0, e = layout.getInDimSize(LayoutDim::Register);
       index != e; ++index)
    rows.push_back(getRegisterCoordinates(layout, index).front());
  return rows;
}

GatheredRows::GatheredRows(RewriterBase &rewriter, BlockAccessOpInterface op,
                           RankedTensorType block, ValueRange numbers,
                           ValueRange mask)
    : rewriter(rewriter), loc(op.getLoc()), numbers(numbers), mask(mask),
      rowOfRegister(getRows(block)) {
  auto column = cast<RankedTensorType>(op.getRows().getType());
  // The first register of a row: others that hold the same row are copies.
  for (auto [index, row] : llvm::enumerate(getRows(column)))
    registerOfRow.insert({row, index});
}

/// Returns lane 0's value of a register, emitted right after that register.
Value GatheredRows::broadcast(ValueRange chunks, unsigned registerIndex) {
  // The registers of a tensor may be several vectors; this looks for the one
  // that holds it.
  for (Value chunk : chunks) {
    unsigned width = getVectorWidth(chunk.getType());
    if (registerIndex >= width) {
      registerIndex -= width;
      continue;
    }
    // After the vector and not at the insertion point, so that the first of
    // several users does not make it too late for the others.
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(chunk);
    Value lanes = unpackRegisters(rewriter, loc, chunk)[registerIndex];
    return broadcastFromLane(rewriter, loc, lanes, /*lane=*/0);
  }
  llvm_unreachable("a register of a tensor is in one of its chunks");
}

FailureOr<GatheredRow> GatheredRows::get(unsigned registerIndex) {
  // A row that lane 0 of this warp does not hold has no number here.
  auto it = registerOfRow.find(rowOfRegister[registerIndex]);
  if (it == registerOfRow.end())
    return failure();
  // All messages of the same row share one broadcast.
  auto [entry, isNew] = rows.try_emplace(it->second);
  if (isNew) {
    entry->second.number = broadcast(numbers, it->second);
    if (!mask.empty())
      entry->second.exists = broadcast(mask, it->second);
  }
  return entry->second;
}

} // namespace mlir::triton::gpu::intel
