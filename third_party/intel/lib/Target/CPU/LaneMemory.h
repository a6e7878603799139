//===- LaneMemory.h - Accesses to memory for all lanes ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Loads, stores and atomic operations.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEMEMORY_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEMEMORY_H

#include "LaneAddresses.h"
#include "LaneChecks.h"
#include "LaneInterleave.h"
#include "LanePrivateMemory.h"
#include "LaneValues.h"

namespace triton::intel::cpu {

class LaneMemory {
public:
  LaneMemory(LaneContext &context, LaneValues &values, LaneAddresses &addresses,
             LaneInterleave &interleaving, LanePrivateMemory &privateMemory,
             LaneChecks &checks)
      : context(context), values(values), addresses(addresses),
        interleaving(interleaving), privateMemory(privateMemory),
        checks(checks), builder(context.builder) {}

  llvm::Error emitLoad(llvm::LoadInst &load);
  llvm::Error emitStore(llvm::StoreInst &store);
  llvm::Error emitAtomic(llvm::Instruction &inst);

private:
  /// Returns the length of the runs of lanes that access neighbouring memory; 1
  /// if there are none worth a vector access.
  unsigned getRunLength(const LaneAddress &address, uint64_t accessBytes) const;
  Elements emitRunLoad(llvm::LoadInst &load, const LaneAddress &address,
                       unsigned runLength);
  void emitRunStore(llvm::StoreInst &store, const LaneAddress &address,
                    unsigned runLength);
  /// Emits one or the other, as the address's guard decides, and joins the rows
  /// that come out.
  Elements emitGuarded(llvm::Value *guard,
                       llvm::function_ref<Elements()> emitFast,
                       llvm::function_ref<Elements()> emitSlow);
  llvm::Value *emitVectorLoad(llvm::Value *pointer, llvm::Type *type,
                              llvm::Value *mask, llvm::Align alignment);
  void emitVectorStore(llvm::Value *value, llvm::Value *pointer,
                       llvm::Value *mask, llvm::Align alignment);
  Elements emitGather(llvm::LoadInst &load);
  void emitScatter(llvm::StoreInst &store);
  void emitUniformStore(llvm::StoreInst &store);
  /// Returns `pointer`, or some memory of our own if no lane takes part.
  llvm::Value *guardPointer(llvm::Value *pointer, uint64_t bytes);

  LaneContext &context;
  LaneValues &values;
  LaneAddresses &addresses;
  LaneInterleave &interleaving;
  LanePrivateMemory &privateMemory;
  LaneChecks &checks;
  llvm::IRBuilder<> &builder;
  /// Memory for accesses of no lane.
  llvm::Value *dummy = nullptr;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEMEMORY_H
