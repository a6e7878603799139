//===- LaneContext.h - State of vectorization -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A function that is being written for all lanes of a sub-group, as
// LaneVectorizer.h has it: where code goes to, which lanes take part in it,
// memory in its frame, and calls of the library.
//
// Code is written by emitters: classes that each know one kind of instruction,
// and keep what they have to remember of it to themselves. They get the context
// and the emitters that they call by reference. No two of them call each other:
//
//   emitter            writes                      calls
//
//   LaneControlFlow    blocks, branches, masks     LaneInstructions,
//                                                  LaneChecks, LaneDebug
//   LaneInstructions   any instruction             the next six, LaneDebug
//   LaneArithmetic     operations on elements      LaneMath, LaneAddresses
//   LaneElements       moves of elements           LaneAddresses
//   LaneAddresses      pointers                    none
//   LanePrivateMemory  memory of a lane's own      none
//   LaneMemory         other loads and stores      LaneAddresses, LaneChecks,
//                                                  LaneInterleave,
//                                                  LanePrivateMemory
//   LaneCalls          calls                       LaneMath, LaneChecks,
//                                                  LaneMatrices
//   LaneMatrices       DPAS, 2D block messages     LaneChecks,
//                                                  LanePrivateMemory
//   LaneInterleave     neighbours in memory        LaneArithmetic
//   LaneMath           mathematical functions      none
//   LaneChecks         checks of the runtime       none
//   LaneDebug          variables for debuggers     none
//
// All of them but LaneInterleave read and write LaneValues, which maps the
// values of the source to what was emitted for them. LaneRows.h has functions
// for rows that go through memory.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANECONTEXT_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANECONTEXT_H

#include "intel/Target/CPU/LaneDivergence.h"

#include "llvm/IR/IRBuilder.h"

namespace triton::intel::cpu {

/// The arguments of the kernel whose memory any of its code may store to, for
/// checks.
struct StoredArguments {
  llvm::DenseSet<unsigned> positions;
  /// Some address is not known to come from one argument.
  bool isAny = false;
};

/// The features that the generated code may use.
struct VectorTarget {
  bool hasAVX512 = false;
  /// The code checks itself, by the limits of the chip `arch`.
  bool hasChecks = false;
  std::string arch;
  StoredArguments *stored = nullptr;
};

/// Adds the attributes that every function with vectors needs.
void addVectorAttributes(llvm::Function &function);

/// Offset of the fields of the runtime's SubGroupState.
enum StateField : unsigned {
  StateProgramId = 0,
  StateNumPrograms = 12,
  StateSubGroupId = 24,
  StateSharedMemory = 32,
  StateRuntime = 40,
};

/// SPIR-V's Workgroup storage class as LLVM has it.
inline constexpr unsigned kSharedAddressSpace = 3;

/// Attribute of a function that is called with a mask.
inline constexpr llvm::StringLiteral kMaskedAttribute = "triton-xe-masked";

/// Ahead of the names of the library's functions, as long as the source's own
/// declarations of the same names, with other parameters, exist.
inline constexpr llvm::StringLiteral kLibraryPrefix = "library:";

/// The alignment of all allocas, which suffices for vectors of AVX-512.
inline constexpr uint64_t kAllocaAlignment = 64;

/// The vectorized functions by the functions of the source.
using FunctionMap = llvm::DenseMap<llvm::Function *, llvm::Function *>;

/// The scalar or row for each scalar element of a value.
using Elements = llvm::SmallVector<llvm::Value *, 1>;

/// Returns the scalar element of an operand that belongs to scalar element
/// `element` of the result: a scalar belongs to all of them.
inline unsigned getOperandElement(llvm::Value *operand, unsigned element) {
  return getNumScalars(operand->getType()) == 1 ? 0 : element;
}

class LaneContext {
public:
  /// Code is added to `target`, the function for all lanes of `source`.
  LaneContext(LaneDivergence &shapes, llvm::Function &source,
              llvm::Function &target, VectorTarget vectorTarget);

  LaneDivergence &shapes;
  llvm::Function &source;
  llvm::Function &target;
  const VectorTarget vectorTarget;
  const unsigned numLanes;
  const llvm::DataLayout &layout;
  FunctionDivergence &flow;
  llvm::IRBuilder<> builder;
  /// The block for allocas, and for values that all blocks may use.
  llvm::BasicBlock *const entryBlock;
  /// The runtime's state of the sub-group, a parameter of every function.
  llvm::Value *state = nullptr;
  /// The mask of the call; null for all lanes.
  llvm::Value *functionMask = nullptr;
  /// The mask of the code that is being emitted; null for all lanes.
  llvm::Value *mask = nullptr;

  //===--- Types and shapes -----------------------------------------------===//
  llvm::Type *convertType(llvm::Type *scalar) const;
  llvm::VectorType *getRowType(llvm::Type *scalar) const;
  LaneShape getShape(llvm::Value *value, unsigned element = 0) const {
    return shapes.get(value, element);
  }

  //===--- Masks ----------------------------------------------------------===//
  /// Returns the current mask as a row of i1; all true outside of regions.
  llvm::Value *getMask();
  /// Bit l is lane l's.
  llvm::Value *getMaskBits(llvm::Value *lanes);
  llvm::Value *isAny(llvm::Value *lanes);
  llvm::Value *isAll(llvm::Value *lanes);
  llvm::Value *combineMasks(llvm::Value *lhs, llvm::Value *rhs, bool isAnd);
  bool isMasked() const { return mask; }

  //===--- Blocks and memory ----------------------------------------------===//
  llvm::BasicBlock *createBlock(const llvm::Twine &name);
  llvm::AllocaInst *createAlloca(uint64_t bytes, const llvm::Twine &name);
  /// Returns the memory that is free again after the current instruction.
  llvm::AllocaInst *createScratch(uint64_t bytes);
  /// Called between two instructions.
  void freeScratch() { scratchTaken.clear(); }

  //===--- The runtime and its library ------------------------------------===//
  llvm::Value *loadState(unsigned offset, llvm::Type *type);
  llvm::CallInst *callLibrary(llvm::StringRef name, llvm::Type *result,
                              llvm::ArrayRef<llvm::Value *> arguments);

  llvm::Value *splat(llvm::Value *scalar);
  llvm::Error fail(llvm::Instruction &inst, const llvm::Twine &message);

private:
  /// Memory for the time of one instruction, by size, and how much of it the
  /// current one has taken.
  llvm::DenseMap<uint64_t, llvm::SmallVector<llvm::AllocaInst *>> scratch;
  llvm::DenseMap<uint64_t, unsigned> scratchTaken;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANECONTEXT_H
