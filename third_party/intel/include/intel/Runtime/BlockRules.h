//===- BlockRules.h - Rules of 2D block messages ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Describes the rule that a 2D block message breaks, for both runtimes of the
// CPU device.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_BLOCKRULES_H
#define TRITON_INTEL_RUNTIME_BLOCKRULES_H

#include "intel/ABI/BlockMessage.h"

#include <optional>
#include <string>

namespace triton::intel::runtime {

/// Describes the rule that a message with elements of `elementBytes` bytes
/// breaks, if there is one, and all operands of the message. `place` is its
/// line in Python.
std::optional<std::string> checkBlockRules(const std::string &place,
                                           const abi::BlockRules &rules,
                                           std::uint32_t elementBytes,
                                           const abi::BlockOperands &operands);

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_BLOCKRULES_H
