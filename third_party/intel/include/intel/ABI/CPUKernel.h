//===- CPUKernel.h - Between kernels and the CPU runtime --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The contract between the CPU code generator, the prebuilt device library and
// the runtime. Plain C++17 without dependencies, so that all three include it.
//
// One call of a generated kernel runs one sub-group of W = 8, 16 or 32 lanes. A
// value that differs between lanes is stored as a *row*: W consecutive
// elements, lane 0 first, W * sizeof(element) bytes. A per-lane vector of n
// elements is n rows without gaps between them, the first of them aligned to 64
// bytes; private memory of a lane (an `alloca` of n elements) is the same. So
// element e of lane l is at index e * W + l.
//
// A kernel is a relocatable ELF object for x86-64 with two symbols that matter:
// the entry point, which has the kernel's name, and the data object
// `triton_xe_kernel_info`, a `KernelInfo`. It may call
//
//   functions of the runtime                     declared below
//   functions of the device library              by the mangled name of the
//                                                OpenCL builtin they represent
//   functions that work lane by lane             see device_library/cpu/lanes.h
//   SLEEF's vector functions                     by SLEEF's own names
//   memcpy, memset, memmove
//
// Functions of the device library serve sub-groups of 16 lanes, or of 8 where
// A's type is of 32 bits. They take rows by pointer and need no alignment:
//
//   void intel_sub_group_*_matrix_mad_*(void *result, const void *a,
//                                       const void *b, const void *c);
//   void intel_sub_group_*_scaled_matrix_mad_*(void *result, const void *a,
//                                              const void *b, const void *c,
//                                              const void *aScale,
//                                              const void *bScale);
//   void intel_sub_group_2d_block_read*(const char *base, int32_t width,
//                                       int32_t height, int32_t pitch,
//                                       int32_t x, int32_t y, void *rows);
//   void intel_sub_group_2d_block_write*(char *base, int32_t width,
//                                        int32_t height, int32_t pitch,
//                                        int32_t x, int32_t y,
//                                        const void *rows);
//
// `result` may be the same memory as `c`. There are no prefetches.
//
// Kernels run with the default MXCSR: rounding to nearest even, denormal
// numbers kept, exceptions masked. They need no unwind tables, because none of
// the functions that they call throws.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ABI_CPUKERNEL_H
#define TRITON_INTEL_ABI_CPUKERNEL_H

#include "intel/ABI/BlockMessage.h"

#include <cstddef>
#include <cstdint>

namespace triton::intel::abi {

constexpr std::uint32_t abiVersion = 2;

/// Functions of the C library that a kernel may call.
inline constexpr const char *cLibraryFunctions[] = {"memcpy", "memmove",
                                                    "memset"};

/// Alignment of rows, of shared memory and of the kernel's stack variables.
constexpr std::size_t rowAlignment = 64;

/// Size of the stack that a sub-group runs on. It must hold the kernel's values
/// that are not in registers, and the frames of the functions that it calls:
/// 16,384 numbers of 64 bits per lane take 2 MiB. Pages that are not used take
/// no memory.
constexpr std::size_t stackBytes = 16 << 20;

/// Properties of a sub-group. Generated code reads the fields at fixed offsets.
struct SubGroupState {
  std::int32_t programId[3];   ///< x, y, z
  std::int32_t numPrograms[3]; ///< x, y, z
  std::int32_t subGroupId;
  std::int32_t numSubGroups;
  /// Shared local memory of the program, aligned to 64 bytes; not initialized.
  char *sharedMemory;
  /// Belongs to the runtime: a `RuntimeState *`.
  void *runtime;
};

static_assert(offsetof(SubGroupState, programId) == 0);
static_assert(offsetof(SubGroupState, numPrograms) == 12);
static_assert(offsetof(SubGroupState, subGroupId) == 24);
static_assert(offsetof(SubGroupState, numSubGroups) == 28);
static_assert(offsetof(SubGroupState, sharedMemory) == 32);
static_assert(offsetof(SubGroupState, runtime) == 40);
static_assert(sizeof(SubGroupState) == 48);

/// The first part of the object that `SubGroupState::runtime` points to. Only
/// the runtime knows the rest.
struct RuntimeState {
  /// Code polls it in its loops, and calls `triton_xe_cpu_interrupted` when it
  /// is not zero.
  const std::int32_t *interruptFlag;
};

static_assert(offsetof(RuntimeState, interruptFlag) == 0);

/// The entry point: runs one sub-group. Argument i of the kernel lies in the
/// low bytes of the i-th 8 bytes of `arguments`.
using EntryPoint = void (*)(const void *arguments, SubGroupState *state);

enum KernelFlags : std::uint32_t {
  /// Calls `triton_xe_cpu_barrier`: the sub-groups of a program have to run
  /// side by side.
  UsesBarrier = 1u << 0,
  /// The last argument is hidden: a pointer to a `KernelReport`.
  HasAssertions = 1u << 1,
  /// Calls `triton_xe_cpu_check_*`: the launch has to provide its memory.
  HasChecks = 1u << 2,
};

/// The properties of a kernel that the runtime needs.
struct KernelInfo {
  std::uint32_t abiVersion;   ///< = 2
  std::uint32_t numArguments; ///< 8-byte slots, hidden ones included
  std::uint32_t sharedBytes;  ///< shared local memory per program
  std::uint32_t subGroupSize; ///< 8, 16 or 32
  std::uint32_t numSubGroups; ///< per program; 0: any number
  std::uint32_t flags;        ///< of `KernelFlags`
  const char *name;           ///< of the entry point
  /// The instruction set that the code needs: "avx2" (with FMA and F16C) or
  /// "avx512" (F, BW, DQ and VL, and all of "avx2").
  const char *instructionSet;
  /// Texts of the assertions, each ended by a zero, the list by an empty text;
  /// null without any.
  const char *assertions;
  /// For code that checks itself, a byte per argument, which is not zero if the
  /// code may store to the argument's memory; null without checks.
  const std::uint8_t *storedArguments;
};

static_assert(offsetof(KernelInfo, name) == 24);
static_assert(sizeof(KernelInfo) == 56);

/// Name of the `KernelInfo` in the object file.
constexpr char kernelInfoSymbol[] = "triton_xe_kernel_info";

//===----------------------------------------------------------------------===//
// Code that checks itself
//===----------------------------------------------------------------------===//

enum class AccessKind : std::uint32_t { Load, Store, Atomic };
enum class MemorySpace : std::uint32_t { Global, Shared };

/// A barrier with this flag orders global memory (CLK_GLOBAL_MEM_FENCE).
constexpr std::uint32_t globalFence = 2;

/// `AccessSite::argument` of a pointer that comes from several arguments, and
/// of one that the kernel computed from integers or loaded.
constexpr std::int32_t severalArguments = -1;
constexpr std::int32_t unknownArgument = -2;

/// A place in the kernel that accesses memory; constant data of the object.
struct AccessSite {
  /// "file:line", and where the function of that line was inlined.
  const char *place;
  AccessKind kind;
  MemorySpace space;
  /// The access of a lane: `count` contiguous elements of `elementBytes` bytes.
  std::uint32_t elementBytes, count;
  /// The argument of the kernel that the address is derived from.
  std::int32_t argument;
  std::uint32_t reserved;
};

static_assert(sizeof(AccessSite) == 32);

/// A 2D block message, with the rules of the hardware for its surface.
struct BlockSite {
  AccessSite access;
  /// The tile: its rows, the bytes of a row (all blocks side by side), and the
  /// size of the units that are entirely inside or outside of the surface.
  std::uint32_t rows, rowBytes, unitBytes;
  /// A prefetch touches no memory.
  std::uint32_t isPrefetch;
  BlockRules rules;
  std::uint32_t reserved;
};

static_assert(sizeof(BlockSite) == sizeof(AccessSite) + 48);

} // namespace triton::intel::abi

