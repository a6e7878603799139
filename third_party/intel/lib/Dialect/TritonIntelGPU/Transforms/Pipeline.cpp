//===- Pipeline.cpp - Prefetch the operands of dots -----------------------===//
// SPDX-License-Identifier: MIT
//
// Xe keeps no registers for data in flight, so a loop is pipelined by fetching
// the blocks of later iterations into the cache. Their addresses are found by
// running the address computation of the loop ahead: the slice of operations
// that leads to the offsets of a load is cloned for a second set of
// loop-carried values, which is `num-stages - 1` iterations ahead.
//
// An offset may also depend on a scalar that the iteration loads, such as the
// number of a page in a table. Loading this scalar early is only allowed for
// iterations that will run, and only useful if nothing changes it until then.
// Such blocks are fetched under the condition that there is such an iteration,
// in loops that write no memory.
//
// The number of stages of the kernel determines the distance, as long as the
// fetched blocks are still in the cache when they are loaded. A work-group runs
// on one Xe core, whose L1 cache has to hold the blocks of the current
// iteration and of those that are fetched ahead. Other work-groups of the core
// use a part of the cache, too, but their number, and the blocks that they
// share, are not known here. Registers do not limit the distance, because a
// prefetch fills none.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-pipeline"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Analysis/Layouts/AccessPattern.h"
#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Analysis/Order/MemoryEffects.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUPIPELINE
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether every way of `value` ends in an operand of a dot: a block
/// that is also used otherwise is needed early anyway.
bool feedsOnlyDots(Value value, ValueSources &sources) {
  // Any arithmetic may be in between.
  auto computes = [](Operation *user) {
    return isMemoryEffectFree(user) && user->getNumRegions() == 0 &&
           user->getNumResults() != 0;
  };
  return findDotUses(value, sources, computes).isDotOperandOnly();
}

/// Compares loads: whether they are of the same block, one of them perhaps
/// transposed.
class BlockComparison {
public:
  /// With `isTransposed` the last two dimensions of one are swapped.
  explicit BlockComparison(bool isTransposed) : isTransposed(isTransposed) {}

  bool isSame(LoadBlockOp lhs, LoadBlockOp rhs) {
    auto surface = lhs.getSurface().getDefiningOp<SurfaceOp>();
    auto other = rhs.getSurface().getDefiningOp<SurfaceOp>();
    return surface && other && hasSameBlock(lhs, rhs) &&
           surface.getBase() == other.getBase() &&
           areSame(surface.getExtents(), other.getExtents()) &&
           areSame(surface.getStrides(), other.getStrides()) &&
           areSame(lhs.getOffsets(), rhs.getOffsets());
  }

private:
  /// Returns the corresponding one of `count` dimensions of the other block.
  unsigned getOther(unsigned dim, unsigned count) const {
    return isTransposed && dim + 2 >= count ? 2 * count - 3 - dim : dim;
  }

  bool hasSameBlock(LoadBlockOp lhs, LoadBlockOp rhs) const {
    RankedTensorType left = lhs.getBlockType(), right = rhs.getBlockType();
    unsigned rank = left.getRank();
    return left.getElementType() == right.getElementType() &&
           rank == right.getRank() && rank >= 2 &&
           llvm::all_of(llvm::seq(rank), [&](unsigned dim) {
             return left.getDimSize(dim) ==
                    right.getDimSize(getOther(dim, rank));
           });
  }

  bool areSame(ValueRange lhs, ValueRange rhs) const {
    return llvm::all_of(llvm::seq(lhs.size()), [&](size_t dim) {
      Value left = lhs[dim], right = rhs[getOther(dim, lhs.size())];
      APInt number, otherNumber;
      return left == right ||
             (matchPattern(left, m_ConstantInt(&number)) &&
              matchPattern(right, m_ConstantInt(&otherNumber)) &&
              number.getSExtValue() == otherNumber.getSExtValue());
    });
  }

  bool isTransposed;
};

/// The part of a loop that computes the pointers of some loads.
class AddressSlice {
public:
  AddressSlice(scf::ForOp loop) : loop(loop) {}

