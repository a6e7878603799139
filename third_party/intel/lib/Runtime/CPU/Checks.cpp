//===- Checks.cpp - Checks of kernels -------------------------------------===//
// SPDX-License-Identifier: MIT
//
// The check functions that kernels call (see CPUKernel.h). They split an access
// of a sub-group into lanes or rows, check each of these with CheckedLaunch and
// CheckedProgram, and leave the program if a check fails.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "intel/Runtime/BlockRules.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::runtime::cpu {

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Keeps a failure, with the place in the sub-group, for the launch to report.
/// False if there is none. `lane` is -1 for a whole sub-group.
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

/// Queries the owner of the shadows of that memory.
bool Worker::findFault(const Access &access, unsigned subGroup, int lane,
                       bool changes) {
  if (access.site.space == MemorySpace::Shared)
    return fails(checked.record(access, subGroup, changes), subGroup, lane);
  return fails(programs.checks->record(access, subGroup, changes), subGroup,
               lane);
}

namespace {
/// Returns whether a lane's values differ from what is in memory.
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

/// An access of a sub-group, lane by lane. Bounds of all lanes come first: only
/// then may values be compared with memory.
bool Worker::findFault(unsigned subGroup, const AccessSite &site,
                       const char *const *pointers, std::uint64_t mask,
                       std::uint32_t lanes, const void *values) {
  const std::uint64_t bytes = std::uint64_t(site.elementBytes) * site.count;
  const bool isShared = site.space == MemorySpace::Shared;
  // Lanes in the mask, lowest first.
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
    // Memory that is not recorded need not be readable.
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

/// A 2D block message: rules first, then bounds and races of the part of the
/// tile that is in the surface. Elements outside read as zero, and are not
/// written.
bool Worker::findFault(unsigned subGroup, const BlockSite &site,
                       const abi::BlockOperands &operands, const char *values) {
  // Also in code without checks, which comes here when a rule is broken.
  if (std::optional<std::string> broken = checkBlockRules(
          site.access.place, site.rules, site.access.elementBytes, operands))
    return fails(CheckFailure{ErrorKind::Access, *broken}, subGroup);
  if (site.isPrefetch || !programs.checks)
    return false;
  // In units: one that is not entirely inside counts as outside.
  const std::int64_t unit = site.unitBytes;
  // Bytes from the beginning of a row of the surface.
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
    Access access{site.access, operands.base + y * operands.pitch + x + first,
                  static_cast<std::uint64_t>(last - first)};
    if (fails(programs.checks->checkBounds(access), subGroup))
      return true;
    // Values are compared with memory that is known to exist.
    if (!programs.checks->isTracked(access.address))
      continue;
    bool changes =
        values &&
        std::memcmp(reinterpret_cast<const char *>(access.address),
                    values + row * site.rowBytes + first, access.bytes) != 0;
    if (findFault(access, subGroup, /*lane=*/-1, changes))
      return true;
  }
  return false;
}

/// Returns if nothing is wrong.
void Worker::checkAccess(unsigned subGroup, const AccessSite &site,
                         const char *const *pointers, std::uint64_t mask,
                         std::uint32_t lanes, const void *values) {
  // Objects of these functions are gone by the time of the jump.
  if (programs.checks &&
      findFault(subGroup, site, pointers, mask, lanes, values))
    leave();
}

void Worker::checkBlock(unsigned subGroup, const BlockSite &site,
                        const abi::BlockOperands &operands,
                        const char *values) {
  if (findFault(subGroup, site, operands, values))
    leave();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Waits, with reports of the positions of the sub-groups on either side.
void Worker::checkBarrier(unsigned subGroup, const char *place,
                          std::uint32_t fences) {
  // One sub-group, or none that waits: nothing to check.
  if (!isInFibers)
    return;
  if (programs.checks && fails(checked.arrive(subGroup, place), subGroup))
    leave();
  fibers.wait();
  auto hasEnded = [this](unsigned other) { return fibers.hasEnded(other); };
  if (programs.checks &&
      fails(checked.leave(subGroup, place, hasEnded), subGroup))
    leave();
  if (programs.checks && (fences & globalFence))
    programs.checks->fence(subGroup);
}

} // namespace triton::intel::runtime::cpu

// Generated code calls these functions by name; declared in
// intel/ABI/CPUKernel.h.
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
      {reinterpret_cast<std::uintptr_t>(base), width, height, pitch, x, y},
      static_cast<const char *>(values));
}

extern "C" void triton_xe_cpu_check_barrier(SubGroupState *state,
                                            const char *place,
                                            std::uint32_t fences) {
  getWorker(state).checkBarrier(state->subGroupId, place, fences);
}
