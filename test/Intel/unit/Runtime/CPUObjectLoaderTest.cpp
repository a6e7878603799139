//===- CPUObjectLoaderTest.cpp - Object files made executable -------------===//
// SPDX-License-Identifier: MIT

#include "CPUTestKernels.h"

#include "intel/Runtime/CPU/Kernel.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <random>

using namespace triton::intel::runtime;
using namespace triton::intel::runtime::cpu;
using namespace triton::intel::runtime::cpu::test;

// GDB's JIT interface, as a debugger sees it.
struct JITCodeEntry {
  JITCodeEntry *next, *previous;
  const char *object;
  std::uint64_t size;
};
extern "C" struct {
  std::uint32_t version, action;
  JITCodeEntry *relevant, *first;
} __jit_debug_descriptor;

namespace {
std::string getLoadError(const std::string &bytes, const std::string &name) {
  return getError(ErrorKind::Binary, [&] { Kernel(bytes, name); });
}

std::uint64_t getBFloat16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits >> 16;
}
} // namespace

TEST(CPUObjectLoader, ReadsWhatTheKernelIs) {
  Kernel kernel(readObject("check"), "check");
  EXPECT_EQ(kernel.getName(), "check");
  EXPECT_EQ(kernel.getArgumentCount(), 2u);
  EXPECT_EQ(kernel.getSubGroupSize(), 16u);
  EXPECT_EQ(kernel.getNumSubGroups(), 0u);
  EXPECT_EQ(kernel.getInstructionSet(), "avx2");
  EXPECT_EQ(kernel.getAssertions(),
            (std::vector<std::string>{"first", "second"}));
  EXPECT_TRUE(kernel.hasAssertions());
  EXPECT_FALSE(kernel.usesBarrier());
  EXPECT_FALSE(kernel.usesPrint());
  EXPECT_TRUE(Kernel(readObject("exchange"), "exchange").usesBarrier());
  EXPECT_TRUE(Kernel(readObject("print"), "print").usesPrint());
}

// Every kind of section, in both code models; two copies do not share data.
TEST(CPUObjectLoader, LoadsCodeAndData) {
  for (const char *file : {"data", "data_static"}) {
    Kernel first(readObject(file), "data"), second(readObject(file), "data");
    auto run = [](const Kernel &kernel) {
      std::vector<std::int64_t> out(3);
      launch(kernel, {{1, 1, 1}, lanes}, {pointer(out.data())});
      return out;
    };
    using Values = std::vector<std::int64_t>;
    EXPECT_EQ(run(first), (Values{14, 100, 0}));
    EXPECT_EQ(run(first), (Values{14, 101, 5}));
    EXPECT_EQ(run(second), (Values{14, 100, 0}));
  }
}

// The device library, SLEEF and libc, through calls and through a table.
TEST(CPUObjectLoader, FindsFunctionsOutside) {
  Kernel kernel(readObject("builtins"), "builtins");
  alignas(64) std::uint16_t a[8 * 32], b[16 * 32];
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 32; ++column) {
      if (row < 8)
        a[row * 32 + column] = getBFloat16(0.125f * (row - column % 4));
      b[row * 32 + column] = getBFloat16(0.25f * (column - row));
    }
  std::vector<float> out(8 * lanes);
  launch(kernel, {{1, 1, 1}, lanes},
         {pointer(a), pointer(b), pointer(out.data())});
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < lanes; ++column) {
      double sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += 0.125 * (row - k % 4) * 0.25 * (column - k);
      float expected = std::exp(sum);
      EXPECT_NEAR(out[row * lanes + column], expected, 1e-6 * expected);
    }
}

