//===- Device.cpp - A virtual GPU, and its description of itself ----------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Device.h"

#include "intel/VirtualGPU/DriverCalls.h"
#include "intel/VirtualGPU/Failure.h"

#include <cerrno>
#include <cstdio>
#include <type_traits>

namespace triton::intel::vgpu {

namespace {
/// Keys of the hardware configuration table, as NEO reads them
/// (compute-runtime, hwconfig names of xe's firmware interface).
enum HardwareKey : std::uint32_t {
  maxSlices = 1,
  memoryChannels = 10,
  memoryType = 11,
  threadsPerEngine = 15,
  computeEngines = 24,
  l3BankKB = 64,
  maxCores = 70,
  enginesPerCore = 71,
  sharedKB = 73,
};

constexpr std::uint64_t systemMask = 1u << Device::systemRegion;

/// Returns the memory regions of all tiles.
std::uint64_t getLocalMask(const Chip &chip) {
  return chip.hasLocalMemory()
             ? ((std::uint64_t(1) << chip.tiles) - 1) << Device::localRegion
             : 0;
}

/// Bytes of an answer that is built up.
class Answer {
public:
  template <typename T> void add(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    auto *begin = reinterpret_cast<const std::uint8_t *>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(T));
  }
  /// Adds a count and its padding, with which lists begin.
  void addCount(std::size_t count) {
    add(static_cast<std::uint32_t>(count));
    add(std::uint32_t(0));
  }
  std::vector<std::uint8_t> take() { return std::move(bytes); }

private:
  std::vector<std::uint8_t> bytes;
};

std::vector<std::uint8_t> describeConfig(const Chip &chip) {
  constexpr unsigned revisionShift = 16;
  // Priorities are low, normal and high.
  constexpr std::uint64_t maxPriority = 2;
  Answer answer;
  answer.addCount(calls::numConfigs);
  std::uint64_t words[calls::numConfigs];
  words[calls::configDevice] =
      std::uint64_t(chip.revision) << revisionShift | chip.deviceId;
  words[calls::configFlags] =
      calls::hasLowLatency |
      (chip.hasLocalMemory() ? calls::hasLocalMemory : 0);
  words[calls::configMinAlignment] = chip.pageBytes;
  words[calls::configAddressBits] = chip.addressBits;
  words[calls::configMaxPriority] = maxPriority;
  answer.add(words);
  return answer.take();
}

std::vector<std::uint8_t> describeHardware(const Chip &chip) {
  const std::pair<HardwareKey, std::uint32_t> entries[] = {
      {maxSlices, chip.slices},
      {maxCores, chip.slices * chip.coresPerSlice},
      {enginesPerCore, chip.enginesPerCore},
      {threadsPerEngine, chip.threadsPerEngine},
      {computeEngines, chip.computeEngines},
      {l3BankKB, chip.l3BankKB},
      {sharedKB, chip.sharedKB},
      {memoryType, static_cast<std::uint32_t>(chip.memoryType)},
      {memoryChannels, chip.memoryChannels},
  };
  Answer answer;
  for (auto [key, value] : entries) {
    constexpr std::uint32_t length = 1;
    answer.add(static_cast<std::uint32_t>(key));
    answer.add(length);
    answer.add(value);
  }
  return answer.take();
}

std::vector<std::uint8_t> describeGTs(const Chip &chip) {
  Answer answer;
  answer.addCount(chip.tiles);
  std::uint64_t all = systemMask | getLocalMask(chip);
  for (std::uint16_t tile = 0; tile < chip.tiles; ++tile) {
    calls::GT gt = {};
    gt.tile = gt.gt = tile;
    gt.referenceClock = chip.timestampHz;
    gt.nearRegions = chip.hasLocalMemory()
                         ? std::uint64_t(1) << (Device::localRegion + tile)
                         : systemMask;
    gt.farRegions = all & ~gt.nearRegions;
    gt.ipMajor = chip.ipMajor;
    gt.ipMinor = chip.ipMinor;
    gt.ipRevision = chip.ipRevision;
    answer.add(gt);
  }
  return answer.take();
}

std::vector<std::uint8_t> describeMemory(Device &device) {
  const Chip &chip = device.getChip();
  // Nothing here depends on what a program takes the host for.
  constexpr std::uint64_t systemBytes = std::uint64_t(16) << 30;
  constexpr std::uint32_t systemPage = 4096;
  calls::MemoryRegion system = {};
  system.minPageSize = systemPage;
  system.totalSize = systemBytes;
  std::uint16_t count = chip.hasLocalMemory() ? chip.tiles : 0;
  Answer answer;
  answer.addCount(1 + count);
  answer.add(system);
  for (std::uint16_t i = 0; i < count; ++i) {
    calls::MemoryRegion local = {};
    local.memoryClass = 1;
    local.instance = Device::localRegion + i;
    local.minPageSize = chip.pageBytes;
    // All of it is visible to the processor, else the driver warns of a small
    // BAR.
    local.totalSize = local.visibleSize = chip.localBytes;
    local.used = local.visibleUsed =
        device.getBuffers().getUsed(local.instance);
    answer.add(local);
  }
  return answer.take();
}

std::vector<std::uint8_t> describeEngines(const Chip &chip) {
  std::vector<calls::EngineInstance> engines;
  for (std::uint16_t tile = 0; tile < chip.tiles; ++tile) {
    auto add = [&](calls::EngineClass engineClass, unsigned count) {
      for (unsigned i = 0; i < count; ++i)
        engines.push_back(
            {engineClass, static_cast<std::uint16_t>(i), tile, 0});
    };
    add(calls::renderClass, chip.hasRender);
    add(calls::computeClass, chip.computeEngines);
    add(calls::copyClass, chip.copyEngines);
  }
  Answer answer;
  answer.addCount(engines.size());
  for (const calls::EngineInstance &instance : engines)
    answer.add(calls::Engine{instance, {}});
  return answer.take();
}

/// Adds a mask, in whole words of 32 bits.
void addMask(Answer &answer, std::uint16_t gt, calls::Topology type,
             const std::vector<bool> &bits) {
  constexpr std::size_t wordBits = 32;
  std::vector<std::uint32_t> words((bits.size() + wordBits - 1) / wordBits);
  for (std::size_t i = 0; i < bits.size(); ++i)
    words[i / wordBits] |= std::uint32_t(bits[i]) << i % wordBits;
  answer.add(calls::TopologyMask{gt, type,
                                 static_cast<std::uint32_t>(words.size() * 4)});
  for (std::uint32_t word : words)
    answer.add(word);
}

std::vector<std::uint8_t> describeTopology(const Chip &chip) {
  std::vector<bool> cores(chip.slices * chip.coresPerSlice);
  for (unsigned i = 0; i < cores.size(); ++i)
    cores[i] = i % chip.coresPerSlice < chip.enabledPerSlice;
  Answer answer;
  for (std::uint16_t tile = 0; tile < chip.tiles; ++tile) {
    addMask(answer, tile, calls::geometryCores,
            chip.hasRender ? cores : std::vector<bool>(cores.size()));
    addMask(answer, tile, calls::computeCores, cores);
    addMask(answer, tile, calls::l3Banks,
            std::vector<bool>(chip.l3Banks, true));
    addMask(answer, tile, chip.hasRender ? calls::engines16 : calls::engines8,
            std::vector<bool>(chip.enginesPerCore, true));
  }
  return answer.take();
}
} // namespace

