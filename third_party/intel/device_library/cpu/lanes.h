//===- lanes.h - Operations lane by lane ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Functions that the CPU code generator calls where no vector instruction does
// the work: accesses to memory with an address per lane, atomic operations,
// shuffles by lane numbers that are computed, rare mathematical functions.
//
// Rows are as in intel/ABI/CPUKernel.h. Bit l of `mask` is set if lane l
// takes part; lanes take turns in the order of their numbers. `size` is that of
// an element in bytes, 1, 2, 4 or 8. None of them needs more than x86-64.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DEVICE_LIBRARY_CPU_LANES_H
#define TRITON_INTEL_DEVICE_LIBRARY_CPU_LANES_H

#include <cstdint>

extern "C" {
/// Loads `count` neighbouring elements per lane into `count` rows. Lanes that
/// do not take part get zeros.
void triton_xe_cpu_gather(void *rows, const char *const *pointers,
                          std::uint64_t mask, std::uint32_t lanes,
                          std::uint32_t size, std::uint32_t count);
/// The reverse; where lanes meet, the last one stays.
void triton_xe_cpu_scatter(const void *rows, char *const *pointers,
                           std::uint64_t mask, std::uint32_t lanes,
                           std::uint32_t size, std::uint32_t count);

/// Element i of `count` where byte i of `mask` is not zero; zeros elsewhere.
void triton_xe_cpu_masked_load(void *result, const void *pointer,
                               const std::uint8_t *mask, std::uint32_t count,
                               std::uint32_t size);
void triton_xe_cpu_masked_store(void *pointer, const void *values,
                                const std::uint8_t *mask, std::uint32_t count,
                                std::uint32_t size);

/// Lane l gets the value of lane `sources[l]`, modulo the number of lanes.
void triton_xe_cpu_shuffle(void *result, const void *values,
                           const std::uint32_t *sources, std::uint32_t lanes,
                           std::uint32_t size);
}

namespace triton::intel::device_library {

/// Returns the address of one of these functions, of the atomic operations
/// (`triton_xe_cpu_atomic_*`: AtomicRMW's names, and cmpxchg) or of the
/// mathematical functions (`triton_xe_cpu_math_*`); null for another name.
const void *findLaneFunction(const char *name);

/// Parts of it.
const void *findAtomicFunction(const char *name);
const void *findMathFunction(const char *name);

} // namespace triton::intel::device_library

#endif // TRITON_INTEL_DEVICE_LIBRARY_CPU_LANES_H
