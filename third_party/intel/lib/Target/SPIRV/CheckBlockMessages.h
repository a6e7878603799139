//===- CheckBlockMessages.h - SPIR-V that checks its messages ---*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_CHECKBLOCKMESSAGES_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_CHECKBLOCKMESSAGES_H

#include "intel/ABI/SPIRVBinary.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace triton::intel::spirv {

/// Lets each 2D block message of `module` be checked against the rules of the
/// architecture before it happens. A violation is written to the report, which
/// becomes the hidden last parameter of kernels with messages unless it is that
/// already; the numbers there continue after `numAssertions`. Returns the
/// messages that they refer to, in order.
///
/// It is an error if the architecture is unknown, or if a function with
/// messages is used other than in calls.
llvm::Expected<std::vector<triton::intel::abi::CheckedBlockMessage>>
checkBlockMessages(llvm::Module &module, llvm::StringRef arch,
                   unsigned numAssertions);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_CHECKBLOCKMESSAGES_H
