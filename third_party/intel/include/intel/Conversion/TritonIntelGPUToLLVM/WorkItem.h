//===- WorkItem.h - Identity and shared memory of a work-item ---*- C++ -*-===//
//
// What a lowering needs to know about the work-item it emits code for: its
// position in the sub-group and work-group, the coordinates of the tensor
// elements in its registers, and the work-group's shared local memory (SLM).
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_CONVERSION_TRITONINTELGPUTOLLVM_WORKITEM_H
#define INTEL_CONVERSION_TRITONINTELGPUTOLLVM_WORKITEM_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Transforms/DialectConversion.h"
#include "triton/Tools/LinearLayout.h"

namespace mlir::triton::gpu::intel {

/// Name of the module-scope SLM array.
inline constexpr llvm::StringLiteral kSharedMemorySymbol = "triton_xe_slm";

/// i32 number of the work-item within its sub-group.
Value getLaneId(RewriterBase &rewriter, Location loc);
/// i32 number of the sub-group within its work-group.
Value getWarpId(RewriterBase &rewriter, Location loc);

/// Barrier of the work-group that orders its accesses to SLM, and to global
/// memory too if `fenceGlobal`.
void emitBarrier(RewriterBase &rewriter, Location loc, bool fenceGlobal);

/// The function `name`, declared at module scope if it is not yet there.
/// `convergent` for everything that involves other work-items.
LLVM::LLVMFuncOp lookupOrDeclareFunction(RewriterBase &rewriter,
                                         Operation *user, StringRef name,
                                         Type result, ArrayRef<Type> arguments,
                                         bool isPure, bool isConvergent);

/// Calls the function `name` (declared on demand); null for a void result.
Value callFunction(RewriterBase &rewriter, Location loc, StringRef name,
                   Type result, ValueRange arguments, bool isPure,
                   bool isConvergent);

/// `constant` as an i32 (i64).
Value constantI32(RewriterBase &rewriter, Location loc, int32_t constant);
Value constantI64(RewriterBase &rewriter, Location loc, int64_t constant);

/// Evaluates `layout` on i32 values, one per input dimension; gives one i32 per
/// output dimension. Constant inputs fold.
SmallVector<std::pair<LayoutDim, Value>>
applyLinearLayout(RewriterBase &rewriter, Location loc,
                  const LinearLayout &layout,
                  ArrayRef<std::pair<LayoutDim, Value>> inputs);

/// The part of every register's coordinates that depends on the work-item: the
/// layout applied to (register 0, lane, warp). One i32 per tensor dimension.
SmallVector<Value> getBaseCoordinates(RewriterBase &rewriter, Location loc,
                                      const LinearLayout &layout);

/// Which work-items and registers hold a tensor element that others hold too.
/// Side effects must happen once: in owners, and not for copies.
struct Replication {
  /// i1, true where the work-item is the one to act; null if all are.
  Value isOwner;
  /// Register bits that do not change the element.
  int32_t copyMask = 0;

  /// Is the element in register `index` in a lower register already?
  bool isCopy(unsigned index) const { return (index & copyMask) != 0; }
};

/// Replication of a tensor or scalar (every work-item holds a scalar).
Replication getReplication(RewriterBase &rewriter, Location loc, Type type);

/// Pointer into SLM at byte `offset` (the value of `allocation.offset`).
Value getSharedMemoryPointer(RewriterBase &rewriter, Location loc,
                             Operation *user, int64_t offset);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_CONVERSION_TRITONINTELGPUTOLLVM_WORKITEM_H
