//===- LaneControlFlow.cpp - Blocks, branches and masks -------------------===//
// SPDX-License-Identifier: MIT
//
// Uniform control flow is copied. A divergent region becomes straight code: its
// blocks follow each other, with loops around the blocks of loops. The mask of
// a block is the union of the masks of its incoming edges. The mask of an edge
// is the mask of its source, restricted by the condition.
//
// A loop that lanes leave one by one runs while a lane is left. The values that
// a lane takes out of the loop are saved when it leaves. The loop is in LCSSA
// form, so these are the phis at the exits.
//
//===----------------------------------------------------------------------===//

#include "LaneControlFlow.h"

#include "LaneRows.h"

using namespace llvm;

namespace triton::intel::cpu {

/// The branch of the entry block is written last, after the loads of the state
/// that other blocks add to it.
Error LaneControlFlow::run() {
  context.mask = context.functionMask;
  if (Error error = emitUniformBlocks())
    return error;
  // Phis of uniform blocks may use what is emitted after them.
  completeUniformPhis();
  builder.SetInsertPoint(context.entryBlock);
  builder.SetCurrentDebugLocation(DebugLoc());
  builder.CreateBr(firstBlocks.lookup(&context.source.getEntryBlock()));
  return Error::success();
}

/// All blocks of the source, in its order. A divergent region counts as one
/// block, by its entry: `firstBlocks` has where it begins, `lastBlocks` where
/// it ends.
Error LaneControlFlow::emitUniformBlocks() {
  if (context.functionMask) {
    // It is unknown which lanes take part: all of the function is one region.
    BasicBlock *start = context.createBlock("masked");
    firstBlocks[&context.source.getEntryBlock()] = start;
    builder.SetInsertPoint(start);
    SmallVector<BasicBlock *> blocks(context.flow.order);
    return emitMasked(blocks, /*loop=*/nullptr);
  }
  Expected<SmallVector<DivergentRegion>> regions =
      context.shapes.getDivergentRegions(context.source);
  if (!regions)
    return context.fail(context.source.getEntryBlock().front(),
                        toString(regions.takeError()));
  for (DivergentRegion &region : *regions)
    for (BasicBlock *block : region.blocks)
      regionOfBlock[block] = region.entry;
  // Blocks inside of regions are no blocks of the target.
  for (BasicBlock *block : context.flow.order) {
    BasicBlock *entry = regionOfBlock.lookup(block);
    if (!entry || entry == block)
      firstBlocks[block] = context.createBlock("");
  }
  for (BasicBlock *block : context.flow.order) {
    BasicBlock *entry = regionOfBlock.lookup(block);
    if (entry && entry != block)
      continue;
    // In the order of the source.
    firstBlocks.lookup(block)->moveAfter(&context.target.back());
    builder.SetInsertPoint(firstBlocks.lookup(block));
    if (!entry) {
      emitUniformPhis(*block);
      if (Error error = emitBlock(*block))
        return error;
      continue;
    }
    // The entry represents the region.
    auto *region = find_if(*regions, [&](const DivergentRegion &candidate) {
      return candidate.entry == block;
    });
    if (Error error = emitRegion(*region))
      return error;
  }
  return Error::success();
}

/// A block that all lanes run, or none.
Error LaneControlFlow::emitBlock(BasicBlock &block) {
  for (Instruction &inst : block) {
    if (isa<PHINode>(inst) || inst.isTerminator())
      continue;
    if (Error error = instructions.emit(inst))
      return error;
  }
  Instruction *terminator = block.getTerminator();
  debug.emitRecords(*terminator);
  // Polls at back edges alone: straight code ends by itself.
  builder.SetCurrentDebugLocation(terminator->getDebugLoc());
  if (Loop *loop = context.flow.loops.getLoopFor(&block);
      loop && loop->getLoopLatch() == &block)
    checks.emitPoll();
  // Accesses with guards or masks leave more than one block after them.
  lastBlocks[&block] = builder.GetInsertBlock();
  if (auto *ret = dyn_cast<ReturnInst>(terminator)) {
    emitReturn(*ret);
    return Error::success();
  }
  if (isa<UnreachableInst>(terminator)) {
    builder.CreateUnreachable();
    return Error::success();
  }
  auto *branch = dyn_cast<BranchInst>(terminator);
  if (!branch)
    return context.fail(*terminator, "expected a branch, found `" +
                                         Twine(terminator->getOpcodeName()) +
                                         "`");
  auto getTarget = [&](unsigned index) {
    return firstBlocks.lookup(branch->getSuccessor(index));
  };
  if (branch->isUnconditional())
    builder.CreateBr(getTarget(0));
  // A uniform condition; others belong to regions.
  else
    builder.CreateCondBr(values.getBase(branch->getCondition()), getTarget(0),
                         getTarget(1));
  return Error::success();
}

/// Returns scalar elements in a struct, as createVectorFunction has decided
/// which are rows.
void LaneControlFlow::emitReturn(ReturnInst &ret) {
  Value *value = ret.getReturnValue();
  if (!value || context.target.getReturnType()->isVoidTy()) {
    builder.CreateRetVoid();
    return;
  }
  Value *result = PoisonValue::get(context.target.getReturnType());
  for (unsigned element = 0; element < getNumScalars(value->getType());
       ++element) {
    Type *type = cast<StructType>(context.target.getReturnType())
                     ->getElementType(element);
    result = builder.CreateInsertValue(result,
                                       type->isVectorTy()
                                           ? values.getRow(value, element)
                                           : values.getBase(value, element),
                                       element);
  }
  builder.CreateRet(result);
}

//===----------------------------------------------------------------------===//
// Phis where control flow is uniform
//===----------------------------------------------------------------------===//

/// Emits empty phis: what comes in may not be emitted yet. completeUniformPhis
/// fills them.
void LaneControlFlow::emitUniformPhis(BasicBlock &block) {
  // Only after a divergent region, phis are combined at its end.
  BasicBlock *region = nullptr;
  if (!pred_empty(&block) &&
      all_equal(map_range(predecessors(&block), [&](BasicBlock *pred) {
        return regionOfBlock.lookup(pred);
      })))
    region = regionOfBlock.lookup(*pred_begin(&block));
  for (PHINode &phi : block.phis()) {
    builder.SetCurrentDebugLocation(phi.getDebugLoc());
    if (region) {
      for (auto [element, value] :
           enumerate(regionValues.lookup({&phi, region})))
        values.setElement(&phi, element, value);
      continue;
    }
    uniformPhis.push_back(&phi);
    // In memory: what comes in is stored there by its block.
    if (values.getStackSlot(&phi))
      continue;
    for (unsigned element = 0; element < getNumScalars(phi.getType());
         ++element) {
      LaneShape shape = context.getShape(&phi, element);
      Type *type = getScalarElementType(phi.getType(), element);
      // Known integers need no phi.
      if (shape.isUnknown() || (shape.getConstant() && type->isIntegerTy()))
        continue;
      values.setElement(&phi, element,
                        builder.CreatePHI(shape.isVarying()
                                              ? context.getRowType(type)
                                              : context.convertType(type),
                                          phi.getNumIncomingValues()));
    }
  }
}

/// Puts values into phis once all blocks exist, at the ends of the blocks that
/// they come from.
void LaneControlFlow::completeUniformPhis() {
  for (PHINode *phi : uniformPhis) {
    SmallPtrSet<BasicBlock *, 4> done;
    for (auto [value, pred] :
         zip_equal(phi->incoming_values(), phi->blocks())) {
      BasicBlock *entry = regionOfBlock.lookup(pred);
      // A region has one end, whatever number of edges lead out of it.
      if (entry && !done.insert(entry).second)
        continue;
      // Where the edge comes from in the target.
      BasicBlock *last = lastBlocks.lookup(entry ? entry : pred);
      Elements list = entry ? regionValues.lookup({phi, entry}) : Elements();
      builder.SetInsertPoint(last->getTerminator());
      builder.SetCurrentDebugLocation(DebugLoc());
      // Rows that are made here go ahead of a terminator, not to where the
      // cache thinks.
      values.forgetRows();
      if (Value *stackSlot = values.getStackSlot(phi)) {
        // Values of the same web are in place already.
        if (values.getStackSlot(value) != stackSlot)
          storeRows(context, stackSlot, values.getRows(value));
        continue;
      }
      for (unsigned element = 0; element < getNumScalars(phi->getType());
           ++element) {
        auto *emitted =
            dyn_cast_or_null<PHINode>(values.getEmitted(phi, element));
        // No phi: unknown, or known to be a constant.
        if (!emitted)
          continue;
        Value *incoming = entry ? list[element]
                          : context.getShape(phi, element).isVarying()
                              ? values.getRow(value, element)
                              : values.getBase(value, element);
        // A switch of two edges to one block names it twice.
        emitted->addIncoming(incoming, last);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Divergent regions
//===----------------------------------------------------------------------===//

/// A divergent region, from its entry up to the branch to its exit. An entry
/// that is no loop is run by all lanes; only its branch divides them.
Error LaneControlFlow::emitRegion(DivergentRegion &region) {
  Loop *loop = context.flow.loops.getLoopFor(region.entry);
  bool isLoop = loop && loop->getHeader() == region.entry &&
                context.flow.divergentLoops.contains(loop);
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock *block : context.flow.order)
    if (region.blocks.contains(block) && (isLoop || block != region.entry))
      blocks.push_back(block);
  // All lanes are still together.
  if (!isLoop) {
    emitUniformPhis(*region.entry);
    for (Instruction &inst : *region.entry) {
      if (isa<PHINode>(inst) || inst.isTerminator())
        continue;
      if (Error error = instructions.emit(inst))
        return error;
    }
    debug.emitRecords(*region.entry->getTerminator());
    // The two ways that lanes take.
    setEdgeMasks(*region.entry);
  }
  if (Error error = emitMasked(blocks, isLoop ? loop->getParentLoop() : loop))
    return error;

  // All lanes are back. Phis of the exit, as far as lanes come from here.
  for (PHINode &phi : region.exit->phis()) {
    Elements &list = regionValues[{&phi, region.entry}];
    for (unsigned element = 0; element < getNumScalars(phi.getType());
         ++element) {
      bool asRow = context.getShape(&phi, element).isVarying();
      SmallVector<std::pair<Value *, Value *>> edges;
      for (BasicBlock *pred : phi.blocks())
        if (region.blocks.contains(pred))
          edges.emplace_back(getEdgeMask(pred, region.exit),
                             getIncoming(phi, pred, element, asRow));
      // A uniform value is the same on all ways.
      list.push_back(asRow ? mergeEdges(edges) : edges.front().second);
    }
  }
  context.mask = context.functionMask;
  lastBlocks[region.entry] = builder.GetInsertBlock();
  builder.CreateBr(firstBlocks.lookup(region.exit));
  return Error::success();
}

/// `blocks` are those of a region, in an order in which predecessors come
/// first; those in loops inside of `loop` belong to those.
Error LaneControlFlow::emitMasked(ArrayRef<BasicBlock *> blocks, Loop *loop) {
  SmallPtrSet<BasicBlock *, 8> done;
  for (BasicBlock *block : blocks) {
    if (!done.insert(block).second)
      continue;
    Loop *inner = context.flow.loops.getLoopFor(block);
    while (inner && inner->getParentLoop() != loop && inner != loop)
      inner = inner->getParentLoop();
    if (!inner || inner == loop) {
      if (Error error = emitMaskedBlock(*block, loop))
        return error;
      continue;
    }
    // A loop of this level: all of its blocks at once.
    SmallVector<BasicBlock *> body;
    for (BasicBlock *other : blocks)
      if (inner->contains(other)) {
        body.push_back(other);
        done.insert(other);
      }
    if (Error error = emitMaskedLoop(*inner, body))
      return error;
  }
  return Error::success();
}

/// Returns the lanes that go from one block to the other, as a row; null if the
/// edge has no mask.
Value *LaneControlFlow::getEdgeMask(BasicBlock *from, BasicBlock *to) {
  return edgeMasks.lookup({from, to});
}

/// After a loop, values are those of the iteration in which a lane left.
Value *LaneControlFlow::getIncoming(PHINode &phi, BasicBlock *from,
                                    unsigned element, bool asRow) {
  auto found = exitValues.find({&phi, from});
  if (found != exitValues.end())
    return found->second[element];
  Value *value = phi.getIncomingValueForBlock(from);
  return asRow ? values.getRow(value, element) : values.getBase(value, element);
}

/// Masks of the edges out of a block, for the lanes that run it:
///
///   mask 1111, condition 0101   ->   first edge 0101, second edge 1010
void LaneControlFlow::setEdgeMasks(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch)
    return;
  builder.SetCurrentDebugLocation(branch->getDebugLoc());
  Value *own = context.getMask();
  BasicBlock *first = branch->getSuccessor(0);
  // Both ways lead to the same place.
  if (branch->isUnconditional() || first == branch->getSuccessor(1)) {
    edgeMasks[{&block, first}] = own;
    return;
  }
  // Of lanes that do not run the block the condition may be poison: the mask
  // decides first.
  Value *condition = values.getRow(branch->getCondition());
  edgeMasks[{&block, first}] =
      context.combineMasks(own, condition, /*isAnd=*/true);
  edgeMasks[{&block, branch->getSuccessor(1)}] =
      context.combineMasks(own, builder.CreateNot(condition), /*isAnd=*/true);
}

/// Returns the value of a phi for lanes that come over several edges; no lane
/// comes over two of them. A row of zeros where nothing was loaded is what
/// loads leave there.
Value *
LaneControlFlow::mergeEdges(ArrayRef<std::pair<Value *, Value *>> edges) {
  auto isZero = [](Value *row) {
    auto *constant = dyn_cast<Constant>(row);
    return constant && constant->isNullValue();
  };
  // A load leaves zeros for lanes that it was not done for.
  if (edges.size() == 2)
    for (unsigned index : {0, 1}) {
      auto [edgeMask, row] = edges[index];
      if (isZero(edges[1 - index].second) &&
          values.isZeroOutside(row, edgeMask))
        return row;
    }
  // The first value for all, the others where they belong.
  Value *merged = edges.front().second;
  for (auto [edgeMask, row] : edges.drop_front())
    merged = builder.CreateSelect(edgeMask, row, merged);
  return merged;
}

/// Phis become selects by the masks of the edges.
void LaneControlFlow::emitMaskedPhis(BasicBlock &block) {
  for (PHINode &phi : block.phis()) {
    debug.recordMaskedPhi(phi);
    builder.SetCurrentDebugLocation(phi.getDebugLoc());
    for (unsigned element = 0; element < getNumScalars(phi.getType());
         ++element) {
      SmallVector<std::pair<Value *, Value *>> edges;
      for (BasicBlock *pred : phi.blocks())
        edges.emplace_back(getEdgeMask(pred, &block),
                           getIncoming(phi, pred, element, /*asRow=*/true));
      values.setElement(&phi, element, mergeEdges(edges));
    }
  }
}

/// A block for the lanes in its mask, without branches: the next one follows.
Error LaneControlFlow::emitMaskedBlock(BasicBlock &block, Loop *loop) {
  // The header of a loop has its mask and its phis already.
  bool isHeader = loop && loop->getHeader() == &block;
  if (!isHeader && &block == &context.source.getEntryBlock()) {
    context.mask = context.functionMask;
  } else if (!isHeader) {
    // Merges what comes over all edges, each predecessor once.
    context.mask = nullptr;
    SmallPtrSet<BasicBlock *, 4> seen;
    for (BasicBlock *pred : predecessors(&block)) {
      if (!seen.insert(pred).second)
        continue;
      Value *edge = getEdgeMask(pred, &block);
      context.mask = context.mask ? context.combineMasks(context.mask, edge,
                                                         /*isAnd=*/false)
                                  : edge;
    }
    emitMaskedPhis(block);
  }
  for (Instruction &inst : block) {
    if (isa<PHINode>(inst) || inst.isTerminator())
      continue;
    if (Error error = instructions.emit(inst))
      return error;
  }
  // The one return of a masked function: all lanes return.
  if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator())) {
    emitReturn(*ret);
    return Error::success();
  }
  setEdgeMasks(block);
  return Error::success();
}

void LaneControlFlow::emitExit(std::pair<BasicBlock *, BasicBlock *> edge,
                               Value *left, ArrayRef<PHINode *> taken) {
  auto [from, to] = edge;
  Value *leaving = getEdgeMask(from, to);
  // In the order in which `taken` was filled: for each phi of the exit, its
  // scalar elements.
  unsigned position = 0;
  for (PHINode &phi : to->phis()) {
    Elements list;
    for (unsigned element = 0; element < getNumScalars(phi.getType());
         ++element)
      list.push_back(builder.CreateSelect(
          leaving, getIncoming(phi, from, element, /*asRow=*/true),
          taken[position++]));
    exitValues[{&phi, from}] = list;
  }
  // After the loop, the edge's mask has all lanes that left by it.
  edgeMasks[{from, to}] = context.combineMasks(left, leaving, /*isAnd=*/false);
}

/// A loop that runs while any lane is left in it:
///
///   loop:  active = phi [entry mask], [lanes on the back edge]
///          left   = phi [none], [left | lanes on the exit edge]     per exit
///          taken  = phi [poison], [select exit edge, value, taken]
///          body, under `active`
///          br any(lanes on the back edge), loop, left
Error LaneControlFlow::emitMaskedLoop(Loop &loop,
                                      ArrayRef<BasicBlock *> blocks) {
  BasicBlock *header = loop.getHeader();
  BasicBlock *preheader = loop.getLoopPreheader();
  BasicBlock *latch = loop.getLoopLatch();
  if (!preheader || !latch)
    return context.fail(header->front(), "a loop has more than one entry");
  // Null: the loop begins its region, and all lanes come to it.
  Value *entryMask = getEdgeMask(preheader, header);
  if (!entryMask)
    entryMask = Constant::getAllOnesValue(
        FixedVectorType::get(builder.getInt1Ty(), context.numLanes));

  // Finds the values that the first iteration starts with.
  auto isEmitted = [&](PHINode &phi, unsigned element) {
    LaneShape shape = context.getShape(&phi, element);
    return !shape.isUnknown() &&
           !(shape.getConstant() &&
             getScalarElementType(phi.getType(), element)->isIntegerTy());
  };
  auto getValue = [&](PHINode &phi, BasicBlock *pred, unsigned element) {
    return getIncoming(phi, pred, element,
                       context.getShape(&phi, element).isVarying());
  };
  SmallVector<Value *> initial;
  for (PHINode &phi : header->phis())
    for (unsigned element = 0; element < getNumScalars(phi.getType());
         ++element)
      if (isEmitted(phi, element))
        initial.push_back(getValue(phi, preheader, element));
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *body = context.createBlock("loop");
  builder.CreateBr(body);
  builder.SetInsertPoint(body);

  auto createPhi = [&](Value *start) {
    PHINode *phi = builder.CreatePHI(start->getType(), 2);
    phi->addIncoming(start, before);
    return phi;
  };
  PHINode *active = createPhi(entryMask);
  SmallVector<PHINode *> headerPhis;
  for (PHINode &phi : header->phis()) {
    debug.recordMaskedPhi(phi);
    for (unsigned element = 0; element < getNumScalars(phi.getType());
         ++element)
      if (isEmitted(phi, element)) {
        headerPhis.push_back(createPhi(initial[headerPhis.size()]));
        values.setElement(&phi, element, headerPhis.back());
      }
  }
  // Lanes that have left, by exit, and what they took along.
  SmallVector<Loop::Edge> exits;
  loop.getExitEdges(exits);
  SmallVector<PHINode *> left;
  SmallVector<SmallVector<PHINode *>> taken(exits.size());
  for (auto [index, edge] : enumerate(exits)) {
    left.push_back(createPhi(Constant::getNullValue(entryMask->getType())));
    for (PHINode &phi : edge.second->phis())
      for (unsigned element = 0; element < getNumScalars(phi.getType());
           ++element)
        taken[index].push_back(createPhi(PoisonValue::get(
            context.getRowType(getScalarElementType(phi.getType(), element)))));
  }

  context.mask = active;
  if (Error error = emitMasked(blocks, &loop))
    return error;

  // After the body: who left in this iteration, and with what.
  for (auto [index, edge] : enumerate(exits))
    emitExit(edge, left[index], taken[index]);
  Value *continuing = getEdgeMask(latch, header);
  SmallVector<Value *> next;
  for (PHINode &phi : header->phis())
    for (unsigned element = 0; element < getNumScalars(phi.getType());
         ++element)
      if (isEmitted(phi, element))
        next.push_back(getValue(phi, latch, element));
  checks.emitPoll();
  BasicBlock *after = context.createBlock("left");
  Value *isAnyLeft = context.isAny(continuing);
  BasicBlock *end = builder.GetInsertBlock();
  builder.CreateCondBr(isAnyLeft, body, after);

  // Back edges of all phis.
  active->addIncoming(continuing, end);
  for (auto [phi, value] : zip_equal(headerPhis, next))
    phi->addIncoming(value, end);
  for (auto [index, edge] : enumerate(exits)) {
    left[index]->addIncoming(edgeMasks[{edge.first, edge.second}], end);
    unsigned position = 0;
    for (PHINode &phi : edge.second->phis())
      for (Value *value : exitValues[{&phi, edge.first}])
        taken[index][position++]->addIncoming(value, end);
  }
  builder.SetInsertPoint(after);
  return Error::success();
}

} // namespace triton::intel::cpu
