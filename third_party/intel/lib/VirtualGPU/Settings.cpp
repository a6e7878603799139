//===- Settings.cpp - Settings of the user --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Settings.h"

#include <cstdlib>

namespace triton::intel::vgpu {

static constexpr char kChip[] = "TRITON_XE_VIRTUAL_GPU_CHIP";

bool hasChip() {
  const char *chip = std::getenv(kChip);
  return chip && *chip;
}

Settings readSettings() {
  auto read = [](const char *name) {
    const char *text = std::getenv(name);
    return std::string(text ? text : "");
  };
  Settings settings;
  settings.chip = read(kChip);
  auto readNumber = [&](const char *name, unsigned &number) {
    if (std::string text = read(name); !text.empty())
      number = static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10));
  };
  readNumber("TRITON_XE_VIRTUAL_GPU_COUNT", settings.count);
  readNumber("TRITON_XE_VIRTUAL_GPU_SECONDS", settings.execution.maxSeconds);
  settings.execution.runsKernels = read("TRITON_XE_VIRTUAL_GPU_EXECUTE") != "0";
  settings.execution.checks = read("TRITON_XE_VIRTUAL_GPU_CHECK") == "1";
  settings.execution.binaries = read("NEO_CACHE_DIR");
  settings.execution.python = read("TRITON_XE_VIRTUAL_GPU_PYTHON");
  settings.execution.log = read("TRITON_XE_VIRTUAL_GPU_LOG");
  settings.cache = read("TRITON_XE_VIRTUAL_GPU_CACHE");
  settings.loader = read("TRITON_XE_VIRTUAL_GPU_LOADER");
  settings.libraries = read("TRITON_XE_VIRTUAL_GPU_LIBRARIES");
  return settings;
}

std::string readSearchPath() {
  // That of the C library if the variable is not set.
  const char *path = std::getenv("PATH");
  return path ? path : "/bin:/usr/bin";
}

} // namespace triton::intel::vgpu
