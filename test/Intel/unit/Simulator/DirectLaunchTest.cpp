//===- DirectLaunchTest.cpp - Launches of code and registers --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/DirectLaunch.h"

#include "intel/Runtime/Error.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace triton::intel;
using namespace triton::intel::simulator;

namespace {
constexpr std::uint64_t virtualBase = 0xd55600000000;

/// Separate memory at `virtualBase`.
struct TestMemory : AddressTranslation {
  explicit TestMemory(std::size_t numBytes) : bytes(numBytes, 0xee) {}
  MappedRange find(std::uint64_t address) const override {
    std::uint64_t place = address - virtualBase;
    if (place >= bytes.size())
      return {};
    auto *host = const_cast<std::uint8_t *>(bytes.data());
    if (place < split)
      return {virtualBase, std::min<std::uint64_t>(split, bytes.size()), host,
              isReadOnly, isOfHost};
    // The second part is somewhere else in the process.
    std::size_t middle = bytes.size() / 2;
    return {virtualBase + split, middle, host + middle, isReadOnly, isOfHost};
  }
  template <typename T> T get(std::size_t index) const {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
  }
  std::vector<std::uint8_t> bytes;
  bool isReadOnly = false, isOfHost = false;
  std::uint64_t split = ~std::uint64_t(0);
};

/// Adds a message of 16 lanes, with 64-bit addresses in two registers.
void addMessage(Code &code, MessageKind kind, unsigned addressRegister,
                unsigned dataRegister, std::uint32_t address) {
  SendOperands send;
  send.function = SharedFunction::UGM;
  send.addressRegister = addressRegister;
  send.dataRegister = dataRegister;
  send.dataLength = 1;
  send.message.kind = kind;
  Instruction instruction;
  instruction.opcode = Opcode::Send;
  instruction.numLanes = 16;
  instruction.message = static_cast<std::uint32_t>(code.messages.size());
  instruction.address = address;
  instruction.isEndOfThread = kind == MessageKind::EndOfThread;
  code.messages.push_back(send);
  code.instructions.push_back(instruction);
}

/// A kernel whose lanes store a register's dwords at addresses of inline data.
struct Fixture {
  Fixture(unsigned addressRegister, unsigned dataRegister) {
    addMessage(code, MessageKind::Store, addressRegister, dataRegister, 0);
    addMessage(code, MessageKind::EndOfThread, 0, 0, 0x10);
    direct.name = "the kernel at 0x100";
    direct.code = &code;
    direct.lastLanes = 0xffff;
    direct.translation = &memory;
    direct.inlineData.resize(128);
    setAddresses(virtualBase);
  }
  void setAddresses(std::uint64_t base) {
    for (unsigned lane = 0; lane < 16; ++lane) {
      std::uint64_t address = base + 4 * lane;
      std::memcpy(direct.inlineData.data() + 8 * lane, &address, 8);
    }
  }
  /// Makes the store one of a block of 16 columns of 32 bits to a row of
  /// `width` bytes.
  void storeBlock(std::uint32_t width, std::uint32_t pitch) {
    Message &message = code.messages[0].message;
    message.kind = MessageKind::StoreBlock2D;
    message.memoryBytes = 4;
    // Extents are given minus 1.
    const std::uint32_t payload[] = {
        static_cast<std::uint32_t>(virtualBase),
        static_cast<std::uint32_t>(virtualBase >> 32),
        width - 1,
        0,
        pitch - 1,
        0,
        0,
        15};
    direct.inlineData.assign(64, 0);
    std::memcpy(direct.inlineData.data(), payload, sizeof(payload));
  }
  Code code;
  TestMemory memory{256};
  DirectLaunch direct;
};

TEST(DirectLaunchTest, TranslatesAddresses) {
  // r0, of which dwords 1, 6 and 7 are the group's numbers.
  Fixture test(/*addressRegister=*/1, /*dataRegister=*/0);
  launch(test.direct);
  EXPECT_EQ(test.memory.get<std::uint32_t>(1), 0u);
  EXPECT_EQ(test.memory.get<std::uint32_t>(2), 1u << 24);
  EXPECT_EQ(test.memory.get<std::uint32_t>(6), 0u);
  // Nothing after the 16 lanes has changed.
  EXPECT_EQ(test.memory.get<std::uint32_t>(16), 0xeeeeeeeeu);
}

TEST(DirectLaunchTest, BeginsWithTheFirstGroup) {
  Fixture test(1, 0);
  test.direct.firstGroup = {5, 6, 7};
  launch(test.direct);
  EXPECT_EQ(test.memory.get<std::uint32_t>(1), 5u);
  EXPECT_EQ(test.memory.get<std::uint32_t>(6), 6u);
  EXPECT_EQ(test.memory.get<std::uint32_t>(7), 7u);
}

TEST(DirectLaunchTest, TakesTheTimeOfTheModel) {
  Fixture test(1, 0);
  // A line of 64 bytes, however many groups write it.
  test.direct.groups = {8, 1, 1};
  ChipModel chip;
  chip.cores = 2;
  chip.engines = 8;
  chip.threads = {{128, 1}};
  chip.memoryBytes = 64;
  chip.linkBytes = 0.001;
  Timing timing;
  test.direct.chip = &chip;
  test.direct.timing = &timing;
  launch(test.direct);
  EXPECT_EQ(timing.memoryCycles, 1u);
  // Each core has 4 groups, one after the other.
  EXPECT_EQ(timing.waves, 4u);
  EXPECT_EQ(timing.cycles, 4 * timing.coreCycles);
  // Memory of the host is at the other end of the link.
  test.memory.isOfHost = true;
  launch(test.direct);
  EXPECT_EQ(timing.memoryCycles, 64000u);
  EXPECT_EQ(timing.cycles, 64000u);
  // No group takes no time.
  test.direct.groups = {0, 1, 1};
  timing = {};
  launch(test.direct);
  EXPECT_EQ(timing.cycles, 0u);
}

TEST(DirectLaunchTest, LeavesLanesOutThatAreNoWorkItems) {
  Fixture test(1, 0);
  test.direct.lastLanes = 0x7;
  launch(test.direct);
  EXPECT_EQ(test.memory.get<std::uint32_t>(2), 1u << 24);
  EXPECT_EQ(test.memory.get<std::uint32_t>(3), 0xeeeeeeeeu);
}

TEST(DirectLaunchTest, WritesIdsInTheOrderOfTheWalk) {
  // Ids of y and z in r1 and r2, then inline data.
  Fixture test(3, 1);
  test.direct.local = {2, 4, 2};
  test.direct.idDimensions = 6;
  test.direct.walkOrder = {1, 0, 2};
  launch(test.direct);
  for (unsigned lane = 0; lane < 16; ++lane)
    EXPECT_EQ(test.memory.get<std::uint16_t>(lane), lane % 4);
  Fixture second(3, 2);
  second.direct.local = {2, 4, 2};
  second.direct.idDimensions = 6;
  second.direct.walkOrder = {1, 0, 2};
  launch(second.direct);
  for (unsigned lane = 0; lane < 16; ++lane)
    EXPECT_EQ(second.memory.get<std::uint16_t>(lane), lane / 8);
}

TEST(DirectLaunchTest, NamesPageFaults) {
  Fixture test(1, 0);
  test.direct.groups = {1, 2, 1};
  test.setAddresses(0x1000);
  try {
    launch(test.direct);
    FAIL();
  } catch (const runtime::Error &error) {
    std::string text = error.what();
    EXPECT_NE(text.find("the kernel at 0x100"), std::string::npos) << text;
    EXPECT_NE(text.find("page fault at 0x1000, where 4 bytes cannot be "
                        "written"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("`send` at 0x0, in sub-group 0 of program (0, "),
              std::string::npos)
        << text;
  }
}

TEST(DirectLaunchTest, DoesNotWriteWhatIsReadOnly) {
  Fixture test(1, 0);
  test.memory.isReadOnly = true;
  EXPECT_THROW(launch(test.direct), runtime::Error);
  EXPECT_EQ(test.memory.get<std::uint32_t>(0), 0xeeeeeeeeu);
}

TEST(DirectLaunchTest, StoresRowsOfBlocksThatCrossFromOneRangeIntoAnother) {
  Fixture test(/*addressRegister=*/1, /*dataRegister=*/0);
  test.storeBlock(/*width=*/64, /*pitch=*/64);
  test.memory.split = 8;
  launch(test.direct);
  // Dword 2 of r0 is the first one after the split.
  EXPECT_EQ(test.memory.get<std::uint32_t>(1), 0u);
  EXPECT_EQ(test.memory.get<std::uint32_t>(2), 0xeeeeeeeeu);
  EXPECT_EQ(test.memory.get<std::uint32_t>(32), 1u << 24);
  // A store to memory that cannot be written is a page fault of one element.
  test.memory.isReadOnly = true;
  try {
    launch(test.direct);
    FAIL();
  } catch (const runtime::Error &error) {
    EXPECT_NE(std::string(error.what())
                  .find("page fault at 0xd55600000000, "
                        "where 4 bytes cannot be written"),
              std::string::npos)
        << error.what();
  }
}

TEST(DirectLaunchTest, TakesNarrowSurfacesWithoutChecks) {
  Fixture test(/*addressRegister=*/1, /*dataRegister=*/0);
  test.storeBlock(/*width=*/12, /*pitch=*/8);
  launch(test.direct);
  EXPECT_EQ(test.memory.get<std::uint32_t>(2), 1u << 24);
  EXPECT_EQ(test.memory.get<std::uint32_t>(3), 0xeeeeeeeeu);
  test.direct.checks = true;
  EXPECT_THROW(launch(test.direct), runtime::Error);
}

TEST(DirectLaunchTest, GivesThreadsScratchMemoryByTheirNumber) {
  Fixture test(1, 0);
  test.code.messages[0].function = SharedFunction::DataPort0;
  test.code.messages[0].message.kind = MessageKind::ScratchWrite;
  test.code.messages[0].message.scratchBytes = 64;
  test.code.messages[0].message.scratchOffset = 64;
  test.direct.scratchBase = virtualBase;
  test.direct.scratchBytes = 128;
  test.direct.numThreads = 2;
  // Two threads of the GPU: the group fills it.
  test.direct.maxThreads = 2;
  launch(test.direct);
  for (std::uint32_t thread = 0; thread < 2; ++thread) {
    EXPECT_EQ(test.memory.get<std::uint32_t>(thread * 32), 0xeeeeeeeeu);
    EXPECT_EQ(test.memory.get<std::uint32_t>(thread * 32 + 18),
              thread | 2u << 24);
  }
}
} // namespace
