//===- GatheredRows.h - Messages for rows given by number -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_GATHEREDROWS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_GATHEREDROWS_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

#include <map>

namespace mlir::triton::gpu::intel {

/// The row of one message, the same for all lanes.
struct GatheredRow {
  /// i32 or i64; null for a message whose place the block alone determines.
  Value number;
  /// i1, whether there is a row; null if there is.
  Value exists;
};

/// The rows of the block of one access, by the registers of its layout.
///
/// Registers hold the numbers once per lane. The reduction to one number is an
/// operation of the whole sub-group, which no optimizer moves out of a loop: it
/// is emitted where the numbers are defined.
class GatheredRows {
public:
  /// `numbers` and `mask` are the lowered operands of `op`, which has row
  /// numbers; `block` is the type of its block.
  GatheredRows(RewriterBase &rewriter, BlockAccessOpInterface op,
               RankedTensorType block, ValueRange numbers, ValueRange mask);

  /// Returns the row of what lane 0 has in this register of the block. Fails if
  /// the layout of the numbers is not that of the block.
  FailureOr<GatheredRow> get(unsigned registerIndex);

private:
  Value broadcast(ValueRange chunks, unsigned registerIndex);

  RewriterBase &rewriter;
  Location loc;
  ValueRange numbers, mask;
  /// Per register of the block, the row, and per row, the register of the
  /// numbers.
  SmallVector<int32_t> rowOfRegister;
  std::map<int32_t, unsigned> registerOfRow;
  std::map<unsigned, GatheredRow> rows;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_GATHEREDROWS_H
