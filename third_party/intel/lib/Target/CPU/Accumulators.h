//===- Accumulators.h - Values that stay in memory --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The accumulators of DPAS are too many for registers: a tile of 64 x 32 has
// 128 rows. The functions of the library change them in memory, and there they
// should stay, from one DPAS to the next and around loops.
//
// Values that become one another form a web: the accumulator of a DPAS and its
// result, a phi and what comes in, a computed accumulator. If no two of them
// are needed at a time, the web has one place in memory, in which each takes
// over from the one before, and nothing is copied. (It is register coalescing:
// Chaitin, "Register Allocation and Spilling via Graph Coloring", 1982.)
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_ACCUMULATORS_H
#define TRITON_INTEL_LIB_TARGET_CPU_ACCUMULATORS_H

#include "intel/Target/CPU/LaneDivergence.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace triton::intel::cpu {

class Accumulators {
public:
  Accumulators(LaneDivergence &shapes, FunctionDivergence &flow);

  /// Returns the web of a value that stays in memory; null for any other. The
  /// value itself is one of the web's members and represents it.
  llvm::Value *getWeb(llvm::Value *value) const { return webs.lookup(value); }

private:
  void collect();
  bool canStay(llvm::Value *value) const;
  void computeLiveness();
  void findConflicts();

  LaneDivergence &shapes;
  FunctionDivergence &flow;
  llvm::EquivalenceClasses<llvm::Value *> classes;
  /// Members of webs, numbered.
  llvm::MapVector<llvm::Value *, unsigned> members;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BitVector> liveOut;
  /// Leaders of webs that cannot share one place.
  llvm::DenseSet<llvm::Value *> conflicting;
  llvm::DenseMap<llvm::Value *, llvm::Value *> webs;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_ACCUMULATORS_H
