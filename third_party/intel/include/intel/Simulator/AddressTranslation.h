//===- AddressTranslation.h - Virtual memory of a launch --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_SIMULATOR_ADDRESSTRANSLATION_H
#define INTEL_SIMULATOR_ADDRESSTRANSLATION_H

#include <cstdint>

namespace triton::intel::simulator {

/// Tells where the addresses of a kernel are in this process. A launch without
/// one uses addresses as pointers.
class AddressTranslation {
public:
  virtual ~AddressTranslation() = default;

  /// Returns the memory of the process for `size` bytes at an address, or null
  /// where the access is a page fault. Any thread may call it.
  virtual std::uint8_t *translate(std::uint64_t address, std::uint64_t size,
                                  bool isWritten) const = 0;

  /// Returns whether an address is in memory of the host, which the GPU reaches
  /// by a link.
  virtual bool isRemote(std::uint64_t /*address*/) const { return false; }
};

} // namespace triton::intel::simulator

#endif // INTEL_SIMULATOR_ADDRESSTRANSLATION_H