TEST(CPUObjectLoader, NamesWhatIsMissing) {
  EXPECT_EQ(getLoadError(readObject("missing"), "missing"),
            "the kernel calls `no_such_function`, which the CPU device lacks");
  EXPECT_EQ(getLoadError(readObject("add"), "subtract"),
            "expected a binary of kernel `subtract`, found one of `add`");
  std::string bytes = readObject("add");
  // In the table of symbols; the debugger's names come before.
  bytes[bytes.rfind("triton_xe_kernel_info")] = 'T';
  EXPECT_EQ(getLoadError(bytes, "add"),
            "damaged kernel binary: there is no `triton_xe_kernel_info`");
}

TEST(CPUObjectLoader, RefusesInstructionSetsThatItDoesNotKnow) {
  std::string bytes = readObject("add");
  std::size_t position = bytes.find(std::string("avx2\0", 5));
  ASSERT_NE(position, std::string::npos);
  bytes[position + 3] = '9';
  EXPECT_EQ(getLoadError(bytes, "add"),
            "damaged kernel binary: unknown instruction set `avx9`");
}

TEST(CPUObjectLoader, RefusesOtherFiles) {
  EXPECT_EQ(getLoadError("", "add"),
            "damaged kernel binary: the header reaches past the end of the "
            "file");
  EXPECT_EQ(getLoadError(std::string(1000, 'x'), "add"),
            "damaged kernel binary: not an ELF file");
  std::string bytes = readObject("add");
  reinterpret_cast<Elf64_Ehdr *>(bytes.data())->e_machine = EM_AARCH64;
  EXPECT_EQ(getLoadError(bytes, "add"),
            "damaged kernel binary: not a relocatable object for x86-64");
}

// A debugger finds the object, with addresses of its sections, as long as the
// kernel exists.
TEST(CPUObjectLoader, TellsDebuggers) {
  ASSERT_EQ(__jit_debug_descriptor.version, 1u);
  JITCodeEntry *before = __jit_debug_descriptor.first;
  {
    Kernel kernel(readObject("add"), "add"), other(readObject("data"), "data");
    JITCodeEntry *entry = __jit_debug_descriptor.first->next;
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->next, before);
    EXPECT_EQ(entry->size, readObject("add").size());
    Elf64_Ehdr header;
    std::memcpy(&header, entry->object, sizeof(header));
    auto code = reinterpret_cast<std::uintptr_t>(kernel.getEntryPoint());
    unsigned found = 0;
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      Elf64_Shdr section;
      std::memcpy(&section,
                  entry->object + header.e_shoff + i * sizeof(section),
                  sizeof(section));
      found += (section.sh_flags & SHF_EXECINSTR) && section.sh_size &&
               section.sh_addr <= code &&
               code < section.sh_addr + section.sh_size;
    }
    EXPECT_EQ(found, 1u);
  }
  EXPECT_EQ(__jit_debug_descriptor.first, before);
}

// Wherever an object is cut off, it is refused.
TEST(CPUObjectLoader, RefusesEveryTruncation) {
  for (const char *name : {"add", "data", "builtins"}) {
    std::string bytes = readObject(name);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_THROW(Kernel(bytes.substr(0, size), name), Error) << size;
  }
}

// A wrong bit anywhere is an error or goes unnoticed, but nothing worse.
TEST(CPUObjectLoader, SurvivesEveryWrongBit) {
  unsigned refused = 0, loaded = 0;
  std::string bytes = readObject("add");
  for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
    bytes[i / 8] ^= 1 << i % 8;
    try {
      Kernel kernel(bytes, "add");
      ++loaded;
    } catch (const Error &) {
      ++refused;
    }
    bytes[i / 8] ^= 1 << i % 8;
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(loaded, 1000u);
}

TEST(CPUObjectLoader, SurvivesRandomBytes) {
  std::mt19937 generator(1);
  for (const char *name : {"builtins", "data", "data_static"}) {
    std::string original = readObject(name);
    for (int i = 0; i < 5000; ++i) {
      std::string bytes = original;
      for (unsigned j = 0; j <= generator() % 4; ++j)
        bytes[generator() % bytes.size()] = static_cast<char>(generator());
      try {
        Kernel kernel(bytes, "data");
      } catch (const Error &) {
      }
    }
  }
}
