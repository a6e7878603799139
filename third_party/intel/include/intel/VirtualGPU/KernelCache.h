//===- KernelCache.h - Decoded kernels of a virtual GPU ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel is disassembled once: by the device compiler's own disassembler,
// which is a library beside the driver and is loaded into the process. Its
// result is kept in memory and, for other processes, in a folder, by the
// content of the code.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_KERNELCACHE_H
#define TRITON_INTEL_VIRTUALGPU_KERNELCACHE_H

#include "intel/Simulator/Instruction.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace triton::intel::vgpu {

/// Returns how the disassembler describes code, as its JSON. Throws
/// `QueueError` if there is no disassembler, or it does not know the code.
std::string disassemble(const std::vector<std::uint8_t> &code,
                        simulator::Platform platform);

/// A kernel in memory: its bytes, up to its end, and what they are.
struct KernelCode {
  std::vector<std::uint8_t> bytes;
  std::shared_ptr<const simulator::Code> code;
};

class KernelCache {
public:
  /// Without a folder nothing is kept for other processes.
  explicit KernelCache(std::string folder) : folder(std::move(folder)) {}

  /// Returns the kernel whose first instruction is at `bytes`, of which
  /// `numBytes` can be read. Throws `QueueError` for code that is not known.
  std::shared_ptr<const KernelCode> get(const std::uint8_t *bytes,
                                        std::size_t numBytes,
                                        simulator::Platform platform);

private:
  std::shared_ptr<const simulator::Code>
  decode(const std::vector<std::uint8_t> &code, simulator::Platform platform);
  std::string describe(const std::vector<std::uint8_t> &code,
                       const std::string &key, simulator::Platform platform);

  std::string folder;
  std::mutex mutex;
  /// The kernels by the contents of their memory when it was read.
  std::map<const std::uint8_t *, std::shared_ptr<const KernelCode>> byPlace;
  std::map<std::string, std::shared_ptr<const simulator::Code>> byContent;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_KERNELCACHE_H
