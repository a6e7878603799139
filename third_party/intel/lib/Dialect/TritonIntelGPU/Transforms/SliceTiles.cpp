//===- SliceTiles.cpp - Large tiles in loops over slices ------------------===//
// SPDX-License-Identifier: MIT
//
// A lane's registers of a tensor become straight code: one instruction, or
// several, for each of them in each operation. LLVM takes more than linear time
// for code of that kind, and no processor has the registers. Where lanes have
// many elements, operations that can be computed slice by slice (see
// Slices.h and SliceRules.h) become loops here:
//
//   %x = tt.load %p                      %m = ttig.alloc_private
//   %y = math.exp %x                     scf.for %i = 0 to 16 {
//   "use"(%y)                              %px = slice %i of %p, recomputed
//                                          %x = tt.load %px
//                                          %y = math.exp %x
//                                          ttig.store_slice %y, %m[%i]
//                                        }
//                                        %all = ttig.load_slice %m[]
//                                        "use"(%all)
//
// A group of operations becomes one loop if all of them have slices along the
// same dimension. If there are several dimensions, it is the one with the most
// work in one loop. A tensor that is still too large is cut once more, along
// another dimension, in the loop's body.
//
// Tiles with the layout of DPAS stay straight code: that is calls of functions
// of the device library, which are few and work on accumulators in place.
//
// The order of accesses stays: a loop has loads, or a single operation that
// writes. An operation moves down to the end of its group, past others that it
// has nothing to do with.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-slice-tiles"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "SliceCosts.h"
#include "SliceRules.h"
#include "SliceScans.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "triton/Dialect/TritonGPU/IR/Slices.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUSLICETILES
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns the annotation that makes LLVM leave a loop unchanged.
LLVM::LoopAnnotationAttr getNoUnrolling(MLIRContext *context) {
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

/// Operations that become one loop.
struct Group {
  /// The members in order, each with the dimension of its tile.
  llvm::MapVector<Operation *, unsigned> members;
  /// The dimension of what members compute.
  DenseMap<Value, unsigned> dims;
  int32_t count = 1;
  /// This is true if the last slice comes first, and none if the order does not
  /// matter.
  std::optional<bool> isReverse;
  /// Registers that members compute, and those that have to be stored for them.
  int64_t work = 0, stored = 0;
  /// Operations that could be members, and are computed where they are used.
  DenseSet<Operation *> left;
};

/// Slices the tiles of one function.
class TileSlicer {
public:
  /// Tensors of more than `limit` registers are cut, down to half of them if
  /// that is possible.
  TileSlicer(FunctionOpInterface function, int32_t limit)
      : function(function), limit(limit), sliceRegisters(limit / 2),
        builder(function.getContext()) {}

  void run();

private:
  void sliceBlock(Block &block, int64_t limit);
  bool isRecomputable(Value value);
  RankedTensorType getSlice(Type type, unsigned dim, int32_t count);

  // Groups.
  std::optional<Group> findGroup(Operation *start);
  Group makeGroup(Operation *start, unsigned dim, int32_t count);
  bool join(Group &group, Operation *op, std::optional<unsigned> dim);
  void leaveToUsers(Group &group);
  bool hasSlices(Operation *op, const Group &group, unsigned dim);
  bool fillsMemoryOf(Operation *op, Value value);

  // Loops.
  SmallVector<Value> makeInitialValues(const Group &group);
  scf::ForOp makeLoop(const Group &group);
  Value sliceValue(Value value, unsigned dim);
  bool canRecompute(Value value, unsigned dim);
  Value recompute(OpResult value, unsigned dim);
  void setSlices(Operation *op, ValueRange results, unsigned dim);
  Operation *cloneSlice(Operation *op, unsigned dim);
  void matchTypes(Operation *clone, Operation *op, unsigned dim);
  Value convert(Value value, RankedTensorType type);
  Value getMemory(Value value);
  Value allocate(RankedTensorType type);
  void storeResults(Operation *op, const Group &group);
  void placeMemory(AllocPrivateOp alloc);

  FunctionOpInterface function;
  int32_t limit, sliceRegisters;
  OpBuilder builder;
  /// Operations that begin a loop with their users, whatever their size.
  DenseSet<Operation *> leftToUsers;
  DenseMap<Value, bool> recomputable;
  DenseMap<std::tuple<Type, unsigned, int32_t>, RankedTensorType> slices;
  /// The memories of values that no loop computes.
  DenseMap<Value, Value> memories;
  SmallVector<AllocPrivateOp> allocations;

  /// The loop that is being made: its number of a slice, how many there are,
  /// and the slices that it has so far.
  Value index;
  int32_t count = 1;
  DenseMap<std::pair<Value, unsigned>, Value> made;
  DenseMap<std::pair<Value, unsigned>, bool> recomputableSlices;
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

RankedTensorType TileSlicer::getSlice(Type type, unsigned dim, int32_t count) {
  // Layouts of many dimensions are queried repeatedly.
  auto [entry, isNew] = slices.try_emplace({type, dim, count});
  auto tensor = cast<RankedTensorType>(type);
  // Accumulators of DPAS stay where its functions work on them in place.
  if (isNew && !isDpasLayout(tensor.getEncoding()))
    entry->second = getSliceType(tensor, dim, count);
  return entry->second;
}

/// Returns whether slices can be recomputed wherever they are needed: those of
/// coordinates, of scalars, and of data in memory.
bool TileSlicer::isRecomputable(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  auto found = recomputable.find(value);
  if (found != recomputable.end())
    return found->second;
  bool result = isCheap(op) && getSlicedTile(op) &&
                llvm::all_of(op->getOperands(), [&](Value operand) {
                  return isRecomputable(operand);
                });
  return recomputable[value] = result;
}

/// Returns whether `op` can be computed in slices along dimension `dim` of its
/// tile, from slices of the group's members and of what others compute.
bool TileSlicer::hasSlices(Operation *op, const Group &group, unsigned dim) {
  auto isSlice = [&](Type type, unsigned dim) {
    RankedTensorType slice = getSlice(type, dim, group.count);
    return slice &&
           (!needsEncodings(op) ||
            slice.getEncoding() == cast<RankedTensorType>(type).getEncoding());
  };
  for (Value result : op->getResults())
    if (!isSlice(result.getType(), dim))
      return false;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<OperandSlice> slice =
        getOperandSlice(operand, dim, group.count);
    if (!slice)
      return false;
    // The results of other members exist in slices only.
    auto known = group.dims.find(operand.get());
    if (known != group.dims.end() && slice->dim != known->second)
      return false;
    if (slice->dim && !isSlice(operand.get().getType(), *slice->dim))
      return false;
  }
  return true;
}

/// Returns whether `op` stores all of `value` into its memory, or converts it
/// for that store. Slices of the value are in memory after the store only, so
/// `op` cannot read them.
bool TileSlicer::fillsMemoryOf(Operation *op, Value value) {
  Value memory = memories.lookup(value);
  auto fills = [&](Operation *other) {
    auto store = dyn_cast<StoreSliceOp>(other);
    return store && store.getMemory() == memory;
  };
  return memory && (fills(op) || llvm::any_of(op->getUsers(), fills));
}

/// Adds `op` to the group if it can be: along `dim`, or along the dimension
/// that the group's slices of its operands are slices of.
bool TileSlicer::join(Group &group, Operation *op,
                      std::optional<unsigned> dim) {
  RankedTensorType tile = getSlicedTile(op);
  if (!tile || getNumRegisters(tile) == 0)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto known = group.dims.find(operand.get());
    if (known == group.dims.end()) {
      if (fillsMemoryOf(op, operand.get()))
        return false;
      continue;
    }
    std::optional<unsigned> tileDim =
        getTileDim(operand, known->second, group.count);
    if (!tileDim || (dim && *dim != *tileDim))
      return false;
    dim = tileDim;
  }
  if (!dim || !hasSlices(op, group, *dim))
    return false;
  if (std::optional<bool> isReverse = isReverseOrder(op, *dim)) {
    if (group.isReverse && *group.isReverse != *isReverse)
      return false;
    group.isReverse = isReverse;
  }

  group.work += getWork(op);
  for (Value operand : op->getOperands())
    if (!isRecomputable(operand) && !group.dims.contains(operand) &&
        !memories.contains(operand))
      group.stored += getNumRegisters(operand.getType());
  group.members.insert({op, *dim});
  for (Value result : op->getResults())
    group.dims[result] = *dim;
  return true;
}

