//===- ZebinPayloadTest.cpp - Registers of a thread at its start ----------===//
// SPDX-License-Identifier: MIT

#include "ZebinPayload.h"
#include "TestZebin.h"

#include "intel/Runtime/Error.h"

#include <cstring>
#include <memory>

using namespace triton::intel::runtime;
using namespace triton::intel::simulator;
using namespace triton::intel::simulator::test;

namespace {
/// A description of a kernel `add` with these payload arguments, and perhaps
/// local ids.
std::string describe(const std::string &arguments, unsigned inlineBytes = 0,
                     unsigned localIdBytes = 0, unsigned simdSize = 16) {
  std::string text = "---\nversion: '1.73'\nkernels:\n  - name: add\n"
                     "    execution_env:\n      simd_size: " +
                     std::to_string(simdSize) +
                     "\n      slm_size: 100\n"
                     "      inline_data_payload_size: " +
                     std::to_string(inlineBytes) + "\n";
  if (!arguments.empty())
    text += "    payload_arguments:\n" + arguments;
  if (localIdBytes)
    text += "    per_thread_payload_arguments:\n      - { arg_type: local_id, "
            "offset: 0, size: " +
            std::to_string(localIdBytes) + " }\n";
  return text + "...\n";
}

std::string describeArgument(const std::string &kind, unsigned offset,
                             unsigned size, const std::string &more = "") {
  return "      - { arg_type: " + kind + ", offset: " + std::to_string(offset) +
         ", size: " + std::to_string(size) + more + " }\n";
}

/// A payload, with what it is of.
struct Case {
  Case(const std::string &text, Dispatch dispatch,
       std::vector<Argument> arguments = {})
      : kernel(makeBuilder(text).write(), "add", machineCode),
        dispatch(dispatch), arguments(std::move(arguments)),
        payload(kernel, this->dispatch, this->arguments,
                {0xabcdef0012345678, 0x1234567}) {}

  template <typename T> T read(std::size_t offset) const {
    T value;
    EXPECT_LE(offset + sizeof(value), payload.getIndirectData().size());
    std::memcpy(&value, payload.getIndirectData().data() + offset,
                sizeof(value));
    return value;
  }

