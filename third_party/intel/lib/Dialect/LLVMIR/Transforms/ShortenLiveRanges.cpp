//===- ShortenLiveRanges.cpp - Load late, compute early -------------------===//
// SPDX-License-Identifier: MIT
//
// The lowering of one tensor operation after the other leaves the code in an
// order in which whole tensors are live at the same time. This pass moves the
// operations on the same part of tensors together. It runs on the lowered code,
// where every value is in one register or a few.
//
// First, operations on vectors move down to their first uses if their operands
// are no larger than their results: the activation of a whole tile is then
// computed part by part.
//
// Then 2D block loads move down, with operations that use nothing but their
// results: a dot loads all of its operands before the first instruction of the
// product, although each instruction uses a fraction of them. So do loads of
// shared memory if there are many. Other loads stay early, so that their
// latency is hidden; blocks were prefetched. An operation whose result is wider
// than the loaded value, such as a conversion of bytes to floats, stays at its
// own use.
//
// Then operations on vectors move up if this does not increase the number of
// live values in between: constants, splats and widening conversions stay near
// their uses.
//
// Prefetches are placed last, directly in front of a block's products, so that
// the loads that the iteration itself waits for are sent first. The device
// compiler also keeps later loads behind them, so that these are not live while
// a first factor is still being computed. Measured with ocloc 26.27: the loop
// of a product of 256x256x32 in 32 sub-groups whose left factor is
// exponentiated has 167 instructions and spills nothing; with prefetches at its
// beginning 339, and 100 messages to scratch memory. Loops whose factors are
// only loaded do not change.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUSHORTENLIVERANGES
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Bits of a value in the registers of one lane.
int64_t getBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

/// Is `value` alive in this block only because of `user`?
bool isLastUse(Value value, Operation *user) {
  return value.getParentBlock() == user->getBlock() &&
         llvm::all_of(value.getUsers(),
                      [&](Operation *other) { return other == user; });
}

/// Can a load move across `op`? Calls without effects say so in an attribute;
/// marks of variables and assumptions must not change the code.
bool leavesMemoryAlone(Operation *op) {
  if (isa<BlockLoadOp, BlockPrefetchOp, LLVM::AssumeOp, LLVM::DbgValueOp>(op))
    return true;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() &&
           load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    LLVM::MemoryEffectsAttr effects = call.getMemoryEffectsAttr();
    auto isNone = [](LLVM::ModRefInfo info) {
      return info == LLVM::ModRefInfo::NoModRef;
    };
    return effects && isNone(effects.getOther()) &&
           isNone(effects.getArgMem()) && isNone(effects.getInaccessibleMem());
  }
  return isMemoryEffectFree(op);
}

/// The operations of a block in the order in which the pass found them. MLIR
/// numbers a block anew when it is asked for an order after a move, which
/// makes every move as expensive as the block is long.
class ProgramOrder {
public:
  explicit ProgramOrder(Block &block) {
    for (Operation &op : block) {
      if (!leavesMemoryAlone(&op))
        fences.push_back(operations.size());
      positions[&op] = operations.size();
      operations.push_back(&op);
    }
  }

  bool isBefore(Operation *left, Operation *right) const {
    return positions.at(left) < positions.at(right);
  }
  /// The first operation behind `op` that a load must not cross.
  Operation *getFenceBehind(Operation *op) const {
    auto *fence = llvm::upper_bound(fences, positions.at(op));
    return fence == fences.end() ? operations.back() : operations[*fence];
  }

private:
  DenseMap<Operation *, unsigned> positions;
  SmallVector<Operation *, 0> operations;
  SmallVector<unsigned, 0> fences;
};

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// The loads of a block that move down to their uses: of blocks, which were
/// prefetched, and of shared memory, if more are under way between two fences
/// than the latency is worth.
class NearLoads {
public:
  /// `maxBits`: what shared loads may bring and still be started early; see
  /// CompilerProfile.h.
  NearLoads(Block &block, const ProgramOrder &order, int64_t maxBits)
      : order(order), maxBits(maxBits) {
    for (Operation &op : block)
      if (isSharedLoad(&op))
        bits[order.getFenceBehind(&op)] += getBits(op.getResult(0).getType());
  }

