//===- SharedMemoryAliases.h - Aliases of memdescs --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Finds the allocations of shared memory that a memdesc value may be a view of.
// The analysis follows views, loop-carried values and branches. It is
// flow-insensitive, so it stays valid as long as no memdesc operation is added
// or removed.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_SHAREDMEMORYALIASES_H
#define TRITON_ANALYSIS_SHAREDMEMORYALIASES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::triton::gpu {

class SharedMemoryAliases {
public:
  explicit SharedMemoryAliases(FunctionOpInterface function);

  /// Returns all allocations of the function, in program order.
  ArrayRef<LocalAllocOp> getAllocations() const { return allocations; }

  /// Allocations that `memdesc` may refer to, in program order.
  SmallVector<LocalAllocOp> getAllocations(Value memdesc) const;
  /// Returns whether `memdesc` may refer to memory that the function did not
  /// allocate.
  bool mayBeForeign(Value memdesc) const;

  /// Returns all values that may refer to the allocation, in program order.
  SmallVector<Value> getAliases(LocalAllocOp allocation) const;

private:
  /// One bit per allocation; the last bit represents foreign memory.
  using Targets = llvm::SmallBitVector;
  Targets lookup(Value memdesc) const;
  bool add(Value memdesc, const Targets &targets);
  bool propagate(Operation *op);

  SmallVector<LocalAllocOp> allocations;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<Value, Targets> targetsOf;
  /// The keys of `targetsOf` in the order in which they were met.
  SmallVector<Value> values;
};

} // namespace mlir::triton::gpu

#endif // TRITON_ANALYSIS_SHAREDMEMORYALIASES_H
