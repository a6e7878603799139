//===- Payload.cpp - Registers of a thread at its start -------------------===//
// SPDX-License-Identifier: MIT

#include "Payload.h"

#include <cstring>

namespace triton::intel::simulator {

void Payload::initializeHeader(Thread &thread,
                               const std::array<std::uint32_t, 3> &group,
                               unsigned number) const {
  // The surface of scratch memory: any number that no other surface has, of
  // which the lowest 10 bits distinguish threads.
  constexpr std::uint32_t scratchSurface = 0x10000000;
  constexpr std::uint32_t numberMask = 0x3ff;
  std::uint32_t header[registerBytes / 4];
  std::memcpy(header, thread.getRegister(0), sizeof(header));
  header[0] = 0;
  header[1] = group[0];
  header[2] = thread.index | numThreads << 24;
  header[5] = scratchSurface | (number & numberMask);
  header[6] = group[1];
  header[7] = group[2];
  std::memcpy(thread.getRegister(0), header, sizeof(header));
}

} // namespace triton::intel::simulator
