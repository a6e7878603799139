//===- ConvertLayoutToLLVM.cpp - Lower ttg.convert_layout -----------------===//
// SPDX-License-Identifier: MIT
//
// Follows the plan that Analysis/LayoutConversion.h makes for the two layouts:
// rename registers, shuffle within the sub-group, or exchange through shared
// memory.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/Registers.h"
#include "../Utility/SharedMemory.h"
#include "../Utility/WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Steps of a shuffle plan that do the same to different values and do not
/// depend on each other, so that they can be done to a vector of them.
struct StepGroup {
  /// One of the steps, for the kind and the lane or parity that all of them
  /// share.
  const ShuffleStep *model;
  /// Positions in the plan.
  SmallVector<unsigned> steps;
};

/// Returns the steps of `plan` in groups, each after those that it needs.
SmallVector<StepGroup> groupSteps(const LayoutConversionPlan &plan) {
  // A step's level is one more than those of its operands. Within a level no
  // step needs another one, so equal ones form a group.
  SmallVector<SmallVector<StepGroup>> levels;
  // Source registers, which come first, have level 0.
  SmallVector<unsigned> levelOf(plan.numSrcRegisters + plan.steps.size(), 0);
  for (auto [i, step] : llvm::enumerate(plan.steps)) {
    unsigned level =
        std::max(levelOf[step.operands[0]], levelOf[step.operands[1]]) + 1;
    levelOf[plan.numSrcRegisters + i] = level;
    if (levels.size() < level)
      levels.resize(level);
    SmallVector<StepGroup> &groups = levels[level - 1];
    // Shuffles from the same lane, or selects by the same parity.
    auto group = llvm::find_if(groups, [&, &step = step](const StepGroup &g) {
      return g.model->kind == step.kind && g.model->index == step.index;
    });
    if (group == groups.end())
      group = groups.insert(groups.end(), {&step, {}});
    group->steps.push_back(i);
  }
  // Level by level: operands before their users.
  SmallVector<StepGroup> result;
  for (SmallVector<StepGroup> &groups : levels)
    llvm::append_range(result, groups);
  return result;
}

/// Scalars as vectors of any power-of-two width up to `kChunkWidth`: not only
/// whole chunks, since groups of steps have any size.
SmallVector<Value> packAny(RewriterBase &rewriter, Location loc,
                           ArrayRef<Value> scalars) {
  SmallVector<Value> vectors;
  while (!scalars.empty()) {
    // Every part is the widest vector that still fits.
    unsigned width = std::min<unsigned>(
        kChunkWidth, llvm::bit_floor(static_cast<unsigned>(scalars.size())));
    llvm::append_range(vectors,
                       packRegisters(rewriter, loc, scalars.take_front(width)));
    scalars = scalars.drop_front(width);
  }
  return vectors;
}

/// Emits the shuffles and selects of `plan`; returns the result registers.
SmallVector<Value> emitShuffles(RewriterBase &rewriter, Location loc,
                                const LayoutConversionPlan &plan,
                                SmallVector<Value> values) {
  // The values are the source registers and, after them, the results of all
  // steps.
  values.resize(plan.numSrcRegisters + plan.steps.size());
  for (const StepGroup &group : groupSteps(plan)) {
    // One operand of all steps of the group, as few vectors as possible.
    auto operandVectors = [&](unsigned operand) {
      SmallVector<Value> scalars;
      for (unsigned step : group.steps)
        scalars.push_back(values[plan.steps[step].operands[operand]]);
      return packAny(rewriter, loc, scalars);
    };
    const ThreadFunction &index = group.model->index;
    SmallVector<Value> results;
    if (group.model->kind == ShuffleStep::Kind::Shuffle) {
      // A fixed XOR of the lane number has a cheaper shuffle.
      bool isButterfly = index.isLaneXor();
      Value lane =
          isButterfly ? Value() : evaluateThreadFunction(rewriter, loc, index);
      for (Value vector : operandVectors(0))
        results.push_back(
            isButterfly ? shuffleXor(rewriter, loc, vector, index.constant)
                        : shuffleFromLane(rewriter, loc, vector, lane));
    } else {
      // A select between two registers, by a bit that depends on lane and warp.
      Value parity = evaluateThreadFunction(rewriter, loc, index);
      Value isSecond =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, parity,
                                constantI32(rewriter, loc, 0));
      for (auto [first, second] :
           llvm::zip_equal(operandVectors(0), operandVectors(1)))
        results.push_back(
            arith::SelectOp::create(rewriter, loc, isSecond, second, first));
    }
    // Results go back to their places, from which later groups take them.
    for (auto [step, value] :
         llvm::zip_equal(group.steps, unpackRegisters(rewriter, loc, results)))
      values[plan.numSrcRegisters + step] = value;
  }
  // The plan names the value of each register of the result.
  return llvm::map_to_vector(plan.results,
                             [&](int32_t index) { return values[index]; });
}