  Kernel kernel;
  Dispatch dispatch;
  std::vector<Argument> arguments;
  ZebinPayload payload;
};

/// Returns what making a payload throws.
std::string getProblem(const std::string &text,
                       std::vector<Argument> arguments = {}) {
  try {
    Case made(text, {{1, 1, 1}, {16, 1, 1}}, std::move(arguments));
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}

TEST(ZebinPayloadTest, WritesArguments) {
  Case made(describe(describeArgument("arg_bypointer", 0, 8,
                                      ", arg_index: 0, addrmode: stateless") +
                     describeArgument("arg_byvalue", 8, 4, ", arg_index: 2") +
                     describeArgument("arg_byvalue", 12, 2, ", arg_index: 1") +
                     // The upper half of the third one.
                     describeArgument("arg_byvalue", 16, 4,
                                      ", arg_index: 2, source_offset: 4")),
            {{1, 1, 1}, {16, 1, 1}},
            {{ArgumentType::Pointer, 0x1122334455667788},
             {ArgumentType::Int16, 0xffff},
             {ArgumentType::Int64, 0x0123456789abcdef}});
  EXPECT_EQ(made.read<std::uint64_t>(0), 0x1122334455667788u);
  EXPECT_EQ(made.read<std::uint32_t>(8), 0x89abcdefu);
  EXPECT_EQ(made.read<std::uint16_t>(12), 0xffffu);
  EXPECT_EQ(made.read<std::uint16_t>(14), 0u);
  EXPECT_EQ(made.read<std::uint32_t>(16), 0x01234567u);
}

TEST(ZebinPayloadTest, WritesTheGeometry) {
  Case made(describe(describeArgument("global_id_offset", 0, 12) +
                     describeArgument("local_size", 12, 12) +
                     describeArgument("enqueued_local_size", 24, 12) +
                     describeArgument("group_count", 36, 12) +
                     describeArgument("global_size", 48, 12) +
                     describeArgument("work_dimensions", 60, 4)),
            {{5, 7, 1}, {16, 2, 1}});
  const std::uint32_t expected[] = {0, 0, 0, 16, 2,  1,  16, 2,
                                    1, 5, 7, 1,  80, 14, 1,  2};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(made.read<std::uint32_t>(4 * i), expected[i]) << i;
}

TEST(ZebinPayloadTest, WritesAddresses) {
  Case made(describe(describeArgument("global_base", 0, 8) +
                     describeArgument("const_base", 8, 8) +
                     describeArgument("private_base_stateless", 16, 8) +
                     describeArgument("printf_buffer", 24, 8)),
            {{1, 1, 1}, {16, 1, 1}});
  EXPECT_EQ(made.read<std::uint64_t>(0), made.kernel.getGlobalBase());
  EXPECT_EQ(made.read<std::uint64_t>(8), made.kernel.getConstantBase());
  EXPECT_EQ(made.read<std::uint64_t>(16), 0xabcdef0012345678u);
  EXPECT_EQ(made.read<std::uint64_t>(24), 0x1234567u);
}

/// A launch gives sizes, and the kernel gets places after its own memory.
TEST(ZebinPayloadTest, PlacesSharedMemory) {
  const std::string local = ", addrmode: slm, slm_alignment: 64";
  Case made(
      describe(
          describeArgument("arg_bypointer", 0, 4, ", arg_index: 0" + local) +
          describeArgument("arg_bypointer", 4, 4, ", arg_index: 1" + local)),
      {{1, 1, 1}, {16, 1, 1}},
      {{ArgumentType::Pointer, 10}, {ArgumentType::Pointer, 300}});
  // The kernel itself has 100 bytes.
  EXPECT_EQ(made.read<std::uint32_t>(0), 128u);
  EXPECT_EQ(made.read<std::uint32_t>(4), 192u);
  EXPECT_EQ(made.payload.getSharedBytes(), 492u);
}

TEST(ZebinPayloadTest, RefusesArguments) {
  std::string found =
      getProblem(describe(describeArgument("image_width", 0, 4)));
  EXPECT_NE(found.find("`image_width`"), std::string::npos) << found;
  found = getProblem(describe(describeArgument("implicit_arg_buffer", 0, 8)));
  EXPECT_NE(found.find("`implicit_arg_buffer`"), std::string::npos) << found;
  // A structure by value.
  found = getProblem(
      describe(describeArgument("arg_byvalue", 0, 64, ", arg_index: 0")),
      {{ArgumentType::Int64, 0}});
  EXPECT_NE(found.find("64 bytes"), std::string::npos) << found;
  // There are fewer than the description has.
  found = getProblem(
      describe(describeArgument("arg_byvalue", 0, 4, ", arg_index: 1")),
      {{ArgumentType::Int32, 0}});
  EXPECT_NE(found, "");
  // Nothing that a kernel may have, and nothing that it can be given.
  found = getProblem(
      describe(describeArgument("arg_bypointer", 0, 8,
                                ", arg_index: 0, addrmode: bindless")),
      {{ArgumentType::Pointer, 0}});
  EXPECT_NE(found.find("bindless"), std::string::npos) << found;
}

TEST(ZebinPayloadTest, WritesLocalIds) {
  // 5 x 3 x 2 work-items in two threads.
  Case made(
      describe(describeArgument("arg_byvalue", 0, 4, ", arg_index: 0"), 0, 192),
      {{1, 1, 1}, {5, 3, 2}}, {{ArgumentType::Int32, 42}});
  EXPECT_EQ(made.read<std::uint32_t>(0), 42u);
  ASSERT_EQ(made.payload.getNumThreads(), 2u);
  // After the arguments, which take 32 bytes.
  for (unsigned item = 0; item < 30; ++item) {
    std::size_t offset = 32 + item / 16 * 192 + item % 16 * 2;
    EXPECT_EQ(made.read<std::uint16_t>(offset), item % 5) << item;
    EXPECT_EQ(made.read<std::uint16_t>(offset + 64), item / 5 % 3) << item;
    EXPECT_EQ(made.read<std::uint16_t>(offset + 128), item / 15) << item;
  }
  EXPECT_EQ(made.payload.getLanes(0), 0xffffu);
  EXPECT_EQ(made.payload.getLanes(1), 0x3fffu);
}

TEST(ZebinPayloadTest, FillsRegistersOfWideThreads) {
  Case made(describe("", 0, 64, 32), {{1, 1, 1}, {40, 1, 1}});
  ASSERT_EQ(made.payload.getNumThreads(), 2u);
  for (unsigned item = 0; item < 40; ++item)
    EXPECT_EQ(made.read<std::uint16_t>(item * 2), item);
  EXPECT_EQ(made.payload.getLanes(0), 0xffffffffu);
  EXPECT_EQ(made.payload.getLanes(1), 0xffu);
}

/// From Xe2 on the first bytes come in a register, and are not in memory.
TEST(ZebinPayloadTest, KeepsInlineDataOutOfMemory) {
  std::string arguments;
  std::vector<Argument> values;
  for (unsigned i = 0; i < 5; ++i) {
    arguments += describeArgument("arg_byvalue", 8 * i, 8,
                                  ", arg_index: " + std::to_string(i));
    values.push_back({ArgumentType::Int64, 100 + i});
  }
  Case made(describe(arguments, 32, 64), {{4, 5, 6}, {32, 1, 1}}, values);
  EXPECT_EQ(made.read<std::uint64_t>(0), 104u);
  // 40 bytes are rounded up to 64, of which 32 are inline.
  EXPECT_EQ(made.read<std::uint16_t>(32 + 2), 1u);
  EXPECT_EQ(made.read<std::uint16_t>(32 + 64), 16u);

  LaunchState launch;
  launch.code = &made.kernel.getCode();
  WorkGroup group;
  group.launch = &launch;
  auto thread = std::make_unique<Thread>();
  thread->reset(group, 1, 77, 0xffff);
  made.payload.initialize(*thread, {1, 2, 3}, 77);
  std::uint64_t words[4];
  std::memcpy(words, thread->getRegister(1), sizeof(words));
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(words[i], 100u + i);
}

TEST(ZebinPayloadTest, SetsTheHeader) {
  Case made(describe(""), {{4, 5, 6}, {64, 1, 1}});
  LaunchState launch;
  launch.code = &made.kernel.getCode();
  WorkGroup group;
  group.launch = &launch;
  auto thread = std::make_unique<Thread>();
  thread->reset(group, 3, 0x4d2, 0xffff);
  std::uint32_t before[16], after[16];
  std::memcpy(before, thread->getRegister(1), sizeof(before));
  made.payload.initialize(*thread, {1, 2, 3}, 0x4d2);
  std::uint32_t header[16];
  std::memcpy(header, thread->getRegister(0), sizeof(header));
  // Where the arguments are, from the base of binding table entry 255.
  EXPECT_EQ(header[0] & ~63u, 0u);
  EXPECT_EQ(header[1], 1u);
  EXPECT_EQ(header[6], 2u);
  EXPECT_EQ(header[7], 3u);
  // The thread in its group, and how many there are.
  EXPECT_EQ(header[2] & 0xff, 3u);
  EXPECT_EQ(header[2] >> 24, 4u);
  // Which thread of the GPU, beside its surface of scratch memory.
  EXPECT_EQ(header[5] & 0x3ff, 0x4d2u & 0x3ff);
  EXPECT_NE(header[5] >> 10, 0u);
  // Nothing else is defined.
  std::memcpy(after, thread->getRegister(1), sizeof(after));
  EXPECT_EQ(std::memcmp(before, after, sizeof(before)), 0);
}
} // namespace
