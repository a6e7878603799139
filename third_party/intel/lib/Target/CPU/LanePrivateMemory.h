//===- LanePrivateMemory.h - Memory of a lane's own -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Private memory is memory of the function's frame. It has a row for each
// element, so that an access of all lanes to their own elements is a vector
// access, too.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEPRIVATEMEMORY_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEPRIVATEMEMORY_H

#include "LaneValues.h"

namespace triton::intel::cpu {

class LanePrivateMemory {
public:
  LanePrivateMemory(LaneContext &context, LaneValues &values)
      : context(context), values(values), builder(context.builder) {}

  llvm::Error emitAlloca(llvm::AllocaInst &inst);
  llvm::Error emitLoad(llvm::LoadInst &load);
  llvm::Error emitStore(llvm::StoreInst &store);
  /// Returns private memory that holds the rows of `value` wherever it may be
  /// used; null if there is none.
  llvm::Value *findRows(llvm::Value *value);

private:
  llvm::Value *getPlace(llvm::Value *pointer, llvm::Type *type);
  llvm::Expected<Elements> loadRows(llvm::LoadInst &load);

  LaneContext &context;
  LaneValues &values;
  llvm::IRBuilder<> &builder;
  /// Bytes of the elements that an alloca consists of.
  llvm::DenseMap<llvm::Value *, unsigned> granules;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEPRIVATEMEMORY_H
