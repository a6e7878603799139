//===- ConversionTarget.h - Target of layout conversions --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The options for the plan of a layout conversion. All passes that plan a
// conversion, estimate its cost, report it or lower it take the options from
// here, so that they make the same plan. The numbers depend on the target: its
// dialect implements the interface below.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_CONVERSIONTARGET_H
#define TRITON_ANALYSIS_CONVERSIONTARGET_H

#include "triton/Analysis/LayoutConversion.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"

namespace mlir::triton::gpu {

/// Implemented by a dialect that knows targets.
class ConversionTargetInterface
    : public DialectInterface::Base<ConversionTargetInterface> {
public:
  explicit ConversionTargetInterface(Dialect *dialect) : Base(dialect) {}

  /// Returns the limits of the machine that `module` is compiled for, and the
  /// scratch memory that one conversion may take at a time.
  virtual LayoutConversionOptions
  getConversionOptions(ModuleOp module) const = 0;

  /// Returns the bytes of shared memory that a work-group of `module` has if
  /// all work-groups that a core can execute at a time have the same amount.
  virtual int64_t getSharedMemoryShare(ModuleOp module) const = 0;

  /// Returns the most bytes of a lane for results that are loaded earlier than
  /// before, where conversions share an exchange.
  virtual int64_t getHeldBytes(ModuleOp module) const = 0;
};

/// Returns the options for conversions in `module`.
LayoutConversionOptions getConversionOptions(ModuleOp module);

/// Returns `options` for conversions to a layout. Registers do not go as they
/// are if a word of the result has several elements of a lane: to interleave
/// rows, the device compiler moves each element twice (in the loop of the
/// grouped GEMM, 46 instructions more than with words of lanes).
LayoutConversionOptions
getOptionsForResult(const LayoutConversionOptions &options, Attribute encoding);

/// Returns the target's share of shared memory; 0 if no target is known.
int64_t getSharedMemoryShare(ModuleOp module);

/// Returns the target's limit for results of merged conversions; 0 if no target
/// is known.
int64_t getHeldBytes(ModuleOp module);

} // namespace mlir::triton::gpu

#endif // TRITON_ANALYSIS_CONVERSIONTARGET_H
