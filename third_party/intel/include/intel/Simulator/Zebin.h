//===- Zebin.h - The binary of a kernel for Xe ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A zebin is an ELF file with the machine code of kernels and a description of
// what each of them needs, `.ze_info`, in YAML (intel-graphics-compiler:
// IGC/ZEBinWriter/zebin/spec). The device's compiler writes it, ocloc or the
// one in a driver.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SIMULATOR_ZEBIN_H
#define TRITON_INTEL_SIMULATOR_ZEBIN_H

#include "intel/Simulator/Instruction.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace triton::intel::simulator {

/// A piece of the data that a thread finds at its start.
struct PayloadArgument {
  /// Its `arg_type`: "arg_bypointer", "arg_byvalue", "group_count", ...
  std::string kind;
  /// The place in bytes.
  std::uint32_t offset = 0, size = 0;
  /// The number of the kernel's argument, and the first byte of it that is
  /// meant.
  std::int32_t index = -1;
  std::uint32_t sourceOffset = 0;
  /// The address mode of a pointer: "stateless", "slm", ...
  std::string addressMode;
  std::uint32_t sharedAlignment = 0;
};

/// Memory that is private to each thread.
struct ThreadMemory {
  /// "scratch", "global" or "slm".
  std::string kind;
  std::uint32_t size = 0;
  /// True if `size` is for a lane.
  bool isPerLane = false;
  /// The number of a thread's surface, for scratch memory.
  std::uint32_t slot = 0;
};

/// A kernel's entry in `.ze_info`.
struct KernelDescription {
  std::string name;
  unsigned simdSize = 0, numRegisters = 128, sharedBytes = 0, numBarriers = 0;
  /// Bytes of arguments that come in a register instead of in memory.
  unsigned inlineBytes = 0;
  std::vector<std::uint32_t> requiredWorkGroupSize;
  std::vector<PayloadArgument> arguments, perThreadArguments;
  std::vector<ThreadMemory> memory;
};

/// A place in the code or the data that gets an address.
struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::string symbol;
};

struct Section {
  std::string name;
  std::vector<std::uint8_t> bytes;
  std::vector<Relocation> relocations;
};

/// The place of a symbol: a section by its number, or -1 for nowhere.
struct Symbol {
  int section = -1;
  std::uint64_t value = 0;
};

struct Zebin {
  Platform platform = Platform::XeHPC;
  std::vector<KernelDescription> kernels;
  std::vector<Section> sections;
  std::map<std::string, Symbol> symbols;

  /// Returns the section of this name, or null.
  const Section *find(std::string_view name) const;
};

/// Reads a zebin. Throws `Error` of kind `Binary` for a file that is none, is
/// damaged, or is for a chip whose code the simulator does not know.
Zebin readZebin(std::string_view bytes);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_ZEBIN_H
