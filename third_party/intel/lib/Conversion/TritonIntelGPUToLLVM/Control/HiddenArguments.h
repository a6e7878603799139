//===- HiddenArguments.h - Arguments that a launch adds ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// After the parameters of its tt.func, every function of a module may have
//
//   the global scratch of the launch   where operations want memory of the CTA
//   the profile memory of the launch   where the module has segments of records
//   the report of failures             where it has assertions (Assertions.h)
//
// all of them pointers to global memory. Callers hand them on.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_HIDDENARGUMENTS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_HIDDENARGUMENTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

struct HiddenArguments {
  /// Bytes of global scratch per program; 0 for a module that needs none.
  int64_t scratchBytes = 0;
  /// Bytes of profile memory per program; 0 for a module without segments.
  int64_t profileBytes = 0;
  /// The programs that have some, in order; none: all of them.
  ArrayRef<int32_t> profiledPrograms;
  bool hasReport = false;

  bool hasScratch() const { return scratchBytes > 0; }
  bool hasProfile() const { return profileBytes > 0; }
  unsigned size() const { return hasScratch() + hasProfile() + hasReport; }

  /// Returns the arguments of the lowered function around the insertion point,
  /// in their order.
  SmallVector<Value> getValues(RewriterBase &rewriter) const;
  /// Returns the memory of all programs. The kernel must have this argument.
  Value getGlobalScratch(RewriterBase &rewriter) const;
  Value getProfileMemory(RewriterBase &rewriter) const;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_HIDDENARGUMENTS_H
