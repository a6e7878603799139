//===- LaneElements.h - Elements of vectors and structures ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Instructions that move elements about within a lane. As each element has a
// separate value, most of them need no code.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEELEMENTS_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEELEMENTS_H

#include "LaneAddresses.h"
#include "LaneValues.h"

namespace triton::intel::cpu {

class LaneElements {
public:
  LaneElements(LaneContext &context, LaneValues &values,
               LaneAddresses &addresses)
      : context(context), values(values), addresses(addresses),
        builder(context.builder) {}

  void emitExtractElement(llvm::ExtractElementInst &inst);
  void emitInsertElement(llvm::InsertElementInst &inst);
  void emitShuffleVector(llvm::ShuffleVectorInst &inst);
  void emitExtractValue(llvm::ExtractValueInst &inst);
  void emitInsertValue(llvm::InsertValueInst &inst);
  void emitBitcast(llvm::BitCastInst &inst);

private:
  LaneContext &context;
  LaneValues &values;
  LaneAddresses &addresses;
  llvm::IRBuilder<> &builder;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEELEMENTS_H
