//===- Schedule.cpp - Order fragments so that registers suffice -----------===//
// SPDX-License-Identifier: MIT
//
// The lowering of one tensor operation after the other leaves the code in an
// order in which whole tensors are live at the same time. This pass orders the
// operations of each block again, so that those on the same part of tensors are
// adjacent; Schedule/ListScheduler.h has the rules. It runs on lowered code,
// where every value is in one register or a few, and loops are still loops.
//
// Five decisions depend on the number of registers. If there are enough, a loop
// loads its blocks first, so that they have time to arrive. If more is live at
// some operation than there are, products are ordered by their columns, fewer
// accumulators are in flight, messages are split (Schedule/SplitLoads.h), and
// in the end loads wait for the instructions that use them. Before messages are
// split, blocks that are loaded before a loop are loaded again in each of
// its iterations (Schedule/InvariantLoads.h), unless the kernel can be built
// with more registers. This also happens if what is live in all of a loop
// leaves too little room for the rest. If rows do not need each other, some are
// then finished before the next begin (Schedule/RowBands.h). Loads that nothing
// prefetches come earlier in the end (Schedule/AdvanceLoads.h).
//
// FragmentRegisters.h is the model of registers, and CompilerProfile.h states
// how many may be live in all of a loop. How much is live in the end decides
// how many registers a kernel is built with.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-schedule"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "Schedule/AdvanceLoads.h"
#include "Schedule/InvariantLoads.h"
#include "Schedule/ListScheduler.h"
#include "Schedule/RowBands.h"
#include "Schedule/ScaledSums.h"
#include "Schedule/SplitLoads.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Target/KernelAttributes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUSCHEDULE
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// An order of the operations of a block.
struct Schedule {
  SmallVector<unsigned> order;
  /// The bytes that are live at each operation.
  SmallVector<int64_t> pressure;
  /// The most bytes that are live at an operation, and its place in the order.
  int64_t peak = 0;
  size_t position = 0;
  /// The fewest bytes that are live at an operation: those of the values that
  /// are live in all of the block.
  int64_t resident = 0;
  /// The bytes that are live but find no room, in sum over all operations.
  int64_t excess = 0;

  /// Returns whether less is live at the peak, or less finds no room.
  bool isBetterThan(const Schedule &other) const {
    return std::pair(peak, excess) < std::pair(other.peak, other.excess);
  }
};

/// Describes what has been done to a block so that its registers suffice.
struct Changes {
  /// The number of bands that its rows are in.
  unsigned bands = 1;
  /// States whether one of its orders had more live bytes than there are.
  bool wasOverfull = false;
};

/// Orders the operations of blocks; see the head of the file.
class SchedulePass
    : public gpu::intel::impl::TritonIntelGPUScheduleBase<SchedulePass> {
public:
  using TritonIntelGPUScheduleBase::TritonIntelGPUScheduleBase;

  void runOnOperation() override {
    TargetDesc target = getTargetDesc(getOperation());
    const CompilerProfile &compiler = target.getCompiler();
    registerBytes = target.getBlockIOLimits().registerBytes;
    reported.clear();
    spareRegisters = compiler.spareRegisters;
    numRegisters = getRegistersPerThread(getOperation());
    maxLive = numRegisters * registerBytes;
    maxResident = maxLive * compiler.residentPercent / 100;
    accumulators = compiler.accumulatorsInFlight;
    canHaveMore = target.canHaveMoreRegisters(
        numRegisters, TritonGPUDialect::getNumWarps(getOperation()));
    int64_t lanes = TritonGPUDialect::getThreadsPerWarp(getOperation());
    LLVM::LLVMFuncOp kernel;
    int64_t liveInKernel = 0, liveInOthers = 0;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      mostLive = 0;
      FragmentRegisters registers(function, lanes);
      MemoryOrder memory(function);
      for (Block &block : function.getBody())
        schedule(block, registers, memory, /*above=*/0);
      if (function.getCConv() == LLVM::CConv::SPIR_KERNEL) {
        kernel = function;
        liveInKernel = mostLive;
      } else {
        liveInOthers = std::max(liveInOthers, mostLive);
      }
    }
    // Values of the kernel may be live while it calls a function.
    if (kernel)
      record(kernel, liveInKernel + liveInOthers);
  }

