//===- LayoutCost.h - Costs of layouts --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The cost model for the choice of layouts, and its tunable weights. The unit
// of all costs is about the time in which a work-group moves one byte between
// registers and the L1 cache. Costs count one execution by the whole
// work-group; the caller accounts for loops.
//
// Memory is counted in messages of a warp: a message takes a fixed time, and a
// time for every 64-byte piece of memory that its lanes touch. So 16 lanes with
// one f32 each along a row cost 64 bytes and one message. With one 16-bit value
// each they pay for twice the bytes that they use, and with 8-bit values for
// four times. A conversion through shared local memory writes the tensor once,
// reads it once per work-item that holds a copy, loses about half of the
// bandwidth to bank conflicts and address arithmetic, and needs barriers. This
// is why a load or store of a whole tile (16- and 32-bit elements) should have
// the layout of the accumulator, but not that of a dot operand: in the latter,
// a lane strides through memory, and all warps of a row would load the same
// tile.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_LAYOUTCOST_H
#define INTEL_ANALYSIS_LAYOUTCOST_H

#include "intel/Analysis/AccessPattern.h"
#include "intel/Analysis/ElementRuns.h"
#include "intel/Target/KnownTargets.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "triton/Analysis/LayoutConversion.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::gpu::intel {

/// The weights of the model.
struct LayoutCostWeights {
  /// Cost of a message, independent of its size.
  int64_t message = 32;
  /// Bytes that the memory system moves at a time.
  int64_t sectorBytes = 64;
  /// Cost of a byte that a conversion writes to or reads from shared memory.
  int64_t sharedByte = 2;
  /// Cost for each warp of an exchange through shared local memory, whatever
  /// its size. A warp waits for a fence, a barrier and a load (23, 30 and 28
  /// cycles, Simulator/Timing/LatencyTable.h). Its share of what an engine
  /// moves in this time is 8 bytes per cycle (512 bytes for 8 engines of 8
  /// threads, report/hardware.py).
  int64_t barrier = (23 + 30 + 28) * 8;
  /// Cost per element of simple arithmetic, and of elementary functions and
  /// divisions.
  int64_t simpleElement = 1;
  int64_t expensiveElement = 4;
  /// Cost per element within a warp: of a value from another lane, which takes
  /// an indirect register access, and of a selection by lane number.
  int64_t shuffledElement = 8;
  int64_t selectedElement = 2;
  /// Cost of a value from the lane whose number differs in one bit: a sort of
  /// rows of 64 by sub-groups of 16 took 263 moves for 72 of them.
  int64_t exchangedElement = 4;
};

/// Costs of the operations and conversions of one module. Caches answers.
class LayoutCostModel {
public:
  explicit LayoutCostModel(ModuleOp module, LayoutCostWeights weights = {});

  ~LayoutCostModel();

  /// Returns the layout that `op` would have if it were an ordinary access and
  /// nothing but memory mattered; null if it accesses no tensor.
  Attribute getCoalescedLayout(Operation *op);

  /// Returns the cost of converting a tensor with the shape and element type of
  /// `type` between two layouts. 0 only if they are the same attribute.
  int64_t getConversionCost(RankedTensorType type, Attribute from,
                            Attribute to);

  /// Returns the cost of `op` if the tensor that it computes, loads or stores
  /// has `layout`. For a reduction, `layout` is that of its operand.
  int64_t getOperationCost(Operation *op, Attribute layout);

  /// Returns the cost of loading the block of `op`, which has the layout
  /// `present`, once more with `layout`. None unless 2D block messages do both:
  /// the addresses of ordinary loads cost more than the loads.
  std::optional<int64_t> getReloadCost(Operation *op, Attribute present,
                                       Attribute layout);

  /// Returns whether the memory operation `op` may have `layout` at all. Unless
  /// the access becomes 2D block messages, it cannot have the layout of a dot
  /// operand, and that of an accumulator only if lanes then run along memory.
  /// Atomics take no other than an accumulator's and the coalesced one,
  /// volatile loads only the latter.
  bool isLegalMemoryLayout(Operation *op, Attribute layout);

private:
  /// Returns the 2D block messages by which a warp executes `op` in this
  /// layout; 0 if the access will be rewritten.
  unsigned countBlockMessages(Operation *op, Attribute layout);
  int64_t getMemoryCost(Operation *op, RankedTensorType type, Attribute layout);
  int64_t getReduceCost(Operation *op, RankedTensorType type, Attribute layout);
  int64_t getLanesCost(int64_t rows, unsigned numBits, bool dividesRows) const;
  int64_t getBarrierCost(const LinearLayout &layout) const;

  AccessPattern getPattern(Operation *op);
  /// Returns a type with the properties that costs depend on: the shape, and
  /// the width of elements.
  Type getPlainType(RankedTensorType type);
  /// Returns the number of elements that all work-items hold, including copies.
  int64_t countHeldElements(RankedTensorType type, Attribute layout);

  ModuleOp module;
  TargetDesc target;
  LayoutConversionOptions conversionOptions;
  LayoutCostWeights weights;
  ValueSources sources;
  ElementRuns runs;
  DenseMap<std::tuple<Type, Attribute, Attribute>, int64_t> conversions;
  DenseMap<std::pair<Operation *, Attribute>, int64_t> operations;
  DenseMap<std::pair<Operation *, Attribute>, unsigned> blockMessages;
  DenseMap<std::pair<Type, Attribute>, int64_t> heldElements;
  DenseMap<Type, Type> plainTypes;
};

/// Returns whether `op` takes much longer per element than an addition, so that
/// a conversion is cheaper than executing it twice.
bool isExpensive(Operation *op);

/// Returns whether `layout` is that of an accumulator, or a slice of one.
bool isAccumulatorLayout(Attribute layout);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_LAYOUTCOST_H