/// Removes members that no others need, and whose operands are in memory anyway
/// or are computed again. They are computed where they are used, in a loop that
/// comes later, so that their results need no memory.
void TileSlicer::leaveToUsers(Group &group) {
  Operation *start = group.members.front().first;
  SmallVector<Operation *> members(llvm::make_first_range(group.members));
  for (auto [op, dim] : group.members)
    if (op != start && isPure(op) && !op->use_empty() &&
        !isReverseOrder(op, dim) &&
        llvm::all_of(op->getUsers(), [&, op = op](Operation *user) {
          return user->getBlock() == op->getBlock() && getSlicedTile(user);
        }))
      group.left.insert(op);
  // A member that stays needs its operands, and one that leaves would need
  // memory for those that stay.
  auto stays = [&](Operation *op) {
    return llvm::any_of(op->getUsers(),
                        [&](Operation *user) {
                          return group.members.contains(user) &&
                                 !group.left.contains(user);
                        }) ||
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return !isRecomputable(operand) &&
                    !group.left.contains(operand.getDefiningOp());
           });
  };
  bool isChanged = !group.left.empty();
  auto keepThoseThatStay = [&](auto &&list) {
    for (Operation *op : list)
      if (group.left.contains(op) && stays(op))
        isChanged |= group.left.erase(op);
  };
  while (std::exchange(isChanged, false)) {
    keepThoseThatStay(llvm::reverse(members));
    keepThoseThatStay(members);
  }
  for (Operation *op : group.left) {
    group.work -= getWork(op);
    for (Value result : op->getResults())
      group.dims.erase(result);
  }
  group.members.remove_if(
      [&](const auto &member) { return group.left.contains(member.first); });
}