/// Returns the bytes of each memory region.
static std::vector<std::uint64_t> getCapacities(const Chip &chip) {
  std::vector<std::uint64_t> capacities(Device::localRegion + chip.tiles,
                                        chip.localBytes);
  capacities[Device::systemRegion] = 0;
  return capacities;
}

Device::Device(const Chip &chip, unsigned index)
    : chip(chip), index(index), buffers(getCapacities(chip)), clock(chip) {}

std::string Device::getBusAddress() const {
  char text[24];
  std::snprintf(text, sizeof(text), "%04x:03:00.0", index);
  return text;
}

std::string Device::getSystemPath() const {
  char text[96];
  std::snprintf(text, sizeof(text),
                "pci%04x:00/%04x:00:01.0/%04x:01:00.0/%04x:02:01.0/%s", index,
                index, index, index, getBusAddress().c_str());
  return text;
}

std::vector<std::uint8_t> answerQuery(Device &device, std::uint32_t query) {
  const Chip &chip = device.getChip();
  switch (query) {
  case calls::queryConfig:
    return describeConfig(chip);
  case calls::queryHardwareConfig:
    return describeHardware(chip);
  case calls::queryGTs:
    return describeGTs(chip);
  case calls::queryMemoryRegions:
    return describeMemory(device);
  case calls::queryEngines:
    return describeEngines(chip);
  case calls::queryTopology:
    return describeTopology(chip);
  default:
    throw CallError(EINVAL,
                    "DEVICE_QUERY " + std::to_string(query) + " is not known");
  }
}

} // namespace triton::intel::vgpu
