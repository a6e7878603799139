//===- Settings.cpp - What the user has selected --------------------------===//
// SPDX-License-Identifier: MIT

#include "Settings.h"

#include <cstdlib>

namespace triton::intel::vgpu {

Settings readSettings() {
  auto read = [](const char *name) {
    const char *text = std::getenv(name);
    return std::string(text ? text : "");
  };
  Settings settings;
  settings.chip = read("TRITON_XE_VIRTUAL_GPU_CHIP");
  std::string count = read("TRITON_XE_VIRTUAL_GPU_COUNT");
  if (!count.empty())
    settings.count =
        static_cast<unsigned>(std::strtoul(count.c_str(), nullptr, 10));
  settings.cache = read("TRITON_XE_VIRTUAL_GPU_CACHE");
  return settings;
}

} // namespace triton::intel::vgpu
