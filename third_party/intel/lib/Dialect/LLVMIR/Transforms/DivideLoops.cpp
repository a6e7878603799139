//===- DivideLoops.cpp - One loop for each half of independent rows -------===//
// SPDX-License-Identifier: MIT
//
// The rows of attention, and those of a product, do not need each other in any
// iteration. If a loop's sums and products have no room in the registers, a
// loop for half of the rows and another for the rest compute the same numbers,
// and each keeps only its own sums. Both load the operands that all rows share.
//
// A chain of such loops, such as one over a cache and one over new tokens, is
// executed for the first rows before it begins for the others: at most one
// loop's results are live in the loops of the other rows.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-divide-loops"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "Schedule/InvariantLoads.h"
#include "Schedule/ListScheduler.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUDIVIDELOOPS
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// The operations of a loop's body, and the values that it carries, that need
/// products, in two halves that do not need each other. All others belong to
/// both halves.
struct Halves {
  llvm::DenseMap<Operation *, unsigned> operations;
  llvm::DenseMap<unsigned, unsigned> carried;

  bool isIn(Operation *op, unsigned half) const {
    auto found = operations.find(op);
    return found == operations.end() || found->second == half;
  }
  bool isIn(unsigned number, unsigned half) const {
    auto found = carried.find(number);
    return found == carried.end() || found->second == half;
  }
};

/// Two loops that have replaced one.
struct DividedLoop {
  scf::ForOp first, second;
};

} // namespace

/// Returns the values that an operation and those in its regions use.
static SmallVector<Value> getUsedValues(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  for (Region &region : op->getRegions()) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(region, captured);
    llvm::append_range(values, captured);
  }
  return values;
}

/// Returns whether an operation can be executed twice: it reads memory at most,
/// which a loop without stores to it does not change, or writes to shared
/// memory what all rows read.
static bool isRepeatable(Operation *op, bool needsProduct) {
  bool isFound = true;
  op->walk([&](Operation *nested) {
    if (nested->getNumRegions() != 0)
      return;
    unsigned fenced = getFencedMemory(nested);
    bool isStore = isa<LLVM::StoreOp>(nested);
    if (nested->hasTrait<mlir::OpTrait::IsTerminator>() || isa<DpasOp>(nested))
      return;
    isFound &= fenced == Shared ? !needsProduct : fenced == None && !isStore;
  });
  return isFound;
}

/// Returns the halves of a loop; none if its operations have effects that may
/// depend on the order of rows, or if all rows need each other.
static std::optional<Halves> findHalves(scf::ForOp loop) {
  Block *body = loop.getBody();
  SmallVector<Operation *> operations;
  llvm::DenseMap<Value, unsigned> numbers;
  for (Operation &op : body->without_terminator()) {
    // Marks of variables must not change the code.
    if (isa<LLVM::DbgValueOp>(op))
      continue;
    for (Value result : op.getResults())
      numbers[result] = operations.size();
    operations.push_back(&op);
  }
  size_t numOperations = operations.size(), numCarried = loop.getNumResults();
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    numbers[argument] = numOperations + index;
  // The numbers of what each operation uses, then of what each carried value
  // is in the next iteration.
  SmallVector<SmallVector<unsigned>> used(numOperations + numCarried);
  auto use = [&](unsigned user, Value value) {
    if (auto found = numbers.find(value); found != numbers.end())
      used[user].push_back(found->second);
  };
  for (auto [number, op] : llvm::enumerate(operations))
    for (Value value : getUsedValues(op))
      use(number, value);
  for (auto [index, value] :
       llvm::enumerate(body->getTerminator()->getOperands()))
    use(numOperations + index, value);

  llvm::SmallBitVector needsProduct(used.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned number : llvm::seq<unsigned>(0, used.size())) {
      if (needsProduct.test(number))
        continue;
      bool isProduct =
          number < numOperations &&
          operations[number]
              ->walk([](DpasOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      if (isProduct || llvm::any_of(used[number], [&](unsigned other) {
            return needsProduct.test(other);
          })) {
        needsProduct.set(number);
        changed = true;
      }
    }
  }
  for (auto [number, op] : llvm::enumerate(operations))
    if (!isRepeatable(op, needsProduct.test(number)))
      return std::nullopt;

  llvm::IntEqClasses classes(used.size());
  for (unsigned number : llvm::seq<unsigned>(0, used.size()))
    for (unsigned other : used[number])
      if (needsProduct.test(number) && needsProduct.test(other))
        classes.join(number, other);
  // In the order of their first operations, those with results alone.
  llvm::MapVector<unsigned, unsigned> order;
  for (unsigned number : llvm::seq<unsigned>(0, numOperations))
    if (needsProduct.test(number))
      order.insert({classes.findLeader(number), order.size()});
  if (order.size() < 2)
    return std::nullopt;
  Halves halves;
  llvm::SmallBitVector isCarried(2);
  for (unsigned number : needsProduct.set_bits()) {
    unsigned half = order.lookup(classes.findLeader(number)) * 2 / order.size();
    if (number < numOperations) {
      halves.operations[operations[number]] = half;
    } else {
      halves.carried[number - numOperations] = half;
      isCarried.set(half);
    }
  }
  if (!isCarried.all())
    return std::nullopt;
  return halves;
}

/// Creates the loop of a half before `loop`, and lets the half's results be
/// used instead.
static scf::ForOp createHalf(scf::ForOp loop, const Halves &halves,
                             unsigned half) {
  SmallVector<unsigned> kept;
  SmallVector<Value> inits;
  for (unsigned index : llvm::seq<unsigned>(0, loop.getNumResults()))
    if (halves.isIn(index, half)) {
      kept.push_back(index);
      inits.push_back(loop.getInits()[index]);
    }
  OpBuilder builder(loop);
  auto created =
      scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits);
  created->setAttrs(loop->getAttrs());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), created.getInductionVar());
  for (auto [index, argument] : llvm::zip(kept, created.getRegionIterArgs()))
    mapping.map(loop.getRegionIterArgs()[index], argument);
  if (!created.getBody()->empty())
    created.getBody()->getTerminator()->erase();
  builder.setInsertionPointToStart(created.getBody());
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto mark = dyn_cast<LLVM::DbgValueOp>(op);
    bool isKept = mark ? mapping.contains(mark.getValue()) ||
                             mark.getValue().getParentBlock() != loop.getBody()
                       : halves.isIn(&op, half);
    if (isKept)
      builder.clone(op, mapping);
  }
  SmallVector<Value> yielded;
  Operation *yield = loop.getBody()->getTerminator();
  for (unsigned index : kept)
    yielded.push_back(mapping.lookupOrDefault(yield->getOperand(index)));
  scf::YieldOp::create(builder, yield->getLoc(), yielded);
  // The loads of the other half are dead.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*created.getBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (auto [index, result] : llvm::zip(kept, created.getResults()))
    loop.getResult(index).replaceAllUsesWith(result);
  return created;
}

