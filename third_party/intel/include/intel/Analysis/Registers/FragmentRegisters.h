//===- FragmentRegisters.h - Registers that fragments take ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Counts the registers of a sub-group in lowered code, where a value is a
// fragment: what one lane has of a tensor, or a scalar. This is the model of
// registers that the scheduler uses.
//
// A value that differs between lanes takes its bits in every lane. A uniform
// value takes them once, and so does a vector whose elements are equal.
// Elements that nothing uses take none, since the device compiler does not
// compute them. Constants are operands of instructions and take none, and
// conditions are in flag registers.
//
// A part of consecutive elements of a vector takes no separate registers: it is
// a region of the registers of the vector, which stay occupied until the last
// part has been used.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_REGISTERS_FRAGMENTREGISTERS_H
#define TRITON_INTEL_ANALYSIS_REGISTERS_FRAGMENTREGISTERS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::triton::gpu::intel {

/// Consecutive bits of the registers of a value, in every lane.
struct RegisterRegion {
  /// The value that has the registers.
  Value owner;
  /// The first bit.
  int64_t offset = 0;
};

/// Returns the registers that have the bits of `value`: those of another value
/// if `value` is a part of it, or was joined from such parts again.
RegisterRegion getRegion(Value value);

/// Returns the bytes of a sub-group's registers that a tensor with a layout
/// takes: 0 for conditions, and those of one of the registers that hold copies.
int64_t getRegisterBytes(RankedTensorType type);

/// The registers that values of a function take.
class FragmentRegisters {
public:
  /// Finds out which values of `function` are uniform, and which elements are
  /// used. `lanes` is the size of its sub-groups.
  FragmentRegisters(Operation *function, int64_t lanes);

  /// Returns the bytes of registers that a sub-group needs for `value`.
  int64_t getBytes(Value value) const;

  /// Takes note of an operation that was created since.
  void add(Operation *op) { visit(op); }
  /// Erases an operation, which has no uses.
  void erase(Operation *op);

  /// Returns whether all lanes have the same `value`.
  bool isUniform(Value value) const { return !varying.contains(value); }

  /// Returns the value whose registers `value` is a part of: `value` itself if
  /// it has its own.
  static Value getOwner(Value value) { return getRegion(value).owner; }

private:
  /// Marks the results of `op`; returns whether a mark is new.
  bool visit(Operation *op);
  bool markVarying(Value value) { return varying.insert(value).second; }
  /// Counts the elements of vectors that operations of `function` use.
  void countUsedElements(Operation *function);
  /// Returns whether all elements of the result of `op` are the same.
  bool makesSplat(Operation *op) const;

  int64_t lanes;
  llvm::DenseSet<Value> varying;
  /// Vectors whose elements are known to be equal.
  llvm::DenseSet<Value> splats;
  /// The number of used elements of vectors that have unused ones.
  llvm::DenseMap<Value, int64_t> usedElements;
};

/// The live ranges of one block, in whose nested regions values count as used
/// by the operation with the region.
class BlockLiveness {
public:
  /// A value with separate registers that the block defines, or one from
  /// outside that it uses.
  struct Range {
    Value value;
    int64_t bytes = 0;
    /// Operations that use it, by number, each once and in program order.
    SmallVector<unsigned, 2> users;
    /// It comes from outside and is used once the block has been executed,
    /// after it or by its next execution: it keeps its registers after its last
    /// user.
    bool staysAlive = false;
    /// It is live when the block begins.
    bool isInitial = false;
  };
  struct Node {
    Operation *op = nullptr;
    /// Numbers of ranges that the operation reads, each once.
    SmallVector<unsigned, 4> reads;
    /// Numbers of ranges that it begins.
    SmallVector<unsigned, 1> writes;
    /// Numbers of the operations of this block that make its operands, each
    /// once, in the order of the operands.
    SmallVector<unsigned, 4> producers;
    /// Numbers of the operations that have it among their producers.
    SmallVector<unsigned, 2> consumers;
  };

  /// Marks of variables for debuggers are left out.
  BlockLiveness(Block &block, const FragmentRegisters &registers);

  ArrayRef<Node> getNodes() const { return nodes; }
  ArrayRef<Range> getRanges() const { return ranges; }
  /// Returns the number of an operation of the block.
  unsigned getNumber(Operation *op) const { return numbers.at(op); }

  /// Returns the bytes that are live at each operation, in the order given by
  /// their numbers: what is live after it, and its operands or its results,
  /// whichever are larger. Without `isCounted`, all ranges count.
  SmallVector<int64_t> getPressure(
      ArrayRef<unsigned> order,
      llvm::function_ref<bool(const Range &)> isCounted = nullptr) const;

  /// Returns the bytes that are live at the operation at `position` of `order`
  /// without being used or made by it.
  int64_t getBytesAcross(ArrayRef<unsigned> order, size_t position) const;

private:
  unsigned getRange(Value value, const FragmentRegisters &registers);

  Block &block;
  SmallVector<Node, 0> nodes;
  SmallVector<Range, 0> ranges;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<Value, unsigned> rangeNumbers;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_REGISTERS_FRAGMENTREGISTERS_H
