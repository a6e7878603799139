//===- Device.h - A virtual GPU ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_VIRTUALGPU_DEVICE_H
#define TRITON_INTEL_VIRTUALGPU_DEVICE_H

#include "intel/VirtualGPU/Buffers.h"
#include "intel/VirtualGPU/Chips.h"
#include "intel/VirtualGPU/Clock.h"

#include <string>
#include <vector>

namespace triton::intel::vgpu {

/// One GPU of the process: its chip, its place on the PCI bus, its memory
/// and its clock.
class Device {
public:
  /// Minors of render nodes begin here.
  static constexpr unsigned firstMinor = 128;
  static constexpr unsigned major = 226;
  /// Memory regions: that of the system, and those of the tiles, from the first
  /// one on.
  static constexpr unsigned systemRegion = 0, localRegion = 1;

  Device(const Chip &chip, unsigned index);

  const Chip &getChip() const { return chip; }
  unsigned getMinor() const { return firstMinor + index; }
  Buffers &getBuffers() { return buffers; }
  Clock &getClock() { return clock; }

  /// Returns its address on the bus: "0000:03:00.0".
  std::string getBusAddress() const;
  /// Returns the PCI device and its two bridges, outermost first, as folders
  /// below /sys/devices.
  std::string getSystemPath() const;

private:
  const Chip &chip;
  unsigned index;
  Buffers buffers;
  Clock clock;
};

/// Returns the answer to a query of what the device is, as its bytes (see
/// `calls::Query`). Throws `CallError` for an unknown query.
std::vector<std::uint8_t> answerQuery(Device &device, std::uint32_t query);

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_DEVICE_H
