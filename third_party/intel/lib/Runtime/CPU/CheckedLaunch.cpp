//===- CheckedLaunch.cpp - Global memory of a checked launch --------------===//
// SPDX-License-Identifier: MIT

#include "CheckedLaunch.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <sys/mman.h>

namespace triton::intel::runtime::cpu {

namespace {
/// The size of the shadows of all memory of a launch; memory that does not fit
/// is checked for its bounds only.
constexpr std::size_t maxShadowBytes = std::size_t(8) << 30;
/// More programs have no room in a shadow.
constexpr std::uint64_t maxPrograms = std::uint64_t(1) << 26;
/// The last value of a clock, which has 7 bits in a shadow; it stays there.
constexpr std::uint32_t maxClock = 127;
/// No memory is in the first page, where pointers of null lead.
constexpr std::uint64_t nullBytes = 4096;

/// Returns an address as "0x1234".
std::string toHex(std::uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%" PRIx64, address);
  return text;
}

/// Returns a text such as "1 byte" or "2 bytes".
std::string countBytes(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}
} // namespace

std::string describeAccess(const AccessSite &site) {
  const char *kind = site.kind == AccessKind::Load    ? "load"
                     : site.kind == AccessKind::Store ? "store"
                                                      : "atomic operation";
  return std::string(kind) + " of " +
         countBytes(std::uint64_t(site.elementBytes) * site.count);
}

CheckedLaunch::CheckedLaunch(const Kernel &kernel,
                             std::vector<ArgumentMemory> memory,
                             std::uint64_t numPrograms, unsigned numSubGroups,
                             std::uint64_t hidden, std::size_t hiddenBytes)
    : codeBase(reinterpret_cast<const char *>(kernel.getEntryPoint())),
      memory(std::move(memory)), numPrograms(numPrograms),
      numSubGroups(numSubGroups), hidden(hidden), hiddenBytes(hiddenBytes) {
  makeRegions(kernel);
  makeShadows();
}

CheckedLaunch::~CheckedLaunch() {
  for (Region &region : regions) {
    if (region.shadow)
      munmap(region.shadow, region.shadowBytes);
    if (region.programShadow)
      munmap(region.programShadow, region.shadowBytes);
  }
}

/// Epochs go on from those of the program before, so that shadows need not be
/// cleared for every program.
void CheckedLaunch::begin(std::uint64_t program) {
  this->program = program;
  clock = 0;
  firstEpoch += 1 + *std::max_element(numFences.begin(), numFences.end());
  numFences = {};
  constexpr std::uint32_t lastEpoch = 1u << 31;
  if (firstEpoch <= lastEpoch)
    return;
  // All are reset before the counter overflows: pages read as zeros again.
  firstEpoch = 1;
  for (Region &region : regions)
    if (region.programShadow)
      madvise(region.programShadow, region.shadowBytes, MADV_DONTNEED);
}

/// Collects the storages of all tensors, sorted, with those that overlap
/// joined. Tensors may be views of one storage, and then share shadows.
void CheckedLaunch::makeRegions(const Kernel &kernel) {
  std::vector<Region> all;
  for (const ArgumentMemory &argument : memory) {
    // A pointer without an extent may be into anything.
    hasUnknown |= !argument.isKnown;
    if (!argument.isKnown || argument.size == 0)
      continue;
    Region region;
    region.begin = argument.begin;
    region.end = argument.begin + argument.size;
    region.isStored = kernel.storesTo(argument.position);
    // Shadows of elements are enough as long as all have the same size.
    unsigned bytes = argument.elementBytes;
    bool fits = (bytes == 2 || bytes == 4 || bytes == 8) &&
                argument.pointer % bytes == 0;
    region.granule = fits ? bytes : 1;
    all.push_back(region);
  }
  // So that what overlaps is next to each other.
  std::sort(all.begin(), all.end(),
            [](const Region &a, const Region &b) { return a.begin < b.begin; });
  for (const Region &region : all) {
    if (regions.empty() || region.begin >= regions.back().end) {
      regions.push_back(region);
      continue;
    }
    Region &last = regions.back();
    last.end = std::max(last.end, region.end);
    last.isStored |= region.isStored;
    // The smallest elements decide.
    last.granule = std::min(last.granule, region.granule);
  }
}

/// Shadows for everything that may be stored to. Memory is reserved and given
/// by the system page by page when it is touched, so that large tensors cost
/// what the kernel accesses.
void CheckedLaunch::makeShadows() {
  // One program alone cannot race, and neither can one sub-group.
  const bool hasPrograms = numPrograms >= 2 && numPrograms <= maxPrograms;
  const bool hasSubGroups = numSubGroups >= 2;
  std::size_t total = 0;
  auto reserve = [&](std::size_t bytes) -> void * {
    if (total + bytes > maxShadowBytes)
      return nullptr;
    void *mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
      return nullptr;
    total += bytes;
    return mapping;
  };
  for (Region &region : regions) {
    // Granules are counted from address 0, so that all regions agree where they
    // begin.
    std::uint64_t first = region.begin / region.granule;
    std::uint64_t last = (region.end + region.granule - 1) / region.granule;
    if (!region.isStored)
      continue;
    static_assert(sizeof(Shadow) == sizeof(ProgramShadow));
    region.shadowBytes = (last - first) * sizeof(Shadow);
    if (hasPrograms)
      region.shadow = static_cast<Shadow *>(reserve(region.shadowBytes));
    if (hasSubGroups)
      region.programShadow =
          static_cast<ProgramShadow *>(reserve(region.shadowBytes));
  }
}

/// Returns the region that holds all of the bytes; null if there is none.
CheckedLaunch::Region *CheckedLaunch::findRegion(std::uint64_t address,
                                                 std::uint64_t bytes) {
  // The first region after the address; the one before may hold it.
  auto next = std::upper_bound(
      regions.begin(), regions.end(), address,
      [](std::uint64_t a, const Region &region) { return a < region.begin; });
  if (next == regions.begin())
    return nullptr;
  Region &region = *std::prev(next);
  return region.contains(address, bytes) ? &region : nullptr;
}

/// Returns null if nothing is recorded for the address.
CheckedLaunch::Region *CheckedLaunch::findTracked(std::uint64_t address) {
  Region *region = findRegion(address, 0);
  return region && (region->shadow || region->programShadow) ? region : nullptr;
}

/// Returns the memory of the kernel's argument at `position`; null for a
/// negative one (see AccessSite), and for arguments that are no tensors.
const ArgumentMemory *CheckedLaunch::findArgument(std::int32_t position) const {
  for (const ArgumentMemory &argument : memory)
    if (position >= 0 &&
        argument.position == static_cast<std::size_t>(position))
      return &argument;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Order matters: memory of the runtime, null, one tensor, any tensor.
std::optional<CheckFailure> CheckedLaunch::checkBounds(const Access &access) {
  std::int32_t position = access.site.argument;
  if (hidden && access.address >= hidden &&
      access.address + access.bytes <= hidden + hiddenBytes)
    return std::nullopt;
  if (access.address < nullBytes)
    return failBounds(access);
  if (position >= 0) {
    const ArgumentMemory *argument = findArgument(position);
    // Not a pointer of this launch: the kernel's pointer from a number.
    if (!argument || !argument->isKnown)
      return std::nullopt;
    std::uint64_t end = argument->begin + argument->size;
    if (access.address >= argument->begin && access.address <= end &&
        access.bytes <= end - access.address)
      return std::nullopt;
    return failBounds(access);
  }
  // Without an origin, or with one that has no extent, it may be right.
  if (position == unknownArgument || hasUnknown ||
      findRegion(access.address, access.bytes))
    return std::nullopt;
  return failBounds(access);
}

/// Returns a text such as "element 101 of `x_ptr`, 4 bytes past the end of
/// its memory"
std::string CheckedLaunch::describePlace(const ArgumentMemory &argument,
                                         std::uint64_t address) const {
  // Signed: an element ahead of the beginning is a negative one.
  auto distance = static_cast<std::int64_t>(address - argument.pointer);
  auto size = static_cast<std::int64_t>(std::max(argument.elementBytes, 1u));
  // Rounded down.
  std::int64_t element = distance / size - (distance % size < 0 ? 1 : 0);
  std::string text =
      "element " + std::to_string(element) + " of `" + argument.name + "`";
  if (!argument.isKnown)
    return text;
  std::uint64_t end = argument.begin + argument.size;
  if (address >= end)
    text += ", " + countBytes(address - end) + " past the end of its memory";
  else if (address < argument.begin)
    text += ", " + countBytes(argument.begin - address) +
            " ahead of the beginning of its memory";
  // It begins inside, so it ends outside.
  else if (address + 1 > argument.begin)
    text += ", the last of which are past the end of its memory";
  return text;
}

/// Describes what is accessed, where, by how much it misses, and of which
/// tensor; with several possible ones the nearest is taken.
CheckFailure CheckedLaunch::failBounds(const Access &access) const {
  std::string text = std::string(access.site.place) + ": " +
                     describeAccess(access.site) + " outside of ";
  const ArgumentMemory *nearest = findArgument(access.site.argument);
  // None in Python.
  if (nearest && nearest->pointer == 0) {
    text += "memory: `" + nearest->name + "` is None";
  } else if (nearest) {
    text += "the memory of `" + nearest->name +
            "`: " + describePlace(*nearest, access.address);
  } else {
    text += "all memory of the launch";
    std::uint64_t best = ~std::uint64_t(0);
    for (const ArgumentMemory &argument : memory) {
      if (!argument.isKnown || argument.size == 0)
        continue;
      std::uint64_t end = argument.begin + argument.size;
      std::uint64_t distance =
          access.address < argument.begin
              ? argument.begin - access.address
              : access.address - std::min(access.address, end);
      if (distance < best) {
        best = distance;
        nearest = &argument;
      }
    }
    if (access.address < nullBytes)
      text += ": the pointer is null";
    else if (nearest)
      text += ": nearest is " + describePlace(*nearest, access.address);
  }
  // In numbers, for a debugger.
  text += "\n  the address is " + toHex(access.address);
  if (nearest && nearest->isKnown && nearest->size)
    text += "; `" + nearest->name + "` points to " + toHex(nearest->pointer) +
            " in memory of " + countBytes(nearest->size) + " at " +
            toHex(nearest->begin);
  return {ErrorKind::Access, text};
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// Returns a place in constant data as an offset from the code: 24 bits instead
/// of a pointer's 64.
std::int32_t CheckedLaunch::encode(const AccessSite &site) const {
  return static_cast<std::int32_t>(
      (reinterpret_cast<const char *>(&site) - codeBase) / 8);
}

/// Returns whether atomic operations have put what another program did ahead of
/// what this one does.
bool CheckedLaunch::isOrdered(std::uint32_t other,
                              std::uint32_t otherClock) const {
  if (clock == 0 || clocks.empty())
    return false;
  // The other program had an atomic operation after the access, and this one
  // has one ahead of it. A clock at its maximum counts no further, so it is
  // believed.
  std::uint32_t last = clocks[other - 1];
  return last > otherClock || otherClock == maxClock;
}

/// Checks an access against what others have done, and leaves its own traces in
/// the shadows.
std::optional<CheckFailure>
CheckedLaunch::record(const Access &access, unsigned subGroup, bool changes) {
  if (access.site.kind == AccessKind::Atomic) {
    if (clocks.empty() && numPrograms <= maxPrograms)
      clocks.resize(numPrograms);
    clock = std::min(clock + 1, maxClock);
    if (!clocks.empty())
      clocks[program] = static_cast<std::uint8_t>(clock);
  }
  Region *region = findTracked(access.address);
  if (!region || !region->contains(access.address, access.bytes))
    return std::nullopt;
  unsigned granule = region->granule;
  // Parts of elements, by a pointer to another type: not worth a shadow.
  if (access.address % granule || access.bytes % granule)
    return std::nullopt;
  // Only ordering is recorded of atomic operations between programs.
  if (region->shadow && access.site.kind != AccessKind::Atomic)
    if (std::optional<CheckFailure> found =
            recordPrograms(access, *region, changes))
      return found;
  if (!region->programShadow)
    return std::nullopt;
  return recordSubGroups(access, *region, subGroup, changes);
}

/// Compares an access with those of other programs, and records it.
std::optional<CheckFailure> CheckedLaunch::recordPrograms(const Access &access,
                                                          const Region &region,
                                                          bool changes) {
  unsigned granule = region.granule;
  Shadow *shadow =
      region.shadow + (access.address / granule - region.begin / granule);
  auto self = static_cast<std::uint32_t>(program) + 1;
  std::int32_t site = encode(access.site);
  for (std::uint64_t i = 0; i < access.bytes / granule; ++i, ++shadow) {
    // A load races with a store that has changed something.
    if (access.site.kind == AccessKind::Load) {
      if (shadow->writer && shadow->writer != self && !shadow->isSilent &&
          !isOrdered(shadow->writer, shadow->writerClock))
        return failRace(access, shadow->writer, shadow->writerSite, true);
      // The first reader represents all of them.
      if (shadow->reader)
        continue;
      shadow->reader = self;
      shadow->readerSite = site;
      shadow->readerClock = clock;
      continue;
    }
    // A store that changes something races with stores and loads.
    if (changes && shadow->writer && shadow->writer != self &&
        !isOrdered(shadow->writer, shadow->writerClock))
      return failRace(access, shadow->writer, shadow->writerSite, true);
    if (changes && shadow->reader && shadow->reader != self &&
        !isOrdered(shadow->reader, shadow->readerClock))
      return failRace(access, shadow->reader, shadow->readerSite, false);
    // A byte that a program has changed stays changed, whatever it stores
    // later.
    bool isOwn = shadow->writer == self && !shadow->isSilent;
    shadow->writer = self;
    shadow->writerSite = site;
    shadow->writerClock = clock;
    shadow->isSilent = !changes && !isOwn;
  }
  return std::nullopt;
}

/// Compares an access with those of other sub-groups of the current program,
/// and records it.
std::optional<CheckFailure> CheckedLaunch::recordSubGroups(const Access &access,
                                                           const Region &region,
                                                           unsigned subGroup,
                                                           bool changes) {
  unsigned granule = region.granule;
  ProgramShadow *shadow = region.programShadow +
                          (access.address / granule - region.begin / granule);
  const std::uint32_t epoch = firstEpoch + numFences[subGroup];
  const std::uint32_t self = subGroup + 1;
  const bool isLoad = access.site.kind == AccessKind::Load;
  const bool isAtomic = access.site.kind == AccessKind::Atomic;
  changes |= isAtomic;
  Trace trace{};
  trace.site = encode(access.site);
  trace.subGroup = self;
  trace.isAtomic = isAtomic;
  trace.isSilent = !changes;
  for (std::uint64_t i = 0; i < access.bytes / granule; ++i, ++shadow) {
    // The traces are from before the last barrier.
    if (shadow->epoch != epoch) {
      *shadow = {};
      shadow->epoch = epoch;
    }
    Trace &writer = shadow->writer;
    const bool isOther = writer.subGroup && writer.subGroup != self;
    if (isLoad) {
      if (isOther && !writer.isSilent)
        return failSubGroups(access, subGroup, writer, /*otherWrites=*/true);
      // Two different readers are enough.
      for (Trace &reader : shadow->readers) {
        if (reader.subGroup == self)
          break;
        if (reader.subGroup)
          continue;
        reader = trace;
        break;
      }
      continue;
    }
    if (isOther && changes && !(isAtomic && writer.isAtomic))
      return failSubGroups(access, subGroup, writer, /*otherWrites=*/true);
    for (const Trace &reader : shadow->readers)
      if (changes && reader.subGroup && reader.subGroup != self)
        return failSubGroups(access, subGroup, reader, /*otherWrites=*/false);
    // A store that changes nothing does not hide the last change of the
    // element, and an atomic operation does not hide a store.
    const bool isStored = writer.subGroup && !writer.isAtomic;
    if (isAtomic ? !isStored || writer.isSilent : changes || !writer.subGroup)
      writer = trace;
  }
  return std::nullopt;
}

/// Names both programs, both lines, and the element.
CheckFailure CheckedLaunch::failRace(const Access &access, std::uint32_t other,
                                     std::int32_t otherSite,
                                     bool otherWrites) const {
  auto &site = *reinterpret_cast<const AccessSite *>(
      codeBase + std::int64_t(otherSite) * 8);
  std::string text = std::string(access.site.place) +
                     ": two programs race for the same memory" +
                     describeElement(access);
  auto describe = [&](std::uint64_t number, const AccessSite &place,
                      bool writes) {
    return "\n  program " + format(formatContext, number) +
           (writes ? " writes it at " : " reads it at ") + place.place;
  };
  text += describe(other - 1, site, otherWrites);
  text += describe(program, access.site, access.site.kind != AccessKind::Load);
  return {ErrorKind::Race, text};
}

/// Names both sub-groups, both lines, the element, and what is missing. The one
/// that ran first need not be first in the program, so that of a load and a
/// store either may be.
CheckFailure CheckedLaunch::failSubGroups(const Access &access,
                                          unsigned subGroup, const Trace &other,
                                          bool otherWrites) const {
  auto &site = *reinterpret_cast<const AccessSite *>(
      codeBase + std::int64_t(other.site) * 8);
  auto describe = [](unsigned number, const AccessSite &place, bool writes) {
    return "\n  sub-group " + std::to_string(number) +
           (writes ? " writes it at " : " reads it at ") + place.place;
  };
  bool writes = access.site.kind != AccessKind::Load;
  std::string text = std::string(access.site.place) +
                     ": two sub-groups of a program race for the same memory" +
                     describeElement(access) +
                     describe(other.subGroup - 1, site, otherWrites) +
                     describe(subGroup, access.site, writes) +
                     "\n  and there is no barrier between them: "
                     "`tl.debug_barrier()` is missing (`gl.barrier()` in "
                     "Gluon)";
  // See docs/MemoryOrder.md for what the compiler orders.
  auto isPlain = [](const AccessSite &place) {
    return place.kind != AccessKind::Atomic &&
           place.argument != unknownArgument;
  };
  if (&site == &access.site)
    text += ", or one operation has several elements for one address";
  else if (otherWrites != writes && isPlain(site) && isPlain(access.site))
    text += "\n  (a load that comes ahead of the store in the program needs "
            "none: if this one does, the compiler is wrong, please report it)";
  return {ErrorKind::Race, text};
}

/// Returns text such as ": element 5 of `x`"; none if the owner of the memory
/// is unknown.
std::string CheckedLaunch::describeElement(const Access &access) const {
  // A pointer may come from several arguments; the address shows which one.
  const ArgumentMemory *argument = findArgument(access.site.argument);
  for (const ArgumentMemory &candidate : memory)
    if (!argument && candidate.isKnown && access.address >= candidate.begin &&
        access.address < candidate.begin + candidate.size)
      argument = &candidate;
  if (!argument)
    return "";
  auto size = std::max(argument->elementBytes, 1u);
  auto distance = static_cast<std::int64_t>(access.address - argument->pointer);
  return ": element " + std::to_string(distance / size) + " of `" +
         argument->name + "`";
}

} // namespace triton::intel::runtime::cpu