extern "C" {
/// Called when the interrupt flag is set. Returns unless the launch has to end.
void triton_xe_cpu_interrupted(triton::intel::abi::SubGroupState *state);

/// Checks the access of each lane in `mask` before it happens. `values` are the
/// `count` rows of a store, and null for a load. This function and the next two
/// do not return if the check fails.
void triton_xe_cpu_check_access(triton::intel::abi::SubGroupState *state,
                                const triton::intel::abi::AccessSite *site,
                                const char *const *pointers, std::uint64_t mask,
                                std::uint32_t lanes, const void *values);

/// Checks a 2D block message; `values` are the rows of a store. Code that does
/// not check itself calls it for messages that break a rule.
void triton_xe_cpu_check_block(triton::intel::abi::SubGroupState *state,
                               const triton::intel::abi::BlockSite *site,
                               const char *base, std::int32_t width,
                               std::int32_t height, std::int32_t pitch,
                               std::int32_t x, std::int32_t y,
                               const void *values);

/// Waits at a barrier; takes the place of `triton_xe_cpu_barrier`. `fences` are
/// the flags of OpenCL's `barrier`.
void triton_xe_cpu_check_barrier(triton::intel::abi::SubGroupState *state,
                                 const char *place, std::uint32_t fences);

/// Returns when all sub-groups of the program that have not ended have called
/// it.
void triton_xe_cpu_barrier(triton::intel::abi::SubGroupState *state);

/// A barrier that returns whether `value` was not zero in any sub-group.
std::int32_t triton_xe_cpu_any(triton::intel::abi::SubGroupState *state,
                               std::int32_t value);

/// Prints a line for one lane; its '\n' is part of `format`, which is printf's;
/// `values[i]` holds the operand of the i-th conversion that takes one:
/// integers in the low bits, floating point as bits of a double, strings as
/// pointers. Conversions: d i u x X o c s p f F e E g G a A and %%, with flags,
/// width, precision and length (hh, h, l, ll, z, j, t).
void triton_xe_cpu_print(triton::intel::abi::SubGroupState *state,
                         const char *format, const std::uint64_t *values);

/// Prints for each lane in `mask`, in the order of their numbers; `rows` are
/// `count` rows of operands.
void triton_xe_cpu_print_lanes(triton::intel::abi::SubGroupState *state,
                               const char *format, std::uint64_t mask,
                               std::uint32_t lanes, std::uint32_t count,
                               const std::uint64_t *rows);
}

#endif // TRITON_INTEL_ABI_CPUKERNEL_H
