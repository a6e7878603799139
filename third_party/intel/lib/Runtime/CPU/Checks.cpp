//===- Checks.cpp - What checked kernels ask ------------------------------===//
//
// The check functions that kernels call (see CPUKernel.h): they take an access
// of a sub-group apart, ask CheckedLaunch and CheckedProgram about each lane or
// row, and leave the program when there is something wrong.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Worker.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::runtime::cpu {

//===----------------------------------------------------------------------===//
// Rules of 2D block messages
//===----------------------------------------------------------------------===//

namespace {
std::string describeSurface(const BlockOperands &operands) {
  char base[32];
  std::snprintf(base, sizeof(base), "%p",
                static_cast<const void *>(operands.base));
  return "base " + std::string(base) + ", width " +
         std::to_string(operands.width) + " bytes, height " +
         std::to_string(operands.height) + ", pitch " +
         std::to_string(operands.pitch) + " bytes; the block is at column " +
         std::to_string(operands.x) + ", row " + std::to_string(operands.y);
}

struct Rule {
  const char *what;
  std::int64_t value;
  std::uint32_t least, multiple;
  std::int64_t most;
};
} // namespace

std::optional<CheckFailure> checkBlockRules(const BlockSite &site,
                                            const BlockOperands &operands) {
  std::int64_t offset =
      static_cast<std::int64_t>(operands.x) * site.access.elementBytes;
  auto base = reinterpret_cast<std::uintptr_t>(operands.base);
  const Rule rules[] = {
      {"width", operands.width, site.minWidth, site.widthAlignment,
       site.maxExtent},
      {"pitch", operands.pitch, site.minPitch, site.pitchAlignment,
       site.maxExtent},
      {"height", operands.height, 1, 1, site.maxExtent},
  };
  std::string broken;
  if (base % site.baseAlignment)
    broken = "the base must be a multiple of " +
             std::to_string(site.baseAlignment) + " bytes";
  for (const Rule &rule : rules) {
    if (!broken.empty())
      break;
    std::string must = std::string("the ") + rule.what + " must be ";
    std::string found = ", found " + std::to_string(rule.value);
    if (rule.value < rule.least)
      broken = must + "at least " + std::to_string(rule.least) + found;
    else if (rule.value > rule.most)
      broken = must + "at most " + std::to_string(rule.most) + found;
    else if (rule.value % rule.multiple)
      broken = must + "a multiple of " + std::to_string(rule.multiple) + found;
  }
  if (broken.empty() && operands.pitch < operands.width)
    broken = "the pitch must not be below the width";
  if (broken.empty() && offset % site.offsetAlignment)
    broken = "the column must be a multiple of " +
             std::to_string(site.offsetAlignment) + " bytes, found " +
             std::to_string(offset);
  if (broken.empty())
    return std::nullopt;
  return CheckFailure{
      ErrorKind::Access,
      std::string(site.access.place) +
          ": a 2D block message that no hardware takes: " + broken +
          "\n  the surface has " + describeSurface(operands)};
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool Worker::fails(std::optional<CheckFailure> found, unsigned subGroup,
                   int lane) {
  if (!found)
    return false;
  found->message += "\n  in sub-group " + std::to_string(subGroup);
  if (lane >= 0)
    found->message += ", lane " + std::to_string(lane);
  failure = std::move(found);
  return true;
}

bool Worker::findFault(const Access &access, unsigned subGroup, int lane,
                       bool changes) {
  if (access.site.space == MemorySpace::Shared)
    return fails(checked.record(access, subGroup, changes), subGroup, lane);
  return fails(programs.checks->record(access, changes), subGroup, lane);
}

namespace {
/// Whether a lane's values differ from what is in memory.
bool changesMemory(const AccessSite &site, const char *memory,
                   const char *values, unsigned lane, unsigned lanes) {
  std::size_t bytes = site.elementBytes;
  for (std::uint32_t i = 0; i < site.count; ++i)
    if (std::memcmp(memory + i * bytes,
                    values + (std::size_t(i) * lanes + lane) * bytes, bytes))
      return true;
  return false;
}
} // namespace

bool Worker::findFault(unsigned subGroup, const AccessSite &site,
                       const char *const *pointers, std::uint64_t mask,
                       std::uint32_t lanes, const void *values) {
  const std::uint64_t bytes = std::uint64_t(site.elementBytes) * site.count;
  const bool isShared = site.space == MemorySpace::Shared;
  if (!isShared)
    for (std::uint64_t rest = mask; rest; rest &= rest - 1) {
      int lane = __builtin_ctzll(rest);
      Access access{site, reinterpret_cast<std::uintptr_t>(pointers[lane]),
                    bytes};
      if (fails(programs.checks->checkBounds(access), subGroup, lane))
        return true;
    }
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctzll(mask);
    Access access{site, reinterpret_cast<std::uintptr_t>(pointers[lane]),
                  bytes};
    bool isReadable = isShared ? checked.contains(access)
                               : programs.checks->isTracked(access.address);
    bool changes = true;
    if (values && isReadable)
      changes = changesMemory(site, pointers[lane],
                              static_cast<const char *>(values), lane, lanes);
    if (findFault(access, subGroup, lane, changes))
      return true;
  }
  return false;
}

