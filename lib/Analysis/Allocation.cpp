//===- Allocation.cpp - Places in shared local memory ---------------------===//
// SPDX-License-Identifier: MIT
//
// The analysis handles functions one by one, callers before callees. It numbers
// the operations, finds the range of numbers in which each buffer is in use,
// and places the buffers, the largest first, at the lowest offset where they
// overlap no buffer that is in use at the same time.
//
// An operation with scratch memory writes, waits at a separate barrier, and
// reads. If the next such operation wrote to the same memory, a second barrier
// would be needed before it. If it has other memory, its own barrier serves
// both. This also holds in a loop, where the last exchange of an iteration
// precedes the first one of the next. If a loop has only one exchange, it has
// two buffers, which iterations use alternately. Both are done as far as the
// work-group stays within its share of a core's memory, the smallest exchanges
// first: more of it would keep other work-groups off the core.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/Allocation.h"

#include "triton/Analysis/ConversionTarget.h"
#include "triton/Analysis/SharedMemoryAliases.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton::gpu {

namespace {

/// The alignment of the memory of a called function.
constexpr int64_t kFrameAlignment = 128;

/// Pre-order numbers of the operations of a function.
class OperationNumbers {
public:
  explicit OperationNumbers(Operation *function) { number(function); }

  /// Returns the range from `op` to the last operation in its regions.
  LiveRange getExtent(Operation *op) const { return extents.lookup(op); }
  /// Returns the position in pre-order; 0 is the function itself.
  unsigned getNumber(Operation *op) const { return getExtent(op).first; }

private:
  /// Numbers `op` and all operations nested in it.
  void number(Operation *op) {
    unsigned first = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &nested : block)
          number(&nested);
    extents[op] = {first, next - 1};
  }

  /// The next number that is free.
  unsigned next = 0;
  /// First number of an operation, and last one of its regions.
  llvm::DenseMap<Operation *, LiveRange> extents;
};

/// Returns whether `op` may execute one of its regions more than once.
bool isLoop(Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return branch && branch.hasLoop();
}

/// Returns the range in which memory is in use that is defined at `definition`
/// and used by `uses`. Within the block that has both, that is from the first
/// to the last; what a loop inside uses, it uses in its next iteration too. If
/// a use precedes the definition or lies in another block of the same region,
/// control flow goes in circles or has no simple order: then the whole region
/// counts.
LiveRange getLiveRange(Operation *definition, ArrayRef<Operation *> uses,
                       const OperationNumbers &numbers) {
  // The region that has the definition and all uses, and there the operation
  // that has the definition.
  Operation *start = definition;
  // Outwards, until the region has all uses in it.
  for (Operation *use : uses)
    while (!start->getParentRegion()->isAncestor(use->getParentRegion()))
      start = start->getParentOp();
  Region *region = start->getParentRegion();

  // A definition that is nested deeper is in use as long as the operation that
  // it is nested in.
  LiveRange range = start == definition ? LiveRange{numbers.getNumber(start),
                                                    numbers.getNumber(start)}
                                        : numbers.getExtent(start);
  // Each use extends the range to itself or, if it is in a loop, to the loop's
  // end.
  for (Operation *use : uses) {
    Operation *outermost = use;
    unsigned last = numbers.getNumber(use);
    for (Operation *op = use; op->getParentRegion() != region;) {
      op = op->getParentOp();
      outermost = op;
      if (isLoop(op))
        last = numbers.getExtent(op).last;
    }
    // No simple order; see above.
    if (outermost->getBlock() != start->getBlock() ||
        outermost->isBeforeInBlock(start))
      return numbers.getExtent(region->getParentOp());
    range.last = std::max(range.last, last);
  }
  return range;
}

/// Allocates the memory of one function.
class FunctionAllocator {
public:
  /// `base` is the first byte that callers leave to this function, `share` the
  /// number of bytes that cost no other work-group its place.
  FunctionAllocator(FunctionOpInterface function, int64_t base, int64_t share,
                    const ScratchSizeFunction &getScratch)
      : function(function), base(base), share(share), getScratch(getScratch),
        numbers(function) {}