  /// Extends the slice by what `pointer` needs; false (and unchanged) if that
  /// cannot run ahead, because it reads memory or lies in a branch.
  bool add(Value pointer) {
    llvm::SetVector<Operation *> newOps;
    llvm::SetVector<unsigned> newArgs;
    SmallVector<Value> worklist{pointer};
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      // Values from before the loop, and the counter, need no slice.
      if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
        continue;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        // An argument of a region in the loop.
        if (argument.getOwner() != loop.getBody())
          return false;
        unsigned index = argument.getArgNumber() - loop.getNumInductionVars();
        // The value of the argument in the next iteration belongs to the slice.
        if (!args.contains(index) && newArgs.insert(index))
          worklist.push_back(loop.getYieldedValues()[index]);
        continue;
      }
      Operation *op = value.getDefiningOp();
      // Memory could change until the iteration comes, and a dot is no address.
      if (op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
          !isMemoryEffectFree(op) || isa<DotOpInterface>(op))
        return false;
      if (!ops.contains(op) && newOps.insert(op))
        llvm::append_range(worklist, op->getOperands());
    }
    ops.insert(newOps.begin(), newOps.end());
    args.insert(newArgs.begin(), newArgs.end());
    return true;
  }

  /// Adds a pointer that may also depend on scalars which the iteration loads;
  /// what the loop carries may not.
  bool addReading(Value pointer) {
    llvm::SetVector<Operation *> newOps;
    SmallVector<Value> worklist{pointer}, carried;
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
        continue;
      Operation *op = value.getDefiningOp();
      // Carried values belong to the slice that reads nothing.
      if (!op) {
        carried.push_back(value);
        continue;
      }
      auto load = dyn_cast<triton::LoadOp>(op);
      bool isScalarLoad = load && !load.getIsVolatile() &&
                          !isa<RankedTensorType>(load.getType());
      // Scalars are loaded under a condition; tensors are not loaded ahead.
      if (op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
          !(isScalarLoad || isMemoryEffectFree(op)) || isa<DotOpInterface>(op))
        return false;
      if (newOps.insert(op))
        llvm::append_range(worklist, op->getOperands());
    }
    // All or nothing.
    auto oldOps = ops;
    auto oldArgs = args;
    if (!llvm::all_of(carried, [&](Value value) { return add(value); })) {
      ops = std::move(oldOps);
      args = std::move(oldArgs);
      return false;
    }
    readingOps.insert(newOps.begin(), newOps.end());
    return true;
  }

  /// Clones the slice at the builder's position for one iteration, given the
  /// induction variable and the carried values in `mapping`.
  void clone(OpBuilder &builder, IRMapping &mapping) {
    // In program order, so that operands come first.
    for (Operation &op : loop.getBody()->without_terminator())
      if (ops.contains(&op))
        builder.clone(op, mapping);
  }

  /// Clones what pointers that depend on loaded scalars also need.
  void cloneReading(OpBuilder &builder, IRMapping &mapping) {
    for (Operation &op : loop.getBody()->without_terminator())
      if (readingOps.contains(&op) && !ops.contains(&op))
        builder.clone(op, mapping);
  }

  /// The loop has been replaced by one that took over its body.
  void moveTo(scf::ForOp newLoop) { loop = newLoop; }

  /// Returns the loop-carried values of the slice, by index.
  ArrayRef<unsigned> getArgs() const { return args.getArrayRef(); }

private:
  /// The loop whose body is sliced.
  scf::ForOp loop;
  /// Operations without and with loads of scalars.
  llvm::SetVector<Operation *> ops, readingOps;
  /// Carried values, by index, that are needed to go on.
  llvm::SetVector<unsigned> args;
};

/// Inserts the prefetches of one loop.
class PrefetchInserter {
public:
  PrefetchInserter(scf::ForOp loop, int32_t numStages, ValueSources &sources)
      : loop(loop), slice(loop), distance(numStages - 1), sources(sources) {}

  /// Returns the number of loads that got prefetches.
  unsigned run(IRRewriter &rewriter) {
    collectLoads();
    if (loads.empty() && readingLoads.empty())
      return 0;
    limitDistance();
    return insert(rewriter) ? loads.size() + readingLoads.size() : 0;
  }

private:
  /// Loads that are marked: all others have no prefetch.
  void collectLoads() {
    for (auto op : loop.getBody()->getOps<LoadBlockOp>()) {
      if (!loadsBlock(op) || !op.getOrder() || !feedsOnlyDots(op, sources))
        continue;
      // A block may hold the rows of one operand and the columns of another. It
      // is fetched once.
      if (llvm::any_of(llvm::concat<LoadBlockOp>(loads, readingLoads),
                       [&](LoadBlockOp other) { return isSame(op, other); }))
        continue;
      // The tensor, offsets, and pages: all or nothing.
      AddressSlice extended = slice;
      if (llvm::all_of(op->getOperands(),
                       [&](Value operand) { return extended.add(operand); })) {
        loads.push_back(op);
        slice = std::move(extended);
        continue;
      }
      extended = slice;
      if (canGuard() && llvm::all_of(op->getOperands(), [&](Value operand) {
            return extended.addReading(operand);
          })) {
        readingLoads.push_back(op);
        slice = std::move(extended);
      }
    }
  }

