//===- AccessOrder.h - Loads that come too late -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The sub-groups of a program run at their own pace. One of them may store
// elements that another one has not loaded yet, although the program loads them
// first: a product overwrites an operand, or rows are permuted in place. No
// barrier is needed if each sub-group loads only the elements that it stores,
// which has to be proved, or if the memory of both accesses is different, which
// the launch knows of its arguments. A load that several sub-groups execute may
// be left to owners (OwnerLoads.h). docs/MemoryOrder.md has the contract.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_ORDER_ACCESSORDER_H
#define TRITON_INTEL_ANALYSIS_ORDER_ACCESSORDER_H

#include "mlir/IR/BuiltinOps.h"
#include "triton/Analysis/LayoutConversion.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// The accesses that one access is compared with at most, so that the time for
/// a kernel stays linear in its accesses.
inline constexpr unsigned kMaxComparedAccesses = 64;

/// How a load and a later store have to be ordered.
struct AccessConflict {
  enum class Kind {
    /// No barrier: no sub-group stores what another one loads.
    None,
    /// Sub-groups have to wait for each other.
    Always,
    /// No barrier is needed in launches that satisfy `pairs` and `minimums`.
    IfLaunched,
  };
  Kind kind = Kind::None;
  /// Pointers that the load and the store start from. The memory of each pair
  /// must not overlap; with `maySame`, it may begin at the same address, too.
  SmallVector<std::pair<Value, Value>, 1> pairs;
  bool maySame = false;
  /// Integers, and what they have to be at least.
  SmallVector<std::pair<Value, int64_t>, 1> minimums;
};

/// Answers queries about the accesses of one module, and caches the pointers
/// that accesses start from. Barriers may be inserted between queries.
class AccessOrder {
public:
  explicit AccessOrder(ModuleOp module);

  /// Finds out whether `store` of one sub-group may overwrite elements before
  /// `load`, which reads global memory, has read them in another sub-group.
  AccessConflict findConflict(Operation *load, Operation *store) {
    return findConflict(load, store, ownerLoads.contains(load));
  }

  /// As above, if only owners execute the load.
  AccessConflict findConflictInOwners(LoadOp load, Operation *store) {
    return findConflict(load, store, /*inOwners=*/true);
  }

  /// Notes that only owners execute the load.
  void addOwnerLoad(LoadOp load) { ownerLoads.insert(load); }

private:
  /// Scalars; empty if an access does not start from scalars only.
  using Roots = llvm::SmallSetVector<Value, 2>;
  Roots getRoots(Operation *access);
  AccessConflict findConflict(Operation *load, Operation *store, bool inOwners);
  bool hasOwnElements(Operation *load, Operation *store, bool inOwners) const;
  bool isOwn(Operation *load, Operation *store, bool inOwners,
             const Roots &from, const Roots &to, AccessConflict &conflict);

  ValueSources sources;
  LayoutConversionOptions conversionOptions;
  llvm::DenseMap<Operation *, Roots> roots;
  llvm::DenseSet<Operation *> ownerLoads;
};

/// Returns whether `op` is a load, or a store, that AccessOrder handles. Atomic
/// operations are not: kernels that share memory through them use them to order
/// accesses.
bool isOrderedLoad(Operation *op);
bool isOrderedStore(Operation *op);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_ORDER_ACCESSORDER_H