  /// Fills `buffers`: allocations and scratch memory, in program order. Fails,
  /// with a diagnostic, if an operation cannot be lowered.
  LogicalResult collect();
  /// Gives every buffer its offset.
  void place();
  /// Returns the end of the memory that is in use at `op`.
  int64_t getEndOfUse(Operation *op) const;

  /// Offsets are valid after `place`.
  SmallVector<SharedMemoryBuffer> buffers;

private:
  /// Holds two exchanges, one after the other without a third one in between,
  /// an allocation and the first exchange after its use, or an exchange that
  /// comes after itself, and may take turns.
  struct Succession {
    SharedMemoryBuffer *first, *second;

    bool isAlone() const { return first == second; }
    /// Returns the bytes of the larger one, which is what separate places cost
    /// at most.
    int64_t getBytes() const { return std::max(first->bytes, second->bytes); }
  };

  /// Gives offsets, and separate memory to the members of the first
  /// `numSeparate` successions. Returns the end of the last buffer.
  int64_t place(size_t numSeparate);
  /// Fills `successions`.
  void findSuccessions();

  FunctionOpInterface function;
  int64_t base, share;
  const ScratchSizeFunction &getScratch;
  /// Hold all successions, the smallest ones first.
  SmallVector<Succession> successions;
  /// The numbers of the function's operations, in which ranges count.
  OperationNumbers numbers;
};

} // namespace

LogicalResult FunctionAllocator::collect() {
  SharedMemoryAliases aliases(function);
  auto addAllocation = [&](LocalAllocOp op) {
    SmallVector<Operation *> uses;
    // An allocation is in use as long as any view of it.
    for (Value alias : aliases.getAliases(op))
      llvm::append_range(uses, alias.getUsers());
    buffers.push_back({op, getAllocationBytes(op.getType()),
                       op.getAlignmentOrDefault(),
                       getLiveRange(op, uses, numbers)});
  };
  WalkResult result =
      function.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (auto alloc = dyn_cast<LocalAllocOp>(op)) {
          addAllocation(alloc);
          return WalkResult::advance();
        }
        FailureOr<int64_t> bytes = getScratch(op);
        if (failed(bytes))
          return WalkResult::interrupt();
        if (*bytes > 0)
          // Scratch memory is in use while its operation runs.
          buffers.push_back(
              {op, *bytes, kScratchAlignment, numbers.getExtent(op)});
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}

/// Returns whether iterations of the loop around `op` can use two places
/// alternately. Each of them has to get to `op`, and to know its own number;
/// and if the loop began again, it would begin with any of the places.
static bool canTakeTurns(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  // The lowerings of these query their place.
  if (!loop || !isa<ConvertLayoutOp, ConvertLayoutsOp, ReduceOp, ScanOp>(op))
    return false;
  // The number of an iteration takes a division.
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step <= 0 || !llvm::isPowerOf2_64(*step))
    return false;
  Operation *outer = loop->getParentOp();
  for (; !isa<FunctionOpInterface>(outer); outer = outer->getParentOp())
    if (isLoop(outer) || !outer->getRegion(0).hasOneBlock())
      return false;
  return cast<FunctionOpInterface>(outer).getFunctionBody().hasOneBlock();
}