  /// Returns whether two loads are of the same memory.
  bool isSame(LoadBlockOp lhs, LoadBlockOp rhs) {
    return llvm::equal(lhs.getPages(), rhs.getPages()) &&
           (BlockComparison(false).isSame(lhs, rhs) ||
            BlockComparison(true).isSame(lhs, rhs));
  }

  /// Fetches no further ahead than the cache reaches; see the head of the file.
  void limitDistance() {
    int64_t bytes = 0;
    for (LoadBlockOp load : llvm::concat<LoadBlockOp>(loads, readingLoads)) {
      RankedTensorType block = load.getBlockType();
      bytes += block.getNumElements() * block.getElementTypeBitWidth() / 8;
    }
    int64_t cache = getTargetDesc(loop).getL1Bytes();
    int64_t longest = std::max<int64_t>(1, cache / bytes - 1);
    if (distance <= longest)
      return;
    remark::missed(loop.getLoc(), remark::RemarkOpts::name("prefetch-distance")
                                      .category("tritonintelgpu-pipeline"))
        << remark::reason("fetched {0} iterations ahead, not {1}: an iteration "
                          "loads {2} bytes, and L1 has {3}",
                          longest, distance, bytes, cache);
    distance = longest;
  }

  /// Returns false if the loop stays as it is.
  bool insert(IRRewriter &rewriter) {
    // The first iterations' blocks are fetched before the loop.
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> carried;
    for (unsigned index : slice.getArgs())
      carried.push_back(loop.getInitArgs()[index]);
    for (int32_t i = 0; i < distance; ++i)
      carried = emitIteration(
          rewriter, shiftBySteps(rewriter, loop.getLowerBound(), i), carried,
          [&] { return isFirstIteration(rewriter, i); });

    // From then on each iteration fetches the block `distance` later. The body
    // of the new loop is the old one, so that `slice` stays valid.
    rewriter.setInsertionPoint(loop);
    unsigned numOld = loop.getNumRegionIterArgs();
    auto yieldAhead = [&](OpBuilder &, Location,
                          ArrayRef<BlockArgument> arguments) {
      return SmallVector<Value>(arguments.begin(), arguments.end());
    };
    FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
        rewriter, carried,
        /*replaceInitOperandUsesInLoop=*/false, yieldAhead);
    if (failed(replaced))
      return false;
    auto newLoop = cast<scf::ForOp>(replaced->getOperation());
    slice.moveTo(newLoop);
    loop = newLoop;
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> ahead(loop.getRegionIterArgs().drop_front(numOld));
    SmallVector<Value> next = emitIteration(
        rewriter, shiftBySteps(rewriter, loop.getInductionVar(), distance),
        ahead,
        [&] { return isFollowed(rewriter, loop.getInductionVar(), distance); });
    // The values carried in addition are those of the iteration after.
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    yield->setOperands(numOld, next.size(), next);
    return true;
  }

  /// Returns whether the iterations are known. The step has to be a constant
  /// whose multiples do not overflow.
  bool canGuard() {
    APInt step;
    return matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
           step.isStrictlyPositive() &&
           step.getSExtValue() <= INT32_MAX / distance && !mayWrite(loop);
  }

  /// Creates the test whether `count` more iterations follow that with the
  /// induction variable `value`. The rest is an unsigned number, if there is
  /// one iteration.
  Value isFollowed(OpBuilder &builder, Value value, int32_t count) {
    APInt step;
    matchPattern(loop.getStep(), m_ConstantInt(&step));
    Location loc = loop.getLoc();
    Value left =
        arith::SubIOp::create(builder, loc, loop.getUpperBound(), value);
    Value needed = arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(value.getType(), step.getSExtValue() * count));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, left,
                                 needed);
  }

  /// Creates the test whether there is an iteration number `index`.
  Value isFirstIteration(OpBuilder &builder, int32_t index) {
    Location loc = loop.getLoc();
    auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                      : arith::CmpIPredicate::slt;
    Value any = arith::CmpIOp::create(builder, loc, less, loop.getLowerBound(),
                                      loop.getUpperBound());
    if (index == 0)
      return any;
    return arith::AndIOp::create(
        builder, loc, any, isFollowed(builder, loop.getLowerBound(), index));
  }

  /// Creates `value` plus `count` steps of the loop.
  Value shiftBySteps(OpBuilder &builder, Value value, int32_t count) {
    if (count == 0)
      return value;
    Location loc = loop.getLoc();
    Value number = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(value.getType(), count));
    Value offset = arith::MulIOp::create(builder, loc, loop.getStep(), number);
    return arith::AddIOp::create(builder, loc, value, offset);
  }

  /// Prefetches the blocks of the iteration with this induction variable and
  /// these carried values; gives the carried values of the one after it.
  /// `isIteration` emits the condition that there is such an iteration.
  SmallVector<Value> emitIteration(OpBuilder &builder, Value inductionVar,
                                   ArrayRef<Value> carried,
                                   function_ref<Value()> isIteration) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), inductionVar);
    for (auto [index, value] : llvm::zip_equal(slice.getArgs(), carried))
      mapping.map(loop.getRegionIterArg(index), value);
    // First the addresses, then the prefetches, last what goes on.
    slice.clone(builder, mapping);
    for (LoadBlockOp load : loads)
      emitPrefetch(builder, load, mapping);
    if (!readingLoads.empty())
      emitGuarded(builder, mapping, isIteration());
    SmallVector<Value> next;
    for (unsigned index : slice.getArgs())
      next.push_back(mapping.lookupOrDefault(loop.getYieldedValues()[index]));
    return next;
  }

  /// Prefetches the blocks whose pointers depend on loaded scalars.
  void emitGuarded(OpBuilder &builder, const IRMapping &mapping,
                   Value condition) {
    auto branch = scf::IfOp::create(builder, loop.getLoc(), condition,
                                    /*withElseRegion=*/false);
    auto inside = OpBuilder::atBlockBegin(branch.thenBlock());
    // Values that are cloned in the branch do not exist outside of it.
    IRMapping own = mapping;
    slice.cloneReading(inside, own);
    for (LoadBlockOp load : readingLoads)
      emitPrefetch(inside, load, own);
  }

  /// Emits a prefetch of the block that a load will need in the iteration of
  /// `mapping`.
  static void emitPrefetch(OpBuilder &builder, LoadBlockOp load,
                           const IRMapping &mapping) {
    auto map = [&](Value value) { return mapping.lookupOrDefault(value); };
    auto prefetch = PrefetchBlockOp::create(
        builder, load.getLoc(), load.getBlockType().cloneWithEncoding({}),
        map(load.getSurface()), llvm::map_to_vector(load.getOffsets(), map),
        load.getBoundaryCheck(), llvm::map_to_vector(load.getPages(), map),
        load.getPageDim());
    prefetch.setOrder(load.getOrder());
    prefetch.setStartsInRow(load.getStartsInRow());
    prefetch.setBoundedRows(load.getBoundedRows());
    prefetch.setMessageShapeAttr(load.getMessageShapeAttr());
    bool isColumnMajor = load.getOrder() == BlockOrder::ColumnMajor;
    auto messages = chooseMessages(BlockAccessQuery(prefetch), isColumnMajor);
    if (failed(messages)) {
      // The shape that the author of the kernel has stated is for loads alone.
      prefetch.removeMessageShapeAttr();
      messages = chooseMessages(BlockAccessQuery(prefetch), isColumnMajor);
    }
    prefetch.setMessagesAttr(*messages);
  }

  /// Replaced by `run` once it carries more.
  scf::ForOp loop;
  /// The operations that run ahead.
  AddressSlice slice;
  /// Iterations that prefetches are ahead of loads.
  int32_t distance;
  /// Knows where values go through loops, branches and calls.
  ValueSources &sources;
  /// The loads that get prefetches in any case.
  SmallVector<LoadBlockOp> loads;
  /// The loads whose places depend on loaded scalars.
  SmallVector<LoadBlockOp> readingLoads;
};

