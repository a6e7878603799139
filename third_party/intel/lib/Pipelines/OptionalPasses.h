//===- OptionalPasses.h - Passes that a pipeline may leave out --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_PIPELINES_OPTIONALPASSES_H
#define TRITON_INTEL_LIB_PIPELINES_OPTIONALPASSES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::triton::gpu::intel {

/// Adds an OptionalPass, unless `skip` has its argument. Entries of the form
/// `argument:numbers` set the pass's own option `skip`.
void addOptional(OpPassManager &pm, ArrayRef<std::string> skip,
                 std::unique_ptr<Pass> pass);

/// Adds an OptionalPass that others rely on, apart from its rewrites: an entry
/// with its argument leaves out all of these.
void addWithOptionalRewrites(OpPassManager &pm, ArrayRef<std::string> skip,
                             std::unique_ptr<Pass> pass);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_PIPELINES_OPTIONALPASSES_H