/// Finds successive exchanges in program order, those after allocations, and
/// from the last one of a loop to its first one. Branches are not followed: a
/// barrier replaces a missing exchange.
void FunctionAllocator::findSuccessions() {
  SmallVector<SharedMemoryBuffer *> exchanges;
  for (SharedMemoryBuffer &buffer : buffers)
    if (!isa<LocalAllocOp>(buffer.owner))
      exchanges.push_back(&buffer);
  for (size_t i = 1; i < exchanges.size(); ++i)
    successions.push_back({exchanges[i - 1], exchanges[i]});
  // An exchange may come after the last loads from an allocation.
  for (SharedMemoryBuffer &buffer : buffers) {
    if (!isa<LocalAllocOp>(buffer.owner))
      continue;
    auto next = llvm::find_if(exchanges, [&](SharedMemoryBuffer *exchange) {
      return exchange->range.first > buffer.range.last;
    });
    if (next != exchanges.end())
      successions.push_back({&buffer, *next});
  }
  function.walk([&](Operation *op) {
    if (!isLoop(op))
      return;
    // The exchanges in a loop have successive numbers.
    auto isInside = [&](SharedMemoryBuffer *buffer) {
      return op->isProperAncestor(buffer->owner);
    };
    auto first = llvm::find_if(exchanges, isInside);
    auto last = llvm::find_if(llvm::reverse(exchanges), isInside);
    if (first == exchanges.end())
      return;
    if (*first != *last || canTakeTurns((*first)->owner))
      successions.push_back({*last, *first});
  });
  llvm::stable_sort(successions, [](const Succession &a, const Succession &b) {
    return a.getBytes() < b.getBytes();
  });
}

void FunctionAllocator::place() {
  findSuccessions();
  int64_t limit = std::max(share, place(/*numSeparate=*/0));
  // The largest number of successions that there is room for.
  size_t fits = 0, tooMany = successions.size() + 1;
  while (tooMany - fits > 1) {
    size_t middle = fits + (tooMany - fits) / 2;
    (place(middle) <= limit ? fits : tooMany) = middle;
  }
  place(fits);
}

int64_t FunctionAllocator::place(size_t numSeparate) {
  llvm::DenseSet<std::pair<Operation *, Operation *>> separate;
  for (auto [i, succession] : llvm::enumerate(successions)) {
    auto [first, second] = succession;
    if (!succession.isAlone()) {
      if (i < numSeparate)
        separate.insert(std::minmax(first->owner, second->owner));
      continue;
    }
    int64_t places = i < numSeparate ? 2 : 1;
    first->bytes = first->bytes / first->places * places;
    first->places = places;
  }
  // Returns whether the two may not share memory.
  auto conflict = [&](SharedMemoryBuffer *a, SharedMemoryBuffer *b) {
    return a->range.overlaps(b->range) ||
           separate.contains(std::minmax(a->owner, b->owner));
  };
  SmallVector<SharedMemoryBuffer *> order;
  for (SharedMemoryBuffer &buffer : buffers)
    order.push_back(&buffer);
  // Large buffers first: they have the fewest places to go, and small ones fill
  // the gaps. Stable, so that the result depends on the program alone.
  llvm::stable_sort(
      order, [](const SharedMemoryBuffer *a, const SharedMemoryBuffer *b) {
        return a->bytes > b->bytes;
      });
  // Buffers that have a place, by offset.
  SmallVector<SharedMemoryBuffer *> placed;
  for (SharedMemoryBuffer *buffer : order) {
    auto align = [&](int64_t offset) {
      return static_cast<int64_t>(llvm::alignTo(offset, buffer->alignment));
    };
    buffer->offset = align(base);
    // Placed ones in the order of their offsets, so one pass finds the lowest
    // gap that is large enough.
    for (SharedMemoryBuffer *other : placed)
      if (conflict(other, buffer) && other->offset < buffer->end())
        buffer->offset = std::max(buffer->offset, align(other->end()));
    // Keeps the list in order.
    auto position =
        llvm::upper_bound(placed, buffer->offset,
                          [](int64_t offset, const SharedMemoryBuffer *other) {
                            return offset < other->offset;
                          });
    placed.insert(position, buffer);
  }
  int64_t end = base;
  for (SharedMemoryBuffer &buffer : buffers)
    end = std::max(end, buffer.end());
  return end;
}

