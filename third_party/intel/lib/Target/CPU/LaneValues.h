//===- LaneValues.h - Vectorized values -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Maps each scalar element of a value of the source to the scalar or the row
// that was emitted for it, and creates the rest on request: rows of scalars,
// constants, globals, and rows that stay in memory.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEVALUES_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEVALUES_H

#include "Accumulators.h"
#include "LaneContext.h"

namespace triton::intel::cpu {

class LaneValues {
public:
  explicit LaneValues(LaneContext &context);

  /// Returns the value of a uniform scalar element, the base of an affine one.
  llvm::Value *getBase(llvm::Value *value, unsigned element = 0);
  llvm::Value *getRow(llvm::Value *value, unsigned element = 0);
  Elements getRows(llvm::Value *value);
  /// Returns all scalar elements of a uniform vector in one.
  llvm::Value *getUniformVector(llvm::Value *value);
  /// Returns the value that was recorded for the scalar element; null if none
  /// was.
  llvm::Value *getEmitted(llvm::Value *value, unsigned element) const;

  void setElement(llvm::Value *value, unsigned element, llvm::Value *emitted);
  void setRows(llvm::Instruction &inst, llvm::ArrayRef<llvm::Value *> rows);
  /// Records that a scalar element of `value` is that of another value.
  void copyElement(llvm::Value *value, unsigned element, llvm::Value *source,
                   unsigned sourceElement);

  /// Returns the memory with the rows of an accumulator (see Accumulators.h);
  /// null for other values.
  llvm::Value *getStackSlot(llvm::Value *value);
  /// Moves an accumulator after `inst` to where the library's functions expect
  /// it. Does nothing to other values.
  void moveToStackSlot(llvm::Instruction &inst);

  /// The row is zero for lanes that are not in the mask: it was loaded.
  void setZeroOutside(llvm::Value *row, llvm::Value *mask) {
    zeroOutside[row] = mask;
  }
  bool isZeroOutside(llvm::Value *row, llvm::Value *mask) const {
    return zeroOutside.lookup(row) == mask;
  }

  /// Rows that were built from scalars may be after the place where code is
  /// added from now on.
  void forgetRows() { rowCacheBlock = nullptr; }

private:
  llvm::Value *convertConstant(llvm::Constant *constant, unsigned element);
  llvm::Value *convertGlobal(llvm::GlobalVariable *global);
  llvm::Constant *getOffsetRow(const LaneShape &shape, llvm::Type *integer);

  LaneContext &context;
  llvm::IRBuilder<> &builder;
  llvm::DenseMap<llvm::Value *, Elements> elements;
  Accumulators accumulators;
  /// Memory of webs.
  llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> stackSlots;
  llvm::DenseMap<llvm::Value *, llvm::Value *> zeroOutside;
  /// Rows built from scalars, and the block where they were.
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, llvm::Value *> rowCache;
  llvm::BasicBlock *rowCacheBlock = nullptr;
  llvm::DenseMap<llvm::GlobalVariable *, llvm::Value *> globals;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEVALUES_H