  bool contains(Operation *op) const {
    if (isSharedLoad(op))
      return bits.lookup(order.getFenceBehind(op)) > maxBits;
    return isa<BlockLoadOp>(op);
  }

private:
  static bool isSharedLoad(Operation *op) {
    constexpr unsigned sharedAddressSpace = 3;
    auto load = dyn_cast<LLVM::LoadOp>(op);
    return load && leavesMemoryAlone(op) &&
           cast<LLVM::LLVMPointerType>(load.getAddr().getType())
                   .getAddressSpace() == sharedAddressSpace;
  }

  const ProgramOrder &order;
  int64_t maxBits;
  /// Of shared memory's loads in front of a fence.
  DenseMap<Operation *, int64_t> bits;
};

/// A load and, behind it, the operations of its block that compute
/// something of what it loaded and of constants alone, in program order: pieces
/// and conversions of them. No operation belongs to two loads.
SmallVector<Operation *> getLoadWithPieces(Operation *load,
                                           const ProgramOrder &order) {
  SetVector<Operation *> group;
  group.insert(load);
  auto isPieceOrConstant = [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && (group.contains(producer) ||
                        producer->hasTrait<OpTrait::ConstantLike>());
  };
  auto isComputation = [](Operation *op) {
    return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
           !isa<DpasOp>(op) && isMemoryEffectFree(op);
  };
  for (unsigned i = 0; i < group.size(); ++i)
    for (Operation *user : group[i]->getUsers())
      if (user->getBlock() == load->getBlock() && isComputation(user) &&
          llvm::all_of(user->getOperands(), isPieceOrConstant))
        group.insert(user);
  SmallVector<Operation *> members = group.takeVector();
  llvm::sort(members, [&](Operation *left, Operation *right) {
    return order.isBefore(left, right);
  });
  return members;
}

/// Whether the pieces of a load take more registers than what it loads: it is
/// converted to a wider type.
bool isWidened(ArrayRef<Operation *> group,
               const llvm::SmallPtrSetImpl<Operation *> &members) {
  int64_t made = 0;
  for (Operation *member : group)
    if (member->getNumResults() == 1 &&
        llvm::any_of(member->getUsers(),
                     [&](Operation *user) { return !members.contains(user); }))
      made += getBits(member->getResult(0).getType());
  return made > getBits(group.front()->getResult(0).getType());
}

/// Moves `load`, with what only cuts it into pieces, down to the first use of
/// a piece, or to what it must not cross; pieces that are wider than the load
/// each to their own first use. Returns whether anything moved. A place is
/// never a load or a piece, so it stands where `order` has it; and so does what
/// is moved, as that happens once.
bool sinkLoad(Operation *load, const ProgramOrder &order) {
  SmallVector<Operation *> group = getLoadWithPieces(load, order);
  llvm::SmallPtrSet<Operation *, 16> members(llvm::from_range, group);
  Operation *terminator = load->getBlock()->getTerminator();
  // The first use of what each member makes, by way of others.
  llvm::SmallDenseMap<Operation *, Operation *> places;
  for (Operation *member : llvm::reverse(group)) {
    Operation *place = terminator;
    for (Operation *user : member->getUsers()) {
      Operation *use = members.contains(user)
                           ? places.lookup(user)
                           : load->getBlock()->findAncestorOpInBlock(*user);
      if (use && order.isBefore(use, place))
        place = use;
    }
    places[member] = place;
  }
  Operation *place = places.lookup(load);
  // What is loaded for the next iteration has all of this one to arrive.
  if (place == terminator)
    return false;
  if (Operation *fence = order.getFenceBehind(load);
      order.isBefore(fence, place))
    place = fence;
  bool isApart = isWidened(group, members);
  // Pieces behind the place are cut behind what the load cannot cross.
  bool moved = false;
  for (Operation *member : group) {
    Operation *own = isApart && member != load ? places.lookup(member) : place;
    if (order.isBefore(member, own) && member->getNextNode() != own) {
      member->moveBefore(own);
      moved = true;
    }
  }
  return moved;
}

//===----------------------------------------------------------------------===//
// Operations on vectors
//===----------------------------------------------------------------------===//

/// Moves the operations of one block up, in program order.
class Hoister {
public:
  Hoister(Block &block, function_ref<bool(Operation *)> mayMove)
      : block(block), mayMove(mayMove) {}

