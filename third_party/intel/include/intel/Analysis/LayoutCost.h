//===- LayoutCost.h - What a choice of layouts costs ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The numbers by which layouts are chosen; the place to tune. All costs are in
// one unit, about the time in which a work-group moves one byte between
// registers and the L1 cache, and count everything that the work-group does
// once: a loop around it is the caller's business.
//
// Memory is counted in messages of a warp: a message takes a fixed time, and a
// time for every 64-byte piece of memory that its lanes touch. So 16 lanes with
// one f32 each along a row cost 64 bytes of data and one message; with one
// 16-bit value each, they pay for twice the bytes that they use; with 8-bit
// values for four times. A conversion through shared local memory writes the
// tensor once, reads it once per work-item that holds a copy, loses about half
// of the bandwidth to bank conflicts and address arithmetic, and needs
// barriers. This is why an accumulator's layout is worth having in a load or
// store of a whole tile (16- and 32-bit elements), but a dot operand's is not:
// there a lane strides through memory, and all warps of a row would load the
// same tile.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_LAYOUTCOST_H
#define INTEL_ANALYSIS_LAYOUTCOST_H

#include "intel/Analysis/AccessPattern.h"
#include "intel/Target/KnownTargets.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "triton/Analysis/LayoutConversion.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton {
class ModuleAxisInfoAnalysis;
}

namespace mlir::triton::gpu::intel {

/// The weights of the model.
struct LayoutCostWeights {
  /// Of a message, whatever it transports.
  int64_t message = 32;
  /// Bytes that the memory system moves at a time.
  int64_t sectorBytes = 64;
  /// Of a byte written to or read from shared local memory in a conversion.
  int64_t sharedByte = 2;
  /// Of the barriers around an exchange through shared local memory.
  int64_t barrier = 1024;
  /// Per element: simple arithmetic, and elementary functions and divisions.
  int64_t simpleElement = 1;
  int64_t expensiveElement = 4;
  /// Per element, within a warp: a value fetched from another lane, which takes
  /// an indirect register access, and a choice by lane number.
  int64_t shuffledElement = 8;
  int64_t selectedElement = 2;
  /// A value fetched from the lane whose number differs in one bit: 263 moves
  /// were seen for 72 of them in a sort of rows of 64 by sub-groups of 16.
  int64_t exchangedElement = 4;
};

/// Costs of the operations and conversions of one module; remembers answers.
class LayoutCostModel {
public:
  explicit LayoutCostModel(ModuleOp module, LayoutCostWeights weights = {});

  /// From here on an access through a block pointer cannot have a layout that
  /// no 2D block message delivers: nobody will rewrite it any more.
  void keepBlockAccesses() { keepsBlockAccesses = true; }
  ~LayoutCostModel();

  /// Of converting a tensor with the shape and element type of `type` between
  /// two layouts. 0 only if they are the same attribute.
  int64_t getConversionCost(RankedTensorType type, Attribute from,
                            Attribute to);

  /// Of executing `op` with `layout` as the layout of what it computes, loads
  /// or stores (of a reduction: of its operand).
  int64_t getOperationCost(Operation *op, Attribute layout);

  /// Of loading once more, with `layout`, the block that `op` loads; nothing
  /// where no 2D block messages do.
  std::optional<int64_t> getReloadCost(Operation *op, Attribute layout);

  /// Whether the memory operation `op` may have `layout` at all. Unless the
  /// access becomes 2D block messages, it cannot have the layout of a dot
  /// operand, and that of an accumulator only if lanes then run along memory.
  /// Atomics take no other than an accumulator's.
  bool isLegalMemoryLayout(Operation *op, Attribute layout);

private:
  /// The 2D block messages by which a warp executes `op` in this layout; 0 if
  /// the access will be rewritten.
  unsigned countBlockMessages(Operation *op, Attribute layout);
  int64_t getMemoryCost(Operation *op, RankedTensorType type, Attribute layout);
  int64_t getReduceCost(Operation *op, RankedTensorType type, Attribute layout);

  AccessPattern getPattern(Operation *op);
  /// What of a type matters to costs: its shape and the width of its elements.
  Type getPlainType(RankedTensorType type);
  /// Of all work-items, copies included.
  int64_t countHeldElements(RankedTensorType type, Attribute layout);

  bool keepsBlockAccesses = false;

  ModuleOp module;
  TargetDesc target;
  LayoutConversionOptions conversionOptions;
  LayoutCostWeights weights;
  /// Made when the first access asks for it.
  std::unique_ptr<ModuleAxisInfoAnalysis> axisInfo;
  DenseMap<std::tuple<Type, Attribute, Attribute>, int64_t> conversions;
  DenseMap<std::pair<Operation *, Attribute>, int64_t> operations;
  DenseMap<std::pair<Operation *, Attribute>, unsigned> blockMessages;
  DenseMap<std::pair<Type, Attribute>, int64_t> heldElements;
  DenseMap<Type, Type> plainTypes;
};

/// Whether `op` takes much longer per element than an addition: it is worth a
/// conversion not to execute it twice.
bool isExpensive(Operation *op);

/// Whether `op` gives registers other names and nothing else, in the layouts
/// that it infers.
bool isShapeOperation(Operation *op);

/// Whether `layout` is that of an accumulator, or a slice of one.
bool isAccumulatorLayout(Attribute layout);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_LAYOUTCOST_H
