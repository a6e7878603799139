//===- Fields.h - The bits of commands that are known -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_VIRTUALGPU_FIELDS_H
#define TRITON_INTEL_LIB_VIRTUALGPU_FIELDS_H

#include <cstdint>
#include <vector>

namespace triton::intel::simulator {
enum class Platform : std::uint8_t;
} // namespace triton::intel::simulator

namespace triton::intel::vgpu {

/// Throws `QueueError` if a command has a bit that is neither carried out nor
/// ignored on purpose, with its dword. `opcode` is the header without
/// everything that differs between commands of a kind.
void checkFields(std::uint32_t opcode, const std::vector<std::uint32_t> &words,
                 simulator::Platform platform);

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_LIB_VIRTUALGPU_FIELDS_H
