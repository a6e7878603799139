//===- DistributeLoops.cpp - Loops that sub-groups run side by side -------===//
// SPDX-License-Identifier: MIT
//
// An algorithm that computes small matrices row by row gives sub-groups little
// to divide: all of them execute the same loop, or they exchange partial sums
// through shared memory in each iteration. Several such loops that do not need
// each other's results, such as those for the blocks on the diagonal of a
// matrix, leave each loop to one sub-group here. The results go through shared
// memory once, to all sub-groups.
//
// The pass comes after layouts are chosen, which are those of the loops'
// results, and before accesses to blocks get the messages of their layouts: a
// sub-group that has a loop to itself loads what the loop begins with. Tensors
// of the loops get a layout without sub-groups.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-distribute-loops"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/Order/MemoryEffects.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUDISTRIBUTELOOPS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether sub-groups do something together in `op` itself.
bool needsAllWarps(Operation *op) {
  auto isInMemory = llvm::IsaPred<MemDescType>;
  if (isa<CallOpInterface, BarrierOp>(op) ||
      llvm::any_of(op->getOperandTypes(), isInMemory) ||
      llvm::any_of(op->getResultTypes(), isInMemory))
    return true;
  FailureOr<int64_t> scratch = getScratchSize(op);
  return failed(scratch) || *scratch != 0;
}

/// Returns whether an operation in the regions of `op` needs all sub-groups.
bool hasExchange(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return needsAllWarps(nested) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether each sub-group has all elements.
bool isWholeInWarps(RankedTensorType type) {
  LinearLayout layout = toLinearLayout(type);
  return layout.sublayoutIsZero({LayoutDim::Warp}, layout.getOutDims());
}

/// Gives tensors of loops layouts in which a sub-group has all elements.
class WholeLayouts {
public:
  explicit WholeLayouts(Attribute matrix) : matrix(matrix) {}

  /// Lets matrices in whose layout sub-groups have parts have `matrix`.
  void add(RankedTensorType type) {
    if (type.getRank() == 2 && !isWholeInWarps(type))
      layouts.insert({type.getEncoding(), matrix});
  }

  /// Returns the layout that replaces `encoding`, mostly itself.
  Attribute get(Attribute encoding) const {
    if (auto known = layouts.find(encoding); known != layouts.end())
      return known->second;
    auto slice = dyn_cast<SliceEncodingAttr>(encoding);
    return slice ? SliceEncodingAttr::get(encoding.getContext(), slice.getDim(),
                                          cast<DistributedEncodingInterface>(
                                              get(slice.getParent())))
                 : encoding;
  }

  /// Returns the type with such a layout; null if there is none.
  Type get(Type type) const {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return type;
    RankedTensorType result =
        tensor.cloneWithEncoding(get(tensor.getEncoding()));
    return isWholeInWarps(result) ? result : Type();
  }

private:
  Attribute matrix;
  llvm::MapVector<Attribute, Attribute> layouts;
};

/// Loops of a block that do not need each other's results, in their order.
struct Group {
  SmallVector<scf::ForOp> loops;
  /// The last operations that are executed with each loop.
  SmallVector<Operation *> ends;
  /// Operations between them that need the results of one.
  SmallVector<Operation *> dependents;
};

/// Returns the type of the only result of a loop, if it is a matrix.
RankedTensorType getMatrix(scf::ForOp loop) {
  if (loop.getNumResults() != 1)
    return {};
  auto type = dyn_cast<RankedTensorType>(loop.getType(0));
  return type && type.getRank() == 2 && type.getElementType().isIntOrFloat() &&
                 !type.getElementType().isInteger(1)
             ? type
             : RankedTensorType();
}

/// Returns whether the operation takes tensors in any layout.
bool takesAnyLayout(Operation *op) {
  return op->hasTrait<mlir::OpTrait::Elementwise>() ||
         op->hasTrait<mlir::OpTrait::ConstantLike>() ||
         isa<MakeRangeOp, SplatOp, ExpandDimsOp, triton::BroadcastOp,
             ConvertLayoutOp, LoadOp, LoadBlockOp>(op);
}

/// Returns whether two loops compute matrices of the same type and shape.
bool areAlike(scf::ForOp loop, scf::ForOp other) {
  RankedTensorType type = getMatrix(loop), otherType = getMatrix(other);
  return type.getShape() == otherType.getShape() &&
         type.getElementType() == otherType.getElementType();
}

/// Returns whether sub-groups gain nothing from executing a loop together: they
/// repeat each other's work, or exchange data in each iteration.
bool isWorthOneWarp(scf::ForOp loop) {
  int64_t maxElements = getTargetDesc(loop).getCompiler().aloneElements *
                        lookupThreadsPerWarp(loop);
  bool isPossible = true, isRepeated = true, reduces = false;
  for (Operation &op : *loop.getBody()) {
    reduces |= isa<ReduceOp>(op);
    isPossible &= isa<ReduceOp, scf::YieldOp>(op) || takesAnyLayout(&op);
    for (Type type : op.getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type)) {
        isPossible &= tensor.getNumElements() <= maxElements;
        isRepeated &= isWholeInWarps(tensor);
      }
  }
  return isPossible && reduces && (isRepeated || hasExchange(loop));
}

