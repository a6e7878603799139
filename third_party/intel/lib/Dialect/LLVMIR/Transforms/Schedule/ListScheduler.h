//===- ListScheduler.h - An order with short live ranges --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Orders the operations of a block by two rules:
//
// - An operation that makes no more than it takes is executed as soon as that
//   needs no register more: when it is the last one to use its operands.
// - An operation that makes more than it takes, such as a load, a constant or a
//   conversion to a wider type, is executed before its first use.
//
// The others, which have effects, stay in the order of the program. A store of
// a block is executed as soon as its value is available. In order are also the
// instructions of the systolic array, except where a product starts from zero,
// or where there are too few registers: then a few columns of it are finished
// before the next ones begin, so that the columns can be used and their
// registers are free again. Products of which none needs another are taken
// together, so that a block that is an operand of two is used by both at once.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_LISTSCHEDULER_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_LISTSCHEDULER_H

#include "MemoryOrder.h"

#include "intel/Analysis/Registers/FragmentRegisters.h"

namespace mlir::triton::gpu::intel {

/// Describes the latency that an order of a block gives up for registers, or
/// the registers that it takes to hide latency.
struct ScheduleChoice {
  /// The number of accumulators that instructions of the systolic array take in
  /// turn where columns are finished one after the other.
  unsigned accumulators;
  /// Whatever products start from, columns are finished one after the other.
  bool groupsAlways = false;
  /// Also parts of a column are finished one after the other, where a column
  /// has more accumulators: all parts of the right operand stay in registers.
  bool dividesColumns = false;
  /// Columns whose right operands have parts of one load are finished together,
  /// before the next loads. `groupsAlways` is true then.
  bool sharesLoads = false;
  /// No operation but those that stay in the program's order executes a load
  /// that it needs, even if it takes more registers than it makes.
  bool hasLateLoads = false;
  /// Blocks are loaded first, as far as their addresses are available and
  /// nothing is before the loads that they must not cross.
  bool hasEarlyLoads = false;
  /// Computations that the program has after products stay after them, unless a
  /// product needs them. Otherwise they come before, since products are taken
  /// together.
  bool hasLateComputations = false;
  /// After a product come those that need no other loads and can come next: a
  /// load may have a part of the operands of many products.
  bool followsLoads = false;
  /// Operations that make no more than they take wait until their results are
  /// needed, or until they are the last to use their operands: a result takes
  /// registers, and operands with later uses keep theirs.
  bool isLazy = false;
};

/// Returns the numbers of the operations of a block in their new order.
SmallVector<unsigned> scheduleBlock(const BlockLiveness &liveness,
                                    const FragmentRegisters &registers,
                                    MemoryOrder &memory, ScheduleChoice choice);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_LISTSCHEDULER_H
