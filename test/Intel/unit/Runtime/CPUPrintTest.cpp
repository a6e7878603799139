//===- CPUPrintTest.cpp - Output of programs ------------------------------===//
// SPDX-License-Identifier: MIT

#include "CPUTestKernels.h"
#include "PrintQueue.h"
#include "intel/Support/PrintFormat.h"

#include <cmath>
#include <cstdint>
#include <cstring>

using namespace triton::intel::runtime;
using namespace triton::intel::runtime::cpu;
using namespace triton::intel::runtime::cpu::test;

namespace {
std::uint64_t bits(double value) {
  std::uint64_t result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

std::string format(const char *format, std::vector<std::uint64_t> values) {
  std::string text;
  triton::intel::support::appendFormatted(text, format, values.data());
  return text;
}

std::string capture(const Kernel &kernel, int programs, int numSubGroups,
                    int lines) {
  testing::internal::CaptureStdout();
  launch(kernel, {{programs, 1, 1}, numSubGroups * lanes}, {integer(lines)});
  return testing::internal::GetCapturedStdout();
}

std::string getExpected(int programs, int numSubGroups, int lines) {
  std::string text;
  for (int program = 0; program < programs; ++program)
    for (int subGroup = 0; subGroup < numSubGroups; ++subGroup)
      for (int line = 0; line < lines; ++line)
        text += "program " + std::to_string(program) + " sub-group " +
                std::to_string(subGroup) + " line " + std::to_string(line) +
                "\n";
  return text;
}
} // namespace

TEST(CPUPrint, FormatsLikePrintf) {
  EXPECT_EQ(format("no value\n", {}), "no value\n");
  EXPECT_EQ(format("%d|%i|%u", {std::uint64_t(-5), 6, 0xffffffffu}),
            "-5|6|4294967295");
  // Only the bits of the type count.
  EXPECT_EQ(format("%d %u", {0x1fffffffeull, 0x1fffffffeull}), "-2 4294967294");
  EXPECT_EQ(format("%hhd %hhu %hd %hu", {0xff, 0x1ff, 0x18000, 0x18000}),
            "-1 255 -32768 32768");
  EXPECT_EQ(format("%ld %lu %lld %llu", {~0ull, ~0ull, 1ull << 63, 1ull << 63}),
            "-1 18446744073709551615 -9223372036854775808 "
            "9223372036854775808");
  EXPECT_EQ(format("%x %#X %08llx", {0xabc, 0xabc, 0xabc}),
            "abc 0XABC 00000abc");
  EXPECT_EQ(format("%5d|%-5d|%+d|%05d", {1, 2, 3, 4}), "    1|2    |+3|00004");
  EXPECT_EQ(
      format("%f %.3f %e %g %10.2f",
             {bits(1.5), bits(2.0 / 3), bits(1e10), bits(0.1), bits(-3.14159)}),
      "1.500000 0.667 1.000000e+10 0.1      -3.14");
  EXPECT_EQ(format("%f %f", {bits(INFINITY), bits(-INFINITY)}), "inf -inf");
  const char *text = "text";
  EXPECT_EQ(format("<%s> <%6s> %c 100%%",
                   {reinterpret_cast<std::uintptr_t>(text),
                    reinterpret_cast<std::uintptr_t>(text), 'x'}),
            "<text> <  text> x 100%");
  EXPECT_EQ(format("%p", {0x1234}), "0x1234");
  EXPECT_EQ(format("%300d|", {1}), std::string(299, ' ') + "1|");
  EXPECT_EQ(format("%y %", {}), "%y %");
  // OpenCL's vectors.
  EXPECT_EQ(format("%v4hld|%v2hhu|%5.1v2f",
                   {1, 2, ~0ull, 4, 0x1ff, 3, bits(0.5), bits(8)}),
            "1,2,-1,4|255,3|  0.5,  8.0");
  EXPECT_EQ(format("%v0d %v17d %v", {}), "%v0d %v17d %v");
  EXPECT_EQ(triton::intel::support::countElements("%d %% %v4f %y %s"),
            (std::vector<unsigned>{1, 4, 1}));
}

TEST(CPUPrint, KeepsTheOrderOfPrograms) {
  Kernel kernel(readObject("print"), "print");
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(capture(kernel, 300, 2, 2), getExpected(300, 2, 2));
}

// More than is kept of a program, and of all of them.
TEST(CPUPrint, WritesWhatDoesNotFit) {
  Kernel kernel(readObject("print"), "print");
  EXPECT_EQ(capture(kernel, 6, 1, 60000), getExpected(6, 1, 60000));
}

// The output of programs that do not start is not waited for.
TEST(CPUPrint, EndsEarly) {
  Kernel kernel(readObject("print"), "print");
  for (int i = 0; i < 3; ++i) {
    int questions = 0;
    testing::internal::CaptureStdout();
    getError(ErrorKind::Launch, [&] {
      launch(kernel, {{1 << 20, 1, 1}, 4 * lanes}, {integer(20000)},
             [&] { return ++questions == 2; });
    });
    std::string text = testing::internal::GetCapturedStdout();
    // Lines are whole, and nothing is missing in between.
    int programs = std::stoi(text.substr(text.rfind("program ") + 8)) + 1;
    EXPECT_EQ(text, getExpected(programs, 4, 20000));
  }
}

TEST(CPUPrint, PrintsALinePerLane) {
  Kernel kernel(readObject("print_lanes"), "print_lanes");
  testing::internal::CaptureStdout();
  launch(kernel, {{1, 1, 1}, lanes}, {});
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "0: 0\n2: 4\n4: 16\n6: 36\n8: 64\n10: 100\n12: 144\n14: 196\n");
}

TEST(CPUPrint, KeepsPendingOutputInOrder) {
  PrintQueue queue;
  testing::internal::CaptureStdout();
  for (int program : {2, 0, 1, 4}) {
    std::string text = std::to_string(program) + "\n";
    queue.complete(program, text);
    EXPECT_EQ(text, "");
  }
  queue.finish();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "0\n1\n2\n4\n");
}