bool Worker::findFault(unsigned subGroup, const BlockSite &site,
                       const BlockOperands &operands) {
  if (fails(checkBlockRules(site, operands), subGroup))
    return true;
  if (site.isPrefetch || !programs.checks)
    return false;
  const std::int64_t unit = site.unitBytes;
  std::int64_t x = std::int64_t(operands.x) * site.access.elementBytes;
  std::int64_t first = std::max<std::int64_t>(0, (-x + unit - 1) / unit * unit);
  std::int64_t last = std::min<std::int64_t>(
      site.rowBytes,
      std::max<std::int64_t>(operands.width - x, 0) / unit * unit);
  if (first >= last)
    return false;
  for (std::int64_t row = 0; row < site.rows; ++row) {
    std::int64_t y = operands.y + row;
    if (y < 0 || y >= operands.height)
      continue;
    const char *place = operands.base + y * operands.pitch + x + first;
    Access access{site.access, reinterpret_cast<std::uintptr_t>(place),
                  static_cast<std::uint64_t>(last - first)};
    if (fails(programs.checks->checkBounds(access), subGroup))
      return true;
    if (!programs.checks->isTracked(access.address))
      continue;
    bool changes =
        operands.values &&
        std::memcmp(place, operands.values + row * site.rowBytes + first,
                    access.bytes) != 0;
    if (findFault(access, subGroup, /*lane=*/-1, changes))
      return true;
  }
  return false;
}

void Worker::checkAccess(unsigned subGroup, const AccessSite &site,
                         const char *const *pointers, std::uint64_t mask,
                         std::uint32_t lanes, const void *values) {
  // Objects of these functions are gone by the time of the jump.
  if (programs.checks &&
      findFault(subGroup, site, pointers, mask, lanes, values))
    leave();
}

void Worker::checkBlock(unsigned subGroup, const BlockSite &site,
                        const BlockOperands &operands) {
  if (findFault(subGroup, site, operands))
    leave();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Worker::checkBarrier(unsigned subGroup, const char *place) {
  if (!isInFibers)
    return;
  if (programs.checks && fails(checked.arrive(subGroup, place), subGroup))
    leave();
  fibers.wait();
  auto hasEnded = [this](unsigned other) { return fibers.hasEnded(other); };
  if (programs.checks &&
      fails(checked.leave(subGroup, place, hasEnded), subGroup))
    leave();
}

} // namespace triton::intel::runtime::cpu

using namespace triton::intel::runtime::cpu;

extern "C" void
triton_xe_cpu_check_access(SubGroupState *state, const AccessSite *site,
                           const char *const *pointers, std::uint64_t mask,
                           std::uint32_t lanes, const void *values) {
  getWorker(state).checkAccess(state->subGroupId, *site, pointers, mask, lanes,
                               values);
}

extern "C" void triton_xe_cpu_check_block(SubGroupState *state,
                                          const BlockSite *site,
                                          const char *base, std::int32_t width,
                                          std::int32_t height,
                                          std::int32_t pitch, std::int32_t x,
                                          std::int32_t y, const void *values) {
  getWorker(state).checkBlock(
      state->subGroupId, *site,
      {base, width, height, pitch, x, y, static_cast<const char *>(values)});
}

extern "C" void triton_xe_cpu_check_barrier(SubGroupState *state,
                                            const char *place) {
  getWorker(state).checkBarrier(state->subGroupId, place);
}
