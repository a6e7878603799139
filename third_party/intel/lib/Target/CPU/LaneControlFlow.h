//===- LaneControlFlow.h - Blocks, branches and masks -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Emits the blocks of the source and whatever leads from one to the other. It
// drives the other emitters.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANECONTROLFLOW_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANECONTROLFLOW_H

#include "LaneChecks.h"
#include "LaneDebug.h"
#include "LaneInstructions.h"
#include "LaneValues.h"

namespace triton::intel::cpu {

class LaneControlFlow {
public:
  LaneControlFlow(LaneContext &context, LaneValues &values,
                  LaneInstructions &instructions, LaneChecks &checks,
                  LaneDebug &debug)
      : context(context), values(values), instructions(instructions),
        checks(checks), debug(debug), builder(context.builder) {}

  /// All of the function, after its parameters.
  llvm::Error run();

private:
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
  /// have `left`, with their values for the phis after it to those `taken`.
  void emitExit(std::pair<llvm::BasicBlock *, llvm::BasicBlock *> edge,
                llvm::Value *left, llvm::ArrayRef<llvm::PHINode *> taken);
  void emitMaskedPhis(llvm::BasicBlock &block);
  /// Returns one row of several, each for the lanes of its mask.
  llvm::Value *
  mergeEdges(llvm::ArrayRef<std::pair<llvm::Value *, llvm::Value *>> edges);
  void setEdgeMasks(llvm::BasicBlock &block);
  llvm::Value *getEdgeMask(llvm::BasicBlock *from, llvm::BasicBlock *to);
  /// Returns the value that comes to a phi along an edge, as it is after a
  /// loop.
  llvm::Value *getIncoming(llvm::PHINode &phi, llvm::BasicBlock *from,
                           unsigned element, bool asRow);
  void emitReturn(llvm::ReturnInst &ret);

  LaneContext &context;
  LaneValues &values;
  LaneInstructions &instructions;
  LaneChecks &checks;
  LaneDebug &debug;
  llvm::IRBuilder<> &builder;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> firstBlocks;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> lastBlocks;
  llvm::DenseMap<EdgeKey, llvm::Value *> edgeMasks;
  /// The values of phis for edges out of a divergent loop.
  llvm::DenseMap<std::pair<llvm::PHINode *, llvm::BasicBlock *>, Elements>
      exitValues;
  /// The values of phis after a divergent region for the whole region.
  llvm::DenseMap<std::pair<llvm::PHINode *, llvm::BasicBlock *>, Elements>
      regionValues;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> regionOfBlock;
  llvm::SmallVector<llvm::PHINode *> uniformPhis;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANECONTROLFLOW_H
