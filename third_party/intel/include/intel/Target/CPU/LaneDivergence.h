//===- LaneDivergence.h - How a value differs between lanes -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel in LLVM IR is the code of one lane of a sub-group. Before it becomes
// vector code, this analysis determines for every value how the lanes' copies
// relate:
//
//   uniform   all lanes have the same: a scalar stays a scalar
//   affine    lane l has base + offset[l] with a base that is the same for all
//             lanes and offsets that are constants: addresses of neighbouring
//             elements, above all
//   varying   anything else: a vector with an element per lane, a row
//
// A value of a vector or struct type has such a shape for each of its scalar
// elements (ScalarElements.h).
//
// The analysis is optimistic: everything starts as unknown and loses what turns
// out not to hold, through loops, branches and calls, until nothing changes.
// Branches on a varying condition are divergent. Lanes that meet again after
// one may come with different values, and so may lanes that leave a loop in
// different iterations. Private memory has the same contents in all lanes if
// every value that is ever stored there is uniform, where all lanes take part.
// (Karrenberg and Hack, "Whole-Function Vectorization", CGO 2011; Rosemann et
// al., "An Abstract Interpretation for SPMD Divergence on Reducible Control
// Flow Graphs", POPL 2021.)
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_CPU_LANEDIVERGENCE_H
#define TRITON_INTEL_TARGET_CPU_LANEDIVERGENCE_H

#include "intel/Analysis/Symbolic/ScalarElements.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <set>

namespace triton::intel::cpu {

using triton::intel::getFirstScalar;
using triton::intel::getNumScalars;
using triton::intel::getScalarElementType;

/// Offsets of the lanes from a base, in units of the value.
using LaneOffsets = llvm::SmallVector<int64_t, 32>;

/// How a scalar element differs between lanes: it is uniform, affine or
/// varying.
class LaneShape {
public:
  enum class Kind : uint8_t { Unknown, Affine, Varying };

  /// The alignment of zero, a multiple of everything.
  static constexpr unsigned maxAlignment = 64;
  /// Returns the binary logarithm of the largest power of two that divides
  /// `value`.
  static unsigned getAlignmentOf(int64_t value);

  LaneShape() = default;
  static LaneShape varying() { return LaneShape(Kind::Varying, nullptr, 0); }
  static LaneShape uniform(unsigned alignment = 0) {
    return LaneShape(Kind::Affine, nullptr, alignment);
  }
  static LaneShape constant(int64_t value);
  static LaneShape affine(const LaneOffsets *offsets, unsigned alignment) {
    return LaneShape(Kind::Affine, offsets, alignment);
  }
  /// Returns the shape of constants: `base` plus the offsets.
  static LaneShape known(const LaneOffsets *offsets, int64_t base);

  bool isUnknown() const { return kind == Kind::Unknown; }
  bool isVarying() const { return kind == Kind::Varying; }
  bool isAffine() const { return kind == Kind::Affine; }
  /// Unknown values are poison, which may be the same everywhere.
  bool isUniform() const { return kind != Kind::Varying && !offsets; }

  /// Returns the offsets of the lanes; null if all are zero.
  const LaneOffsets *getOffsets() const { return offsets; }
  int64_t getOffset(unsigned lane) const {
    return offsets ? (*offsets)[lane] : 0;
  }
  /// Returns the binary logarithm of a power of two that divides the base.
  unsigned getAlignment() const { return alignment; }
  /// Returns the base, if it is a constant.
  std::optional<int64_t> getConstant() const { return constantBase; }

  bool operator==(const LaneShape &other) const {
    return kind == other.kind && offsets == other.offsets &&
           alignment == other.alignment && constantBase == other.constantBase;
  }
  bool operator!=(const LaneShape &other) const { return !(*this == other); }

  /// Returns the shape of a value that has one of both shapes.
  LaneShape meet(const LaneShape &other) const;

private:
  LaneShape(Kind kind, const LaneOffsets *offsets, unsigned alignment)
      : kind(kind), alignment(alignment), offsets(offsets) {}

  Kind kind = Kind::Unknown;
  uint8_t alignment = 0;
  const LaneOffsets *offsets = nullptr;
  std::optional<int64_t> constantBase;
};

/// A part of a function that lanes run through on different ways, until they
/// meet again at `exit`. All of it is entered through `entry`.
struct DivergentRegion {
  llvm::BasicBlock *entry;
  llvm::BasicBlock *exit;
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> blocks;
};

/// A block of a divergent region, and its predecessors that are not in it.
struct SideEntry {
  llvm::BasicBlock *block;
  llvm::SmallVector<llvm::BasicBlock *> preds;
};

/// The control flow of a function, and its divergent parts.
struct FunctionDivergence {
  explicit FunctionDivergence(llvm::Function &function);

