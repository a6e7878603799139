//===- AccessOrder.h - Loads that come too late -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A program's sub-groups run at their own pace. What one of them stores,
// another one may not have loaded yet, although the program says that it is
// loaded first: a product that is written over its factor, rows that change
// places. No two sub-groups have to meet for this where each loads the elements
// that it stores, and no others of them.
//
// Whether two accesses may be of the same memory is known from the pointers
// that they start from: from the same pointer they may be, from two arguments
// they are if these are the same when the kernel runs. A pointer into the
// middle of what another argument points to is not looked for: other programs
// would have to be kept apart, too, which no kernel can do.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_ACCESSORDER_H
#define INTEL_ANALYSIS_ACCESSORDER_H

#include "mlir/IR/BuiltinOps.h"
#include "triton/Analysis/LayoutConversion.h"
#include "triton/Analysis/ValueSources.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// How a load and a store behind it have to be kept in order.
struct AccessConflict {
  enum class Kind {
    /// They are of different memory, or every sub-group has its own elements.
    None,
    /// Sub-groups have to wait for each other.
    Always,
    /// They have to if the two scalars of one of the pairs are the same
    /// pointer.
    IfSame,
  };
  Kind kind = Kind::None;
  /// What the load, and what the store starts from.
  SmallVector<std::pair<Value, Value>, 1> pairs;
};

/// Answers about the accesses of one module, in which barriers may come between
/// questions; remembers where pointers start from.
class AccessOrder {
public:
  explicit AccessOrder(ModuleOp module);

  /// Whether `load`, which reads global memory, may come too late in some
  /// sub-group for what another one writes by `store`.
  AccessConflict findConflict(Operation *load, Operation *store);

private:
  /// Scalars; none where an access does not start from scalars alone.
  using Roots = llvm::SmallSetVector<Value, 2>;
  Roots getRoots(Operation *access);
  bool hasOwnElements(Operation *load, Operation *store) const;

  ValueSources sources;
  LayoutConversionOptions conversionOptions;
  llvm::DenseMap<Operation *, Roots> roots;
};

/// Whether `op` is one of the loads, or of the stores, that the above is about.
/// Atomic operations are none: who shares memory through them keeps it in order
/// by them.
bool isOrderedLoad(Operation *op);
bool isOrderedStore(Operation *op);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_ACCESSORDER_H