  /// Returns how many moved.
  unsigned run() {
    unsigned position = 0, numMoved = 0;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      Place place{.root = position, .position = position};
      if (Operation *behind = findNewPlace(&op); behind && mayMove(&op)) {
        op.moveAfter(behind);
        ++numMoved;
        const Place &parent = places.at(behind);
        place.behind = behind;
        place.root = parent.root;
        place.depth = parent.depth + 1;
      }
      places[&op] = place;
      ++position;
    }
    return numMoved;
  }

private:
  /// Where an operation stands. Those that moved behind one and the same
  /// operation stand in reverse order of their moves, each followed by those
  /// that moved behind it: a tree below every operation that stayed.
  struct Place {
    Operation *behind = nullptr;
    /// Position of the operation that stayed.
    unsigned root;
    unsigned depth = 0;
    unsigned position;
  };

  /// Of two operations that were visited.
  bool isBefore(Operation *left, Operation *right) const;
  Operation *findNewPlace(Operation *op) const;

  Block &block;
  function_ref<bool(Operation *)> mayMove;
  DenseMap<Operation *, Place> places;
};

bool Hoister::isBefore(Operation *left, Operation *right) const {
  Place a = places.at(left), b = places.at(right);
  if (a.root != b.root)
    return a.root < b.root;
  bool isLeftDeeper = a.depth > b.depth;
  auto climb = [&](Operation *&op, Place &place) {
    op = place.behind;
    place = places.at(op);
  };
  while (a.depth > b.depth)
    climb(left, a);
  while (b.depth > a.depth)
    climb(right, b);
  if (left == right)
    return !isLeftDeeper;
  while (a.behind != b.behind) {
    climb(left, a);
    climb(right, b);
  }
  return a.position > b.position;
}

/// The operation behind which `op` should stand; null to leave it alone.
Operation *Hoister::findNewPlace(Operation *op) const {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op) ||
      isa<DpasOp>(op) || !isa<VectorType>(op->getResult(0).getType()))
    return nullptr;
  Operation *last = nullptr;
  int64_t released = 0;
  SmallVector<Value, 4> operands;
  for (Value operand : op->getOperands()) {
    if (llvm::is_contained(operands, operand))
      continue;
    operands.push_back(operand);
    if (isLastUse(operand, op))
      released += getBits(operand.getType());
    Operation *producer = operand.getDefiningOp();
    if (producer && producer->getBlock() == op->getBlock() &&
        (!last || isBefore(last, producer)))
      last = producer;
  }
  if (!last || last->getNextNode() == op ||
      released < getBits(op->getResult(0).getType()))
    return nullptr;
  return last;
}

//===----------------------------------------------------------------------===//
// Operations in the order of their uses
//===----------------------------------------------------------------------===//

/// Whether `value` is a constant, or cut from one.
bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  while (auto cut = dyn_cast_or_null<LLVM::ShuffleVectorOp>(op))
    op = cut.getV1().getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// Whether `op` is one of a few instructions that make an element of a dot
/// which nothing goes into before. Behind a loop that is a small dot whose
/// result an epilogue adds to a large one: there is no array to keep busy, but
/// all of what it makes would be alive next to the large one.
bool isShortProduct(Operation *op) {
  // Products of factors with up to four times the depth of an instruction.
  constexpr unsigned most = 4;
  for (unsigned length = 0; length != most; ++length) {
    auto product = dyn_cast_or_null<DpasOp>(op);
    if (!product)
      return false;
    if (isConstant(product.getC()))
      return true;
    op = product.getC().getDefiningOp();
    if (!op || !op->hasOneUse())
      return false;
  }
  return false;
}

/// Places operations of one block in front of their first uses, as far as that
/// does not keep more alive than they make.
class Sinker {
public:
  /// `mayMove` is asked about users of what would move.
  Sinker(Block &block, function_ref<bool(Operation *)> mayMove)
      : block(block), mayMove(mayMove) {}

  /// Returns how many operations got another place.
  unsigned run() {
    for (Operation &op : block) {
      isBehindLoop |= isa<LoopLikeOpInterface>(op);
      if (canSink(&op))
        waiting.insert(&op);
    }
    if (waiting.empty())
      return 0;
    SmallVector<Operation *> stay;
    for (Operation &op : block)
      if (!waiting.contains(&op))
        stay.push_back(&op);
    unsigned numMoved = 0;
    // Marks of variables must not change the code: they go with the value.
    for (Operation *op : stay)
      if (!isa<LLVM::DbgValueOp>(op))
        numMoved += placeOperands(op);
    return numMoved;
  }

private:
  bool canSink(Operation *op) const;
  unsigned placeOperands(Operation *user);

