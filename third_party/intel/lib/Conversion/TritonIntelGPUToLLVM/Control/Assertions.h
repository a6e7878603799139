//===- Assertions.h - How kernels report failed assertions ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A module with tt.assert has a hidden last parameter in all of its functions:
// a pointer to the *report* in global memory (intel/ABI/KernelReport.h), of
// which assertions use 32-bit integers that are 0 when the kernel starts,
//
//   number of the assertion that failed first, counted from 1
//   program that it failed in: x, y, z
//   sub-group and lane; the rank and the coordinates of a tensor's element
//
// The texts that go with the numbers stay on the host. They are the value of an
// attribute of the kernel in LLVM IR, one line each, and become a record in the
// SPIR-V module (intel/ABI/SPIRVBinary.h). The launch passes the report,
// waits, reads it, and raises an error.
//
// A program stops where an assertion fails in one of its work-items, so that
// accesses which the assertion guards do not happen. All work-items agree on
// that, and leave together by a branch (tritonintelgpu-lower-control-flow).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_ASSERTIONS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_ASSERTIONS_H

#include "intel/Dialect/LLVMIR/Transforms/EarlyExit.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <string>

namespace mlir::triton::gpu::intel {

/// The texts of a module's assertions.
class AssertionTable {
public:
  explicit AssertionTable(ModuleOp module);

  bool empty() const { return texts.empty(); }
  /// Returns the number in the report of `op` or of its copies.
  int32_t getNumber(AssertOp op) const;
  /// Returns one text per line.
  std::string getLines() const;

private:
  SmallVector<std::string> texts;
};

/// Returns the report's address in the lowered function around the insertion
/// point.
Value getAssertionReport(RewriterBase &rewriter);

/// States that not all work-items of the program may come to `op`, which is
/// about to be lowered: it is reported, but does not stop the program.
void markDivergent(AssertOp op);

/// Stops the program if `isFailed` (i1) is true in any work-item. All
/// work-items of the program must come here.
void emitStopIfAny(RewriterBase &rewriter, Location loc, Value isFailed);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_CONTROL_ASSERTIONS_H