/// Returns everything that can be computed in one loop with `start`.
Group TileSlicer::makeGroup(Operation *start, unsigned dim, int32_t count) {
  Group group;
  group.count = count;
  RankedTensorType tile = getSlicedTile(start);
  Block *block = start->getBlock();
  SliceEffects done;
  // Operations that use members and are none themselves.
  DenseSet<Operation *> dependents;
  auto addUsers = [&](Operation *op) {
    for (Operation *user : op->getUsers())
      if (Operation *ancestor = block->findAncestorOpInBlock(*user))
        dependents.insert(ancestor);
  };
  for (Operation *op = start;
       op && !op->hasTrait<mlir::OpTrait::IsTerminator>();
       op = op->getNextNode()) {
    SliceEffects effects = getSliceEffects(op);
    // Slices of one would come ahead of slices of the other.
    if ((effects.writes && (done.reads || done.writes)) ||
        (effects.reads && done.writes))
      break;
    // An operation that is independent of the group may join it if it has its
    // shape.
    std::optional<unsigned> own;
    if (op == start ||
        (getSlicedTile(op) && getSlicedTile(op).getShape() == tile.getShape() &&
         getSlicedTile(op).getEncoding() == tile.getEncoding()))
      own = dim;
    bool isCopied = op->getNumResults() > 0 &&
                    llvm::all_of(op->getResults(), [&](Value result) {
                      return isRecomputable(result);
                    });
    bool usesMembers = dependents.contains(op);
    if (!isCopied && join(group, op, usesMembers ? std::nullopt : own)) {
      done.reads |= effects.reads;
      done.writes |= effects.writes;
      addUsers(op);
      // Slices that it stores are read by others.
      if (auto store = dyn_cast<StoreSliceOp>(op))
        addUsers(store.getMemory().getDefiningOp());
    } else if (usesMembers || op == start) {
      break;
    }
  }
  if (!group.members.empty())
    leaveToUsers(group);
  return group;
}

