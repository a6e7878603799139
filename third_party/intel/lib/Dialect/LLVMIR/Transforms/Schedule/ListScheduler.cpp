//===- ListScheduler.cpp - An order with short live ranges ----------------===//
// SPDX-License-Identifier: MIT

#include "ListScheduler.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <queue>

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// Instructions of the systolic array
//===----------------------------------------------------------------------===//

/// The program of a block in which instructions of the systolic array are
/// grouped by the columns of their results.
///
/// An accumulator is a chain of instructions, each of which adds to the result
/// of the one before. A dot has one per part of its result, and its lowering
/// emits them in turn, so that consecutive instructions do not wait for each
/// other and each part of the operands is needed once. If all chains begin with
/// zero, and the left operand is in registers anyway, a few of them are
/// finished before the next begin.
class ProductOrder {
public:
  ProductOrder(const BlockLiveness &liveness, ScheduleChoice choice)
      : liveness(liveness), choice(choice) {}

  /// Returns the numbers of all operations.
  SmallVector<unsigned> getProgram();

private:
  /// Appends the instructions of one or more dots: none needs the result of
  /// another, and nothing with effects separates them.
  void appendProducts(ArrayRef<unsigned> products);
  /// Appends the same instructions so that those that need the same loads are
  /// adjacent.
  void appendByLoads(ArrayRef<unsigned> products);
  /// Returns the loads that the operands of an operation are computed from.
  SmallVector<unsigned> getLoads(unsigned user) const;
  /// Returns the value by which an instruction is in a column: its right
  /// operand, or a load that brings parts of the right operands of several.
  Value getColumn(unsigned product) const;
  /// Returns whether an operation needs the result of one that has no place in
  /// the program yet.
  bool needsPending(unsigned number,
                    const llvm::DenseSet<unsigned> &pending) const;
  /// Returns whether each part of a left operand is loaded, or computed from
  /// what is: it can come when an instruction needs it.
  bool comesInParts(Value left);
  DpasOp getProduct(unsigned number) const {
    return cast<DpasOp>(liveness.getNodes()[number].op);
  }

  const BlockLiveness &liveness;
  ScheduleChoice choice;
  SmallVector<unsigned> program;
};

bool ProductOrder::comesInParts(Value left) {
  // Backwards through computations, to loads and to other operations.
  SmallVector<Value> open = {left};
  llvm::DenseSet<Value> seen;
  bool isLoaded = false;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || !isa<VectorType>(value.getType()))
      continue;
    if (isa<BlockLoadOp, xevm::BlockLoadOp, LLVM::LoadOp>(op)) {
      isLoaded |= getNearMemory(op) != Shared;
      continue;
    }
    // The results of other operations are in registers as a whole.
    if (!isComputation(op))
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return isLoaded;
}

SmallVector<unsigned> ProductOrder::getLoads(unsigned user) const {
  ArrayRef<BlockLiveness::Node> nodes = liveness.getNodes();
  SmallVector<unsigned> open(ArrayRef(nodes[user].producers)), loads;
  llvm::DenseSet<unsigned> seen;
  while (!open.empty()) {
    unsigned number = open.pop_back_val();
    if (!seen.insert(number).second)
      continue;
    if (getNearMemory(nodes[number].op) != None)
      loads.push_back(number);
    else if (isComputation(nodes[number].op))
      llvm::append_range(open, nodes[number].producers);
  }
  return loads;
}

Value ProductOrder::getColumn(unsigned product) const {
  DpasOp op = getProduct(product);
  Operation *right = op.getB().getDefiningOp();
  if (!choice.sharesLoads || !right || right->getBlock() != op->getBlock())
    return op.getB();
  SmallVector<unsigned> loads = getLoads(liveness.getNumber(right));
  if (loads.empty())
    return op.getB();
  return liveness.getNodes()[*llvm::min_element(loads)].op->getResult(0);
}