/// Returns whether the kernel may have written memory before `op`. A load of
/// it would need a barrier, which one sub-group cannot execute alone.
bool mayFollowWrites(Operation *op) {
  // Conditions of launches and assumptions have the effect that they stay.
  auto writes = [](Operation &other) {
    return !isa<LaunchConditionOp, LLVM::AssumeOp>(other) && mayWrite(&other);
  };
  auto function = op->getParentOfType<FuncOp>();
  if (!function || !function.isPublic())
    return true;
  for (; op != function; op = op->getParentOp()) {
    for (Operation &other : *op->getBlock()) {
      if (&other == op)
        break;
      if (writes(other))
        return true;
    }
    // Other blocks, and other iterations, may come before.
    for (Block &block : *op->getParentRegion())
      if (&block != op->getBlock() && llvm::any_of(block, [](Operation &other) {
            return mayWrite(&other);
          }))
        return true;
    if (isa<LoopLikeOpInterface>(op->getParentOp()) &&
        mayWrite(op->getParentOp()))
      return true;
  }
  return false;
}

/// Distributes loops over sub-groups; see the head of the file.
class DistributeLoopsPass
    : public intel::impl::TritonIntelGPUDistributeLoopsBase<
          DistributeLoopsPass> {
public:
  using TritonIntelGPUDistributeLoopsBase::TritonIntelGPUDistributeLoopsBase;

  void runOnTTGIR() override {
    numWarps = lookupNumWarps(getOperation());
    if (numWarps == 1)
      return;
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      for (const Group &group : findGroups(*block))
        if (!mayFollowWrites(group.loops.front()) &&
            mayRewrite(group.loops.front()))
          distribute(group);
  }

private:
  SmallVector<Group> findGroups(Block &block) const;
  scf::IfOp createBranches(OpBuilder &builder, Group &group,
                           RankedTensorType type);
  void distribute(Group group);

  int64_t numWarps = 1;
};

SmallVector<Group> DistributeLoopsPass::findGroups(Block &block) const {
  SmallVector<Group> groups;
  Group group;
  llvm::SmallPtrSet<Operation *, 16> results;
  // These come after the last loop so far.
  SmallVector<Operation *> dependents;
  auto flush = [&] {
    if (group.loops.size() > 1)
      groups.push_back(group);
    group = {};
    results.clear();
    dependents.clear();
  };
  auto needsResults = [&](Operation *op) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    captured.insert_range(op->getOperands());
    return llvm::any_of(captured, [&](Value value) {
      return results.contains(value.getDefiningOp());
    });
  };
  for (Operation &op : block) {
    // Loads stay after the stores before them.
    if (mayWrite(&op)) {
      flush();
      continue;
    }
    bool isDependent = needsResults(&op);
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && getMatrix(loop) && !isDependent &&
        (group.loops.empty() || areAlike(group.loops.front(), loop)) &&
        static_cast<int64_t>(group.loops.size()) < numWarps &&
        isWorthOneWarp(loop)) {
      group.loops.push_back(loop);
      group.dependents.append(dependents);
      dependents.clear();
      results.insert(&op);
    } else if (isDependent) {
      dependents.push_back(&op);
      results.insert(&op);
    }
  }
  flush();
  return groups;
}

/// Creates a copy of a loop, and of what it begins with, in whole layouts.
class LoopCopy {
public:
  LoopCopy(WholeLayouts &layouts, const Group &group)
      : layouts(layouts), end(group.loops.back()) {
    others.insert_range(group.dependents);
    for (scf::ForOp loop : group.loops)
      others.insert(loop);
  }