/// Returns the group with the most work that `start` begins.
std::optional<Group> TileSlicer::findGroup(Operation *start) {
  RankedTensorType tile = getSlicedTile(start);
  LinearLayout layout = toLinearLayout(tile);
  // Users that join the loop, such as a store with its pointers, may be larger.
  int64_t largest = getLargest(start);
  for (Operation *user : start->getUsers())
    if (user->getBlock() == start->getBlock() && getSlicedTile(user))
      largest = std::max(largest, getLargest(user));
  int32_t wanted = llvm::PowerOf2Ceil(largest) / sliceRegisters;
  std::optional<Group> best;
  for (unsigned dim = 0, rank = tile.getRank(); dim < rank; ++dim) {
    int32_t most = std::min(getMaxSlices(layout, dim), wanted);
    if (most < 2)
      continue;
    Group group = makeGroup(start, dim, most);
    // A loop pays if it has more to do than its operands cost.
    if (group.work <= group.stored)
      continue;
    // Slices that wait for each other cost more than those that do not.
    auto getGain = [](const Group &group) {
      return std::tuple(group.work, !group.isReverse, group.count);
    };
    if (!best || getGain(group) > getGain(*best))
      best = std::move(group);
  }
  return best;
}

void TileSlicer::sliceBlock(Block &block, int64_t limit) {
  for (Operation *op = &block.front(); op;) {
    RankedTensorType tile = getSlicedTile(op);
    bool isLarge = tile && getNumRegisters(tile) > 0 &&
                   (getLargest(op) > limit || leftToUsers.contains(op));
    bool isOwn = llvm::any_of(op->getResults(), [&](Value result) {
      return !isRecomputable(result);
    });
    // An operation that writes has no results. Stores of slices come with what
    // they store.
    if (!isLarge || isa<StoreSliceOp>(op) || (op->getNumResults() && !isOwn)) {
      op = op->getNextNode();
      continue;
    }
    std::optional<Group> group = findGroup(op);
    if (!group) {
      op = op->getNextNode();
      continue;
    }
    scf::ForOp loop = makeLoop(*group);
    leftToUsers.insert(group->left.begin(), group->left.end());
    while (group->members.contains(op))
      op = op->getNextNode();
    for (auto [member, dim] : llvm::reverse(group->members)) {
      // Another operation may be where this one was.
      for (Value result : member->getResults())
        memories.erase(result);
      leftToUsers.erase(member);
      member->erase();
    }
    // The results of the members can be loaded now.
    recomputable.clear();
    sliceBlock(*loop.getBody(), sliceRegisters);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value TileSlicer::allocate(RankedTensorType type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  auto alloc = AllocPrivateOp::create(
      builder, function.getLoc(), PrivateType::get(type.getContext(), type));
  allocations.push_back(alloc);
  return alloc;
}

/// Returns the memory with all of a value that no loop computes.
Value TileSlicer::getMemory(Value value) {
  Value &memory = memories[value];
  if (memory)
    return memory;
  auto type = getTypeWithoutCopies(cast<RankedTensorType>(value.getType()));
  memory = allocate(type);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  StoreSliceOp::create(builder, value.getLoc(), convert(value, type), memory,
                       ValueRange(), ArrayRef<int32_t>(), ArrayRef<int32_t>());
  return memory;
}

Value TileSlicer::convert(Value value, RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return ConvertLayoutOp::create(builder, value.getLoc(), type, value);
}

/// Returns whether a slice of a value that no member computes can be computed.
bool TileSlicer::canRecompute(Value value, unsigned dim) {
  auto found = recomputableSlices.find({value, dim});
  if (found != recomputableSlices.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  bool result =
      isRecomputable(value) &&
      llvm::all_of(op->getResultTypes(),
                   [&](Type type) { return getSlice(type, dim, count); }) &&
      llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
        std::optional<OperandSlice> slice =
            isa<LoadSliceOp>(op) ? OperandSlice{}
                                 : getOperandSlice(operand, dim, count);
        return slice &&
               (!slice->dim || canRecompute(operand.get(), *slice->dim));
      });
  return recomputableSlices[{value, dim}] = result;
}

/// Notes the slices of all results of `op`.
void TileSlicer::setSlices(Operation *op, ValueRange results, unsigned dim) {
  for (auto [result, slice] : llvm::zip_equal(op->getResults(), results))
    made[{result, dim}] =
        convert(slice, getSlice(result.getType(), dim, count));
}

/// Returns the slice of a value, computed from scalars and coordinates.
Value TileSlicer::recompute(OpResult value, unsigned dim) {
  Operation *op = value.getOwner();
  Location loc = op->getLoc();
  RankedTensorType type = getSlice(value.getType(), dim, count);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    return arith::ConstantOp::create(builder, loc, splat.resizeSplat(type));
  }
  if (auto range = dyn_cast<MakeRangeOp>(op)) {
    // The first slice, moved.
    int32_t size = type.getDimSize(0);
    Value first = MakeRangeOp::create(builder, loc, type, range.getStart(),
                                      range.getStart() + size);
    Value distance = arith::MulIOp::create(
        builder, loc, index,
        arith::ConstantOp::create(builder, loc,
                                  builder.getI32IntegerAttr(size)));
    return arith::AddIOp::create(builder, loc, first,
                                 SplatOp::create(builder, loc, type, distance));
  }
  if (auto load = dyn_cast<LoadSliceOp>(op)) {
    SmallVector<Value> indices(load.getIndices());
    SmallVector<int32_t> dims(load.getDims()), counts(load.getCounts());
    indices.push_back(index);
    dims.push_back(dim);
    counts.push_back(count);
    return LoadSliceOp::create(builder, loc, type, load.getMemory(), indices,
                               dims, counts);
  }
  // One clone computes the slices of all results.
  setSlices(op, cloneSlice(op, dim)->getResults(), dim);
  return made.lookup({value, dim});
}

