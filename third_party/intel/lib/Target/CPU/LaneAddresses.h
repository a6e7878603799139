//===- LaneAddresses.h - Addresses of neighbouring lanes --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Computes pointers, and records for those that differ between lanes how they
// run along, as far as constants and a guard can describe it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEADDRESSES_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEADDRESSES_H

#include "LaneValues.h"

namespace triton::intel::cpu {

/// A value that is a base, the same for all lanes, plus constants, if `guard`
/// is true (or null).
struct LaneAddress {
  llvm::Value *base;
  LaneOffsets offsets;
  llvm::Value *guard = nullptr;
};

class LaneAddresses {
public:
  LaneAddresses(LaneContext &context, LaneValues &values)
      : context(context), values(values), builder(context.builder) {}

  void emitGEP(llvm::GetElementPtrInst &inst);
  /// Records the structure of a scalar element that is a row of addresses, or
  /// of indices that addresses are computed from.
  void record(llvm::Instruction &inst, unsigned element);
  std::optional<LaneAddress> get(llvm::Value *value, unsigned element);
  /// Records that a scalar element of `value` is that of another value.
  void copyElement(llvm::Value *value, unsigned element, llvm::Value *source,
                   unsigned sourceElement);

private:
  void emitPrivateGEP(llvm::GetElementPtrInst &inst);
  std::optional<LaneAddress> extendAddress(llvm::CastInst &inst,
                                           unsigned element);
  std::optional<LaneAddress> computeAddress(llvm::Instruction &inst,
                                            unsigned element);
  std::optional<LaneAddress> computePointer(llvm::GetElementPtrInst &inst,
                                            unsigned element);

  LaneContext &context;
  LaneValues &values;
  llvm::IRBuilder<> &builder;
  /// The addresses of varying values, valid unless an index wraps around
  /// between two lanes.
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, LaneAddress> addresses;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEADDRESSES_H