/// Returns whether an operation, or one of those in it, accesses shared memory
/// or waits for others that do.
static bool accessesShared(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        bool accesses =
            nested->getNumRegions() == 0 &&
            ((getFencedMemory(nested) | getNearMemory(nested)) & Shared);
        return accesses ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Executes `loop`, the first half of a divided loop, before `earlier`, the
/// second half of one that comes before it, with the operations in between that
/// it needs, if that does not depend on `earlier`.
static void moveBefore(scf::ForOp loop, scf::ForOp earlier) {
  llvm::SetVector<Operation *> moved;
  // The prefetches in between are those of the loop's first iteration.
  SmallVector<Operation *> pending = {loop};
  bool crossesShared = accessesShared(earlier);
  for (Operation *op = earlier->getNextNode(); op != loop;
       op = op->getNextNode())
    if (isa<BlockPrefetchOp>(op))
      pending.push_back(op);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!moved.insert(op))
      continue;
    for (Value value : getUsedValues(op)) {
      Operation *producer = value.getDefiningOp();
      producer = producer
                     ? earlier->getBlock()->findAncestorOpInBlock(*producer)
                     : nullptr;
      if (producer == earlier)
        return;
      if (producer && earlier->isBeforeInBlock(producer))
        pending.push_back(producer);
    }
  }
  SmallVector<Operation *> order;
  for (Operation *op = earlier->getNextNode();; op = op->getNextNode()) {
    bool isMoved = moved.contains(op);
    if (isMoved)
      order.push_back(op);
    else
      crossesShared |= accessesShared(op);
    // Neither what is moved nor what it crosses may write to global memory.
    bool isOrdered = (getFencedMemory(op) & Global) ||
                     (isMoved && accessesShared(op) && crossesShared);
    if (isOrdered)
      return;
    if (op == loop)
      break;
  }
  for (Operation *op : order)
    op->moveBefore(earlier);
}

/// Returns the value that a constant is added to, and the constant.
static std::pair<Value, int64_t> splitOffset(Value value) {
  int64_t offset = 0;
  APInt number;
  while (auto add = value.getDefiningOp<arith::AddIOp>()) {
    if (!matchPattern(add.getRhs(), m_ConstantInt(&number)))
      break;
    offset += number.getSExtValue();
    value = add.getLhs();
  }
  return {value, offset};
}

