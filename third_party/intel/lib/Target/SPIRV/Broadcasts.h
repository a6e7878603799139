//===- Broadcasts.h - Numbers of rows in lanes of registers -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A reduction leaves the results of several rows in different lanes of one
// register. A vector with one of them for each row consists of broadcasts from
// these lanes. A computation on the register is one instruction for all rows.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_BROADCASTS_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_BROADCASTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace triton::intel::spirv {

/// A register, by its number, and the lane in it that has the number of a row.
using Place = std::pair<unsigned, uint64_t>;
/// The places of the rows of a vector.
using Places = llvm::SmallVector<Place>;

/// Returns whether lanes can be broadcast: the others would take conversions.
bool hasBroadcast(llvm::Type *type);

/// A vector of broadcasts from known lanes of a few registers.
struct Broadcasts {
  /// The broadcast of each element; empty for other vectors.
  llvm::SmallVector<llvm::CallInst *> calls;
  llvm::SmallVector<llvm::Value *> registers;
  Places places;
};

/// Finds the broadcasts that a vector consists of.
Broadcasts matchBroadcasts(llvm::Value &vector);

/// Returns a vector of broadcasts from `places` of the registers.
llvm::Value *createBroadcasts(llvm::IRBuilder<> &builder,
                              llvm::ArrayRef<llvm::Value *> registers,
                              llvm::ArrayRef<Place> places);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_BROADCASTS_H
