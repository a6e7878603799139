//===- Allocation.cpp - Places in shared local memory ---------------------===//
//
// Function by function, callers before callees: number the operations, find the
// range of numbers in which each buffer is in use, and place the buffers, the
// largest first, at the lowest offset where nothing in use at the same time is
// in the way.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/Allocation.h"

#include "triton/Analysis/SharedMemoryAliases.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton::gpu {

namespace {

/// Scratch memory is read and written by vectors of this many bytes.
constexpr int64_t kScratchAlignment = 16;
/// Where the memory of a called function may start.
constexpr int64_t kFrameAlignment = 128;

/// Pre-order numbers of the operations of a function.
class OperationNumbers {
public:
  explicit OperationNumbers(Operation *function) { number(function); }

  /// From `op` to the last operation in its regions.
  LiveRange getExtent(Operation *op) const { return extents.lookup(op); }
  unsigned getNumber(Operation *op) const { return getExtent(op).first; }

private:
  void number(Operation *op) {
    unsigned first = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &nested : block)
          number(&nested);
    extents[op] = {first, next - 1};
  }

  unsigned next = 0;
  llvm::DenseMap<Operation *, LiveRange> extents;
};

/// May `op` execute one of its regions more than once?
bool isLoop(Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return branch && branch.hasLoop();
}

/// The range in which memory is in use that is defined at `definition` and used
/// by `uses`. Within the block that has both, that is from the first to the
/// last; what a loop inside uses, it uses in its next iteration too. If a use
/// precedes the definition or lies in another block of the same region, control
/// flow goes in circles or has no simple order: then the whole region counts.
LiveRange getLiveRange(Operation *definition, ArrayRef<Operation *> uses,
                       const OperationNumbers &numbers) {
  // The region that has the definition and all uses, and there the operation
  // that has the definition.
  Operation *start = definition;
  for (Operation *use : uses)
    while (!start->getParentRegion()->isAncestor(use->getParentRegion()))
      start = start->getParentOp();
  Region *region = start->getParentRegion();

  LiveRange range = start == definition ? LiveRange{numbers.getNumber(start),
                                                    numbers.getNumber(start)}
                                        : numbers.getExtent(start);
  for (Operation *use : uses) {
    Operation *outermost = use;
    unsigned last = numbers.getNumber(use);
    for (Operation *op = use; op->getParentRegion() != region;) {
      op = op->getParentOp();
      outermost = op;
      if (isLoop(op))
        last = numbers.getExtent(op).last;
    }
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
  FunctionAllocator(FunctionOpInterface function, int64_t base,
                    const ScratchSizeFunction &getScratch)
      : function(function), base(base), getScratch(getScratch),
        numbers(function) {}

  LogicalResult collect();
  void place();
  /// The end of the memory that is in use at `op`.
  int64_t getEndOfUse(Operation *op) const;

  SmallVector<SharedMemoryBuffer> buffers;

private:
  FunctionOpInterface function;
  int64_t base;
  const ScratchSizeFunction &getScratch;
  OperationNumbers numbers;
};

} // namespace

LogicalResult FunctionAllocator::collect() {
  SharedMemoryAliases aliases(function);
  auto addAllocation = [&](LocalAllocOp op) {
    SmallVector<Operation *> uses;
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
          buffers.push_back(
              {op, *bytes, kScratchAlignment, numbers.getExtent(op)});
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}

void FunctionAllocator::place() {
  SmallVector<SharedMemoryBuffer *> order;
  for (SharedMemoryBuffer &buffer : buffers)
    order.push_back(&buffer);
  llvm::stable_sort(
      order, [](const SharedMemoryBuffer *a, const SharedMemoryBuffer *b) {
        return a->bytes > b->bytes;
      });
  // What has a place, by offset.
  SmallVector<SharedMemoryBuffer *> placed;
  for (SharedMemoryBuffer *buffer : order) {
    auto align = [&](int64_t offset) {
      return static_cast<int64_t>(llvm::alignTo(offset, buffer->alignment));
    };
    buffer->offset = align(base);
    for (SharedMemoryBuffer *other : placed)
      if (other->range.overlaps(buffer->range) && other->offset < buffer->end())
        buffer->offset = std::max(buffer->offset, align(other->end()));
    auto position =
        llvm::upper_bound(placed, buffer->offset,
                          [](int64_t offset, const SharedMemoryBuffer *other) {
                            return offset < other->offset;
                          });
    placed.insert(position, buffer);
  }
}

int64_t FunctionAllocator::getEndOfUse(Operation *op) const {
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
    return SmallVector<FunctionOpInterface>(llvm::reverse(postOrder));
  }

  FunctionOpInterface getCallee(CallOpInterface call) {
    auto symbol =
        dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
    return symbol ? module.lookupSymbol<FunctionOpInterface>(
                        symbol.getRootReference())
                  : FunctionOpInterface();
  }

private:
  enum class State { Active, Done };

  LogicalResult visit(FunctionOpInterface function) {
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

  ModuleOp module;
  llvm::DenseMap<Operation *, State> states;
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

  llvm::DenseMap<Operation *, int64_t> frames;
  llvm::DenseMap<Operation *, SmallVector<SharedMemoryBuffer>> results;
  for (FunctionOpInterface function : *functions) {
    FunctionAllocator allocator(function, frames.lookup(function), getScratch);
    if (failed(allocator.collect()))
      return failure();
    allocator.place();
    function.walk([&](CallOpInterface call) {
      if (FunctionOpInterface callee = callOrder.getCallee(call)) {
        int64_t &frame = frames[callee];
        frame = std::max<int64_t>(
            frame, llvm::alignTo(allocator.getEndOfUse(call), kFrameAlignment));
      }
    });
    results[function] = std::move(allocator.buffers);
  }

  SharedMemoryAllocation allocation;
  for (auto function : module.getOps<FunctionOpInterface>())
    llvm::append_range(allocation.buffers, results[function]);
  for (auto [i, buffer] : llvm::enumerate(allocation.buffers))
    allocation.bufferOf[buffer.owner] = i;
  return allocation;
}

const SharedMemoryBuffer *SharedMemoryAllocation::lookup(Operation *op) const {
  auto it = bufferOf.find(op);
  return it == bufferOf.end() ? nullptr : &buffers[it->second];
}

int64_t SharedMemoryAllocation::getSharedMemorySize() const {
  int64_t size = 0;
  for (const SharedMemoryBuffer &buffer : buffers)
    size = std::max(size, buffer.end());
  return size;
}

} // namespace mlir::triton::gpu