  llvm::Function &function;
  llvm::DominatorTree dominators;
  llvm::PostDominatorTree postDominators;
  llvm::LoopInfo loops;
  llvm::SmallVector<llvm::BasicBlock *> order;
  /// Blocks with a branch that lanes take differently.
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> divergentBranches;
  /// Blocks where lanes meet that came different ways.
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> joins;
  /// Loops that lanes leave in different iterations.
  llvm::SmallPtrSet<llvm::Loop *, 4> divergentLoops;
  /// Blocks that some lanes of a sub-group may not run.
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> maskedBlocks;
  /// This is true if the function is called where some lanes may not take part.
  bool isMasked = false;
  llvm::SmallVector<LaneShape> result;
};

/// The shapes of all values of a module, whose functions have simple loops
/// (LoopSimplify, LCSSA), one return, and no switches.
class LaneDivergence {
public:
  LaneDivergence(llvm::Module &module, unsigned numLanes);

  unsigned getNumLanes() const { return numLanes; }
  FunctionDivergence &getFunction(llvm::Function &function) {
    return *functions.find(&function)->second;
  }

  /// Returns the shape of a scalar element of a value.
  LaneShape get(llvm::Value *value, unsigned element = 0) const;

  /// Returns whether `pointer` is into an alloca, of which every lane has its
  /// own.
  bool isPrivate(llvm::Value *pointer) const {
    return privatePointers.contains(pointer);
  }

  /// Returns whether `pointer` leads to private memory with the same contents
  /// in all lanes.
  bool isUniformMemory(llvm::Value *pointer) const {
    llvm::AllocaInst *alloca = followed.lookup(pointer);
    return alloca && !varyingMemory.contains(alloca);
  }

  /// Returns the outermost divergent regions, by entry. Fails where control
  /// flow has no single entry.
  llvm::Expected<llvm::SmallVector<DivergentRegion>>
  getDivergentRegions(llvm::Function &function);

  /// Returns a block of a divergent region that can be entered from outside,
  /// and is no loop's header; none if there is none.
  std::optional<SideEntry> findSideEntry(llvm::Function &function);

private:
  llvm::Expected<llvm::SmallVector<DivergentRegion>>
  findRegions(llvm::Function &function);
  const LaneOffsets *intern(LaneOffsets offsets);
  /// Combines the offsets of each lane. Sums and products take unsigned
  /// numbers, as offsets wrap around.
  const LaneOffsets *combine(const LaneShape &lhs, const LaneShape &rhs,
                             llvm::function_ref<int64_t(int64_t, int64_t)> op);
  LaneShape getConstantShape(llvm::Constant *constant, unsigned element) const;

  bool update(llvm::Value *value, llvm::ArrayRef<LaneShape> shapes);
  bool visitFunction(FunctionDivergence &function);
  void followPointers(llvm::AllocaInst &alloca);
  bool visitStore(FunctionDivergence &function, llvm::StoreInst &store);
  bool visitBranch(FunctionDivergence &function, llvm::BranchInst &branch);
  bool markDivergent(FunctionDivergence &function, llvm::BasicBlock *block);
  void markRegion(FunctionDivergence &function, llvm::BasicBlock *entry,
                  llvm::BasicBlock *exit);
  bool visitCallee(llvm::CallInst &call, FunctionDivergence &callee,
                   bool isMasked);

  llvm::SmallVector<LaneShape> transfer(FunctionDivergence &function,
                                        llvm::Instruction &inst);
  LaneShape transferBinary(llvm::BinaryOperator &inst, unsigned element);
  LaneShape evaluate(unsigned opcode, unsigned bits, const LaneShape &lhs,
                     const LaneShape &rhs);
  LaneShape transferShift(llvm::BinaryOperator &inst, const LaneShape &lhs,
                          const LaneShape &rhs);
  LaneShape transferAnd(const LaneShape &lhs, const LaneShape &rhs);
  LaneShape transferCast(llvm::CastInst &inst, unsigned element);
  LaneShape transferGEP(llvm::GetElementPtrInst &inst, unsigned element);
  LaneShape transferPhi(FunctionDivergence &function, llvm::PHINode &phi,
                        unsigned element);
  LaneShape transferSelect(llvm::SelectInst &inst, unsigned element);
  LaneShape transferElementwise(llvm::Instruction &inst, unsigned element);
  void transferVector(llvm::Instruction &inst,
                      llvm::SmallVectorImpl<LaneShape> &shapes);
  void transferCall(llvm::CallInst &call,
                    llvm::SmallVectorImpl<LaneShape> &shapes);
  bool areOperandsUniform(llvm::User &user) const;
  bool isAnyOperandUnknown(llvm::User &user) const;

  llvm::Module &module;
  unsigned numLanes;
  std::set<LaneOffsets> offsetLists;
  llvm::DenseMap<llvm::Value *, llvm::SmallVector<LaneShape, 1>> shapes;
  llvm::DenseMap<llvm::Function *, std::unique_ptr<FunctionDivergence>>
      functions;
  llvm::DenseSet<llvm::Value *> privatePointers;
  /// All pointers into those allocas that nothing but loads and stores
  /// accesses.
  llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> followed;
  /// Allocas of these into which lanes may store different values.
  llvm::DenseSet<llvm::AllocaInst *> varyingMemory;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_TARGET_CPU_LANEDIVERGENCE_H
