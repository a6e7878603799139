//===- ReportCheckTest.cpp - Reports of failures of a kernel --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/ReportCheck.h"
#include "intel/Runtime/BlockRules.h"
#include "intel/Runtime/Error.h"
#include "gtest/gtest.h"

using namespace triton::intel::abi;
using namespace triton::intel::runtime;

namespace {
const BlockRules rules = {64, 4, 16, 4, 64, 64, 1 << 24};
const BlockOperands good = {0x1000, 208, 37, 256, 2, 5};

/// Kind and message of the error; `Device` and nothing without one.
std::pair<ErrorKind, std::string> check(const KernelReport &report,
                                        const ReportTexts &texts) {
  try {
    checkReport(report, texts, "f");
  } catch (const Error &error) {
    return {error.getKind(), error.what()};
  }
  return {ErrorKind::Device, ""};
}
} // namespace

// The first rule that is broken is named, with all of the operands.
TEST(BlockRules, NamesTheRule) {
  EXPECT_FALSE(checkBlockRules("f.py:1", rules, 2, good));
  BlockOperands operands = good;
  operands.base += 32;
  operands.pitch = 200;
  EXPECT_EQ(checkBlockRules("f.py:1", rules, 2, operands),
            "f.py:1: a 2D block message that no hardware takes: the base must "
            "be a multiple of 64 bytes\n  the surface has base 0x1020, width "
            "208 bytes, height 37, pitch 200 bytes; the block is at column 2, "
            "row 5");
}

// A column is legal or not by its bytes.
TEST(BlockRules, CountsBytesOfColumns) {
  EXPECT_TRUE(checkBlockRules("", rules, 1, good));
  EXPECT_FALSE(checkBlockRules("", rules, 8, good));
}

// Numbers are those of assertions, then those of messages.
TEST(ReportCheck, FindsTheText) {
  ReportTexts texts = {{"a.py:1: first", "a.py:2: second"},
                       {{"a.py:3", 1, rules}, {"a.py:4", 8, rules}}};
  KernelReport report = {};
  report.program[0] = 7;
  report.operands = good;
  EXPECT_EQ(check(report, texts).first, ErrorKind::Device);

  report.number = 2;
  report.subGroup = 4;
  report.lane = -1;
  report.element = {};
  EXPECT_EQ(check(report, texts),
            std::pair(ErrorKind::Assertion,
                      std::string("a.py:2: second\nin sub-group 4 of program "
                                  "(7, 0, 0) of kernel `f`")));
  report.lane = 9;
  report.element = {2, {3, 40}};
  EXPECT_EQ(check(report, texts),
            std::pair(ErrorKind::Assertion,
                      std::string("a.py:2: second\nfor element (3, 40), in "
                                  "sub-group 4, lane 9, of program (7, 0, 0) "
                                  "of kernel `f`")));
  report.number = 3;
  report.operands = good;
  auto [kind, message] = check(report, texts);
  EXPECT_EQ(kind, ErrorKind::Access);
  EXPECT_EQ(message.find("a.py:3: a 2D block message that no hardware takes: "
                         "the column must be a multiple of 4 bytes, found 2\n"),
            0u);
  EXPECT_NE(message.find("\n  in sub-group 4 of program (7, 0, 0) of kernel "
                         "`f`"),
            std::string::npos);
}

// A binary whose records do not fit its code is an error, not a crash.
TEST(ReportCheck, SurvivesUnknownNumbers) {
  KernelReport report = {};
  for (std::int32_t number : {1, 3, -1}) {
    report.number = number;
    EXPECT_EQ(check(report, {}).first, ErrorKind::Assertion) << number;
    EXPECT_EQ(check(report, {{}, {{"a.py:3", 1, rules}}}).first,
              number == 1 ? ErrorKind::Access : ErrorKind::Assertion)
        << number;
  }
}
