//===- LinearLayoutCache.h - Layouts computed once per context --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTCACHE_H
#define TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTCACHE_H

#include "mlir/IR/Attributes.h"
#include "triton/Tools/LinearLayout.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/RWMutex.h"

#include <map>
#include <vector>

namespace mlir::triton::gpu {

/// The layouts of (encoding, shape). Safe to use from several threads. No code
/// iterates over it: the order of its pointer keys reaches no output.
class LinearLayoutCache {
public:
  /// Returns the entry, from `compute` if there is none yet. `compute` runs
  /// without a lock held, so it may itself query the cache.
  LinearLayout lookupOrCompute(Attribute encoding, ArrayRef<int64_t> shape,
                               function_ref<LinearLayout()> compute);

private:
  using Shape = std::vector<int64_t>;

  llvm::sys::SmartRWMutex</*mt_only=*/true> mutex;
  DenseMap<Attribute, std::map<Shape, LinearLayout>> layouts;
};

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTCACHE_H
