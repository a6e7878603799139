//===- PointerWebs.h - Which block pointers are kept ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The decision of RewriteTensorPointer. Block pointers that flow into each
// other (through advances, loops, branches, calls) form a web that is kept or
// rewritten as a whole: it has one type.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_POINTERWEBS_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_POINTERWEBS_H

#include "intel/Analysis/Blocks/BlockAccess.h"
#include "triton/Analysis/ValueSources.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::triton::gpu::intel {

/// Block pointers that flow into each other.
class PointerWebs {
public:
  explicit PointerWebs(ModuleOp module);

  void markForRewrite(Value value) { rewritten.insert(webs.getLeader(value)); }
  bool isRewritten(Value value) const {
    return rewritten.contains(webs.getLeader(value));
  }
  /// Returns whether the two belong to the same web.
  bool isConnected(Value lhs, Value rhs) const {
    return webs.getLeader(lhs) == webs.getLeader(rhs);
  }
  /// Returns all block pointers, in program order.
  ArrayRef<Value> getValues() const { return webs.getValues(); }

  /// Returns a rewritten pointer that is neither made by `tt.make_tensor_ptr`
  /// nor comes from another one, so that its parts are unknown; null if there
  /// is none.
  Value findUnknownOrigin() const;

private:
  ValueWebs webs;
  /// Values that come from none of the webs and are not made in the module.
  SmallVector<Value> unknown;
  llvm::SmallPtrSet<Value, 8> rewritten;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_POINTERWEBS_H
