//===- MemoryCodeTest.cpp - Where the code of a kernel ends ---------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/MemoryCode.h"

#include "intel/Runtime/Error.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace triton::intel;
using simulator::readMemoryCode;

namespace {
using Bytes = std::vector<std::uint8_t>;

/// Opcodes and bits of the encoding.
constexpr std::uint64_t mov = 0x61, gotoOpcode = 0x2e, call = 0x2c, ret = 0x2d,
                        send = 0x31;
constexpr std::uint64_t isCompact = std::uint64_t(1) << 29,
                        endsThread = std::uint64_t(1) << 34,
                        hasTarget = std::uint64_t(1) << 46,
                        hasSecondTarget = std::uint64_t(1) << 47;

/// Builds code, instruction by instruction.
struct Builder {
  Bytes bytes;

  void add64(std::uint64_t bits) {
    const auto *begin = reinterpret_cast<const std::uint8_t *>(&bits);
    bytes.insert(bytes.end(), begin, begin + sizeof(bits));
  }
  Builder &add(std::uint64_t low, std::uint64_t high = 0) {
    add64(low);
    add64(high);
    return *this;
  }
  Builder &addCompact(std::uint64_t low) {
    add64(low | isCompact);
    return *this;
  }
  Builder &branch(std::uint64_t opcode, std::int32_t target) {
    return add(opcode | hasTarget,
               std::uint64_t(static_cast<std::uint32_t>(target)) << 32);
  }
  Builder &branch(std::int32_t target, std::int32_t second) {
    return add(gotoOpcode | hasTarget | hasSecondTarget,
               std::uint64_t(static_cast<std::uint32_t>(target)) << 32 |
                   static_cast<std::uint32_t>(second));
  }
  Builder &end() { return add(send | endsThread); }
  Builder &fill(std::size_t count) {
    bytes.insert(bytes.end(), count, 0xcc);
    return *this;
  }
};

Bytes read(const Bytes &bytes) {
  return readMemoryCode(bytes.data(), bytes.size());
}

std::string fail(const Bytes &bytes) {
  try {
    read(bytes);
  } catch (const runtime::Error &error) {
    return error.what();
  }
  return "";
}

TEST(MemoryCodeTest, EndsWithTheThread) {
  Builder code;
  code.add(mov).addCompact(mov).end();
  Bytes expected = code.bytes;
  // The next kernel, which is no code of this one.
  code.fill(40);
  EXPECT_EQ(read(code.bytes), expected);
}

TEST(MemoryCodeTest, GoesOnBehindAnEndThatIsBranchedOver) {
  Builder code;
  // The second target of a goto is the farther one.
  code.branch(16, 32).end().add(mov).end();
  Bytes expected = code.bytes;
  code.fill(16);
  EXPECT_EQ(read(code.bytes), expected);
}

TEST(MemoryCodeTest, EndsWithTheLastFunction) {
  Builder code;
  code.branch(call, 64).end().fill(32).add(mov).add(ret);
  Bytes found = read(code.bytes);
  ASSERT_EQ(found.size(), code.bytes.size());
  // Padding is illegal instructions, whatever was in their place.
  EXPECT_EQ(Bytes(found.begin() + 32, found.begin() + 64), Bytes(32));
  EXPECT_EQ(Bytes(found.begin() + 64, found.end()),
            Bytes(code.bytes.begin() + 64, code.bytes.end()));
}

TEST(MemoryCodeTest, KeepsStepInPaddingOfEightBytes) {
  Builder code;
  code.addCompact(mov).branch(call, 56).end().fill(24).add(ret);
  ASSERT_EQ(code.bytes.size(), 80u);
  Bytes found = read(code.bytes);
  ASSERT_EQ(found.size(), 80u);
  // A compact instruction and an illegal one.
  EXPECT_EQ(Bytes(found.begin() + 40, found.begin() + 48),
            Bytes(code.bytes.begin(), code.bytes.begin() + 8));
  EXPECT_EQ(Bytes(found.begin() + 48, found.begin() + 64), Bytes(16));
}

TEST(MemoryCodeTest, RefusesCodeWithoutAnEnd) {
  Builder code;
  code.add(mov).add(mov);
  EXPECT_NE(fail(code.bytes).find("no end of the thread in 32 bytes"),
            std::string::npos);
  // A target that memory does not reach.
  code.branch(gotoOpcode, 4096).end();
  EXPECT_NE(fail(code.bytes).find("no end of the thread"), std::string::npos);
}

TEST(MemoryCodeTest, RefusesBranchesInFrontOfTheCode) {
  Builder code;
  code.add(mov).branch(gotoOpcode, -32).end();
  EXPECT_NE(fail(code.bytes).find("16 bytes after the first instruction"),
            std::string::npos);
}

TEST(MemoryCodeTest, RefusesBranchesIntoInstructions) {
  Builder code;
  code.branch(call, 40).end().fill(8).add(ret);
  EXPECT_NE(fail(code.bytes).find("leads into an instruction"),
            std::string::npos);
}
} // namespace
