//===- MemoryOrder.h - Order of memory accesses -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Determines which memory an operation of lowered code may change, and which
// loads may be executed late.
//
// Tensors of a kernel may overlap. If the launch has shown that those of two
// arguments do not, a `separate_storage` assumption in the kernel states this,
// and a store of a block to one of them need not wait for loads of the other.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_MEMORYORDER_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_MEMORYORDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Operation.h"
#include "triton/Analysis/ValueSources.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// Memories of a device, as bits of a set.
enum Memory : unsigned { None = 0, Global = 1, Shared = 2, All = 3 };

/// Returns the memories whose loads must not cross `op`: it may write to them,
/// or it waits for others that do. Operations with regions are equivalent to
/// the operations in them.
unsigned getFencedMemory(Operation *op);

/// Describes the loads that must not cross an operation, or several.
struct Fence {
  /// The memories of which all loads must not.
  unsigned memory = None;
  /// Arguments of the kernel. Of global memory, the loads of everything that
  /// may overlap with the tensor of one of them must not.
  llvm::SmallSetVector<Value, 2> tensors;

  void include(const Fence &other) {
    memory |= other.memory;
    tensors.insert_range(other.tensors);
  }
  /// Returns the memories of which some loads must not cross the operation.
  unsigned getMemory() const {
    return tensors.empty() ? memory : memory | Global;
  }
};

/// Answers queries about the order of accesses in one function. Operations may
/// be created and erased between them, except for the assumptions.
class MemoryOrder {
public:
  explicit MemoryOrder(LLVM::LLVMFuncOp function);

  /// Returns the loads that must not cross `op`; see `getFencedMemory`.
  Fence getFence(Operation *op);

  /// Returns whether `load`, which is an ordinary load without order or one
  /// whose memory `getNearMemory` returns, must not cross the operation.
  bool mustNotCross(Operation *load, const Fence &fence);

private:
  /// Returns the argument of the kernel that the address of a message or of a
  /// load starts from; null if it is another value or not known.
  Value getTensor(Operation *message);

  ValueSources sources;
  /// Pairs of arguments whose tensors have no byte in common, in both orders.
  llvm::DenseSet<std::pair<Value, Value>> separate;
};

/// Returns whether `op` computes its results from its operands and does nothing
/// else. Instructions of the systolic array do not count.
bool isComputation(Operation *op);

/// Returns the memory that `op` reads if it is a load of short latency: of a
/// block, which is in the cache by then, or of shared memory. Returns `None`
/// for all other operations.
unsigned getNearMemory(Operation *op);

/// Returns whether `op` is a load of an operand of the systolic array for which
/// each lane has its own address, and not a message for a block.
bool isOrdinaryLoad(Operation *op);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_MEMORYORDER_H