int64_t FunctionAllocator::getEndOfUse(Operation *op) const {
  // Nothing in use: the callee may start where this function's memory does.
  int64_t end = base;
  for (const SharedMemoryBuffer &buffer : buffers)
    if (buffer.range.overlaps(numbers.getExtent(op)))
      end = std::max(end, buffer.end());
  return end;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

namespace {

/// The functions of a module, callers before callees.
class CallOrder {
public:
  explicit CallOrder(ModuleOp module) : module(module) {}

  /// Fails, with a diagnostic, on recursion.
  FailureOr<SmallVector<FunctionOpInterface>> compute() {
    for (auto function : module.getOps<FunctionOpInterface>())
      if (failed(visit(function)))
        return failure();
    // Callees come first in post-order.
    return SmallVector<FunctionOpInterface>(llvm::reverse(postOrder));
  }

  /// Returns the callee; null for indirect calls and functions of other
  /// modules.
  FunctionOpInterface getCallee(CallOpInterface call) {
    auto symbol =
        dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
    return symbol ? module.lookupSymbol<FunctionOpInterface>(
                        symbol.getRootReference())
                  : FunctionOpInterface();
  }

private:
  /// Active while the calls of a function are followed.
  enum class State { Active, Done };

  /// Follows the calls of a function, then appends it.
  LogicalResult visit(FunctionOpInterface function) {
    // A function that is met again while it is active calls itself.
    auto [it, isNew] = states.try_emplace(function, State::Active);
    if (!isNew) {
      if (it->second == State::Done)
        return success();
      return function.emitOpError(
          "calls itself, but recursive functions have no place for their "
          "shared memory");
    }
    WalkResult result = function.walk([&](CallOpInterface call) {
      FunctionOpInterface callee = getCallee(call);
      return callee && failed(visit(callee)) ? WalkResult::interrupt()
                                             : WalkResult::advance();
    });
    states[function] = State::Done;
    postOrder.push_back(function);
    return failure(result.wasInterrupted());
  }

  /// The functions are looked up in it.
  ModuleOp module;
  /// The states of all functions that have been met.
  llvm::DenseMap<Operation *, State> states;
  /// The functions that are done, callees before callers.
  SmallVector<FunctionOpInterface> postOrder;
};

} // namespace

FailureOr<SharedMemoryAllocation>
SharedMemoryAllocation::compute(ModuleOp module,
                                ScratchSizeFunction getScratch) {
  CallOrder callOrder(module);
  FailureOr<SmallVector<FunctionOpInterface>> functions = callOrder.compute();
  if (failed(functions))
    return failure();

  int64_t share = getSharedMemoryShare(module);
  // First byte that each function may use: after the memory in use at any of
  // its calls.
  llvm::DenseMap<Operation *, int64_t> frames;
  llvm::DenseMap<Operation *, SmallVector<SharedMemoryBuffer>> results;
  for (FunctionOpInterface function : *functions) {
    FunctionAllocator allocator(function, frames.lookup(function), share,
                                getScratch);
    if (failed(allocator.collect()))
      return failure();
    allocator.place();
    // This function's buffers have places now; so its callees' frames are
    // known.
    function.walk([&](CallOpInterface call) {
      if (FunctionOpInterface callee = callOrder.getCallee(call)) {
        int64_t &frame = frames[callee];
        frame = std::max<int64_t>(
            frame, llvm::alignTo(allocator.getEndOfUse(call), kFrameAlignment));
      }
    });
    results[function] = std::move(allocator.buffers);
  }

  // In the order of the module, not of calls.
  SharedMemoryAllocation allocation;
  for (auto function : module.getOps<FunctionOpInterface>())
    llvm::append_range(allocation.buffers, results[function]);
  for (auto [i, buffer] : llvm::enumerate(allocation.buffers))
    allocation.bufferOf[buffer.owner] = i;
  return allocation;
}

/// Returns null for operations without memory.
const SharedMemoryBuffer *SharedMemoryAllocation::lookup(Operation *op) const {
  auto it = bufferOf.find(op);
  return it == bufferOf.end() ? nullptr : &buffers[it->second];
}

/// Returns the end of the last buffer: offsets count from 0.
int64_t SharedMemoryAllocation::getSharedMemorySize() const {
  int64_t size = 0;
  for (const SharedMemoryBuffer &buffer : buffers)
    size = std::max(size, buffer.end());
  return size;
}

} // namespace mlir::triton::gpu
