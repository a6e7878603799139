//===- HiddenArguments.h - What the launch adds to arguments ----*- C++ -*-===//
//
// Behind the parameters of its tt.func, every function of a module may have
//
//   the profile memory of the launch   where the module has segments of records
//   the report of failures             where it has assertions (Assertions.h)
//
// both of them pointers to global memory. Callers hand them on.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_HIDDENARGUMENTS_H
#define INTEL_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_HIDDENARGUMENTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

struct HiddenArguments {
  /// Bytes of profile memory per program; 0 for a module without segments.
  int64_t profileBytes = 0;
  bool hasReport = false;

  bool hasProfile() const { return profileBytes > 0; }
  unsigned size() const { return hasProfile() + hasReport; }

  /// Those of the lowered function around the insertion point, in their order.
  SmallVector<Value> getValues(RewriterBase &rewriter) const;
  /// Must have one.
  Value getProfileMemory(RewriterBase &rewriter) const;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_HIDDENARGUMENTS_H
