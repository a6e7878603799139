//===- ZebinTest.cpp - The binary of a kernel for Xe ----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/Zebin.h"
#include "TestZebin.h"

#include <random>

using namespace triton::intel::simulator;
using namespace triton::intel::simulator::test;

namespace {
bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

std::string readProblem(const std::string &bytes) {
  return getBinaryProblem([&] { readZebin(bytes); });
}

/// Returns the problem of a file whose description is another one.
std::string describeProblem(const std::string &from, const std::string &to) {
  return readProblem(makeBuilder(describeWith(from, to)).write());
}

#define EXPECT_PART(text, part) EXPECT_PRED2(contains, text, part)

TEST(ZebinTest, ReadsTheDescription) {
  Zebin zebin = readZebin(makeBuilder().write());
  EXPECT_EQ(zebin.platform, Platform::XeHPC);
  ASSERT_EQ(zebin.kernels.size(), 2u);
  const KernelDescription &kernel = zebin.kernels[0];
  EXPECT_EQ(kernel.name, "add");
  EXPECT_EQ(kernel.simdSize, 16u);
  EXPECT_EQ(kernel.numRegisters, 256u);
  EXPECT_EQ(kernel.sharedBytes, 1024u);
  EXPECT_EQ(kernel.numBarriers, 1u);
  EXPECT_EQ(kernel.inlineBytes, 32u);
  EXPECT_EQ(kernel.requiredWorkGroupSize,
            (std::vector<std::uint32_t>{64, 2, 1}));
  ASSERT_EQ(kernel.memory.size(), 2u);
  EXPECT_EQ(kernel.memory[0].kind, "scratch");
  EXPECT_EQ(kernel.memory[0].size, 512u);
  EXPECT_FALSE(kernel.memory[0].isPerLane);
  EXPECT_EQ(kernel.memory[1].kind, "global");
  EXPECT_TRUE(kernel.memory[1].isPerLane);
  ASSERT_EQ(kernel.perThreadArguments.size(), 1u);
  EXPECT_EQ(kernel.perThreadArguments[0].kind, "local_id");
  EXPECT_EQ(kernel.perThreadArguments[0].size, 192u);
  // A missing value has its default.
  EXPECT_EQ(zebin.kernels[1].name, "Intel_Symbol_Table_Void_Program");
  EXPECT_EQ(zebin.kernels[1].numRegisters, 128u);
  EXPECT_EQ(zebin.kernels[1].inlineBytes, 0u);
}

TEST(ZebinTest, ReadsPayloadArguments) {
  Zebin zebin = readZebin(makeBuilder().write());
  const std::vector<PayloadArgument> &arguments = zebin.kernels[0].arguments;
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0].kind, "arg_bypointer");
  EXPECT_EQ(arguments[0].addressMode, "stateless");
  EXPECT_EQ(arguments[0].index, 0);
  EXPECT_EQ(arguments[1].offset, 8u);
  EXPECT_EQ(arguments[1].size, 4u);
  EXPECT_EQ(arguments[1].index, 2);
  EXPECT_EQ(arguments[1].sourceOffset, 4u);
  EXPECT_EQ(arguments[2].addressMode, "slm");
  EXPECT_EQ(arguments[2].sharedAlignment, 16u);
  EXPECT_EQ(arguments[3].kind, "global_base");
  EXPECT_EQ(arguments[3].index, -1);
}

TEST(ZebinTest, FindsSectionsAndSymbols) {
  ZebinBuilder builder = makeBuilder();
  std::uint32_t table = builder.addSymbol("table", dataIndex, 8);
  std::uint32_t helper = builder.addSymbol("helper", 0, 0);
  addRelocations(builder, ZebinBuilder::makeRelocation(8, 1, table) +
                              ZebinBuilder::makeRelocation(28, 2, helper));
  Zebin zebin = readZebin(builder.write());
  const Section *text = zebin.find(".text.add");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->bytes.size(), 64u);
  EXPECT_FALSE(zebin.find(".text.sub"));
  EXPECT_EQ(zebin.find(".data.const")->bytes,
            std::vector<std::uint8_t>(8, 'c'));
  // A section of zeros has no bytes in the file.
  EXPECT_EQ(zebin.find(".bss.global")->bytes, std::vector<std::uint8_t>(24, 0));
  ASSERT_EQ(text->relocations.size(), 2u);
  EXPECT_EQ(text->relocations[0].offset, 8u);
  EXPECT_EQ(text->relocations[0].type, 1u);
  EXPECT_EQ(text->relocations[0].symbol, "table");
  EXPECT_EQ(text->relocations[1].symbol, "helper");
  ASSERT_EQ(zebin.symbols.count("table"), 1u);
  EXPECT_EQ(zebin.symbols["table"].section, static_cast<int>(dataIndex));
  EXPECT_EQ(zebin.symbols["table"].value, 8u);
  EXPECT_EQ(zebin.symbols.count("helper"), 0u);
}

TEST(ZebinTest, TellsPlatforms) {
  auto writeFor = [](std::uint32_t major, std::uint32_t minor) {
    ZebinBuilder builder = makeBuilder();
    builder.get(".note.intelgt.compat").content =
        ZebinBuilder::makeNote(6, makeProduct(major, minor));
    return builder.write();
  };
  EXPECT_EQ(readZebin(writeFor(20, 1)).platform, Platform::Xe2);
  EXPECT_EQ(readZebin(writeFor(20, 4)).platform, Platform::Xe2);
  EXPECT_EQ(readZebin(writeFor(30, 0)).platform, Platform::Xe3);
  EXPECT_PART(readProblem(writeFor(12, 55)), "graphics IP 12.55");
  EXPECT_PART(readProblem(writeFor(35, 10)), "graphics IP 35.10");
}