  Block &block;
  function_ref<bool(Operation *)> mayMove;
  /// Whether there is a loop in front of what is asked about.
  bool isBehindLoop = false;
  /// Those that have no place yet.
  llvm::SmallPtrSet<Operation *, 32> waiting;
};

bool Sinker::canSink(Operation *op) const {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      (isa<DpasOp>(op) && !(isBehindLoop && isShortProduct(op))) ||
      isa<LLVM::AllocaOp>(op) || !isa<VectorType>(op->getResult(0).getType()))
    return false;
  bool isPure =
      isa<LLVM::CallOp>(op) ? leavesMemoryAlone(op) : isMemoryEffectFree(op);
  if (!isPure ||
      llvm::all_of(op->getUsers(), llvm::IsaPred<LLVM::DbgValueOp>) ||
      !llvm::all_of(op->getUsers(), [&](Operation *user) {
        return user->getBlock() == &block;
      }))
    return false;
  // Factors are those of a row or a column of products.
  if (isa<DpasOp>(op))
    return true;
  // Whoever else uses the operands may be placed late, too.
  int64_t kept = 0;
  SmallVector<Value, 4> operands;
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    bool isConstant = producer && producer->hasTrait<OpTrait::ConstantLike>();
    if (isConstant || llvm::is_contained(operands, operand))
      continue;
    operands.push_back(operand);
    kept += getBits(operand.getType());
  }
  return kept <= getBits(op->getResult(0).getType());
}

/// Places what `user` needs, and what that needs, in front of it.
unsigned Sinker::placeOperands(Operation *user) {
  unsigned numMoved = 0;
  // All operands move or none does, since each comes before its own users.
  std::optional<bool> moves;
  // What is open, and how many of its operands have been looked at.
  SmallVector<std::pair<Operation *, unsigned>> open = {{user, 0}};
  while (!open.empty()) {
    auto &[op, next] = open.back();
    if (next < op->getNumOperands()) {
      Operation *producer = op->getOperand(next++).getDefiningOp();
      if (producer && waiting.erase(producer))
        open.emplace_back(producer, 0);
      continue;
    }
    bool isInPlace = op == user || op->getNextNode() == user;
    if (!isInPlace && !moves)
      moves = mayMove(user);
    if (!isInPlace && *moves) {
      op->moveBefore(user);
      for (Operation *mark : llvm::make_early_inc_range(op->getUsers()))
        if (isa<LLVM::DbgValueOp>(mark))
          mark->moveAfter(op);
      ++numMoved;
    }
    open.pop_back();
  }
  return numMoved;
}

class ShortenLiveRangesPass
    : public gpu::intel::impl::TritonIntelGPUShortenLiveRangesBase<
          ShortenLiveRangesPass> {
public:
  void runOnOperation() override {
    int64_t sharedBits = gpu::intel::getTargetDesc(getOperation())
                             .getCompiler()
                             .sharedBitsInFlight;
    auto mayMove = [&](Operation *op) { return mayRewrite(op); };
    getOperation().walk([&](Block *block) {
      numMoved += Sinker(*block, mayMove).run();
      {
        // From the end, so that loads with the same first use keep their order.
        ProgramOrder order(*block);
        NearLoads loads(*block, order, sharedBits);
        for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
          if (loads.contains(&op) && mayMove(&op))
            numMoved += sinkLoad(&op, order);
      }
      // In program order, so that a chain of operations moves as a whole.
      numMoved += Hoister(*block, mayMove).run();
      numMoved += sinkPrefetches(*block);
    });
  }

private:
  /// To the first product; returns how many were moved. They cross nothing that
  /// a load must not cross, such as the clock's readings.
  unsigned sinkPrefetches(Block &block) {
    SmallVector<Operation *> prefetches;
    for (Operation &op : block) {
      if (isa<BlockPrefetchOp>(op))
        prefetches.push_back(&op);
      else if (!leavesMemoryAlone(&op))
        prefetches.clear();
      if (!isa<DpasOp>(op))
        continue;
      unsigned count = 0;
      for (Operation *prefetch : prefetches)
        if (mayRewrite(prefetch)) {
          prefetch->moveBefore(&op);
          ++count;
        }
      return count;
    }
    return 0;
  }
};

} // namespace