/// Inserts prefetches in innermost loops, where dots are.
class PipelinePass
    : public gpu::intel::impl::TritonIntelGPUPipelineBase<PipelinePass> {
public:
  using TritonIntelGPUPipelineBase::TritonIntelGPUPipelineBase;

  void runOnTTGIR() override {
    // No 2D block messages, no prefetches of blocks.
    if (!getTargetDesc(getOperation()).supports2DBlockIO())
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      bool isInnermost = !loop.getBody()
                              ->walk([](LoopLikeOpInterface) {
                                return WalkResult::interrupt();
                              })
                              .wasInterrupted();
      if (isInnermost)
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    ValueSources sources(getOperation());
    for (scf::ForOp loop : loops) {
      int64_t stages = numStages;
      // The kernel's own number for the loop counts more than the option.
      if (auto own = loop->getAttrOfType<IntegerAttr>(
              TritonDialect::getNumStagesAttrName()))
        stages = own.getInt();
      if (stages <= 1 || !mayRewrite(loop))
        continue;
      unsigned prefetched =
          PrefetchInserter(loop, stages, sources).run(rewriter);
      LDBG() << "the loop at " << loop.getLoc() << " prefetches " << prefetched
             << " blocks, in stages: " << stages;
      numPrefetched += prefetched;
    }
  }
};

} // namespace