/// Returns the slice with the loop's number of a value along `dim`.
Value TileSlicer::sliceValue(Value value, unsigned dim) {
  Value known = made.lookup({value, dim});
  if (known)
    return known;
  Value slice;
  if (canRecompute(value, dim)) {
    slice = recompute(cast<OpResult>(value), dim);
  } else {
    Value memory = getMemory(value);
    RankedTensorType type = cast<PrivateType>(memory.getType()).getTensor();
    slice =
        LoadSliceOp::create(builder, value.getLoc(), getSlice(type, dim, count),
                            memory, index, int32_t(dim), count);
    slice = convert(slice, getSlice(value.getType(), dim, count));
  }
  return made[{value, dim}] = slice;
}

/// Gives a clone on slices the types that slices of the results have. Layouts
/// that an operation infers may be others, with the same elements per lane.
void TileSlicer::matchTypes(Operation *clone, Operation *op, unsigned dim) {
  SmallVector<Type> inferred;
  for (OpResult result : op->getResults())
    inferred.push_back(getSlice(result.getType(), dim, count));
  if (auto reshape = dyn_cast<ReshapeOp>(clone)) {
    auto type = cast<RankedTensorType>(inferred[0]);
    LinearLayout layout = reshapeTensor(
        toLinearLayout(reshape.getSrc().getType()), type.getShape());
    if (layout != toLinearLayout(type))
      inferred[0] = RankedTensorType::get(
          type.getShape(), type.getElementType(),
          LinearEncodingAttr::get(type.getContext(), layout));
  } else if (auto infer = dyn_cast<InferTypeOpInterface>(clone);
             infer && !clone->hasTrait<mlir::OpTrait::Elementwise>()) {
    SmallVector<Type> types;
    if (succeeded(infer.inferReturnTypes(
            clone->getContext(), clone->getLoc(), clone->getOperands(),
            clone->getAttrDictionary(), clone->getPropertiesStorage(),
            clone->getRegions(), types)) &&
        !infer.isCompatibleReturnTypes(types, inferred))
      inferred = types;
  }
  for (auto [result, type] : llvm::zip_equal(clone->getResults(), inferred))
    result.setType(type);
}

