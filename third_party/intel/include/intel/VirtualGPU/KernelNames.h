//===- KernelNames.h - Which kernel code is ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A walker names an address, and no kernel. The driver keeps the binaries of
// its compiler in a folder, in which the kernel of some code is found.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_KERNELNAMES_H
#define TRITON_INTEL_VIRTUALGPU_KERNELNAMES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace triton::intel::vgpu {

/// A kernel in a binary.
struct KernelPlace {
  std::string name;
  /// The path of the binary, and where the code begins in the kernel's section.
  std::string binary;
  std::uint64_t offset = 0;
};

/// Finds code in the binaries (zebin) below a folder. Places that a driver
/// changes when it loads a binary do not count. Returns nothing where none has
/// it.
std::optional<KernelPlace> findKernel(const std::string &folder,
                                      const std::vector<std::uint8_t> &code);

/// Returns lines that show which source the instruction of a message comes
/// from, as the module `triton_xe.tools.virtual_gpu.failure_lines` of a Python
/// finds them; empty if it does not know.
std::string describeSource(const std::string &python, const KernelPlace &place,
                           const std::string &message);

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_KERNELNAMES_H
