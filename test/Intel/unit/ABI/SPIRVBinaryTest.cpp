//===- SPIRVBinaryTest.cpp - A look into a SPIR-V module ------------------===//
// SPDX-License-Identifier: MIT

#include "intel/ABI/SPIRVBinary.h"
#include "gtest/gtest.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using namespace triton::intel::abi;

namespace {
/// A module with one kernel: header, OpEntryPoint, OpFunction, OpFunctionEnd.
std::string makeModule() {
  std::vector<std::uint32_t> words = {0x07230203, 0x00010400, 0, 10, 0};
  // OpEntryPoint Kernel %7 "add".
  words.insert(words.end(), {(4u << 16) | 15, 6, 7, 0x00646461});
  // %7 = OpFunction %5 None %6.
  words.insert(words.end(), {(5u << 16) | 54, 5, 7, 0, 6});
  words.push_back((1u << 16) | 56);
  return std::string(reinterpret_cast<const char *>(words.data()),
                     words.size() * 4);
}
} // namespace

TEST(SPIRVBinary, ListsKernels) {
  EXPECT_EQ(readSPIRVEntryPoints(makeModule()),
            std::vector<std::string>{"add"});
}

// Wherever a module is cut off, it is refused.
TEST(SPIRVBinary, RefusesEveryTruncation) {
  std::string module = makeModule();
  for (std::size_t size = 0; size < module.size(); ++size)
    EXPECT_THROW(readSPIRVEntryPoints(module.substr(0, size)), BinaryError)
        << size;
}

TEST(SPIRVBinary, RefusesOtherFiles) {
  std::string module = makeModule();
  module[0] = 'x';
  EXPECT_THROW(readSPIRVEntryPoints(module), BinaryError);
  EXPECT_THROW(readSPIRVEntryPoints(std::string(64, '\0')), BinaryError);
}

// A record is found again, several add up, and the kernel stays what it was.
TEST(SPIRVBinary, KeepsBuildOptions) {
  std::string module = makeModule();
  EXPECT_EQ(readBuildOptions(module), "");
  std::string first = addBuildOptions(module, "-a");
  EXPECT_EQ(readBuildOptions(first), "-a");
  EXPECT_EQ(readBuildOptions(addBuildOptions(first, "-b 1")), "-b 1 -a");
  EXPECT_EQ(readSPIRVEntryPoints(first), std::vector<std::string>{"add"});
}

// Options after spills are no build options, and may be empty.
TEST(SPIRVBinary, KeepsSpillBuildOptions) {
  std::string module = addBuildOptions(makeModule(), "-a");
  EXPECT_EQ(readSpillBuildOptions(module), std::nullopt);
  std::string binary = addSpillBuildOptions(module, "-b");
  EXPECT_EQ(readSpillBuildOptions(binary), "-b");
  EXPECT_EQ(readBuildOptions(binary), "-a");
  EXPECT_EQ(readSpillBuildOptions(addSpillBuildOptions(module, "")), "");
  EXPECT_EQ(readSPIRVEntryPoints(binary), std::vector<std::string>{"add"});
  EXPECT_THROW(readSpillBuildOptions(module.substr(0, 24)), BinaryError);
}

// Strings of every length modulo the size of a word are terminated.
TEST(SPIRVBinary, PadsBuildOptions) {
  for (std::size_t size = 0; size < 9; ++size) {
    std::string options(size, 'x');
    EXPECT_EQ(readBuildOptions(addBuildOptions(makeModule(), options)),
              options);
  }
}

TEST(SPIRVBinary, RefusesDamagedModulesWithBuildOptions) {
  std::string module = makeModule();
  EXPECT_THROW(addBuildOptions(module.substr(0, 24), "-a"), BinaryError);
  EXPECT_THROW(readBuildOptions(module.substr(0, 24)), BinaryError);
}

// Texts come back in order, beside build options, empty ones too.
TEST(SPIRVBinary, KeepsAssertions) {
  std::string module = makeModule();
  EXPECT_TRUE(readAssertions(module).empty());
  EXPECT_EQ(addAssertions(module, {}), module);
  std::vector<std::string> texts = {"a.py:1: first", "", "b.py:22: second"};
  std::string binary = addBuildOptions(addAssertions(module, texts), "-a");
  EXPECT_EQ(readAssertions(binary), texts);
  EXPECT_EQ(readBuildOptions(binary), "-a");
  EXPECT_EQ(readSPIRVEntryPoints(binary), std::vector<std::string>{"add"});
}

// Records of checked messages come back in order, beside assertions.
TEST(SPIRVBinary, KeepsBlockMessages) {
  std::string module = makeModule();
  EXPECT_TRUE(readBlockMessages(module).empty());
  EXPECT_EQ(addBlockMessages(module, {}), module);
  std::vector<CheckedBlockMessage> messages = {
      {"a b.py:1, called at c.py:2", 2, {64, 4, 16, 8, 60, 70, 1u << 24}},
      {"", 8, {1, 2, 3, 4, 5, 6, 7}}};
  std::string binary =
      addBlockMessages(addAssertions(module, {"first"}), messages);
  std::vector<CheckedBlockMessage> found = readBlockMessages(binary);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].place, messages[0].place);
  EXPECT_EQ(found[0].elementBytes, 2u);
  EXPECT_EQ(found[0].rules.baseAlignment, 64u);
  EXPECT_EQ(found[0].rules.widthAlignment, 4u);
  EXPECT_EQ(found[0].rules.pitchAlignment, 16u);
  EXPECT_EQ(found[0].rules.offsetAlignment, 8u);
  EXPECT_EQ(found[0].rules.minWidth, 60u);
  EXPECT_EQ(found[0].rules.minPitch, 70u);
  EXPECT_EQ(found[0].rules.maxExtent, 1u << 24);
  EXPECT_EQ(found[1].place, "");
  EXPECT_EQ(found[1].rules.maxExtent, 7u);
  EXPECT_EQ(readAssertions(binary), std::vector<std::string>{"first"});
}

// A number that is missing, or an alignment that nothing can be divided by.
TEST(SPIRVBinary, RefusesDamagedBlockMessages) {
  std::string binary =
      addBlockMessages(makeModule(), {{"f.py:1", 2, {64, 4, 16, 4, 9, 9, 99}}});
  std::size_t numbers = binary.find("2 64");
  ASSERT_NE(numbers, std::string::npos);
  for (const char *damage : {"x", "2 x4", "2  0 4 16"}) {
    std::string damaged = binary;
    damaged.replace(numbers, std::strlen(damage), damage);
    EXPECT_THROW(readBlockMessages(damaged), BinaryError) << damage;
  }
}