/// Creates `op` on slices of its operands.
Operation *TileSlicer::cloneSlice(Operation *op, unsigned dim) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<OperandSlice> slice = getOperandSlice(operand, dim, count);
    operands.push_back(slice->dim ? sliceValue(operand.get(), *slice->dim)
                                  : operand.get());
  }
  if (auto store = dyn_cast<StoreSliceOp>(op)) {
    SmallVector<Value> indices(store.getIndices());
    SmallVector<int32_t> dims(store.getDims()), counts(store.getCounts());
    indices.push_back(index);
    dims.push_back(dim);
    counts.push_back(count);
    return StoreSliceOp::create(builder, op->getLoc(), operands[0],
                                store.getMemory(), indices, dims, counts);
  }
  // Operand and result have one encoding.
  if (isa<triton::BroadcastOp>(op)) {
    Attribute encoding =
        getSlice(op->getResult(0).getType(), dim, count).getEncoding();
    auto type = cast<RankedTensorType>(operands[0].getType());
    operands[0] = convert(
        operands[0], RankedTensorType::get(type.getShape(),
                                           type.getElementType(), encoding));
  }
  Operation *clone = builder.insert(op->clone());
  clone->setOperands(operands);
  matchTypes(clone, op, dim);
  return clone;
}

/// Stores slices that are used outside of the loop, and replaces the uses.
void TileSlicer::storeResults(Operation *op, const Group &group) {
  for (OpResult result : op->getResults()) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : result.getUses())
      if (!group.members.contains(use.getOwner()))
        uses.push_back(&use);
    if (uses.empty())
      continue;
    auto type = cast<RankedTensorType>(result.getType());
    RankedTensorType stored = getTypeWithoutCopies(type);
    unsigned dim = group.dims.lookup(result);
    Value memory = allocate(stored);
    Value slice =
        convert(made.lookup({result, dim}), getSlice(stored, dim, count));
    StoreSliceOp::create(builder, op->getLoc(), slice, memory, index,
                         int32_t(dim), count);
    // All of it, where it is used: mostly in slices of a loop that comes later.
    DenseMap<Operation *, Value> loads;
    for (OpOperand *use : uses) {
      Value &load = loads[use->getOwner()];
      if (!load) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(use->getOwner());
        load = convert(LoadSliceOp::create(
                           builder, op->getLoc(), stored, memory, ValueRange(),
                           ArrayRef<int32_t>(), ArrayRef<int32_t>()),
                       type);
      }
      use->set(load);
    }
  }
}

/// Creates the values that a loop carries into its first slice, which are
/// defined but not used.
SmallVector<Value> TileSlicer::makeInitialValues(const Group &group) {
  SmallVector<Value> values;
  for (auto [op, dim] : group.members)
    if (isReverseOrder(op, dim))
      for (Type type : op->getResultTypes())
        values.push_back(arith::ConstantOp::create(
            builder, op->getLoc(),
            builder.getZeroAttr(
                getCarriedType(getSlice(type, dim, group.count), dim))));
  return values;
}

scf::ForOp TileSlicer::makeLoop(const Group &group) {
  Location loc = group.members.front().first->getLoc();
  builder.setInsertionPointAfter(group.members.back().first);
  auto constant = [&](int32_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  };
  auto loop =
      scf::ForOp::create(builder, loc, constant(0), constant(group.count),
                         constant(1), makeInitialValues(group));
  // Straight code is what this is to avoid.
  loop->setAttr(TritonDialect::getLoopAnnotationAttrName(),
                getNoUnrolling(loop.getContext()));
  count = group.count;
  made.clear();
  recomputableSlices.clear();
  builder.setInsertionPointToStart(loop.getBody());
  Value number = index = loop.getInductionVar();
  Value isFirst;
  if (group.isReverse) {
    isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    number, constant(0));
    if (*group.isReverse)
      index = arith::SubIOp::create(builder, loc, constant(count - 1), number);
  }
  ValueRange carried = loop.getRegionIterArgs();
  SmallVector<Value> yielded;
  for (auto [op, dim] : group.members) {
    Operation *clone = cloneSlice(op, dim);
    SmallVector<Value> slices(clone->getResults());
    if (isReverseOrder(op, dim)) {
      unsigned numResults = slices.size();
      ContinuedScan scan =
          continueScan(builder, cast<ScanOp>(clone),
                       carried.take_front(numResults), isFirst);
      carried = carried.drop_front(numResults);
      slices = scan.results;
      llvm::append_range(yielded, scan.last);
    }
    setSlices(op, slices, dim);
    storeResults(op, group);
  }
  if (!yielded.empty())
    scf::YieldOp::create(builder, loc, yielded);
  return loop;
}

