//===- CheckedLaunch.h - Global memory of a checked launch ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Kernels that check themselves (see CPUKernel.h) check every access here to
// global memory. Two questions are answered.
//
// Is it memory of the launch? A pointer that comes from one argument has to
// stay in the storage of that tensor; one that comes from several, in the
// storage of some tensor. An argument that is an address and not a tensor has
// no extent, so pointers that come from it are not checked, and neither are
// pointers that the kernel loads or computes from integers, unless they are
// null.
//
// Is it the memory of one program alone? The programs of a checked launch run
// one after the other, and every element that the kernel may store to has a
// shadow: who wrote and read it, and where. Two programs race when one
// changes what the other one accesses. A store that leaves the same bits
// changes nothing. Atomic operations do not race, and order programs: accesses
// before an atomic operation do not race with another program that has done an
// atomic operation, too.
//
// Is it the memory of one sub-group alone? Sub-groups of a program race when
// one changes what another one accesses, and no barrier that orders global
// memory is between them. A second shadow has who wrote and read an element
// between two such barriers.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_CHECKEDLAUNCH_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_CHECKEDLAUNCH_H

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/CPU/Kernel.h"
#include "intel/Runtime/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace triton::intel::runtime::cpu {

/// The error that a check has found.
struct CheckFailure {
  ErrorKind kind;
  std::string message;
};

/// Returns a text such as "store of 8 bytes".
std::string describeAccess(const AccessSite &site);

/// One access of one lane: a number of bytes at an address; the bits that a
/// store brings, if they are known.
struct Access {
  const AccessSite &site;
  std::uint64_t address;
  std::uint64_t bytes;
};

class CheckedLaunch {
public:
  /// `hidden` is memory that the runtime adds to the arguments.
  CheckedLaunch(const Kernel &kernel, std::vector<ArgumentMemory> memory,
                std::uint64_t numPrograms, unsigned numSubGroups,
                std::uint64_t hidden, std::size_t hiddenBytes);
  ~CheckedLaunch();
  CheckedLaunch(const CheckedLaunch &) = delete;
  CheckedLaunch &operator=(const CheckedLaunch &) = delete;

  /// The next accesses are those of this program.
  void begin(std::uint64_t program);

  /// A sub-group has left a barrier that orders global memory.
  void fence(unsigned subGroup) { ++numFences[subGroup]; }

  /// Returns none if an access is inside of the memory of the launch.
  std::optional<CheckFailure> checkBounds(const Access &access);

  /// Returns whether accesses to the memory at `address` are recorded.
  bool isTracked(std::uint64_t address) { return findTracked(address); }

  /// Records an access that is in bounds. `changes`: a store brings bits other
  /// than the present ones.
  std::optional<CheckFailure> record(const Access &access, unsigned subGroup,
                                     bool changes);

  /// The number of a program as its coordinates; set by the launch.
  std::string (*format)(const void *context, std::uint64_t program) = nullptr;
  const void *formatContext = nullptr;

private:
  /// The last writer and the first reader of an element. Programs run one after
  /// the other, so a later store that races with another reader races with the
  /// first one, too. Numbers of programs count from 1. Sites are offsets from
  /// the kernel, in units of 8 bytes. Clocks count the program's atomic
  /// operations until then.
  struct Shadow {
    std::uint32_t writer;
    std::int32_t writerSite : 24;
    std::uint32_t writerClock : 7;
    std::uint32_t isSilent : 1;
    std::uint32_t reader;
    std::int32_t readerSite : 24;
    std::uint32_t readerClock : 8;
  };
  static_assert(sizeof(Shadow) == 16);

  /// Describes an access of a sub-group. Numbers of sub-groups count from 1.
  struct Trace {
    std::int32_t site : 23;
    std::uint32_t subGroup : 7;
    std::uint32_t isAtomic : 1;
    std::uint32_t isSilent : 1;
  };
  /// Holds what sub-groups did to an element between two barriers that order
  /// global memory. Other barriers let sub-groups take turns in between, so
  /// that one reader cannot represent all; one of two is not the writer.
  struct ProgramShadow {
    std::uint32_t epoch;
    Trace writer, readers[2];
  };
  static_assert(sizeof(ProgramShadow) == 16);

  /// Storages that overlap.
  struct Region {
    std::uint64_t begin, end;
    bool isStored = false;
    unsigned granule = 1;
    Shadow *shadow = nullptr;
    ProgramShadow *programShadow = nullptr;
    /// The bytes of each of the two shadows.
    std::size_t shadowBytes = 0;

    bool contains(std::uint64_t address, std::uint64_t bytes) const {
      return address >= begin && address <= end && bytes <= end - address;
    }
  };

  void makeRegions(const Kernel &kernel);
  void makeShadows();
  Region *findRegion(std::uint64_t address, std::uint64_t bytes);
  Region *findTracked(std::uint64_t address);
  const ArgumentMemory *findArgument(std::int32_t position) const;
  CheckFailure failBounds(const Access &access) const;
  CheckFailure failRace(const Access &access, std::uint32_t other,
                        std::int32_t otherSite, bool otherWrites) const;
  std::optional<CheckFailure>
  recordPrograms(const Access &access, const Region &region, bool changes);
  std::optional<CheckFailure> recordSubGroups(const Access &access,
                                              const Region &region,
                                              unsigned subGroup, bool changes);
  CheckFailure failSubGroups(const Access &access, unsigned subGroup,
                             const Trace &other, bool otherWrites) const;
  std::string describeElement(const Access &access) const;
  std::string describePlace(const ArgumentMemory &argument,
                            std::uint64_t address) const;
  std::int32_t encode(const AccessSite &site) const;
  bool isOrdered(std::uint32_t other, std::uint32_t otherClock) const;

  const char *codeBase;
  std::vector<ArgumentMemory> memory;
  std::vector<Region> regions;
  bool hasUnknown = false;
  std::uint64_t numPrograms;
  unsigned numSubGroups;
  std::uint64_t hidden;
  std::size_t hiddenBytes;
  std::uint64_t program = 0;
  /// Atomic operations of the current program and of those before it.
  std::uint32_t clock = 0;
  std::vector<std::uint8_t> clocks;
  /// Epochs count barriers that order global memory, from program to program.
  std::uint32_t firstEpoch = 0;
  std::array<std::uint32_t, Kernel::maxSubGroups> numFences = {};
};

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_CHECKEDLAUNCH_H
