//===- AddressTranslation.h - Virtual memory of a launch --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_SIMULATOR_ADDRESSTRANSLATION_H
#define TRITON_INTEL_SIMULATOR_ADDRESSTRANSLATION_H

#include <cstdint>

namespace triton::intel::simulator {

/// A range of addresses, and the memory of the process that it is bound to.
struct MappedRange {
  std::uint64_t begin = 0, size = 0;
  std::uint8_t *host = nullptr;
  bool isReadOnly = false;
  /// True of memory of the host, which the GPU reaches by a link.
  bool isRemote = false;

  /// Returns the memory of `numBytes` at an address, or null where the range
  /// does not hold all of them, or must not be written.
  std::uint8_t *get(std::uint64_t address, std::uint64_t numBytes,
                    bool isWritten) const {
    std::uint64_t offset = address - begin;
    bool isWithin = offset < size && numBytes <= size - offset;
    return isWithin && !(isWritten && isReadOnly) ? host + offset : nullptr;
  }
};

/// Finds where the addresses of a kernel are in this process. A launch without
/// one uses addresses as pointers.
class AddressTranslation {
public:
  virtual ~AddressTranslation() = default;

  /// Returns the range that an address lies in; one of size 0 where it is not
  /// bound. Any thread may call it.
  virtual MappedRange find(std::uint64_t address) const = 0;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_ADDRESSTRANSLATION_H