  /// Returns the result of the copy; null if some tensor has no such layout, in
  /// which case the caller removes what was created.
  Value create(OpBuilder &builder, scf::ForOp loop) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(loop->getRegions(), captured);
    captured.insert_range(loop->getOperands());
    for (Value value : captured)
      if (!copy(builder, value))
        return {};
    Operation *result = builder.clone(*loop, mapping);
    bool hasLayouts = true;
    result->walk([&](Operation *op) { hasLayouts &= setTypes(op); });
    return hasLayouts ? result->getResult(0) : Value();
  }

  /// Copies elementwise operations that alone use the result, and returns the
  /// last ones of the original and of the copy.
  std::pair<Operation *, Value> addUsers(OpBuilder &builder, Operation *op,
                                         Value result) {
    while (op->hasOneUse()) {
      Operation *user = *op->user_begin();
      if (user->getBlock() != end->getBlock() || !isMemoryEffectFree(user) ||
          !user->hasTrait<mlir::OpTrait::Elementwise>() ||
          user->getResultTypes() != op->getResultTypes() ||
          !llvm::all_of(user->getOperands(),
                        [&](Value operand) { return copy(builder, operand); }))
        break;
      Operation *clone = builder.clone(*user, mapping);
      if (!setTypes(clone))
        break;
      result = clone->getResult(0);
      op = user;
    }
    return {op, result};
  }

private:
  /// Sets the types of results and arguments of `op`. Fails if one has none.
  bool setTypes(Operation *op) {
    auto set = [&](Value value) {
      Type type = layouts.get(value.getType());
      if (type)
        value.setType(type);
      return type != nullptr;
    };
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto values = dyn_cast<DenseElementsAttr>(constant.getValue())) {
        Type type = layouts.get(values.getType());
        if (!type)
          return false;
        constant.setValueAttr(values.reshape(cast<ShapedType>(type)));
      }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!llvm::all_of(block.getArguments(), set))
          return false;
    return llvm::all_of(op->getResults(), set);
  }

  /// Maps a value to itself if it is no tensor, or to a copy of the operations
  /// that compute it. Fails if these cannot be copied, and sub-groups have
  /// parts of the value.
  bool copy(OpBuilder &builder, Value value) {
    if (mapping.contains(value))
      return true;
    Operation *op = value.getDefiningOp();
    // Another loop's result reaches this sub-group later.
    if (others.contains(op))
      return false;
    bool isAvailable =
        !op || op->getBlock() != end->getBlock() || op->isBeforeInBlock(end);
    if (isAvailable && (!isa<RankedTensorType>(value.getType()) ||
                        (layouts.get(value.getType()) == value.getType() &&
                         !isComputedHere(value))))
      return true;
    if (!op || !isComputedHere(value) ||
        !llvm::all_of(op->getOperands(),
                      [&](Value operand) { return copy(builder, operand); }))
      return false;
    return setTypes(builder.clone(*op, mapping));
  }

  /// Returns whether a copy of the operation may take its place in a branch.
  bool isComputedHere(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && takesAnyLayout(op) &&
           (isMemoryEffectFree(op) ||
            (op->getBlock() == end->getBlock() && op->isBeforeInBlock(end) &&
             !mayWrite(op) && isMemoryTheSameBetween(op, end)));
  }

  WholeLayouts &layouts;
  Operation *end;
  /// The loops of the group, and what needs the result of one.
  llvm::SmallPtrSet<Operation *, 16> others;
  IRMapping mapping;
};

/// Returns the layout of a matrix in which a lane has a column, and a sub-group
/// all rows; in a matrix with the rows of all sub-groups, it has its own.
static Attribute getColumns(RankedTensorType type, unsigned numWarps,
                            unsigned numLanes) {
  return BlockedEncodingAttr::get(
      type.getContext(),
      /*sizePerThread=*/{static_cast<unsigned>(type.getDimSize(0)), 1},
      /*threadsPerWarp=*/{1, numLanes}, /*warpsPerCTA=*/{numWarps, 1},
      /*order=*/{1, 0});
}

