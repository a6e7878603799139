//===- LaneRows.h - Rows in memory, and their bits --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Rows lie in memory one after the other, in the layout of
// intel/ABI/CPUKernel.h: that of what functions of the library take and give,
// of accumulators and of variables that debuggers are shown.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEROWS_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEROWS_H

#include "LaneContext.h"

namespace triton::intel::cpu {

/// Returns the alignment of rows that are contiguous in an alloca; `bytes` of a
/// row is a power of two.
inline llvm::Align getRowAlignment(uint64_t bytes) {
  return llvm::Align(std::min(bytes, kAllocaAlignment));
}

/// A bit is a byte in memory.
llvm::Type *getMemoryType(llvm::Type *scalar);

llvm::Value *getMemoryRow(LaneContext &context, llvm::Value *row);
llvm::Value *fromMemoryRow(LaneContext &context, llvm::Value *row,
                           llvm::Type *element);

/// Returns a pointer to rows that hold `rows`, for a function of the library.
llvm::Value *spill(LaneContext &context, llvm::ArrayRef<llvm::Value *> rows);
void storeRows(LaneContext &context, llvm::Value *memory,
               llvm::ArrayRef<llvm::Value *> rows);
llvm::Value *reloadRow(LaneContext &context, llvm::Value *memory,
                       llvm::Type *element, unsigned index);
Elements reload(LaneContext &context, llvm::Value *memory, llvm::Type *element,
                unsigned count);

llvm::SmallVector<llvm::Value *> castRows(LaneContext &context,
                                          llvm::ArrayRef<llvm::Value *> rows,
                                          llvm::Type *element);
llvm::Value *concatenate(LaneContext &context,
                         llvm::ArrayRef<llvm::Value *> vectors);

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEROWS_H
