//===- lane_atomics.cpp - Atomic operations, lane by lane -----------------===//
// SPDX-License-Identifier: MIT
//
//   void triton_xe_cpu_atomic_OP(void *old, char *const *pointers,
//                                const void *operands, uint64_t mask,
//                                uint32_t lanes, uint32_t size)
//   void triton_xe_cpu_atomic_cmpxchg(void *old, uint8_t *success,
//                                     char *const *pointers,
//                                     const void *expected,
//                                     const void *desired, uint64_t mask,
//                                     uint32_t lanes, uint32_t size)
//
// of elements of 4 and 8 bytes, in the order of all atomic operations (the
// strongest there is). OP is LLVM's name of the operation. Operations that the
// processor lacks exchange until no other access has interfered.
//
//===----------------------------------------------------------------------===//

#include "lanes.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace {

/// Operations give what memory holds then, from what it held and the operand.
/// Integers wrap around; unsigned types keep that defined.
struct Exchange {
  template <typename T> T operator()(T, T value) const { return value; }
};
struct Add {
  template <typename T> T operator()(T old, T value) const {
    return old + value;
  }
};
struct Subtract {
  template <typename T> T operator()(T old, T value) const {
    return old - value;
  }
};
struct And {
  template <typename T> T operator()(T old, T value) const {
    return old & value;
  }
};
struct Or {
  template <typename T> T operator()(T old, T value) const {
    return old | value;
  }
};
struct Xor {
  template <typename T> T operator()(T old, T value) const {
    return old ^ value;
  }
};
/// Numbers win over NaN.
struct Max {
  template <typename T> T operator()(T old, T value) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmax(old, value);
    else
      return old < value ? value : old;
  }
};
struct Min {
  template <typename T> T operator()(T old, T value) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmin(old, value);
    else
      return value < old ? value : old;
  }
};

/// Returns the bits of `value` as another type of the same size.
template <typename To, typename From> To bitCast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

/// Replaces what is at `place` by `operation` of it, and returns the previous
/// value. Bits are compared, so that a NaN and a zero of either sign are found
/// again.
template <typename T, typename Operation>
T modify(T *place, T operand, Operation operation) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  auto *bits = reinterpret_cast<Bits *>(place);
  Bits found = __atomic_load_n(bits, __ATOMIC_RELAXED);
  // `found` is what memory holds now, if another access was faster.
  for (;;) {
    Bits desired = bitCast<Bits>(T(operation(bitCast<T>(found), operand)));
    if (__atomic_compare_exchange_n(bits, &found, desired, /*weak=*/false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      return bitCast<T>(found);
  }
}

/// T4 and T8 are the element types of 4 and of 8 bytes.
template <typename T4, typename T8, typename Operation>
void atomic(void *old, char *const *pointers, const void *operands,
            std::uint64_t mask, std::uint32_t lanes, std::uint32_t size) {
  // A null pointer that carries the type.
  auto run = [&](auto *type) {
    using T = std::remove_pointer_t<decltype(type)>;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      // Lanes that take no part get zero.
      T result{};
      if (mask >> lane & 1)
        result = modify(reinterpret_cast<T *>(pointers[lane]),
                        static_cast<const T *>(operands)[lane], Operation());
      static_cast<T *>(old)[lane] = result;
    }
  };
  if (size == 4)
    run(static_cast<T4 *>(nullptr));
  else
    run(static_cast<T8 *>(nullptr));
}

/// `old` is what each lane found, `success` a byte per lane, 1 where that was
/// what it expected. A kernel exchanges an element of 16 bits as a part of the
/// aligned 32 bits around it, of which the other half may lie outside of the
/// tensor: it is written as it was found, which AddressSanitizer cannot know.
template <typename T>
__attribute__((no_sanitize("address"))) void
compareExchange(T *old, std::uint8_t *success, char *const *pointers,
                const T *expected, const T *desired, std::uint64_t mask,
                std::uint32_t lanes) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    T found = expected[lane];
    bool done = false;
    if (mask >> lane & 1)
      done = __atomic_compare_exchange_n(
          reinterpret_cast<T *>(pointers[lane]), &found, desired[lane],
          /*weak=*/false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    old[lane] = found;
    success[lane] = done;
  }
}

/// Bits are compared, whatever the type is: unsigned integers of the size will
/// do.
void compareExchangeAny(void *old, std::uint8_t *success, char *const *pointers,
                        const void *expected, const void *desired,
                        std::uint64_t mask, std::uint32_t lanes,
                        std::uint32_t size) {
  auto run = [&](auto *type) {
    using T = std::remove_pointer_t<decltype(type)>;
    compareExchange(static_cast<T *>(old), success, pointers,
                    static_cast<const T *>(expected),
                    static_cast<const T *>(desired), mask, lanes);
  };
  if (size == 4)
    run(static_cast<std::uint32_t *>(nullptr));
  else
    run(static_cast<std::uint64_t *>(nullptr));
}

/// Addresses for the table below, by how elements are compared and added.
template <typename Operation> const void *getUnsigned() {
  return reinterpret_cast<const void *>(
      &atomic<std::uint32_t, std::uint64_t, Operation>);
}
template <typename Operation> const void *getSigned() {
  return reinterpret_cast<const void *>(
      &atomic<std::int32_t, std::int64_t, Operation>);
}
template <typename Operation> const void *getFloat() {
  return reinterpret_cast<const void *>(&atomic<float, double, Operation>);
}

} // namespace

namespace triton::intel::device_library {

const void *findAtomicFunction(const char *name) {
  static const std::pair<const char *, const void *> functions[] = {
      {"add", getUnsigned<Add>()},
      {"and", getUnsigned<And>()},
      {"cmpxchg", reinterpret_cast<const void *>(&compareExchangeAny)},
      {"fadd", getFloat<Add>()},
      {"fmax", getFloat<Max>()},
      {"fmin", getFloat<Min>()},
      {"fsub", getFloat<Subtract>()},
      {"max", getSigned<Max>()},
      {"min", getSigned<Min>()},
      {"or", getUnsigned<Or>()},
      {"sub", getUnsigned<Subtract>()},
      {"umax", getUnsigned<Max>()},
      {"umin", getUnsigned<Min>()},
      {"xchg", getUnsigned<Exchange>()},
      {"xor", getUnsigned<Xor>()},
  };
  constexpr char prefix[] = "triton_xe_cpu_atomic_";
  if (std::strncmp(name, prefix, sizeof(prefix) - 1) != 0)
    return nullptr;
  name += sizeof(prefix) - 1;
  for (auto [known, address] : functions)
    if (std::strcmp(known, name) == 0)
      return address;
  return nullptr;
}

} // namespace triton::intel::device_library