/// Creates a branch for each loop, which one sub-group takes; null if a loop
/// cannot be executed by one.
scf::IfOp DistributeLoopsPass::createBranches(OpBuilder &builder, Group &group,
                                              RankedTensorType type) {
  scf::ForOp last = group.loops.back();
  Location loc = last.getLoc();
  WholeLayouts layouts(type.getEncoding());
  for (scf::ForOp loop : group.loops)
    loop->walk([&](Operation *op) {
      for (Type result : op->getResultTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(result))
          layouts.add(tensor);
    });
  Value warp = WarpIdOp::create(builder, loc, builder.getI32Type());
  scf::IfOp first;
  for (auto [number, loop] : llvm::enumerate(group.loops)) {
    Value own = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, warp,
        arith::ConstantIntOp::create(builder, loc, number, 32));
    auto branch =
        scf::IfOp::create(builder, loc, type, own, /*withElseRegion=*/true);
    if (first)
      scf::YieldOp::create(builder, loc, branch.getResults());
    else
      first = branch;
    builder.setInsertionPointToStart(branch.thenBlock());
    LoopCopy copy(layouts, group);
    Value result = copy.create(builder, loop);
    if (result)
      std::tie(group.ends.emplace_back(), result) =
          copy.addUsers(builder, loop, result);
    if (result && result.getType() != type)
      result = ConvertLayoutOp::create(builder, loc, type, result);
    if (!result || hasExchange(branch)) {
      first.erase();
      return {};
    }
    scf::YieldOp::create(builder, loc, result);
    builder.setInsertionPointToStart(branch.elseBlock());
  }
  // Other sub-groups have nothing to do.
  scf::YieldOp::create(
      builder, loc,
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type))
          .getResult());
  return first;
}

void DistributeLoopsPass::distribute(Group group) {
  scf::ForOp last = group.loops.back();
  Location loc = last.getLoc();
  RankedTensorType matrix = getMatrix(last);
  auto type = matrix.cloneWithEncoding(
      getColumns(matrix, numWarps, lookupThreadsPerWarp(last)));
  OpBuilder builder(last);
  scf::IfOp branches = createBranches(builder, group, type);
  if (!branches)
    return;
  LDBG() << "each of " << group.loops.size() << " loops before " << loc
         << " is left to one sub-group";
  builder.setInsertionPoint(last);
  int64_t rows = type.getDimSize(0);
  RankedTensorType all = type.clone({numWarps * rows, type.getDimSize(1)});
  Value stacked =
      StackWarpsOp::create(builder, loc, all, branches.getResult(0));
  MLIRContext *context = builder.getContext();
  // A lane has a column: lanes follow each other in memory, so that a message
  // moves several rows.
  auto shared = SwizzledSharedEncodingAttr::get(
      context, /*vec=*/1, /*perPhase=*/1, /*maxPhase=*/1,
      /*order=*/ArrayRef<unsigned>{1, 0});
  auto getMemory = [&](ArrayRef<int64_t> shape) {
    return MemDescType::get(shape, type.getElementType(), shared,
                            SharedMemorySpaceAttr::get(context),
                            /*mutableMemory=*/false, all.getShape());
  };
  Value memory =
      LocalAllocOp::create(builder, loc, getMemory(all.getShape()), stacked);
  for (auto [number, end] : llvm::enumerate(group.ends)) {
    Value view = MemDescSubsliceOp::create(
        builder, loc, getMemory(type.getShape()), memory,
        ArrayRef<int32_t>{static_cast<int32_t>(number * rows), 0});
    auto load = [&](Type layout) -> Value {
      return LocalLoadOp::create(builder, loc, layout, view);
    };
    // Each layout that code needs is loaded.
    for (Operation *user : end->getUsers())
      if (auto convert = dyn_cast<ConvertLayoutOp>(user))
        convert.replaceAllUsesWith(load(convert.getType()));
    end->replaceAllUsesWith(ValueRange{load(end->getResult(0).getType())});
  }
  for (Operation *op : group.dependents)
    op->moveBefore(last);
  for (scf::ForOp loop : group.loops) {
    // The originals of what was copied use each other alone.
    SmallVector<Operation *> chain{loop};
    while (!chain.back()->use_empty())
      chain.push_back(*chain.back()->user_begin());
    for (Operation *op : llvm::reverse(chain))
      op->erase();
  }
  remark::passed(
      loc, remark::RemarkOpts::name("distributed").category(getArgument()))
      << remark::reason("each of {0} loops is executed by one sub-group",
                        group.loops.size());
  ++numDistributed;
}

} // namespace
