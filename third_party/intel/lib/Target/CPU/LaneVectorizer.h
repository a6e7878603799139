//===- LaneVectorizer.h - From code of a lane to code of a sub-group *- C++
// SPDX-License-Identifier: MIT
//-*-===//
//
// Writes a function that does for all lanes of a sub-group what the source does
// for one. Leaves (scalars, elements of vectors) become, by their shapes:
//
//   uniform, affine   a scalar: the value, or the base
//   varying           a row: <lanes x T>
//
// A vector of n elements thus becomes n rows, and what moves elements about
// within a lane costs nothing. Private memory has rows for elements, too.
//
// Control flow that is the same for all lanes stays as it is. A divergent
// region becomes a line of blocks under masks: each block runs for the lanes
// whose way leads through it, phis select, loops run as long as a lane is left.
// Memory is accessed, and functions with effects are called, for lanes in the
// mask only; arithmetic is done for all lanes.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEVECTORIZER_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEVECTORIZER_H

#include "LaneAddresses.h"
#include "LaneArithmetic.h"
#include "LaneCalls.h"
#include "LaneChecks.h"
#include "LaneDebug.h"
#include "LaneElements.h"
#include "LaneInstructions.h"
#include "LaneInterleave.h"
#include "LaneMath.h"
#include "LaneMatrices.h"
#include "LaneMemory.h"
#include "LanePrivateMemory.h"
#include "LaneRows.h"
#include "LaneValues.h"

namespace triton_xe::cpu {

class LaneVectorizer {
public:
  /// Fills `target`, whose signature createVectorFunction made.
  LaneVectorizer(LaneShapes &shapes, llvm::Function &source,
                 llvm::Function &target, const FunctionMap &functions,
                 VectorTarget vectorTarget);

  llvm::Error run();

private:
  //===--- Control flow ---------------------------------------------------===//
  using EdgeKey = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;
  llvm::Error emitUniformBlocks();
  llvm::Error emitBlock(llvm::BasicBlock &block);
  void emitUniformPhis(llvm::BasicBlock &block);
  void completeUniformPhis();
  llvm::Error emitRegion(DivergentRegion &region);
  llvm::Error emitMasked(llvm::ArrayRef<llvm::BasicBlock *> blocks,
                         llvm::Loop *loop);
  llvm::Error emitMaskedBlock(llvm::BasicBlock &block, llvm::Loop *loop);
  llvm::Error emitMaskedLoop(llvm::Loop &loop,
                             llvm::ArrayRef<llvm::BasicBlock *> blocks);
  /// Adds the lanes that leave a loop by `edge` in this iteration to those that
  /// have `left`, with their values for the phis behind it to those `taken`.
  void emitExit(std::pair<llvm::BasicBlock *, llvm::BasicBlock *> edge,
                llvm::Value *left, llvm::ArrayRef<llvm::PHINode *> taken);
  void emitMaskedPhis(llvm::BasicBlock &block);
  /// One row of several, each for the lanes of its mask.
  llvm::Value *
  mergeEdges(llvm::ArrayRef<std::pair<llvm::Value *, llvm::Value *>> edges);
  void setEdgeMasks(llvm::BasicBlock &block);
  llvm::Value *getEdgeMask(llvm::BasicBlock *from, llvm::BasicBlock *to);
  /// The value that comes to a phi along an edge, as it is after a loop.
  llvm::Value *getIncoming(llvm::PHINode &phi, llvm::BasicBlock *from,
                           unsigned leaf, bool asRow);
  void emitReturn(llvm::ReturnInst &ret);

  LaneContext context;
  LaneValues values;
  LaneMath math;
  LaneAddresses addresses;
  LaneArithmetic arithmetic;
  LaneElements elements;
  LaneInterleave interleaving;
  LaneChecks checks;
  LanePrivateMemory privateMemory;
  LaneMemory memory;
  LaneMatrices matrices;
  LaneCalls calls;
  LaneDebug debug;
  LaneInstructions instructions;
  llvm::IRBuilder<> &builder;

  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> firstBlocks;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> lastBlocks;
  llvm::DenseMap<EdgeKey, llvm::Value *> edgeMasks;
  /// The values of phis for edges out of a divergent loop.
  llvm::DenseMap<std::pair<llvm::PHINode *, llvm::BasicBlock *>, Leaves>
      exitValues;
  /// The values of phis behind a divergent region for the whole region.
  llvm::DenseMap<std::pair<llvm::PHINode *, llvm::BasicBlock *>, Leaves>
      regionValues;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> regionOfBlock;
  llvm::SmallVector<llvm::PHINode *> uniformPhis;
};

} // namespace triton_xe::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEVECTORIZER_H