//===----------------------------------------------------------------------===//
// Private memory
//===----------------------------------------------------------------------===//

/// Memory begins ahead of its first use and ends after its last, in the block
/// that has all uses, so that others may have it before and afterwards.
void TileSlicer::placeMemory(AllocPrivateOp alloc) {
  if (alloc->use_empty())
    return alloc->erase();
  Block *block = alloc->user_begin()->getBlock();
  auto hasAll = [&] {
    return llvm::all_of(alloc->getUsers(), [&](Operation *user) {
      return block->findAncestorOpInBlock(*user) != nullptr;
    });
  };
  while (!hasAll()) {
    // Blocks of a function's control flow: it lives as long as the function.
    if (block->getParentOp() == function)
      return;
    block = block->getParentOp()->getBlock();
  }
  Operation *first = nullptr, *last = nullptr;
  for (Operation *user : alloc->getUsers()) {
    Operation *op = block->findAncestorOpInBlock(*user);
    if (!first || op->isBeforeInBlock(first))
      first = op;
    if (!last || last->isBeforeInBlock(op))
      last = op;
  }
  alloc->moveBefore(first);
  builder.setInsertionPointAfter(last);
  DeallocPrivateOp::create(builder, alloc.getLoc(), alloc);
}

void TileSlicer::run() {
  SmallVector<Block *> blocks;
  function->walk([&](Block *block) {
    // Not of what reductions combine with: loops get copies of that.
    if (!getSlicedTile(block->getParentOp()))
      blocks.push_back(block);
  });
  for (Block *block : blocks)
    if (!block->empty())
      sliceBlock(*block, limit);
  // Removes the operations that were recomputed in loops.
  function->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
  for (AllocPrivateOp alloc : allocations)
    placeMemory(alloc);
}

namespace {

/// Large tiles become loops; see the head of the file.
class SliceTiles
    : public gpu::intel::impl::TritonIntelGPUSliceTilesBase<SliceTiles> {
public:
  using TritonIntelGPUSliceTilesBase::TritonIntelGPUSliceTilesBase;

  void runOnTTGIR() override {
    if (maxRegisters < 2) {
      getOperation().emitError("expected at least 2 registers");
      return signalPassFailure();
    }
    ModuleOp module = getOperation();
    WalkResult large = module.walk([&](Operation *op) {
      if (!getSlicedTile(op) || getLargest(op) <= maxRegisters)
        return WalkResult::advance();
      LDBG() << op->getName() << " at " << op->getLoc() << " has "
             << getLargest(op) << " registers, of " << maxRegisters;
      return WalkResult::interrupt();
    });
    if (!large.wasInterrupted())
      return markAllAnalysesPreserved();
    // Slices need less shared memory than tiles. A kernel needs the same amount
    // as on a GPU, which has no loops.
    FailureOr<SharedMemoryAllocation> allocation =
        SharedMemoryAllocation::compute(module);
    if (failed(allocation))
      return signalPassFailure();
    Builder builder(module);
    module->setAttr(
        TritonGPUDialect::getSharedAttrName(),
        builder.getI32IntegerAttr(allocation->getSharedMemorySize()));
    module.walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        TileSlicer(function, maxRegisters).run();
    });
  }
};

} // namespace
