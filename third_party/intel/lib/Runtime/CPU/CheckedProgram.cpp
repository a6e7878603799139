//===- CheckedProgram.cpp - Sub-groups of a checked program ---------------===//
// SPDX-License-Identifier: MIT

#include "CheckedProgram.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::runtime::cpu {

namespace {
/// Returns how messages name a sub-group.
std::string name(unsigned subGroup) {
  return "sub-group " + std::to_string(subGroup);
}
} // namespace

void CheckedProgram::begin(const Kernel &kernel, const char *sharedMemory,
                           unsigned numSubGroups) {
  codeBase = reinterpret_cast<const char *>(kernel.getEntryPoint());
  memory = reinterpret_cast<std::uintptr_t>(sharedMemory);
  bytes = kernel.getSharedBytes();
  // Epochs go on from those of the program before, so that shadows need not be
  // cleared for every program: their epochs are too old.
  firstEpoch += 1 + *std::max_element(numBarriers.begin(), numBarriers.end());
  constexpr std::uint32_t lastEpoch = 1u << 31;
  if (firstEpoch > lastEpoch) {
    // All are reset before the counter overflows.
    shadows.clear();
    firstEpoch = 1;
  }
  // Shadows only grow: one per byte of shared memory.
  if (shadows.size() < bytes)
    shadows.resize(bytes, Shadow{});
  this->numSubGroups = numSubGroups;
  numBarriers = {};
  barrier = 0;
  barrierPlace = nullptr;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Returns whether all of the access is in shared memory. Without sums, which
/// may wrap around.
bool CheckedProgram::contains(const Access &access) const {
  return access.address >= memory && access.address - memory <= bytes &&
         access.bytes <= bytes - (access.address - memory);
}

/// Checks an access against the shadows of its bytes, and leaves its own traces
/// there. `changes` as in CheckedLaunch: a store of the present bits changes
/// nothing.
std::optional<CheckFailure>
CheckedProgram::record(const Access &access, unsigned subGroup, bool changes) {
  // Bounds come first: shadows exist for bytes inside alone.
  if (!contains(access)) {
    auto offset = static_cast<std::int64_t>(access.address - memory);
    return CheckFailure{
        ErrorKind::Access,
        std::string(access.site.place) + ": " + describeAccess(access.site) +
            " outside of shared local memory: at byte " +
            std::to_string(offset) + " of " + std::to_string(bytes)};
  }
  std::uint32_t epoch = firstEpoch + numBarriers[subGroup];
  // In units of 8 bytes, as sites are aligned, and relative to the code: fits
  // 22 bits.
  auto site = static_cast<std::int32_t>(
      (reinterpret_cast<const char *>(&access.site) - codeBase) / 8);
  bool isAtomic = access.site.kind == AccessKind::Atomic;
  bool isLoad = access.site.kind == AccessKind::Load;
  Shadow *shadow = &shadows[access.address - memory];
  for (Shadow *end = shadow + access.bytes; shadow != end; ++shadow) {
    // Older than the program's first epoch: written by another program, or
    // never.
    if ((isLoad || isAtomic) && shadow->writeEpoch < firstEpoch)
      return failUninitialized(access, subGroup);
    const std::uint32_t writer = shadow->writer;
    const bool isWritten = shadow->writeEpoch == epoch;
    const bool isOwn =
        isWritten && (writer & (atomic - 1)) == subGroup && !(writer & several);
    // A load is disturbed by what has changed the byte; an atomic operation by
    // stores that have; a store by everything if it changes something itself.
    const bool interferes = isLoad     ? !(writer & silent)
                            : isAtomic ? !(writer & (silent | atomic))
                                       : changes;
    if (isWritten && !isOwn && interferes)
      return failRace(access, subGroup, writer, shadow->writerSite,
                      /*otherWrites=*/true);
    // The other way round: another sub-group has read the bytes that change
    // now.
    bool isRead = shadow->readEpoch == epoch && shadow->reader != subGroup;
    if (isRead && !isLoad && changes)
      return failRace(access, subGroup, shadow->reader, shadow->readerSite,
                      /*otherWrites=*/false);
    // The first reader of an epoch represents all of them.
    if (isLoad) {
      if (shadow->readEpoch == epoch)
        continue;
      shadow->reader = subGroup;
      shadow->readEpoch = epoch;
      shadow->readerSite = site;
      continue;
    }
    unsigned flags = 0;
    // Once several sub-groups have an atomic operation on a byte, it has no
    // owner.
    if (isAtomic)
      flags = atomic | (isWritten && !isOwn ? several : 0);
    else if (!changes && !(isOwn && !(writer & silent)))
      flags = silent;
    shadow->writeEpoch = epoch;
    shadow->writerSite = site;
    shadow->writer = subGroup | flags;
  }
  return std::nullopt;
}

/// "kernel.py:12: load of 4 bytes from shared local memory that was never
/// written, at byte 64 of 1024, by sub-group 3"
CheckFailure CheckedProgram::failUninitialized(const Access &access,
                                               unsigned subGroup) const {
  return {ErrorKind::Access,
          std::string(access.site.place) + ": " + describeAccess(access.site) +
              " from shared local memory that was never written, at byte " +
              std::to_string(access.address - memory) + " of " +
              std::to_string(bytes) + ", by " + name(subGroup)};
}

/// Names both sub-groups, both lines, and the byte. `other` is a shadow's
/// writer or reader, with flags.
CheckFailure CheckedProgram::failRace(const Access &access, unsigned subGroup,
                                      unsigned other, std::int32_t otherSite,
                                      bool otherWrites) const {
  auto &site = *reinterpret_cast<const AccessSite *>(
      codeBase + std::int64_t(otherSite) * 8);
  // Without the flags.
  constexpr unsigned subGroups = atomic - 1;
  std::string who = name(other & subGroups);
  return {ErrorKind::Race,
          std::string(access.site.place) +
              ": two sub-groups race for shared local memory, at byte " +
              std::to_string(access.address - memory) + " of " +
              std::to_string(bytes) + "\n  " + who +
              (otherWrites ? " writes it at " : " reads it at ") + site.place +
              "\n  " + name(subGroup) +
              (access.site.kind == AccessKind::Load ? " reads it at "
                                                    : " writes it at ") +
              access.site.place + "\n  and there is no barrier between them"};
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// The first sub-group that comes to a barrier determines which one it is; the
/// others have to come to the same line.
std::optional<CheckFailure> CheckedProgram::arrive(unsigned subGroup,
                                                   const char *place) {
  std::uint32_t number = numBarriers[subGroup] + 1;
  if (number != barrier) {
    barrier = number;
    barrierPlace = place;
    barrierSubGroup = subGroup;
    return std::nullopt;
  }
  // Lines that are not known cannot be compared.
  if (!place || !barrierPlace || std::strcmp(place, barrierPlace) == 0)
    return std::nullopt;
  return CheckFailure{
      ErrorKind::Barrier,
      std::string(place) +
          ": sub-groups of a program wait at different barriers\n  " +
          name(barrierSubGroup) + " waits at " + barrierPlace + "\n  " +
          name(subGroup) + " waits at " + place};
}

/// After the barrier: a sub-group that has come to fewer and has ended will
/// never be here.
std::optional<CheckFailure>
CheckedProgram::leave(unsigned subGroup, const char *place,
                      const std::function<bool(unsigned)> &hasEnded) {
  std::uint32_t number = ++numBarriers[subGroup];
  for (unsigned other = 0; other < numSubGroups; ++other)
    if (numBarriers[other] < number && other != subGroup && hasEnded(other))
      return CheckFailure{ErrorKind::Barrier,
                          std::string(place ? place : "unknown line") + ": " +
                              name(subGroup) + " waits at a barrier that " +
                              name(other) + " has ended without reaching"};
  return std::nullopt;
}

} // namespace triton::intel::runtime::cpu
