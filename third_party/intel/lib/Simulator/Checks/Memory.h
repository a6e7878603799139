//===- Memory.h - Checks of memory accesses ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Global memory is that of the tensors of a launch, and what the kernel brings
// along. Each byte of shared local memory has the sub-groups that wrote and
// read it: another sub-group may access it after a barrier only, and bytes that
// were never written may not be read.
//
// A barrier orders what a sub-group did before its signal before what another
// one does after its wait: an access races with one that was made at s signals
// if its own sub-group has passed s waits or fewer.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_CHECKS_MEMORY_H
#define TRITON_INTEL_LIB_SIMULATOR_CHECKS_MEMORY_H

#include "intel/Runtime/Arguments.h"
#include "intel/Simulator/Machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace triton::intel::simulator {

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

/// Bytes that are accessed, and where the vector begins that they are an
/// element of, if they are one.
struct AccessedBytes {
  std::uint64_t address, size;
  std::optional<std::uint64_t> vectorBegin;
};

/// Bytes of global memory.
struct Span64 {
  std::uint64_t begin = 0, size = 0;

  bool contains(std::uint64_t address, std::uint64_t count) const {
    return address >= begin && count <= size && address - begin <= size - count;
  }
};

/// Private memory in the global space: that of all threads of a launch, and the
/// part of one thread.
struct PrivateSpans {
  Span64 all, own;
};

/// Throws `Error` of kind `Access` for private memory of another thread.
void checkPrivate(const PrivateSpans &spans, std::uint64_t address,
                  std::uint64_t size, AccessKind kind);

/// Returns what a launch has whose memory is not known: any address but 0 may
/// be right.
std::vector<runtime::ArgumentMemory> getAllMemory();

/// The check of a launch. It throws `Error` of kind `Access`.
class GlobalMemoryCheck {
public:
  /// `others` are pieces of memory that belong to no argument.
  GlobalMemoryCheck(const std::vector<runtime::ArgumentMemory> &arguments,
                    const std::vector<runtime::ArgumentMemory> &others);

  /// Vectors that are loaded may end after the memory if they begin in it and
  /// lie in 16 aligned bytes, which are in one page: their other elements are
  /// dropped (LoadStoreToLLVM.cpp).
  void check(const AccessedBytes &access, AccessKind kind) const;

private:
  std::vector<runtime::ArgumentMemory> memory;
  /// An argument is an address whose memory is not known: then any address may
  /// be right.
  bool hasUnknown = false;
};

/// The check of a work-group. It throws `Error` of kind `Access` or `Race`.
class SharedMemoryCheck {
public:
  void reset(std::size_t bytes);
  /// `changes`: of a store, whether it brings other bytes than there are.
  void check(const Thread &thread, std::uint64_t address, std::uint64_t size,
             AccessKind kind, bool changes);

private:
  /// Sub-groups count from 1; 0 is none.
  struct Byte {
    std::uint16_t writer = 0, reader = 0;
    bool isWrittenAtomically = false;
    std::uint32_t writerSignals = 0, readerSignals = 0;
  };
  /// Several sub-groups have read a byte.
  static constexpr std::uint16_t several = 0xffff;

  std::vector<Byte> bytes;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_CHECKS_MEMORY_H
