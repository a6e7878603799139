//===- BlockRules.h - Rules of 2D block messages ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Says in words which rule a 2D block message breaks; for kernels of both
// runtimes of the CPU device.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_BLOCKRULES_H
#define INTEL_RUNTIME_BLOCKRULES_H

#include "intel/ABI/BlockMessage.h"

#include <optional>
#include <string>

namespace triton::intel::runtime {

/// The rule that a message with elements of so many bytes breaks, if there is
/// one, and all of its operands. `place` is its line in Python.
std::optional<std::string> checkBlockRules(const std::string &place,
                                           const abi::BlockRules &rules,
                                           std::uint32_t elementBytes,
                                           const abi::BlockOperands &operands);

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_BLOCKRULES_H