void ProductOrder::appendByLoads(ArrayRef<unsigned> products) {
  // The instructions that wait for a load, or for the one that they add to.
  llvm::DenseMap<unsigned, SmallVector<unsigned>> waiting;
  llvm::DenseMap<unsigned, size_t> missing;
  llvm::DenseSet<unsigned> available;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<unsigned, SmallVector<unsigned>> loads;
  for (unsigned number : products) {
    loads[number] = getLoads(number);
    missing[number] = loads[number].size();
    for (unsigned load : loads[number])
      waiting[load].push_back(number);
    auto before = numbers.find(getProduct(number).getC().getDefiningOp());
    if (before != numbers.end()) {
      ++missing[number];
      waiting[before->second].push_back(number);
    }
    numbers[getProduct(number)] = number;
  }
  // Instructions that wait for nothing are next, in the order of the program.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<unsigned>>
      ready;
  auto provide = [&](unsigned number) {
    if (available.insert(number).second)
      for (unsigned user : waiting[number])
        if (--missing[user] == 0)
          ready.push(user);
  };
  // An instruction adds to one before it, which has a place by then: it is the
  // next if it has none, and its loads are available.
  for (unsigned number : products) {
    for (unsigned load : loads[number])
      if (!available.contains(number))
        provide(load);
    if (missing[number] == 0 && !available.contains(number))
      ready.push(number);
    while (!ready.empty()) {
      unsigned next = ready.top();
      ready.pop();
      if (available.contains(next))
        continue;
      program.push_back(next);
      provide(next);
    }
  }
}

void ProductOrder::appendProducts(ArrayRef<unsigned> products) {
  if (choice.followsLoads)
    return appendByLoads(products);
  // Chains by the column of their first instruction: all parts of a column have
  // the same right operand.
  llvm::MapVector<Value, SmallVector<SmallVector<unsigned>>> columns;
  llvm::DenseMap<Value, std::pair<Value, size_t>> chains;
  for (unsigned number : products) {
    DpasOp product = getProduct(number);
    auto chain = chains.find(product.getC());
    std::pair<Value, size_t> place;
    if (chain != chains.end()) {
      place = chain->second;
    } else {
      if (!choice.groupsAlways &&
          (!matchPattern(product.getC(), m_Constant()) ||
           comesInParts(product.getA()))) {
        llvm::append_range(program, products);
        return;
      }
      Value column = getColumn(number);
      place = {column, columns[column].size()};
      columns[column].emplace_back();
    }
    columns[place.first][place.second].push_back(number);
    chains[product.getResult()] = place;
  }
  SmallVector<SmallVector<unsigned>> group;
  auto appendGroup = [&] {
    for (size_t step = 0; !group.empty(); ++step) {
      llvm::erase_if(group, [&](ArrayRef<unsigned> chain) {
        return chain.size() <= step;
      });
      for (ArrayRef<unsigned> chain : group)
        program.push_back(chain[step]);
    }
  };
  for (auto &[column, members] : columns) {
    if (group.size() + members.size() > choice.accumulators)
      appendGroup();
    for (SmallVector<unsigned> &chain : members) {
      if (choice.dividesColumns && group.size() == choice.accumulators)
        appendGroup();
      group.push_back(std::move(chain));
    }
  }
  appendGroup();
}

bool ProductOrder::needsPending(unsigned number,
                                const llvm::DenseSet<unsigned> &pending) const {
  const BlockLiveness::Node &node = liveness.getNodes()[number];
  auto product = dyn_cast<DpasOp>(node.op);
  return llvm::any_of(node.producers, [&](unsigned producer) {
    Operation *maker = liveness.getNodes()[producer].op;
    // An instruction goes on with the chain of the one before.
    bool goesOn = product && isa<DpasOp>(maker) &&
                  product.getC().getDefiningOp() == maker;
    return pending.contains(producer) && !goesOn;
  });
}

