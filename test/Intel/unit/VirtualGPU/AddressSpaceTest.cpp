//===- AddressSpaceTest.cpp - Virtual memory of a virtual GPU -------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/AddressSpace.h"

#include "Problem.h"

#include "gtest/gtest.h"

#include <thread>

using namespace triton::intel::vgpu;
using namespace triton::intel::vgpu::test;

namespace {
constexpr std::uint64_t page = 4096, base = 0xd55600000000;

struct Fixture {
  std::shared_ptr<Buffer> make(unsigned numPages) {
    return buffers.create(1, numPages * page);
  }
  void bind(std::uint64_t place, const std::shared_ptr<Buffer> &buffer) {
    space.bind(base + place, buffer->getSize(), buffer, 0, false);
  }
  std::uint8_t *find(std::uint64_t place, std::uint64_t size = 1) {
    return space.translate(base + place, size, /*isWritten=*/true);
  }
  Buffers buffers{{0, 1 << 20}};
  AddressSpace space{48};
};

TEST(AddressSpaceTest, FindsWhatIsBound) {
  Fixture test;
  auto buffer = test.make(2);
  test.space.bind(base, page, buffer, page, false);
  EXPECT_EQ(test.find(0), buffer->getHost() + page);
  EXPECT_EQ(test.find(page - 1), buffer->getHost() + 2 * page - 1);
  EXPECT_EQ(test.find(page), nullptr);
  EXPECT_EQ(test.find(page - 1, 2), nullptr);
  EXPECT_EQ(test.space.translate(base - 1, 1, false), nullptr);
}

TEST(AddressSpaceTest, IgnoresWhetherAddressesAreCanonical) {
  Fixture test;
  auto buffer = test.make(1);
  test.bind(0, buffer);
  EXPECT_EQ(test.space.translate(base | 0xffff000000000000, 1, true),
            buffer->getHost());
}

TEST(AddressSpaceTest, SplitsWhatIsReplaced) {
  Fixture test;
  auto old = test.make(4), replacement = test.make(1);
  test.bind(0, old);
  test.bind(page, replacement);
  EXPECT_EQ(test.space.countRanges(), 3u);
  EXPECT_EQ(test.find(0), old->getHost());
  EXPECT_EQ(test.find(page), replacement->getHost());
  EXPECT_EQ(test.find(2 * page), old->getHost() + 2 * page);
  EXPECT_EQ(test.find(3 * page), old->getHost() + 3 * page);
}

TEST(AddressSpaceTest, UnbindsPartsOfSeveralRanges) {
  Fixture test;
  auto first = test.make(2), second = test.make(2), third = test.make(2);
  test.bind(0, first);
  test.bind(2 * page, second);
  test.bind(4 * page, third);
  test.space.unbind(base + page, 4 * page);
  EXPECT_EQ(test.find(0), first->getHost());
  for (unsigned i = 1; i < 5; ++i)
    EXPECT_EQ(test.find(i * page), nullptr);
  EXPECT_EQ(test.find(5 * page), third->getHost() + page);
  EXPECT_EQ(test.space.countRanges(), 2u);
}

TEST(AddressSpaceTest, ForgetsWhatAThreadFoundLast) {
  Fixture test;
  auto first = test.make(1), second = test.make(1);
  test.bind(0, first);
  EXPECT_EQ(test.find(0), first->getHost());
  test.bind(0, second);
  EXPECT_EQ(test.find(0), second->getHost());
  // Another space at the same addresses.
  AddressSpace other(48);
  EXPECT_EQ(other.translate(base, 1, false), nullptr);
  std::thread([&] { test.space.unbind(base, page); }).join();
  EXPECT_EQ(test.find(0), nullptr);
}

TEST(AddressSpaceTest, DoesNotWriteWhatIsReadOnly) {
  Fixture test;
  auto buffer = test.make(1);
  test.space.bind(base, page, buffer, 0, /*isReadOnly=*/true);
  EXPECT_EQ(test.find(0), nullptr);
  EXPECT_EQ(test.space.translate(base, 1, /*isWritten=*/false),
            buffer->getHost());
}

TEST(AddressSpaceTest, CopiesOverSeveralRanges) {
  Fixture test;
  auto first = test.make(1), second = test.make(1);
  std::uint8_t user[page];
  test.bind(0, second);
  test.bind(page, first);
  test.space.bindUserMemory(base + 2 * page, page, user, false);
  std::vector<std::uint8_t> bytes(2 * page), back(2 * page);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 7);
  test.space.write(base + page / 2, bytes.data(), bytes.size());
  test.space.read(base + page / 2, back.data(), back.size());
  EXPECT_EQ(back, bytes);
  EXPECT_EQ(user[0], bytes[page + page / 2]);
  std::string problem = getProblem(
      [&] { test.space.write(base + 2 * page, bytes.data(), 2 * page); });
  EXPECT_TRUE(contains(problem, "page fault: write at 0xd55600003000"))
      << problem;
}

TEST(AddressSpaceTest, KeepsObjectsThatAreBound) {
  Fixture test;
  auto buffer = test.make(1);
  test.bind(0, buffer);
  buffer->getHost()[5] = 42;
  buffer.reset();
  ASSERT_NE(test.find(5), nullptr);
  EXPECT_EQ(*test.find(5), 42);
  EXPECT_EQ(test.buffers.getUsed(1), page);
  test.space.unbind(base, page);
  EXPECT_EQ(test.buffers.getUsed(1), 0u);
}

TEST(AddressSpaceTest, KeepsObjectsThatKernelsMayStillAccess) {
  Fixture test;
  auto buffer = test.make(1);
  test.bind(0, buffer);
  std::uint8_t *host = buffer->getHost();
  buffer.reset();
  {
    AddressSpace::Access access(test.space);
    test.space.unbind(base, page);
    // An access that was looked up before, and the next one.
    *host = 1;
    EXPECT_EQ(test.find(0), nullptr);
    EXPECT_EQ(test.buffers.getUsed(1), page);
  }
  EXPECT_EQ(test.buffers.getUsed(1), 0u);
}

TEST(AddressSpaceTest, RefusesMemoryBeyondTheChips) {
  Fixture test;
  auto most = test.make(255);
  EXPECT_THROW(test.make(2), CallError);
  // System memory is not limited.
  EXPECT_NE(test.buffers.create(0, 1 << 21), nullptr);
  most.reset();
  EXPECT_NE(test.make(2), nullptr);
}
} // namespace
