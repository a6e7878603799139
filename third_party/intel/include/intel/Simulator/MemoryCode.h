//===- MemoryCode.h - Machine code somewhere in memory ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A walker names the first instruction of a kernel, and the end of its code is
// not recorded: kernels of other programs follow in the same memory. The
// instructions that a thread can reach are found from the branches among them.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SIMULATOR_MEMORYCODE_H
#define TRITON_INTEL_SIMULATOR_MEMORYCODE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace triton::intel::simulator {

/// Returns the code of the kernel whose first instruction is at `bytes`: up to
/// the last end of a thread or of a function that a thread can come to. The
/// bytes between such an end and the next target of a branch are padding, and
/// become illegal instructions. Throws `Error` of kind `Binary` if the code
/// does not end in `numBytes` bytes, or branches to an address before its
/// beginning.
std::vector<std::uint8_t> readMemoryCode(const std::uint8_t *bytes,
                                         std::size_t numBytes);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_MEMORYCODE_H
