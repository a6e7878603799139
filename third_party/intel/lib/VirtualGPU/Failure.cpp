//===- Failure.cpp - Errors of the virtual GPU ----------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Failure.h"

#include <cstdio>
#include <unistd.h>

namespace triton::intel::vgpu {

void report(const std::string &text) {
  // One call, so that lines of several queues do not mix.
  std::string line = "virtual GPU: " + text + "\n";
  if (write(STDERR_FILENO, line.data(), line.size()) < 0)
    return;
}

std::string toHex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

} // namespace triton::intel::vgpu