/// Returns whether blocks of `size` elements from two coordinates on have none
/// in common. Elements from `limit` on are not written.
static bool areApart(Value left, Value right, int64_t size, Value limit) {
  auto [base, offset] = splitOffset(left);
  auto [otherBase, otherOffset] = splitOffset(right);
  if (base == otherBase)
    return std::abs(offset - otherOffset) >= size;
  auto choice = left.getDefiningOp<arith::SelectOp>();
  auto otherChoice = right.getDefiningOp<arith::SelectOp>();
  return choice && otherChoice &&
         choice.getCondition() == otherChoice.getCondition() &&
         choice.getFalseValue() == limit &&
         otherChoice.getFalseValue() == limit &&
         areApart(choice.getTrueValue(), otherChoice.getTrueValue(), size,
                  limit);
}

/// Returns whether two messages write to no element in common.
static bool areApart(BlockStoreOp left, BlockStoreOp right) {
  auto surface = left.getSurface().getDefiningOp<MakeSurfaceOp>();
  return surface && left.getSurface() == right.getSurface() &&
         left.getRows() == right.getRows() &&
         left.getColumns() == right.getColumns() &&
         (areApart(left.getX(), right.getX(), left.getColumns(), nullptr) ||
          areApart(left.getY(), right.getY(), left.getRows(),
                   surface.getHeight()));
}

/// Executes before the first of the second halves what needs only first halves:
/// computations, whose results often take fewer registers than the sums, and
/// stores of blocks that nothing in between reads or overwrites.
static void moveUsers(ArrayRef<DividedLoop> divided, MemoryOrder &memory) {
  Operation *place = divided.front().second;
  llvm::DenseSet<Operation *> needsFirst;
  for (const DividedLoop &loop : divided) {
    if (loop.second->isBeforeInBlock(place))
      place = loop.second;
    needsFirst.insert(loop.first);
  }
  // Each operation with the ones in this list that it needs.
  llvm::MapVector<Operation *, SmallVector<Operation *>> movable;
  // Moved stores cross these.
  SmallVector<Operation *> loads;
  SmallVector<BlockStoreOp> stores;
  bool areStoresMovable = true;
  for (Operation *op = place; op; op = op->getNextNode()) {
    SmallVector<Operation *> producers;
    bool isAvailable = op != place;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || producer->getBlock() != place->getBlock())
        continue;
      if (needsFirst.contains(producer))
        needsFirst.insert(op);
      if (movable.contains(producer))
        producers.push_back(producer);
      else
        isAvailable &= producer->isBeforeInBlock(place);
    }
    if (isAvailable && (isComputation(op) || isa<MakeSurfaceOp>(op))) {
      movable.insert({op, std::move(producers)});
      continue;
    }
    auto store = dyn_cast<BlockStoreOp>(op);
    if (isAvailable && store && areStoresMovable && needsFirst.contains(op)) {
      Fence fence = memory.getFence(op);
      if (llvm::all_of(
              stores,
              [&](BlockStoreOp other) { return areApart(store, other); }) &&
          llvm::none_of(loads, [&](Operation *load) {
            return memory.mustNotCross(load, fence);
          })) {
        movable.insert({op, std::move(producers)});
        continue;
      }
    }
    if (store)
      stores.push_back(store);
    else
      op->walk([&](Operation *nested) {
        if (nested->getNumRegions() != 0)
          return;
        auto load = dyn_cast<LLVM::LoadOp>(nested);
        if (getFencedMemory(nested) & Global)
          areStoresMovable = false;
        else if (load || getNearMemory(nested))
          loads.push_back(nested);
      });
  }
  llvm::DenseSet<Operation *> needed;
  for (auto &[op, producers] : llvm::reverse(movable))
    if (needsFirst.contains(op) || needed.contains(op)) {
      needed.insert(op);
      needed.insert_range(producers);
    }
  for (auto &[op, producers] : movable)
    if (needed.contains(op))
      op->moveBefore(place);
}

