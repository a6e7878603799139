// SPDX-License-Identifier: MIT
// Checks itself. Each sub-group stores an element, waits, and adds what its
// neighbour has stored, after one more barrier. Arguments: elements, the fences
// of the first barrier.
#include "TestKernel.h"

constexpr AccessSite store = {
    "k.py:1", AccessKind::Store, MemorySpace::Global, 4, 1, 0, 0};
constexpr AccessSite load = {
    "k.py:2", AccessKind::Load, MemorySpace::Global, 4, 1, 0, 0};

/// Lane 0 accesses `address`; stores come with their value.
static void check(SubGroupState *state, const AccessSite &site,
                  const std::int32_t *address, const std::int32_t *value) {
  const char *pointer = reinterpret_cast<const char *>(address);
  triton_xe_cpu_check_access(state, &site, &pointer, 1, 1, value);
}

KERNEL(neighbour) {
  auto elements = getArgument<std::int32_t *>(arguments, 0);
  auto fences = getArgument<std::int64_t>(arguments, 1);
  int id = state->subGroupId, next = (id + 1) % state->numSubGroups;
  std::int32_t value = id + 1;
  check(state, store, elements + id, &value);
  elements[id] = value;
  triton_xe_cpu_check_barrier(state, nullptr,
                              static_cast<std::uint32_t>(fences));
  check(state, load, elements + next, nullptr);
  value += elements[next];
  triton_xe_cpu_check_barrier(state, nullptr, globalFence);
  check(state, store, elements + id, &value);
  elements[id] = value;
}

static const std::uint8_t stored[] = {1, 0};
KERNEL_INFO(abiVersion, 2, 0, lanes, 0, UsesBarrier | HasChecks, "neighbour",
            "avx2", nullptr, stored);
