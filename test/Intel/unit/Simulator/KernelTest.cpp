//===- KernelTest.cpp - A kernel that the simulator can launch ------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/Kernel.h"
#include "TestZebin.h"

#include <cstring>

using namespace triton::intel::simulator;
using namespace triton::intel::simulator::test;

namespace {
std::string loadProblem(const std::string &zebin,
                        const std::string &name = "add") {
  return getBinaryProblem([&] { Kernel(zebin, name, machineCode); });
}

/// A file with one relocation of the code.
std::string writeWith(std::uint64_t offset, std::uint32_t type,
                      const std::string &symbol, std::uint16_t section,
                      std::uint64_t value) {
  ZebinBuilder builder = makeBuilder();
  std::uint32_t number = builder.addSymbol(symbol, section, value);
  addRelocations(builder, ZebinBuilder::makeRelocation(offset, type, number));
  return builder.write();
}

std::uint64_t getImmediate(const Kernel &kernel, unsigned instruction) {
  return kernel.getCode().instructions[instruction].sources[0].immediate;
}

TEST(KernelTest, TellsWhatTheDescriptionSays) {
  const std::string bytes = makeBuilder().write();
  Kernel kernel(bytes, "add", machineCode);
  EXPECT_EQ(kernel.getName(), "add");
  EXPECT_EQ(kernel.getArgumentCount(), 4u);
  EXPECT_FALSE(kernel.hasReport());
  EXPECT_EQ(kernel.getScratchBytes(), 512u);
  // For all lanes.
  EXPECT_EQ(kernel.getPrivateBytes(), 64u * 16);
  EXPECT_EQ(kernel.getCode().instructions.size(), 4u);
  EXPECT_EQ(findKernelNames(bytes), std::vector<std::string>{"add"});
  MachineCode code = findMachineCode(bytes, "add");
  EXPECT_EQ(code.platform, "xehpc");
  EXPECT_EQ(code.bytes.size(), 64u);
}

TEST(KernelTest, PutsZerosBehindVariables) {
  Kernel kernel(makeBuilder().write(), "add", machineCode);
  ASSERT_NE(kernel.getGlobalBase(), 0u);
  const auto *global = reinterpret_cast<const char *>(kernel.getGlobalBase());
  EXPECT_EQ(std::string(global, 40),
            std::string(16, 'g') + std::string(24, '\0'));
  const auto *constant =
      reinterpret_cast<const char *>(kernel.getConstantBase());
  EXPECT_EQ(std::string(constant, 8), "cccccccc");
}

TEST(KernelTest, PatchesImmediates) {
  Kernel whole(writeWith(8, 1, "table", dataIndex, 8), "add", machineCode);
  EXPECT_EQ(getImmediate(whole, 0), whole.getGlobalBase() + 8);
  EXPECT_EQ(getImmediate(whole, 1), 0x12345678u);
  Kernel low(writeWith(28, 2, "zeros", bssIndex, 4), "add", machineCode);
  EXPECT_EQ(getImmediate(low, 0), 0x1122334455667788u);
  EXPECT_EQ(getImmediate(low, 1), (low.getGlobalBase() + 16 + 4) & 0xffffffff);
  Kernel high(writeWith(28, 3, "table", constantIndex, 0), "add", machineCode);
  EXPECT_EQ(getImmediate(high, 1), high.getConstantBase() >> 32);
  // There are no implicit arguments before the others.
  Kernel none(
      writeWith(28, 2, "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0", 0, 0), "add",
      machineCode);
  EXPECT_EQ(getImmediate(none, 1), 0x12345678u);
}

TEST(KernelTest, RefusesRelocations) {
  EXPECT_EQ(loadProblem(writeWith(8, 1, "helper", 0, 0)),
            "kernel `add` needs `helper`, which is not in its binary");
  EXPECT_EQ(loadProblem(writeWith(8, 6, "table", dataIndex, 0)),
            "relocations of type 6 are not supported");
  // Past the end, and where there is no immediate.
  for (std::uint64_t offset : {std::uint64_t(64), std::uint64_t(1) << 40,
                               ~std::uint64_t(0), std::uint64_t(40)})
    EXPECT_NE(loadProblem(writeWith(offset, 1, "table", dataIndex, 0)), "")
        << offset;
}

/// Code that ends early: the last instruction has an immediate, but elsewhere.
TEST(KernelTest, RefusesRelocationsBehindTheCode) {
  const std::string whole = machineCode;
  const std::string code =
      whole.substr(0, whole.find(",\n    {\"kind\":\"I\", \"id\":3")) + "]}";
  auto load = [&](std::uint64_t offset) {
    return getBinaryProblem([&] {
      Kernel(writeWith(offset, 2, "table", dataIndex, 0), "add", code);
    });
  };
  EXPECT_EQ(load(28), "");
  EXPECT_EQ(load(32), "damaged zebin: a relocation out of range");
}

TEST(KernelTest, RelocatesData) {
  ZebinBuilder builder = makeBuilder();
  std::uint32_t table = builder.addSymbol("table", constantIndex, 4);
  auto symbols = static_cast<std::uint32_t>(builder.sections.size() + 2);
  builder.add({".rel.data.global", ZebinBuilder::makeRelocation(8, 1, table),
               ZebinBuilder::rel, symbols, dataIndex, 16, 0});
  Kernel kernel(builder.write(), "add", machineCode);
  std::uint64_t found;
  std::memcpy(&found,
              reinterpret_cast<const char *>(kernel.getGlobalBase()) + 8,
              sizeof(found));
  EXPECT_EQ(found, kernel.getConstantBase() + 4);

  builder.sections.back().content = ZebinBuilder::makeRelocation(9, 1, table);
  // Zeros follow: as far as there is memory, a field may exist.
  EXPECT_EQ(loadProblem(builder.write()), "");
  builder.sections.back().content = ZebinBuilder::makeRelocation(33, 1, table);
  EXPECT_EQ(loadProblem(builder.write()),
            "damaged zebin: a relocation out of range");
}

TEST(KernelTest, NamesKernelsThatThereAre) {
  std::string problem = loadProblem(makeBuilder().write(), "sub");
  EXPECT_NE(problem.find("no kernel `sub` in the binary; it holds `add`"),
            std::string::npos)
      << problem;
}

/// Both of a thread's surfaces begin at 0.
TEST(KernelTest, RefusesASecondSurfaceOfScratchMemory) {
  const std::string size = "size:            512";
  std::string problem = loadProblem(
      makeBuilder(describeWith(size, size + "\n        slot:            1"))
          .write());
  EXPECT_NE(problem.find("a second surface of scratch memory"),
            std::string::npos)
      << problem;
}

TEST(KernelTest, RefusesDamagedSPIRV) {
  ZebinBuilder builder = makeBuilder();
  builder.add({".spv", "no SPIR-V", ZebinBuilder::spirv});
  EXPECT_NE(loadProblem(builder.write()), "");
}
} // namespace
