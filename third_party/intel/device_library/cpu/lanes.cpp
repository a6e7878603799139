//===- lanes.cpp - Operations lane by lane --------------------------------===//
// SPDX-License-Identifier: MIT

#include "lanes.h"

#include <cstring>
#include <utility>

namespace {

/// Element i of each lane's `count` elements into row i; zeros for lanes that
/// are not in the mask, whose pointers are never looked at. Pointers need no
/// alignment.
template <typename T>
void gather(T *rows, const char *const *pointers, std::uint64_t mask,
            std::uint32_t lanes, std::uint32_t count) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    for (std::uint32_t i = 0; i < count; ++i) {
      T value{};
      if (mask >> lane & 1)
        std::memcpy(&value, pointers[lane] + i * sizeof(T), sizeof(T));
      rows[i * lanes + lane] = value;
    }
}

/// The counterpart. Of lanes that store to one place the highest one wins, as
/// lanes are taken in order.
template <typename T>
void scatter(const T *rows, char *const *pointers, std::uint64_t mask,
             std::uint32_t lanes, std::uint32_t count) {
  for (; mask; mask &= mask - 1) {
    unsigned lane = __builtin_ctzll(mask);
    for (std::uint32_t i = 0; i < count; ++i)
      std::memcpy(pointers[lane] + i * sizeof(T), &rows[i * lanes + lane],
                  sizeof(T));
  }
}

/// Calls `action` with a null pointer to the unsigned integer of `size` bytes.
template <typename Action> void dispatch(std::uint32_t size, Action action) {
  switch (size) {
  case 1:
    return action(static_cast<std::uint8_t *>(nullptr));
  case 2:
    return action(static_cast<std::uint16_t *>(nullptr));
  case 4:
    return action(static_cast<std::uint32_t *>(nullptr));
  default:
    return action(static_cast<std::uint64_t *>(nullptr));
  }
}

} // namespace

/// `size` is that of an element in bytes.
void triton_xe_cpu_gather(void *rows, const char *const *pointers,
                          std::uint64_t mask, std::uint32_t lanes,
                          std::uint32_t size, std::uint32_t count) {
  dispatch(size, [&](auto *type) {
    gather(static_cast<decltype(type)>(rows), pointers, mask, lanes, count);
  });
}

void triton_xe_cpu_scatter(const void *rows, char *const *pointers,
                           std::uint64_t mask, std::uint32_t lanes,
                           std::uint32_t size, std::uint32_t count) {
  // The type has a size and nothing more: bits are copied.
  dispatch(size, [&](auto *type) {
    using T = std::remove_pointer_t<decltype(type)>;
    scatter(static_cast<const T *>(rows), pointers, mask, lanes, count);
  });
}

/// Loads `count` elements side by side, as far as their byte of the mask is not
/// zero; zeros for the others.
void triton_xe_cpu_masked_load(void *result, const void *pointer,
                               const std::uint8_t *mask, std::uint32_t count,
                               std::uint32_t size) {
  auto *to = static_cast<char *>(result);
  const auto *from = static_cast<const char *>(pointer);
  std::memset(to, 0, std::size_t(count) * size);
  // No byte of other elements is read: they may lie outside of the tensor, on a
  // page that does not exist.
  for (std::uint32_t i = 0; i < count; ++i)
    if (mask[i])
      std::memcpy(to + i * size, from + i * size, size);
}

/// Elements whose byte is zero are not written, not even with what they hold:
/// another thread may write them now.
void triton_xe_cpu_masked_store(void *pointer, const void *values,
                                const std::uint8_t *mask, std::uint32_t count,
                                std::uint32_t size) {
  auto *to = static_cast<char *>(pointer);
  const auto *from = static_cast<const char *>(values);
  for (std::uint32_t i = 0; i < count; ++i)
    if (mask[i])
      std::memcpy(to + i * size, from + i * size, size);
}

/// Lane l gets the value of lane sources[l]; lanes beyond the sub-group count
/// modulo its size.
void triton_xe_cpu_shuffle(void *result, const void *values,
                           const std::uint32_t *sources, std::uint32_t lanes,
                           std::uint32_t size) {
  dispatch(size, [&](auto *type) {
    using T = std::remove_pointer_t<decltype(type)>;
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      static_cast<T *>(result)[lane] =
          static_cast<const T *>(values)[sources[lane] % lanes];
  });
}

namespace triton::intel::device_library {

/// Returns the address of a function by its symbol, for the loader of objects;
/// null if the library has none of that name.
const void *findLaneFunction(const char *name) {
  static const std::pair<const char *, const void *> functions[] = {
      {"triton_xe_cpu_gather",
       reinterpret_cast<const void *>(&triton_xe_cpu_gather)},
      {"triton_xe_cpu_masked_load",
       reinterpret_cast<const void *>(&triton_xe_cpu_masked_load)},
      {"triton_xe_cpu_masked_store",
       reinterpret_cast<const void *>(&triton_xe_cpu_masked_store)},
      {"triton_xe_cpu_scatter",
       reinterpret_cast<const void *>(&triton_xe_cpu_scatter)},
      {"triton_xe_cpu_shuffle",
       reinterpret_cast<const void *>(&triton_xe_cpu_shuffle)},
  };
  for (auto [known, address] : functions)
    if (std::strcmp(known, name) == 0)
      return address;
  // Families of functions whose names have a common beginning.
  if (const void *address = findAtomicFunction(name))
    return address;
  return findMathFunction(name);
}

} // namespace triton::intel::device_library
