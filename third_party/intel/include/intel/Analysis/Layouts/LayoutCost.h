//===- LayoutCost.h - Costs of layouts --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The cost model for the choice of layouts. Costs are the cycles of vector
// engines in which a work-group executes something once, those of all of its
// warps (sub-groups) together; the caller accounts for loops. EngineCycles.h
// has what a cycle does.
//
// Arithmetic takes one instruction per group of lanes that an engine has.
// Memory is counted in messages of a warp: a message takes the instructions for
// itself and its addresses, and the time in which L1 moves every line that its
// lanes touch. So 16 lanes with one f32 each along a row move one line. With
// one 16-bit value each they pay for twice the bytes that they use, and with
// 8-bit values for four times. A conversion through shared local memory takes
// its messages, and makes the warps wait for each other. This is why a load or
// store of a whole tile (16- and 32-bit elements) should have the layout of the
// accumulator, but not that of a dot operand: in the latter, a lane strides
// through memory, and all warps of a row would load the same tile. If memory
// has the words of the operand next to each other, shared memory costs more.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_LAYOUTS_LAYOUTCOST_H
#define TRITON_INTEL_ANALYSIS_LAYOUTS_LAYOUTCOST_H

#include "intel/Analysis/Layouts/AccessPattern.h"
#include "intel/Analysis/Symbolic/AddressUses.h"
#include "intel/Analysis/Symbolic/ElementRuns.h"
#include "intel/Target/KnownTargets.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "triton/Analysis/LayoutConversion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::triton::gpu::intel {

/// The native instructions that the device compiler emits for operations. The
/// figures of exchanges are those of loops with two conversions more, and
/// without (KnownTargets.h names the compiler).
struct LayoutCostWeights {
  /// Instructions for each element of a lane: of simple arithmetic, and of
  /// elementary functions and divisions.
  int64_t simpleElement = 1;
  int64_t expensiveElement = 4;
  /// A value from another lane, by an indirect register access; and a selection
  /// by the number of the lane. Conversions of 16 values between rows and
  /// columns of 16 lanes have 96 moves and 132 other instructions, for 16 and
  /// 64 of them.
  int64_t shuffledElement = 6;
  int64_t selectedElement = 2;
  /// A value from the lane whose number differs in one bit: a sort of rows of
  /// 64 by sub-groups of 16 took 263 moves for 72 of them.
  int64_t exchangedElement = 4;
  /// The surface of a row that has a separate one. Before the loop of attention
  /// over pages, 8 rows with 2 messages each take 285 instructions; a message
  /// takes 7 of them (CompilerProfile.h).
  int64_t rowSurface = 22;
  /// An ordinary message, and the addresses of its lanes. In a loop, 16 loads
  /// of rows take 33 instructions, and 16 stores 40.
  int64_t message = 1, address = 1;
  /// The mask of a load, with what takes the place of missing elements, and of
  /// a store, which is in a branch. With masks of rows and columns, 16 loads
  /// take 98 instructions, and 16 stores 164.
  int64_t loadMask = 4, storeMask = 8;
  /// An index of 64 bits into a block, its product with a stride, and its
  /// comparison with both bounds. A transposing store of 16 messages, with 8
  /// rows and 2 columns of a lane, has 40 instructions of products, and 164 of
  /// comparisons.
  int64_t blockIndex = 2, stridedIndex = 5, checkedIndex = 16;
  /// An element of less than 32 bits, which an ordinary message has in 32.
  int64_t narrowElement = 1;
  /// An exchange through shared local memory: 17 to 24 instructions for one
  /// store and one load of each lane, 238 to 260 for 64.
  int64_t exchange = 16, exchangeMessage = 4;
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
  /// the access becomes 2D block messages, it can have the layout of a dot
  /// operand only to load whole words of it, and that of an accumulator only if
  /// lanes then run along memory.
  /// Atomics take no other than an accumulator's and the coalesced one,
  /// volatile loads only the latter.
  bool isLegalMemoryLayout(Operation *op, Attribute layout);

private:
  /// Returns the 2D block messages by which a warp executes `op` in this
  /// layout; 0 if the access will be rewritten.
  unsigned countBlockMessages(Operation *op, Attribute layout);
  int64_t countIndexInstructions(Operation *op, const LinearLayout &layout,
                                 const AccessPattern &pattern,
                                 int64_t vector) const;
  int64_t getMemoryCost(Operation *op, RankedTensorType type, Attribute layout);
  int64_t getReduceCost(Operation *op, RankedTensorType type, Attribute layout);
  int64_t countLaneInstructions(int64_t rows, unsigned numBits,
                                bool dividesRows) const;
  int64_t getExchangeCost(const LinearLayout &layout, int64_t numRounds,
                          int64_t numAccesses, int64_t numPasses) const;

  bool isOfIndices(Operation *op);
  bool loadsWords(Operation *op, Attribute encoding);
  bool isPartOfAccess(Value value) const;
  int64_t countEqual(Operation *op, RankedTensorType type, Attribute layout);

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
  DenseMap<Operation *, bool> ofIndices;
  /// The parts of the addresses of all accesses through tensors of pointers.
  SmallVector<AddressParts> accesses;
  /// The elements of a result along each dimension that one instruction makes.
  DenseMap<Operation *, SmallVector<int64_t>> equalElements;
  /// Reductions of which loops keep the parts of lanes.
  DenseSet<Operation *> carriedReductions;
};

/// Returns whether `op` takes much longer per element than an addition, so that
/// a conversion is cheaper than executing it twice.
bool isExpensive(Operation *op);

/// Returns whether `layout` is that of an accumulator, or a slice of one.
bool isAccumulatorLayout(Attribute layout);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_LAYOUTS_LAYOUTCOST_H