private:
  /// Orders a block and those in it. `above` bytes are live in all of the block
  /// without being used there.
  void schedule(Block &block, FragmentRegisters &registers, MemoryOrder &memory,
                int64_t above) {
    bool mayOrder = mayRewrite(block.getParentOp());
    Changes changes;
    for (;;) {
      BlockLiveness liveness(block, registers);
      auto find = [&](ArrayRef<ScheduleChoice> choices) {
        return findOrder(choices, liveness, registers, memory, above);
      };
      std::optional<Schedule> early;
      if (mayOrder)
        early = findEarly(block, liveness, registers, memory, above);
      Schedule best = early ? std::move(*early)
                      : mayOrder
                          ? find(getChoices())
                          : measure(getProgramOrder(liveness), liveness, above);
      // Further orders take time to find. A kernel that can have more registers
      // does not need them, and a block that is going to load again what is
      // live in all of it is ordered once more in any case.
      if (mayOrder && best.peak > maxLive && !canHaveMore &&
          (best.resident <= maxResident ||
           findLoadsToRepeat(block, liveness, best, memory).empty()))
        if (Schedule other = find(getFurtherChoices());
            other.isBetterThan(best))
          best = std::move(other);
      LDBG() << "a block of " << best.order.size() << " operations at "
             << block.getParentOp()->getLoc() << ": " << best.peak
             << " bytes live at most, " << best.resident << " in all of it, of "
             << maxLive << (early ? ", with early loads" : "");
      apply(block, liveness, best.order);
      if (!mayOrder ||
          !saveRegisters(block, liveness, best, registers, memory, changes)) {
        // Messages can no longer be changed, but loads can be late.
        if (mayOrder && best.peak > maxLive)
          if (Schedule delayed = find(getLateChoices());
              delayed.isBetterThan(best)) {
            best = std::move(delayed);
            moveOperations(block, liveness, best.order);
          }
        // Loads on their way have addresses, which the model does not count.
        if (mayOrder &&
            advanceLoads(liveness, best.order, registers, memory, above,
                         maxLive - 2 * spareRegisters * registerBytes)) {
          best = measure(std::move(best.order), liveness, above);
          moveOperations(block, liveness, best.order);
        }
        LDBG(2) << "in the end, " << best.peak << " bytes live at most";
        numEarly += early.has_value();
        mostLive = std::max(mostLive, best.peak);
        scheduleNested(liveness, best.order, registers, memory, above);
        return;
      }
    }
  }

  /// Lets the LLVM IR of a kernel state for how many registers it was ordered,
  /// and how many bytes of them are live at an operation, which the module
  /// states, too.
  void record(LLVM::LLVMFuncOp kernel, int64_t bytes) {
    Builder builder(kernel.getContext());
    SmallVector<Attribute> attributes;
    if (ArrayAttr present = kernel.getPassthroughAttr())
      llvm::append_range(attributes, present);
    for (auto [name, number] : {std::pair(kRegistersAttribute, numRegisters),
                                std::pair(kLiveBytesAttribute, bytes)})
      attributes.push_back(
          builder.getStrArrayAttr({name, std::to_string(number)}));
    kernel.setPassthroughAttr(builder.getArrayAttr(attributes));
    getOperation()->setAttr(TritonIntelGPUDialect::getLiveBytesAttrName(),
                            builder.getI64IntegerAttr(bytes));
  }

  /// Returns blocks that a loop, whose body is `block`, can load again in each
  /// iteration instead of keeping them: one, or several if what is live in all
  /// of the loop leaves too little room for the rest without them.
  SmallVector<BlockLoadOp> findLoadsToRepeat(Block &block,
                                             const BlockLiveness &liveness,
                                             const Schedule &schedule,
                                             MemoryOrder &memory,
                                             bool onlyParts = false) {
    if (!isa<LoopLikeOpInterface>(block.getParentOp()))
      return {};
    return findReloadable(
        block, liveness, schedule.order, schedule.position, memory,
        std::max<int64_t>(1, schedule.resident - maxResident), onlyParts);
  }

  /// Changes messages or sums of a block, which has its order, if it has too
  /// few registers. Returns whether the block has to be ordered again.
  bool saveRegisters(Block &block, const BlockLiveness &liveness,
                     const Schedule &schedule, FragmentRegisters &registers,
                     MemoryOrder &memory, Changes &changes) {
    // The device compiler needs some of the registers itself.
    int64_t spareBytes = spareRegisters * registerBytes;
    bool isFull = schedule.peak + spareBytes > maxLive;
    changes.wasOverfull |= schedule.peak > maxLive;
    bool hasManyResidents = schedule.resident > maxResident;
    // A message that a loop needs in part takes registers for all of it: it is
    // loaded again if the addresses of messages may not have room.
    bool onlyParts = !hasManyResidents && !isFull;
    bool isNearlyFull =
        schedule.peak + spareBytes + countLoads(liveness) * registerBytes >
        maxLive;
    // More registers are better than more messages.
    if (hasManyResidents || (isNearlyFull && !canHaveMore)) {
      bool isChanged = false;
      for (BlockLoadOp load :
           findLoadsToRepeat(block, liveness, schedule, memory, onlyParts)) {
        if (!mayRewrite(load))
          continue;
        if (onlyParts)
          report(load, "reloaded",
                 "loaded again in each iteration of a loop, which needs a part "
                 "of it: {0} bytes of registers are live at an operation, of "
                 "{1} that there are",
                 schedule.peak, maxLive);
        else if (hasManyResidents)
          report(load, "reloaded",
                 "loaded again in each iteration of a loop: {0} bytes of "
                 "registers are live in all of it, of {1} that may be",
                 schedule.resident, maxResident);
        else
          report(load, "reloaded",
                 "loaded again in each iteration of a loop: {0} bytes of "
                 "registers are live at an operation, of {1} that there are",
                 schedule.peak, maxLive);
        reload(load, block, liveness, schedule.order, schedule.position,
               registers, memory);
        ++numReloaded;
        isChanged = true;
      }
      if (isChanged)
        return true;
    }
    if (!isFull)
      return false;
    // Where what is live in all of a loop leaves no room, sums are in scratch
    // memory, and would be loaded more often.
    if (isa<LoopLikeOpInterface>(block.getParentOp()) && !canHaveMore &&
        !hasManyResidents) {
      if (addInPlace(block, registers))
        return true;
      if (std::optional<RowBands> rows = findRowBands(
              liveness, schedule.order, schedule.position, 2 * changes.bands);
          rows && mayRewrite(rows->shared.front())) {
        changes.bands *= 2;
        for (BlockLoadOp load : rows->shared)
          report(load, "repeated",
                 "loaded once for each band of rows: {0} bytes of registers "
                 "are live at an operation, of {1} that there are",
                 schedule.peak, maxLive);
        separate(*rows, registers);
        return true;
      }
    }
    // A block that fits as it is needs no more messages. Where these make room
    // for all values, a few more make room for the device compiler, too, unless
    // it can have more registers.
    bool isSpared =
        changes.wasOverfull && schedule.peak <= maxLive && !canHaveMore;
    SmallVector<LoadSplit> splits =
        findSplits(liveness, schedule.order, schedule.pressure,
                   isSpared ? maxLive - spareBytes : maxLive);
    llvm::erase_if(splits, [this](const LoadSplit &split) {
      return !mayRewrite(split.load);
    });
    for (const LoadSplit &split : splits) {
      report(split.load, "split",
             "split into smaller messages: {0} bytes of registers are live at "
             "an operation, of {1} that there are",
             schedule.peak, maxLive);
      splitLoad(split, registers);
      ++numSplit;
    }
    return !splits.empty();
  }

  /// Emits a remark about a message, unless there is one about another message
  /// of the same access, which has the same location.
  void report(BlockLoadOp load, StringRef name, const char *reason,
              int64_t bytes, int64_t limit) {
    LocationAttr location = load.getLoc();
    LDBG() << name << ": the message at " << load.getLoc() << ", " << bytes
           << " bytes of " << limit;
    if (!reported.insert({location, name}).second)
      return;
    remark::passed(location,
                   remark::RemarkOpts::name(name).category(getArgument()))
        << remark::reason(reason, bytes, limit);
  }

  /// Returns the order in which the operations are.
  static SmallVector<unsigned> getProgramOrder(const BlockLiveness &liveness) {
    return llvm::to_vector(llvm::seq<unsigned>(0, liveness.getNodes().size()));
  }

  /// Returns an order with the bytes that are live at its operations.
  static Schedule measure(SmallVector<unsigned> order,
                          const BlockLiveness &liveness, int64_t above) {
    Schedule schedule{std::move(order)};
    schedule.pressure = liveness.getPressure(schedule.order);
    for (int64_t &bytes : schedule.pressure)
      bytes += above;
    auto *peak = llvm::max_element(schedule.pressure);
    schedule.peak = *peak;
    schedule.position = peak - schedule.pressure.begin();
    schedule.resident = *llvm::min_element(schedule.pressure);
    return schedule;
  }

  /// Returns the number of loads of a block whose addresses take registers.
  static int64_t countLoads(const BlockLiveness &liveness) {
    return llvm::count_if(liveness.getNodes(),
                          [](const BlockLiveness::Node &node) {
                            return getNearMemory(node.op) == Global;
                          });
  }

  /// Returns the order of a loop that loads its blocks first, if there are
  /// registers for all values, for an address of each message, and for the
  /// further needs of the device compiler.
  std::optional<Schedule> findEarly(Block &block, const BlockLiveness &liveness,
                                    const FragmentRegisters &registers,
                                    MemoryOrder &memory, int64_t above) const {
    int64_t numLoads = countLoads(liveness);
    if (numLoads == 0 || !isa<LoopLikeOpInterface>(block.getParentOp()))
      return std::nullopt;
    ScheduleChoice choice{accumulators};
    choice.hasEarlyLoads = true;
    Schedule early = measure(scheduleBlock(liveness, registers, memory, choice),
                             liveness, above);
    int64_t others = (numLoads + spareRegisters) * registerBytes;
    if (early.peak + others > maxLive)
      return std::nullopt;
    return early;
  }

  /// Returns choices for the order of a block: those that give up least latency
  /// first.
  SmallVector<ScheduleChoice> getChoices() const {
    return {{accumulators},
            {accumulators, /*groupsAlways=*/true},
            {accumulators / 2},
            {accumulators, /*groupsAlways=*/true, /*dividesColumns=*/true}};
  }

  /// Returns choices for a block that finds no room with these.
  SmallVector<ScheduleChoice> getFurtherChoices() const {
    ScheduleChoice byLoads{accumulators};
    byLoads.followsLoads = true;
    SmallVector<ScheduleChoice> late = getChoices(), choices = {byLoads};
    late.push_back(byLoads);
    for (ScheduleChoice choice : late) {
      choice.hasLateComputations = true;
      choices.push_back(choice);
    }
    return choices;
  }

  /// Returns choices that give up the latency of loads, or of all computations,
  /// for a block whose messages can no longer be changed.
  SmallVector<ScheduleChoice> getLateChoices() const {
    ScheduleChoice all{accumulators},
        columns{accumulators / 2, /*groupsAlways=*/true};
    SmallVector<ScheduleChoice> orders = {all, columns}, choices;
    if (!canHaveMore) {
      orders.push_back(all);
      orders.back().followsLoads = true;
      orders.push_back(all);
      orders.back().groupsAlways = orders.back().sharesLoads = true;
    }
    for (ScheduleChoice choice : orders) {
      choice.hasLateLoads = true;
      choices.push_back(choice);
    }
    if (canHaveMore)
      return choices;
    for (ScheduleChoice choice : orders) {
      choice.isLazy = true;
      choices.push_back(choice);
    }
    return choices;
  }

  /// Returns the first order whose values find room, or else the one with the
  /// least peak, and among these the least excess.
  Schedule findOrder(ArrayRef<ScheduleChoice> choices,
                     const BlockLiveness &liveness,
                     const FragmentRegisters &registers, MemoryOrder &memory,
                     int64_t above) const {
    std::optional<Schedule> best;
    for (ScheduleChoice choice : choices) {
      Schedule schedule = measure(
          scheduleBlock(liveness, registers, memory, choice), liveness, above);
      for (int64_t bytes : schedule.pressure)
        schedule.excess += std::max<int64_t>(0, bytes - maxLive);
      if (!best || schedule.isBetterThan(*best))
        best = std::move(schedule);
      if (best->peak <= maxLive)
        break;
    }
    return std::move(*best);
  }

  /// Gives the operations of `block` their order.
  void apply(Block &block, const BlockLiveness &liveness,
             ArrayRef<unsigned> order) {
    if (llvm::is_sorted(order))
      return;
    ++numScheduled;
    moveOperations(block, liveness, order);
  }

  /// Moves the operations of `block`, which may have got another order since
  /// `liveness` was computed, into an order.
  void moveOperations(Block &block, const BlockLiveness &liveness,
                      ArrayRef<unsigned> order) {
    SmallVector<LLVM::DbgValueOp> marks(block.getOps<LLVM::DbgValueOp>());
    Operation *last = block.getTerminator();
    for (unsigned number : order)
      if (Operation *op = liveness.getNodes()[number].op; op != last)
        op->moveBefore(last);
    // Marks of variables go with their values.
    for (LLVM::DbgValueOp mark : marks)
      if (Operation *producer = mark.getValue().getDefiningOp();
          producer && producer->getBlock() == &block)
        mark->moveAfter(producer);
  }

  /// Orders the blocks in the operations of an ordered block.
  void scheduleNested(const BlockLiveness &liveness, ArrayRef<unsigned> order,
                      FragmentRegisters &registers, MemoryOrder &memory,
                      int64_t above) {
    for (auto [position, number] : llvm::enumerate(order)) {
      Operation *op = liveness.getNodes()[number].op;
      if (op->getNumRegions() == 0)
        continue;
      int64_t across = above + liveness.getBytesAcross(order, position);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          schedule(block, registers, memory, across);
    }
  }

  /// The most bytes that are live at an operation of the function.
  int64_t mostLive = 0;
  /// The bytes of a register, and the registers that are left to others where
  /// each message has one for its address.
  int64_t numRegisters = 0, registerBytes = 0, spareRegisters = 0;
  /// The bytes that may be live at an operation, and in all of a loop.
  int64_t maxLive = 0, maxResident = 0;
  /// The number of accumulators that instructions take in turn.
  unsigned accumulators = 0;
  /// States whether the kernel could be built with more registers.
  bool canHaveMore = false;
  /// The locations that have a remark, with its name.
  llvm::DenseSet<std::pair<Attribute, StringRef>> reported;
};

} // namespace