/// Makes one side's accesses to scratch memory, which are of each lane's own
/// elements or of whole registers. The parts of an offset that no thread flips
/// become immediate offsets of one pointer.
class ScratchAccesses {
public:
  ScratchAccesses(RewriterBase &rewriter, Location loc, Value base,
                  Type element, const SharedSide &side)
      : rewriter(rewriter), loc(loc), base(base), element(element),
        ofRegisters(side.vectorStride > 1), wordElements(side.wordElements),
        alignment(side.vectorSize * getSharedBytes(element)) {
    ThreadFunction thread = side.threadOffset;
    // The lanes follow each other, from an address that is the same for all.
    if (ofRegisters)
      thread.lane.clear();
    threadOffset = evaluateThreadFunction(rewriter, loc, thread);
    // All bits of an offset that some lane or warp flips. The others can be
    // added instead of XORed, since no carry can occur.
    for (int32_t column : thread.lane)
      threadBits |= column;
    for (int32_t column : thread.warp)
      threadBits |= column;
  }

  /// Stores neighbours in memory, which one message writes.
  void store(int32_t offset, ArrayRef<Value> registers) {
    if (ofRegisters)
      return storeSharedBlock(rewriter, loc, get(offset), registers,
                              wordElements);
    storeShared(rewriter, loc, get(offset), registers, alignment);
  }

  /// Loads this number of neighbours in memory.
  SmallVector<Value> load(int32_t offset, unsigned count) {
    if (ofRegisters)
      return loadSharedBlock(rewriter, loc, get(offset), element, count,
                             wordElements);
    return loadShared(rewriter, loc, get(offset), element, count, alignment);
  }

  /// Computes what `get(offset)` shares with other offsets. To be called where
  /// all uses of `get` are dominated.
  Value prepare(int32_t offset) {
    // Offsets that agree in the flipped bits share a pointer.
    auto [it, isNew] = pointers.try_emplace(offset & threadBits);
    if (!isNew)
      return it->second;
    Value index = threadOffset;
    if (it->first)
      index = arith::XOrIOp::create(rewriter, loc, index,
                                    constantI32(rewriter, loc, it->first));
    return it->second =
               getSharedElementPointer(rewriter, loc, base, element, index);
  }

private:
  /// Returns a pointer to the element at `offset`, for this work-item.
  Value get(int32_t offset) {
    Value pointer = prepare(offset);
    // The remaining bits are an immediate offset of the message.
    if ((offset & ~threadBits) == 0)
      return pointer;
    return getSharedElementPointer(
        rewriter, loc, pointer, element,
        constantI32(rewriter, loc, offset & ~threadBits));
  }

  /// Inserts where the addresses are needed.
  RewriterBase &rewriter;
  /// The location of the conversion.
  Location loc;
  /// The offset of the scratch memory, in bytes of shared memory.
  Value base;
  /// Type of an element, which offsets count.
  Type element;
  /// States whether an access moves registers of all lanes as they are.
  bool ofRegisters;
  /// The elements of a register of such an access.
  unsigned wordElements;
  /// Counts the bytes of a lane's access, to which its address is aligned.
  unsigned alignment;
  /// The part of all offsets that depends on the work-item, in elements.
  Value threadOffset;
  /// Bits of offsets that some work-item flips.
  int32_t threadBits = 0;
  /// The pointers, by the offset bits that threads flip, too.
  llvm::DenseMap<int32_t, Value> pointers;
};

/// Exchanges the elements of one tensor through scratch memory at `base`.
/// Rounds reuse the same memory, where all elements at once would take too
/// much.
class Exchange {
public:
  Exchange(RewriterBase &rewriter, Location loc, Value base,
           const LayoutConversionPlan &plan, SmallVector<Value> source)
      : rewriter(rewriter), loc(loc), plan(plan), shared(*plan.shared),
        source(std::move(source)), results(plan.results.size()),
        stores(rewriter, loc, base, this->source.front().getType(),
               shared.store),
        loads(rewriter, loc, base, this->source.front().getType(),
              shared.load) {
    // The stores may end up in a branch, one per round.
    for (const SharedAccess &access : shared.store.accesses)
      stores.prepare(access.offset);
    // It is null if every work-item holds elements that no other has.
    isOwner = areThreadBitsClear(rewriter, loc, shared.store.redundantLanes,
                                 shared.store.redundantWarps);
  }

  void store(int32_t round) {
    OpBuilder::InsertionGuard guard(rewriter);
    if (isOwner) {
      auto branch = scf::IfOp::create(rewriter, loc, isOwner,
                                      /*withElseRegion=*/false);
      rewriter.setInsertionPoint(branch.thenYield());
    }
    for (const SharedAccess &access : shared.store.accesses)
      if (access.iteration == round)
        stores.store(access.offset,
                     llvm::map_to_vector(access.registers,
                                         [&](int32_t r) { return source[r]; }));
  }

