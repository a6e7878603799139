//===- CheckedProgram.h - Sub-groups of a checked program -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Checks what the sub-groups of a program do to each other.
//
// Every byte of shared local memory has a shadow: who wrote and read it,
// where, and between which barriers. A read of a byte that was not written in
// this program is an error. So are two accesses of different sub-groups between
// the same barriers, if one of them changes the byte; atomic operations
// conflict with other accesses only. Sub-groups have to wait at the same
// barriers, all of them.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_CHECKEDPROGRAM_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_CHECKEDPROGRAM_H

#include "CheckedLaunch.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace triton::intel::runtime::cpu {

class CheckedProgram {
public:
  static constexpr unsigned maxSubGroups = Kernel::maxSubGroups;

  /// A program starts.
  void begin(const Kernel &kernel, const char *sharedMemory,
             unsigned numSubGroups);

  /// An access to shared memory. `changes` as in CheckedLaunch.
  std::optional<CheckFailure> record(const Access &access, unsigned subGroup,
                                     bool changes);
  bool contains(const Access &access) const;

  /// A sub-group comes to a barrier; `place` is its line, null if unknown.
  std::optional<CheckFailure> arrive(unsigned subGroup, const char *place);

  /// It goes on. `hasEnded` returns whether other sub-groups have ended.
  std::optional<CheckFailure>
  leave(unsigned subGroup, const char *place,
        const std::function<bool(unsigned)> &hasEnded);

private:
  /// Epochs count barriers, from program to program; sites are as in
  /// CheckedLaunch. `reader` is the first one of the epoch: one runs after the
  /// other. `writer` is a sub-group with one of the flags below.
  struct Shadow {
    std::uint32_t writeEpoch, readEpoch;
    std::int32_t writerSite : 22;
    std::uint32_t writer : 10;
    std::int32_t readerSite : 22;
    std::uint32_t reader : 10;
  };
  static_assert(sizeof(Shadow) == 16);
  /// Flags of accesses: an atomic operation, accesses by several sub-groups,
  /// and a store that changes nothing.
  static constexpr unsigned atomic = 0x80, several = 0x100, silent = 0x200;

  CheckFailure failUninitialized(const Access &access, unsigned subGroup) const;
  CheckFailure failRace(const Access &access, unsigned subGroup, unsigned other,
                        std::int32_t otherSite, bool otherWrites) const;

  const char *codeBase = nullptr;
  std::uint64_t memory = 0, bytes = 0;
  unsigned numSubGroups = 0;
  std::vector<Shadow> shadows;
  /// The epoch of the current program's first accesses.
  std::uint32_t firstEpoch = 1;
  std::array<std::uint32_t, maxSubGroups> numBarriers = {};
  /// The sub-group that reached the last barrier first, and that barrier.
  std::uint32_t barrier = 0;
  const char *barrierPlace = nullptr;
  unsigned barrierSubGroup = 0;
};

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_CHECKEDPROGRAM_H
