//===- CheckedProgram.cpp - Sub-groups of a checked program ---------------===//

#include "CheckedProgram.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::runtime::cpu {

namespace {
std::string name(unsigned subGroup) {
  return "sub-group " + std::to_string(subGroup);
}
} // namespace

void CheckedProgram::begin(const Kernel &kernel, const char *sharedMemory,
                           unsigned numSubGroups) {
  codeBase = reinterpret_cast<const char *>(kernel.getEntryPoint());
  memory = reinterpret_cast<std::uintptr_t>(sharedMemory);
  bytes = kernel.getSharedBytes();
  firstEpoch += 1 + *std::max_element(numBarriers.begin(), numBarriers.end());
  constexpr std::uint32_t lastEpoch = 1u << 31;
  if (firstEpoch > lastEpoch) {
    shadows.clear();
    firstEpoch = 1;
  }
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

bool CheckedProgram::contains(const Access &access) const {
  return access.address >= memory && access.address - memory <= bytes &&
         access.bytes <= bytes - (access.address - memory);
}

std::optional<CheckFailure>
CheckedProgram::record(const Access &access, unsigned subGroup, bool changes) {
  if (!contains(access)) {
    auto offset = static_cast<std::int64_t>(access.address - memory);
    return CheckFailure{
        ErrorKind::Access,
        std::string(access.site.place) + ": " + describeAccess(access.site) +
            " outside of shared local memory: at byte " +
            std::to_string(offset) + " of " + std::to_string(bytes)};
  }
  std::uint32_t epoch = firstEpoch + numBarriers[subGroup];
  auto site = static_cast<std::int32_t>(
      (reinterpret_cast<const char *>(&access.site) - codeBase) / 8);
  bool isAtomic = access.site.kind == AccessKind::Atomic;
  bool isLoad = access.site.kind == AccessKind::Load;
  Shadow *shadow = &shadows[access.address - memory];
  for (Shadow *end = shadow + access.bytes; shadow != end; ++shadow) {
    if ((isLoad || isAtomic) && shadow->writeEpoch < firstEpoch)
      return failUninitialized(access, subGroup);
    const std::uint32_t writer = shadow->writer;
    const bool isWritten = shadow->writeEpoch == epoch;
    const bool isOwn =
        isWritten && (writer & (atomic - 1)) == subGroup && !(writer & several);
    const bool interferes = isLoad     ? !(writer & silent)
                            : isAtomic ? !(writer & (silent | atomic))
                                       : changes;
    if (isWritten && !isOwn && interferes)
      return failRace(access, subGroup, writer, shadow->writerSite,
                      /*otherWrites=*/true);
    bool isRead = shadow->readEpoch == epoch && shadow->reader != subGroup;
    if (isRead && !isLoad && changes)
      return failRace(access, subGroup, shadow->reader, shadow->readerSite,
                      /*otherWrites=*/false);
    if (isLoad) {
      if (shadow->readEpoch == epoch)
        continue;
      shadow->reader = subGroup;
      shadow->readEpoch = epoch;
      shadow->readerSite = site;
      continue;
    }
    unsigned flags = 0;
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

CheckFailure CheckedProgram::failUninitialized(const Access &access,
                                               unsigned subGroup) const {
  return {ErrorKind::Access,
          std::string(access.site.place) + ": " + describeAccess(access.site) +
              " from shared local memory that nobody has written, at byte " +
              std::to_string(access.address - memory) + " of " +
              std::to_string(bytes) + ", by " + name(subGroup)};
}

CheckFailure CheckedProgram::failRace(const Access &access, unsigned subGroup,
                                      unsigned other, std::int32_t otherSite,
                                      bool otherWrites) const {
  auto &site = *reinterpret_cast<const AccessSite *>(
      codeBase + std::int64_t(otherSite) * 8);
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

std::optional<CheckFailure> CheckedProgram::arrive(unsigned subGroup,
                                                   const char *place) {
  std::uint32_t number = numBarriers[subGroup] + 1;
  if (number != barrier) {
    barrier = number;
    barrierPlace = place;
    barrierSubGroup = subGroup;
    return std::nullopt;
  }
  if (!place || !barrierPlace || std::strcmp(place, barrierPlace) == 0)
    return std::nullopt;
  return CheckFailure{
      ErrorKind::Barrier,
      std::string(place) +
          ": sub-groups of a program wait at different barriers\n  " +
          name(barrierSubGroup) + " waits at " + barrierPlace + "\n  " +
          name(subGroup) + " waits at " + place};
}

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