  /// The values that other sub-groups have stored are read from here on.
  void load(int32_t round) {
    for (const SharedAccess &access : shared.load.accesses)
      if (access.iteration == round)
        for (auto [r, value] : llvm::zip_equal(
                 access.registers,
                 loads.load(access.offset, access.registers.size())))
          results[r] = value;
  }

  /// Returns the registers of the result. Copies take the same loaded register.
  SmallVector<Value> getResults() const {
    return llvm::map_to_vector(plan.results,
                               [&](int32_t index) { return results[index]; });
  }

private:
  RewriterBase &rewriter;
  Location loc;
  const LayoutConversionPlan &plan;
  const SharedMemoryPlan &shared;
  SmallVector<Value> source, results;
  ScratchAccesses stores, loads;
  Value isOwner;
};

/// Stores, barrier, loads, as often as the plan states; returns the result
/// registers.
SmallVector<Value> emitSharedMemory(RewriterBase &rewriter, Operation *op,
                                    int64_t scratchOffset,
                                    const LayoutConversionPlan &plan,
                                    SmallVector<Value> source) {
  Location loc = op->getLoc();
  // The allocation pass has reserved what this plan needs.
  Value place = getPlaceOffset(rewriter, op, plan.shared->scratchBytes);
  Value base = getSharedMemoryPointer(rewriter, loc, op, scratchOffset, place);
  Exchange exchange(rewriter, loc, base, plan, std::move(source));
  for (int32_t round = 0; round < plan.shared->numIterations; ++round) {
    // The loads of the round before have to be over.
    if (round)
      emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
    exchange.store(round);
    emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
    exchange.load(round);
  }
  return exchange.getResults();
}

/// `ttg.convert_layout`, in the cheapest way that moves all elements: nothing,
/// renamed registers, shuffles within the sub-group, or shared memory.
struct ConvertLayoutOpConversion : OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    std::string error;
    // This is the plan that the allocation and the cost model have seen.
    std::optional<LayoutConversionPlan> plan = planConversion(op, &error);
    if (!plan)
      return op.emitOpError() << "cannot be lowered: " << error;

    ValueRange source = adaptor.getSrc();
    switch (plan->kind) {
    // Every work-item holds the right elements in the right order already.
    case ConversionKind::Identity:
      rewriter.replaceOpWithMultiple(op, {source});
      return success();
    // The right elements, in another order.
    case ConversionKind::Registers: {
      SmallVector<unsigned> indices(plan->results.begin(), plan->results.end());
      rewriter.replaceOpWithMultiple(
          op, {permuteRegisters(rewriter, loc, source, indices)});
      return success();
    }
    // Elements move between lanes of one sub-group: no barrier is needed.
    case ConversionKind::SubgroupShuffle: {
      SmallVector<Value> results = emitShuffles(
          rewriter, loc, *plan, unpackRegisters(rewriter, loc, source));
      rewriter.replaceOpWithMultiple(op,
                                     {packRegisters(rewriter, loc, results)});
      return success();
    }
    // Elements move between sub-groups.
    case ConversionKind::SharedMemory: {
      FailureOr<int64_t> offset = getAllocationOffset(op);
      if (failed(offset))
        return failure();
      SmallVector<Value> results = emitSharedMemory(
          rewriter, op, *offset, *plan, unpackRegisters(rewriter, loc, source));
      rewriter.replaceOpWithMultiple(op,
                                     {packRegisters(rewriter, loc, results)});
      return success();
    }
    }
    llvm_unreachable("all kinds are handled");
  }
};

/// `ttg.convert_layouts`: all stores, one barrier, all loads.
struct ConvertLayoutsOpConversion : OpConversionPattern<ConvertLayoutsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConvertLayoutsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<MergedConversions> merged = planConversions(op);
    FailureOr<int64_t> offset = getAllocationOffset(op);
    if (failed(merged) || failed(offset))
      return failure();
    Value place = getPlaceOffset(rewriter, op, merged->bytes);
    std::vector<Exchange> exchanges;
    exchanges.reserve(merged->plans.size());
    for (auto [plan, start, source] :
         llvm::zip_equal(merged->plans, merged->offsets, adaptor.getSources()))
      exchanges.emplace_back(
          rewriter, loc,
          getSharedMemoryPointer(rewriter, loc, op, *offset + start, place),
          plan, unpackRegisters(rewriter, loc, source));
    for (Exchange &exchange : exchanges)
      exchange.store(/*round=*/0);
    emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
    SmallVector<SmallVector<Value>> results;
    for (Exchange &exchange : exchanges) {
      exchange.load(/*round=*/0);
      results.push_back(packRegisters(rewriter, loc, exchange.getResults()));
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateConvertLayoutToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertLayoutOpConversion, ConvertLayoutsOpConversion>(
      converter, patterns.getContext());
}
