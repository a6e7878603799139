//===- Fields.cpp - The bits of commands that are known -------------------===//
// SPDX-License-Identifier: MIT
//
// One table of all fields: those that a command's operation reads, and those
// that are ignored, with the reason. Everything else has to be zero, so that a
// driver that begins to use a field is noticed.
//
//===----------------------------------------------------------------------===//

#include "Fields.h"

#include "intel/Simulator/Instruction.h"
#include "intel/VirtualGPU/Failure.h"

#include <algorithm>
#include <map>

namespace triton::intel::vgpu {

using simulator::Platform;

namespace {
enum class Chips : std::uint8_t { All, XeHPC, FromXe2, FromXe3 };

struct Field {
  std::uint32_t opcode;
  Chips chips;
  /// The first dword and the last one.
  unsigned first, last;
  std::uint32_t bits;
  /// Null for a field that is read.
  const char *ignoredBecause;
};

constexpr std::uint32_t all = ~std::uint32_t(0), length = 0xff;

constexpr const char *noCaches = "there are no caches",
                     *inOrder = "a command ends before the next one begins",
                     *noPreemption = "a batch is never preempted",
                     *noCompression = "no memory is compressed",
                     *noPlace = "which threads are beside each other does not "
                                "matter",
                     *noTables = "no kernel has samplers or tables",
                     *noDebugger = "nothing watches the batch";

constexpr std::uint32_t setPredicate = 0x00800000, math = 0x0d000000,
                        storeRegister = 0x12000000, loadFromMemory = 0x14800000,
                        copyRegister = 0x15000000;
constexpr std::uint32_t semaphore = 0x0e000000, storeData = 0x10000000,
                        loadRegister = 0x11000000, flush = 0x13000000,
                        startBatch = 0x18800000, copy = 0x56800000,
                        fill = 0x56c00000, bases = 0x61010000,
                        mode = 0x61050000, frontEnd = 0x72000000,
                        atomic = 0x17800000, walker = 0x72080000,
                        pipeControl = 0x7a000000;

constexpr Field fields[] = {
    // Comparison, register, tile, the value and its address.
    {semaphore, Chips::All, 0, 0, length | 0x57000, nullptr},
    {semaphore, Chips::All, 0, 0, 0x8000, "a wait always reads again"},
    {semaphore, Chips::All, 1, 3, all, nullptr},
    {semaphore, Chips::All, 4, 4, all, "nothing else ends a wait"},
    {storeData, Chips::All, 0, 0, length | 0x200800, nullptr},
    {storeData, Chips::All, 0, 0, 0x400, inOrder},
    {storeData, Chips::All, 1, 4, all, nullptr},
    {loadRegister, Chips::All, 0, 0, length, nullptr},
    {loadRegister, Chips::All, 0, 0, 0x20000, "registers of all engines do"},
    {loadRegister, Chips::All, 1, 255, all, nullptr},
    {math, Chips::All, 0, 0, length, nullptr},
    {math, Chips::All, 0, 0, 0x7f00, noCaches},
    {math, Chips::All, 1, 255, all, nullptr},
    {storeRegister, Chips::All, 0, 0, length | 0x10000, nullptr},
    {storeRegister, Chips::All, 0, 0, 0x20000, "registers of all engines do"},
    {storeRegister, Chips::All, 0, 0, 0x400, inOrder},
    {storeRegister, Chips::All, 1, 3, all, nullptr},
    {loadFromMemory, Chips::All, 0, 0, length | 0x10000, nullptr},
    {loadFromMemory, Chips::All, 0, 0, 0x20000, "registers of all engines do"},
    {loadFromMemory, Chips::All, 1, 3, all, nullptr},
    {copyRegister, Chips::All, 0, 0, length, nullptr},
    {copyRegister, Chips::All, 0, 0, 0x30000, "registers of all engines do"},
    {copyRegister, Chips::All, 1, 2, all, nullptr},
    // The operation, its size, tile, address and operand.
    {atomic, Chips::All, 0, 0, length | 0x18ff00, nullptr},
    {atomic, Chips::All, 0, 0, 0x20000, inOrder},
    {atomic, Chips::All, 0, 0, 0x40000, "operands are where they are"},
    {atomic, Chips::All, 1, 10, all, nullptr},
    // The operation and what it writes.
    {flush, Chips::All, 0, 0, 0x3f | 0xc000, nullptr},
    {flush, Chips::All, 0, 0, 0x10300, noCaches},
    {flush, Chips::All, 1, 4, all, nullptr},
    {setPredicate, Chips::All, 0, 0, 0x3f, nullptr},
    // These bits state whether it is a call, conditional, or by a register.
    {startBatch, Chips::All, 0, 0, length | 0x448000, nullptr},
    {startBatch, Chips::All, 0, 0, 0x100, "there is one address space"},
    {startBatch, Chips::All, 1, 2, all, nullptr},
    // These bits state whether there are rows, sizes and addresses.
    {copy, Chips::All, 0, 0, length | 0x20000, nullptr},
    {copy, Chips::FromXe2, 0, 0, 0x1e00, noCompression},
    {copy, Chips::All, 1, 1, 0xffffff, nullptr},
    {copy, Chips::All, 2, 4, 0x3ffff, nullptr},
    {copy, Chips::All, 5, 8, all, nullptr},
    {copy, Chips::All, 9, 9, all, noCaches},
    {fill, Chips::All, 0, 0, length | 0x20000, nullptr},
    {fill, Chips::FromXe2, 0, 0, 0x1e00, noCompression},
    {fill, Chips::All, 1, 1, 0xffffff, nullptr},
    {fill, Chips::All, 2, 3, 0x3ffff, nullptr},
    {fill, Chips::All, 4, 5, all, nullptr},
    {fill, Chips::All, 6, 6, 0xff000000, nullptr},
    {fill, Chips::All, 6, 6, 0x7f, noCaches},
    // General, surface and instruction state; the others are of tables.
    {bases, Chips::All, 0, 0, length, nullptr},
    {bases, Chips::All, 1, 2, all, nullptr},
    {bases, Chips::All, 3, 3, all, noCaches},
    {bases, Chips::All, 4, 5, all, nullptr},
    {bases, Chips::All, 6, 9, all, noTables},
    {bases, Chips::All, 10, 11, all, nullptr},
    {bases, Chips::All, 12, 15, all, "page faults limit them"},
    {bases, Chips::All, 16, 21, all, noTables},
    {mode, Chips::All, 0, 0, length, nullptr},
    // This bit states whether threads have more registers.
    {mode, Chips::All, 1, 1, 0x80008000, nullptr},
    {mode, Chips::All, 1, 2, all, "modes of threads do not change results"},
    {frontEnd, Chips::All, 0, 0, length, nullptr},
    {frontEnd, Chips::All, 1, 1, 0xfffffc00, nullptr},
    {frontEnd, Chips::All, 3, 3, all, noPlace},
    // Post-sync, and what it writes; flushes and stalls.
    {pipeControl, Chips::All, 0, 0, length | 0x4000, nullptr},
    {pipeControl, Chips::All, 0, 0, 0xbf00, noCaches},
    {pipeControl, Chips::All, 1, 1, 0xc000, nullptr},
    // But not: an address in another space, or that of a page.
    {pipeControl, Chips::All, 1, 1, ~std::uint32_t(0x120c000), noCaches},
    {pipeControl, Chips::All, 2, 5, all, nullptr},

    {walker, Chips::All, 0, 0, length, nullptr},
    {walker, Chips::XeHPC, 0, 0, 0x4000, "the clock does not depend on dpas"},
    // Whether, and along which dimension, tiles share the groups.
    {walker, Chips::XeHPC, 0, 0, 0x200, nullptr},
    {walker, Chips::XeHPC, 2, 2, 0xc0000000, nullptr},
    {walker, Chips::XeHPC, 13, 13, all, "the tile's register has its number"},
    {walker, Chips::XeHPC, 14, 14, all, nullptr},
    {walker, Chips::All, 1, 1, all, noDebugger},
    {walker, Chips::All, 2, 2, 0x1ffff, nullptr},
    {walker, Chips::FromXe2, 2, 2, 0x20000, noCaches},
    {walker, Chips::All, 3, 3, all, nullptr},
    {walker, Chips::All, 4, 4, 0xffc00000, nullptr},
    {walker, Chips::All, 4, 4, 0x60000, "messages state how wide they are"},
    {walker, Chips::FromXe2, 4, 4, 0x3, "groups run in any order"},
    {walker, Chips::All, 5, 12, all, nullptr},
    {walker, Chips::All, 15, 17, all, noPreemption},
    {walker, Chips::FromXe2, 18, 18, all, noPreemption},

    // The interface descriptor, post-sync and inline data.
    {walker, Chips::XeHPC, 18, 19, all, nullptr},
    {walker, Chips::XeHPC, 20, 20, 0x100000, noPreemption},
    {walker, Chips::XeHPC, 21, 22, all, noTables},
    {walker, Chips::XeHPC, 23, 23, 0x1f03ff, nullptr},
    {walker, Chips::XeHPC, 23, 23, 0x70000000, "threads may use all barriers"},
    {walker, Chips::XeHPC, 23, 23, 0xc000000, noPlace},
    {walker, Chips::XeHPC, 24, 24, 0xf, "shared memory is always there"},
    {walker, Chips::XeHPC, 26, 26, 0x3, nullptr},
    {walker, Chips::XeHPC, 26, 26, 0x1ffc, noCaches},
    {walker, Chips::XeHPC, 27, 38, all, nullptr},

    {walker, Chips::FromXe2, 19, 20, all, nullptr},
    {walker, Chips::FromXe2, 21, 21, 0x100000, noPreemption},
    // Registers of a thread.
    {walker, Chips::FromXe3, 21, 21, 0x7c000000, nullptr},
    {walker, Chips::FromXe3, 21, 21, 0x3,
     "modes of threads do not change results"},
    {walker, Chips::FromXe2, 22, 23, all, noTables},
    {walker, Chips::FromXe2, 24, 24, 0x1f03ff, nullptr},
    {walker, Chips::FromXe2, 24, 24, 0x70000000,
     "threads may use all barriers"},
    {walker, Chips::FromXe2, 24, 24, 0xc000000, noPlace},
    {walker, Chips::FromXe2, 26, 26, 0xf, "shared memory is always there"},
    {walker, Chips::FromXe2, 27, 27, 0x3, nullptr},
    {walker, Chips::FromXe2, 27, 27, 0x1ffc, noCaches},
    {walker, Chips::FromXe2, 28, 39, all, nullptr},
};

bool isOf(Chips chips, Platform platform) {
  switch (chips) {
  case Chips::All:
    return true;
  case Chips::XeHPC:
    return platform == Platform::XeHPC;
  case Chips::FromXe2:
    return platform != Platform::XeHPC;
  case Chips::FromXe3:
    return platform == Platform::Xe3;
  }
  return false;
}

/// The known bits of each dword, by opcode.
using Masks = std::map<std::uint32_t, std::vector<std::uint32_t>>;

Masks makeMasks(Platform platform) {
  Masks masks;
  for (const Field &field : fields) {
    if (!isOf(field.chips, platform))
      continue;
    std::vector<std::uint32_t> &known = masks[field.opcode];
    known.resize(std::max<std::size_t>(known.size(), field.last + 1));
    for (unsigned dword = field.first; dword <= field.last; ++dword)
      known[dword] |= field.bits;
  }
  return masks;
}
} // namespace

void checkFields(std::uint32_t opcode, const std::vector<std::uint32_t> &words,
                 Platform platform) {
  // Never destroyed: queues run until the process has ended.
  static const Masks &xeHPC = *new Masks(makeMasks(Platform::XeHPC)),
                     &xe2 = *new Masks(makeMasks(Platform::Xe2)),
                     &xe3 = *new Masks(makeMasks(Platform::Xe3));
  const Masks &masks = platform == Platform::XeHPC ? xeHPC
                       : platform == Platform::Xe2 ? xe2
                                                   : xe3;
  auto found = masks.find(opcode);
  if (found == masks.end())
    return;
  const std::vector<std::uint32_t> &known = found->second;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t bits = i < known.size() ? known[i] : 0;
    std::uint32_t value = i == 0 ? words[0] & ~opcode : words[i];
    if (value & ~bits)
      throw QueueError("bits " + toHex(value & ~bits) + " of dword " +
                       std::to_string(i) + " are not known");
  }
}

} // namespace triton::intel::vgpu