namespace {

/// Divides loops without room; see the head of the file.
class DivideLoopsPass
    : public gpu::intel::impl::TritonIntelGPUDivideLoopsBase<DivideLoopsPass> {
public:
  using TritonIntelGPUDivideLoopsBase::TritonIntelGPUDivideLoopsBase;

  void runOnOperation() override {
    TargetDesc target = getTargetDesc(getOperation());
    int64_t numRegisters = getRegistersPerThread(getOperation());
    // More registers are better than more messages.
    if (target.canHaveMoreRegisters(
            numRegisters, TritonGPUDialect::getNumWarps(getOperation())))
      return;
    // The device compiler needs some of the registers itself.
    const CompilerProfile &compiler = target.getCompiler();
    registerBytes = target.getBlockIOLimits().registerBytes;
    maxLive = (numRegisters - compiler.spareRegisters) * registerBytes;
    accumulators = compiler.accumulatorsInFlight;
    lanes = TritonGPUDialect::getThreadsPerWarp(getOperation());
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      SmallVector<Block *> blocks;
      function.walk([&](scf::ForOp loop) {
        if (!llvm::is_contained(blocks, loop->getBlock()))
          blocks.push_back(loop->getBlock());
      });
      for (Block *block : blocks)
        divideLoops(*block, function);
    }
  }

private:
  /// Divides the loops of a block, and their halves, until they have room.
  void divideLoops(Block &block, LLVM::LLVMFuncOp function) {
    for (;;) {
      SmallVector<std::pair<scf::ForOp, Halves>> found;
      for (auto loop : block.getOps<scf::ForOp>())
        if (std::optional<Halves> halves = findHalves(loop))
          found.emplace_back(loop, std::move(*halves));
      if (found.empty())
        return;
      // The model of registers does not know new loops: they come after all
      // decisions.
      FragmentRegisters registers(function, lanes);
      MemoryOrder memory(function);
      llvm::erase_if(found, [&](const auto &candidate) {
        auto &[loop, halves] = candidate;
        return hasRoom(loop, halves, registers, memory) ||
               repeatsMost(loop, halves, registers) || !mayRewrite(loop);
      });
      SmallVector<DividedLoop> divided;
      for (auto &[loop, halves] : found) {
        remark::passed(
            loop.getLoc(),
            remark::RemarkOpts::name("divided").category(getArgument()))
            << remark::reason("executed for half of the rows, then for the "
                              "others: registers have no room for all sums");
        LDBG() << "divided: " << loop.getLoc();
        scf::ForOp first = createHalf(loop, halves, 0);
        divided.push_back({first, createHalf(loop, halves, 1)});
        loop->erase();
        ++numDivided;
      }
      if (divided.empty())
        return;
      for (size_t later = 1; later < divided.size(); ++later)
        for (const DividedLoop &earlier :
             llvm::reverse(ArrayRef(divided).take_front(later)))
          if (earlier.second->isBeforeInBlock(divided[later].first))
            moveBefore(divided[later].first, earlier.second);
      moveUsers(divided, memory);
    }
  }

  /// Returns whether most of the registers that a loop writes are written for
  /// both halves. A message counts as one, since it takes one instruction.
  bool repeatsMost(scf::ForOp loop, const Halves &halves,
                   const FragmentRegisters &registers) const {
    int64_t shared = 0, others = 0;
    for (Operation &op : loop.getBody()->without_terminator()) {
      int64_t &written = halves.operations.contains(&op) ? others : shared;
      op.walk([&](Operation *nested) {
        if (!isComputation(nested) && !isa<DpasOp>(nested)) {
          ++written;
          return;
        }
        // A part of another value is in its registers.
        for (Value result : nested->getResults())
          if (FragmentRegisters::getOwner(result) == result)
            written +=
                llvm::divideCeil(registers.getBytes(result), registerBytes);
      });
    }
    LDBG() << shared << " registers are written for both halves, " << others
           << " for one";
    return shared > others;
  }

  /// Returns whether registers have room for a loop's sums and products, and
  /// for the values from outside, except for blocks that each iteration can
  /// load again. Messages and computations without products can wait.
  bool hasRoom(scf::ForOp loop, const Halves &halves,
               FragmentRegisters &registers, MemoryOrder &memory) const {
    BlockLiveness liveness(*loop.getBody(), registers);
    std::optional<int64_t> least;
    for (ScheduleChoice choice :
         {ScheduleChoice{accumulators}, ScheduleChoice{accumulators, true},
          ScheduleChoice{accumulators / 2}}) {
      SmallVector<unsigned> order =
          scheduleBlock(liveness, registers, memory, choice);
      auto isCounted = [&](const BlockLiveness::Range &range) {
        Operation *maker = range.value.getDefiningOp();
        return range.isInitial || (maker && halves.operations.contains(maker));
      };
      SmallVector<int64_t> pressure = liveness.getPressure(order, isCounted);
      auto *peak = llvm::max_element(pressure);
      int64_t bytes = *peak;
      for (BlockLoadOp load :
           findReloadable(*loop.getBody(), liveness, order,
                          peak - pressure.begin(), memory, *peak))
        bytes -= registers.getBytes(load);
      least = std::min(least.value_or(bytes), bytes);
    }
    LDBG() << *least << " bytes of sums, products and values from outside, of "
           << maxLive << ", at " << loop.getLoc();
    return *least <= maxLive;
  }

  /// The bytes of registers that sums, products and values from outside may
  /// take.
  int64_t maxLive = 0;
  int64_t registerBytes = 0;
  unsigned accumulators = 0;
  int64_t lanes = 0;
};

} // namespace