SmallVector<unsigned> ProductOrder::getProgram() {
  // These have no place yet: instructions, and operations that come after them,
  // which need their results or have them before in the program.
  SmallVector<unsigned> products, waiting;
  llvm::DenseSet<unsigned> pending;
  auto flush = [&] {
    appendProducts(products);
    llvm::append_range(program, waiting);
    products.clear();
    waiting.clear();
    pending.clear();
  };
  for (auto [number, node] : llvm::enumerate(liveness.getNodes())) {
    bool isProduct = isa<DpasOp>(node.op);
    bool isFixed = !isProduct && !isComputation(node.op) &&
                   !getNearMemory(node.op) && !isa<BlockPrefetchOp>(node.op);
    bool isNeedy = needsPending(number, pending);
    if (isFixed || (isProduct && isNeedy))
      flush();
    if (isProduct) {
      products.push_back(number);
      pending.insert(number);
    } else if (isNeedy && !isFixed) {
      waiting.push_back(number);
      pending.insert(number);
    } else if (choice.hasLateComputations && !products.empty() &&
               isComputation(node.op)) {
      waiting.push_back(number);
    } else {
      program.push_back(number);
    }
  }
  flush();
  return std::move(program);
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

/// Finds an order for the operations of a block in which fewer registers are
/// live.
class ListScheduler {
public:
  ListScheduler(const BlockLiveness &liveness,
                const FragmentRegisters &registers, MemoryOrder &memory,
                ScheduleChoice choice)
      : liveness(liveness), registers(registers), memory(memory),
        choice(choice) {}

  SmallVector<unsigned> run();

private:
  enum class Kind {
    /// It stays in the order of the program. A block store is executed as soon
    /// as its value is available.
    Fixed,
    /// It takes more than it makes: it is executed as early as its operands
    /// allow, and no later than in the program. Where loads are late, it waits
    /// for those that it needs.
    Eager,
    /// Its results take the registers of its operands, or more: it is executed
    /// late, or as soon as it needs no register more.
    Lazy,
    /// A load of short latency: it is executed late, but never after an
    /// operation that it must not cross.
    Load,
    /// A prefetch comes before the next instruction of the systolic array, and
    /// after its loads: this iteration waits for these, which are sent first.
    Prefetch,
  };

  Kind classify(unsigned number) const;
  /// Lets addresses that only ordinary loads need wait for these, and what is
  /// computed of the results for its users. Each lane has its own address, so
  /// that it takes registers.
  void delayOrdinaryLoads();
  /// Fills in what is known of each operation and range at the beginning.
  void prepare();
  /// Returns whether only the end of the block needs what a load brings, or
  /// what is computed of that and of constants alone.
  bool isForEnd(unsigned load) const;
  /// Returns whether an operation needs a load that has not been emitted.
  bool needsLoad(unsigned number) const;
  /// Emits the producers of an operation, and then the operation.
  void require(unsigned number);
  /// Appends an operation whose producers have been emitted to the order.
  void emit(unsigned number);
  /// Emits the operations that have become free, in program order.
  void emitFree();
  /// Returns whether an operation can be executed now without a register more.
  bool isFree(unsigned number) const;
  /// Emits an operation that stays in the program's order, with everything that
  /// has to come before it.
  void emitFixed(unsigned number);
  /// Returns whether the value of a store is available, which has a place in
  /// the program, and no load before it is left that it must not cross.
  bool isReady(BlockStoreOp store, size_t place) const;
  /// Emits the stores that are next among the operations that stay in order, as
  /// far as they are ready.
  void emitStores();
  /// Emits the loads that the program has before `fence` and that must not
  /// cross it.
  void emitLoadsBefore(unsigned fence);
  void emitPrefetches();
  /// Emits the loads of blocks that can come first.
  void emitEarlyLoads();
  /// Returns whether nothing but computations leads to an operation.
  bool isComputed(unsigned number) const;
  const BlockLiveness::Node &getNode(unsigned number) const {
    return liveness.getNodes()[number];
  }

  const BlockLiveness &liveness;
  const FragmentRegisters &registers;
  MemoryOrder &memory;
  ScheduleChoice choice;

  SmallVector<Kind> kinds;
  /// The loads that must not cross an operation, by its number.
  SmallVector<Fence> fences;
  SmallVector<bool> isEmitted;
  /// The flag of an operation is set if it needed a load that had not been
  /// emitted, directly or not, when the program came to it.
  SmallVector<bool> neededLoad;
  /// The number of an operation's producers that have not been emitted.
  SmallVector<unsigned> missing;
  /// The number of a range's users that have not been emitted.
  SmallVector<unsigned> remaining;
  /// Loads and prefetches that the program has come past.
  SmallVector<unsigned> loads, prefetches;
  /// Holds the operations in the order of the program. The operations before
  /// `next` that stay in that order have been emitted.
  SmallVector<unsigned> program;
  size_t next = 0;
  /// Operations that may have become free.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<unsigned>>
      candidates;
  SmallVector<unsigned> order;
};

ListScheduler::Kind ListScheduler::classify(unsigned number) const {
  Operation *op = getNode(number).op;
  // A load for the next iteration has all of this one to arrive.
  if (getNearMemory(op))
    return isForEnd(number) ? Kind::Fixed : Kind::Load;
  if (isa<BlockPrefetchOp>(op))
    return Kind::Prefetch;
  if (!isComputation(op))
    return Kind::Fixed;
  // A part of another result takes no registers.
  if (getNode(number).writes.empty())
    return Kind::Lazy;
  int64_t takes = 0, makes = 0;
  SmallVector<Value, 4> operands;
  for (Value operand : op->getOperands())
    if (!llvm::is_contained(operands, operand)) {
      operands.push_back(operand);
      takes += registers.getBytes(operand);
    }
  for (Value result : op->getResults())
    makes += registers.getBytes(result);
  // Constants and conditions take no registers wherever they are.
  return makes != 0 && makes >= takes ? Kind::Lazy : Kind::Eager;
}

bool ListScheduler::isForEnd(unsigned load) const {
  llvm::SmallSetVector<Operation *, 8> parts;
  parts.insert(getNode(load).op);
  auto isPartOrConstant = [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && (parts.contains(producer) ||
                        producer->hasTrait<mlir::OpTrait::ConstantLike>());
  };
  for (unsigned index = 0; index < parts.size(); ++index)
    for (Operation *user : parts[index]->getUsers()) {
      if (user->hasTrait<mlir::OpTrait::IsTerminator>() ||
          isa<LLVM::DbgValueOp>(user))
        continue;
      if (!isComputation(user) ||
          !llvm::all_of(user->getOperands(), isPartOrConstant))
        return false;
      parts.insert(user);
    }
  return true;
}

void ListScheduler::delayOrdinaryLoads() {
  auto isLoad = [&](unsigned number) {
    return kinds[number] == Kind::Load && isOrdinaryLoad(getNode(number).op);
  };
  auto delay = [&](unsigned number) {
    if (kinds[number] == Kind::Eager)
      kinds[number] = Kind::Lazy;
    return kinds[number] == Kind::Lazy;
  };
  SmallVector<bool> isBefore(kinds.size(), false), isAfter = isBefore;
  for (unsigned number = kinds.size(); number-- != 0;) {
    ArrayRef<unsigned> consumers = getNode(number).consumers;
    bool isOnlyFor =
        !consumers.empty() && llvm::all_of(consumers, [&](unsigned consumer) {
          return isBefore[consumer];
        });
    isBefore[number] = isLoad(number) || (isOnlyFor && delay(number));
  }
  for (unsigned number = 0; number != kinds.size(); ++number) {
    bool isOf = llvm::any_of(getNode(number).producers, [&](unsigned producer) {
      return isAfter[producer];
    });
    isAfter[number] = isLoad(number) || (isOf && delay(number));
  }
}

void ListScheduler::prepare() {
  ArrayRef<BlockLiveness::Node> nodes = liveness.getNodes();
  for (unsigned number = 0; number < nodes.size(); ++number) {
    kinds.push_back(classify(number));
    fences.push_back(memory.getFence(nodes[number].op));
    missing.push_back(nodes[number].producers.size());
  }
  delayOrdinaryLoads();
  // A prefetch does not cross what a load must not cross, nor a loop.
  bool isProductNext = false;
  for (unsigned number = nodes.size(); number-- != 0;) {
    if (isa<DpasOp>(nodes[number].op))
      isProductNext = true;
    else if ((fences[number].getMemory() & Global) ||
             nodes[number].op->getNumRegions() != 0)
      isProductNext = false;
    else if (kinds[number] == Kind::Prefetch && !isProductNext)
      kinds[number] = Kind::Fixed;
  }
  isEmitted.assign(nodes.size(), false);
  neededLoad.assign(nodes.size(), false);
  for (const BlockLiveness::Range &range : liveness.getRanges())
    remaining.push_back(range.users.size());
}

bool ListScheduler::isFree(unsigned number) const {
  if (isEmitted[number] || missing[number] != 0 ||
      (kinds[number] != Kind::Eager && kinds[number] != Kind::Lazy))
    return false;
  const BlockLiveness::Node &node = getNode(number);
  int64_t change = 0;
  for (unsigned write : node.writes)
    change += liveness.getRanges()[write].bytes;
  for (unsigned read : node.reads)
    if (remaining[read] == 1 && !liveness.getRanges()[read].staysAlive)
      change -= liveness.getRanges()[read].bytes;
  return change <= 0 && !node.reads.empty();
}

void ListScheduler::emit(unsigned number) {
  isEmitted[number] = true;
  order.push_back(number);
  const BlockLiveness::Node &node = getNode(number);
  for (unsigned consumer : node.consumers)
    if (--missing[consumer] == 0)
      candidates.push(consumer);
  for (unsigned read : node.reads)
    if (--remaining[read] == 1)
      for (unsigned user : liveness.getRanges()[read].users)
        if (!isEmitted[user])
          candidates.push(user);
}

void ListScheduler::emitFree() {
  while (!candidates.empty()) {
    unsigned number = candidates.top();
    candidates.pop();
    if (isFree(number))
      emit(number);
  }
}

bool ListScheduler::needsLoad(unsigned number) const {
  return kinds[number] == Kind::Load ||
         llvm::any_of(getNode(number).producers, [&](unsigned producer) {
           return !isEmitted[producer] && neededLoad[producer];
         });
}

void ListScheduler::require(unsigned number) {
  // Operations to emit, each with the number of producers that were looked at.
  SmallVector<std::pair<unsigned, unsigned>> open = {{number, 0}};
  while (!open.empty()) {
    auto &[node, next] = open.back();
    ArrayRef<unsigned> producers = getNode(node).producers;
    if (isEmitted[node]) {
      open.pop_back();
    } else if (next < producers.size()) {
      unsigned producer = producers[next++];
      if (!isEmitted[producer])
        open.emplace_back(producer, 0);
    } else {
      emit(node);
      open.pop_back();
      emitFree();
    }
  }
}

void ListScheduler::emitLoadsBefore(unsigned fence) {
  SmallVector<unsigned> later;
  for (unsigned load : loads) {
    if (isEmitted[load])
      continue;
    if (memory.mustNotCross(getNode(load).op, fences[fence]))
      require(load);
    else
      later.push_back(load);
  }
  loads = std::move(later);
}

bool ListScheduler::isReady(BlockStoreOp store, size_t place) const {
  Operation *maker = store.getValue().getDefiningOp();
  unsigned number = program[place];
  return llvm::all_of(getNode(number).producers,
                      [&](unsigned producer) {
                        return isEmitted[producer] ||
                               getNode(producer).op != maker;
                      }) &&
         llvm::none_of(ArrayRef(program).take_front(place), [&](unsigned load) {
           return kinds[load] == Kind::Load && !isEmitted[load] &&
                  memory.mustNotCross(getNode(load).op, fences[number]);
         });
}

void ListScheduler::emitStores() {
  for (; next != program.size(); ++next) {
    unsigned number = program[next];
    if (isEmitted[number] || kinds[number] != Kind::Fixed)
      continue;
    auto store = dyn_cast<BlockStoreOp>(getNode(number).op);
    if (!store || !isReady(store, next))
      return;
    emitFixed(number);
  }
}

void ListScheduler::emitPrefetches() {
  for (unsigned prefetch : prefetches)
    require(prefetch);
  prefetches.clear();
}

bool ListScheduler::isComputed(unsigned number) const {
  SmallVector<unsigned> open;
  llvm::append_range(open, getNode(number).producers);
  llvm::SmallSetVector<unsigned, 16> seen;
  while (!open.empty()) {
    unsigned producer = open.pop_back_val();
    if (!seen.insert(producer))
      continue;
    if (kinds[producer] != Kind::Eager && kinds[producer] != Kind::Lazy)
      return false;
    llvm::append_range(open, getNode(producer).producers);
  }
  return true;
}

void ListScheduler::emitEarlyLoads() {
  Fence before;
  for (unsigned number : program) {
    before.include(fences[number]);
    if (kinds[number] == Kind::Load &&
        getNearMemory(getNode(number).op) == Global &&
        !memory.mustNotCross(getNode(number).op, before) && isComputed(number))
      require(number);
  }
}

void ListScheduler::emitFixed(unsigned number) {
  Operation *op = getNode(number).op;
  bool isLast = op->hasTrait<mlir::OpTrait::IsTerminator>();
  if (fences[number].getMemory() != None)
    emitLoadsBefore(number);
  for (unsigned producer : getNode(number).producers)
    require(producer);
  if (isa<DpasOp>(op))
    emitPrefetches();
  // Operations without used results are emitted last.
  if (isLast)
    for (unsigned rest = 0; rest < number; ++rest)
      require(rest);
  require(number);
}

SmallVector<unsigned> ListScheduler::run() {
  prepare();
  program = ProductOrder(liveness, choice).getProgram();
  if (choice.hasEarlyLoads)
    emitEarlyLoads();
  for (unsigned number : program) {
    neededLoad[number] = needsLoad(number);
    switch (kinds[number]) {
    case Kind::Lazy:
      break;
    case Kind::Load:
      if (!isEmitted[number])
        loads.push_back(number);
      break;
    case Kind::Prefetch:
      prefetches.push_back(number);
      break;
    case Kind::Eager:
      if (!choice.isLazy && (!choice.hasLateLoads || !neededLoad[number]))
        require(number);
      break;
    case Kind::Fixed:
      if (!isEmitted[number])
        emitFixed(number);
      break;
    }
    emitStores();
  }
  return std::move(order);
}

} // namespace

SmallVector<unsigned> mlir::triton::gpu::intel::scheduleBlock(
    const BlockLiveness &liveness, const FragmentRegisters &registers,
    MemoryOrder &memory, ScheduleChoice choice) {
  return ListScheduler(liveness, registers, memory, choice).run();
}