TEST(ZebinTest, RefusesFilesWithoutTheirParts) {
  EXPECT_PART(readProblem(""), "no ELF file of 64 bits");
  EXPECT_PART(readProblem("\x03\x02\x23\x07"), "no ELF file of 64 bits");
  ZebinBuilder builder = makeBuilder();
  builder.machine = 62;
  EXPECT_PART(readProblem(builder.write()), "another machine, number 62");
  for (const char *name : {".ze_info", ".note.intelgt.compat"}) {
    builder = makeBuilder();
    builder.get(name).name = ".other";
    EXPECT_PART(readProblem(builder.write()), "no description") << name;
  }
  builder = makeBuilder();
  builder.get(".note.intelgt.compat").content.resize(9);
  EXPECT_PART(readProblem(builder.write()), "no note states the product");
  builder = makeBuilder();
  builder.get(".bss.global").numBytes = std::uint64_t(1) << 40;
  EXPECT_PART(readProblem(builder.write()), ".bss.global is too large");
  builder = makeBuilder();
  addRelocations(builder, ZebinBuilder::makeRelocation(0, 1, 7));
  EXPECT_PART(readProblem(builder.write()), "a relocation");
}

TEST(ZebinTest, RefusesDescriptions) {
  EXPECT_PART(describeProblem("simd_size:       16", "simd_size: 12"),
              "kernel `add`: unknown number of lanes");
  EXPECT_PART(describeProblem("simd_size:       16", "simd_size: -1"),
              ".ze_info");
  EXPECT_PART(describeProblem("      simd_size:       16\n", ""),
              "missing required key 'simd_size'");
  EXPECT_PART(describeProblem("slm_size:        1024", "slm_size: 4294967295"),
              "too much shared local memory");
  EXPECT_PART(describeProblem("grf_count:       256", "grf_count: 512"),
              "too many registers");
  EXPECT_PART(describeProblem("[ 64, 2, 1 ]", "[ 64, 2 ]"),
              "a work-group without three dimensions");
  EXPECT_PART(describeProblem("payload_size: 32", "payload_size: 65"),
              "too much inline data");
  for (const char *index : {"-2", "4096", "2147483647"})
    EXPECT_PART(describeProblem("arg_index:       2",
                                std::string("arg_index: ") + index),
                "an argument out of range")
        << index;
  EXPECT_PART(describeProblem("offset:          8", "offset: 4294967288"),
              "an argument out of range");
  EXPECT_PART(
      describeProblem("source_offset:   4", "source_offset: 4294967288"),
      "an argument out of range");
  EXPECT_PART(
      describeProblem("slm_alignment:   16", "slm_alignment: 2147483648"),
      "an argument out of range");
  for (const char *size : {"100", "256", "65536"})
    EXPECT_PART(
        describeProblem("size:            192", std::string("size: ") + size),
        "kernel `add`: ")
        << size;
  EXPECT_PART(describeProblem("size:            512", "size: 4294967295"),
              "too much memory of threads");
}

TEST(ZebinTest, RefusesTextThatIsNoDescription) {
  auto readText = [](const std::string &text) {
    return readProblem(makeBuilder(text).write());
  };
  EXPECT_PART(readText("kernels: ["), ".ze_info");
  EXPECT_PART(readText(std::string(100, '\xff')), ".ze_info");
  // Zeros may pad the section.
  EXPECT_EQ(readText(description + std::string(64, '\0')), "");
}

/// Each level is a call of the parser.
TEST(ZebinTest, RefusesDeepNesting) {
  constexpr std::size_t levels = 1 << 20;
  std::string dashes, lines;
  for (std::size_t i = 0; i < levels; ++i)
    dashes += "- ";
  for (std::size_t i = 0; i < 1000; ++i)
    lines += std::string(i, ' ') + "a:\n";
  for (const std::string &text :
       {std::string(levels, '['), std::string(levels, '{'),
        "a: " + std::string(levels, '['), dashes, lines})
    EXPECT_PART(readProblem(makeBuilder(text).write()), "nested too deeply");
}

TEST(ZebinTest, SurvivesFilesThatAreCutOff) {
  const std::string bytes = makeBuilder().write();
  ASSERT_EQ(readProblem(bytes), "");
  // The table of sections is at the end, so that each of them is damaged.
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(readProblem(bytes.substr(0, size)), "") << size;
}

TEST(ZebinTest, SurvivesDamage) {
  ZebinBuilder builder = makeBuilder();
  std::uint32_t symbol = builder.addSymbol("table", dataIndex, 8);
  addRelocations(builder, ZebinBuilder::makeRelocation(8, 1, symbol));
  const std::string bytes = builder.write();
  std::mt19937 random(1);
  std::size_t numRefused = 0;
  // One byte at each place, to each of some values; then some at once.
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (unsigned value : {0u, 1u, 0x7fu, 0xffu, unsigned(random() & 0xff)}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(value);
      numRefused += !readProblem(damaged).empty();
    }
  for (unsigned round = 0; round < 2000; ++round) {
    std::string damaged = bytes;
    for (unsigned i = 0; i < 8; ++i)
      damaged[random() % bytes.size()] = static_cast<char>(random());
    numRefused += !readProblem(damaged).empty();
  }
  EXPECT_GT(numRefused, 1000u);
}
} // namespace
