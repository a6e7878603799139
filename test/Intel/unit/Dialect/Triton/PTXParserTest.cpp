//===- PTXParserTest.cpp - The syntax of PTX snippets ---------------------===//
// SPDX-License-Identifier: MIT
//
// These tests check the parser for each form of the syntax, each error, and
// that any text comes to an end.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/PTXParser.h"

#include "llvm/ADT/bit.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir::triton::intel::ptx;

namespace {

Snippet parse(llvm::StringRef text) {
  llvm::Expected<Snippet> snippet = parseSnippet(text);
  if (snippet)
    return std::move(*snippet);
  ADD_FAILURE() << llvm::toString(snippet.takeError());
  return {};
}

std::string parseError(llvm::StringRef text) {
  llvm::Expected<Snippet> snippet = parseSnippet(text);
  return snippet ? "" : llvm::toString(snippet.takeError());
}

TEST(PTXParserTest, Instructions) {
  Snippet snippet = parse("add.s32 $0, $1, -5; // the first\n"
                          "mov.b32 ${1}, /* bits */ 0x10U");
  ASSERT_EQ(snippet.instructions.size(), 2u);
  const Instruction &add = snippet.instructions[0];
  EXPECT_EQ(add.opcode, "add.s32");
  EXPECT_EQ(add.getName(), "add");
  ASSERT_EQ(add.operands.size(), 3u);
  EXPECT_EQ(add.operands[1].kind, Operand::Kind::Parameter);
  EXPECT_EQ(add.operands[1].index, 1u);
  EXPECT_EQ(add.operands[2].kind, Operand::Kind::Integer);
  EXPECT_EQ(add.operands[2].bits, static_cast<uint64_t>(-5));
  EXPECT_EQ(snippet.instructions[1].operands[1].bits, 16u);
}

/// A name in an inner block is another register, until the block ends.
TEST(PTXParserTest, Scopes) {
  Snippet snippet = parse("{ .reg .b32 a, %t<2>; .reg .pred p;"
                          "  { .reg .f64 a; mov.f64 a, a; }"
                          "  @!p mov.b32 a, %t1; }");
  ASSERT_EQ(snippet.registers.size(), 5u);
  EXPECT_EQ(snippet.registers[2].name, "%t1");
  EXPECT_EQ(snippet.registers[3].width, 1u);
  EXPECT_EQ(snippet.registers[4].width, 64u);
  EXPECT_EQ(snippet.instructions[0].operands[0].index, 4u);
  const Instruction &move = snippet.instructions[1];
  EXPECT_EQ(move.operands[0].index, 0u);
  EXPECT_EQ(move.operands[1].index, 2u);
  ASSERT_TRUE(move.predicate);
  EXPECT_EQ(move.predicate->index, 3u);
  EXPECT_TRUE(move.predicate->isNegated);
}

TEST(PTXParserTest, VectorsAndPairs) {
  Snippet snippet = parse("{ .reg .pred p, q; mov.b64 {$0, _}, $1;"
                          "setp.eq.s32 p|q, $0, 1; }");
  const Operand &vector = snippet.instructions[0].operands[0];
  EXPECT_EQ(vector.kind, Operand::Kind::Vector);
  ASSERT_EQ(vector.elements.size(), 2u);
  EXPECT_EQ(vector.elements[1].kind, Operand::Kind::Sink);
  const Operand &pair = snippet.instructions[1].operands[0];
  EXPECT_EQ(pair.kind, Operand::Kind::Pair);
  ASSERT_EQ(pair.elements.size(), 2u);
  EXPECT_EQ(pair.elements[1].index, 1u);
}

TEST(PTXParserTest, Literals) {
  const std::pair<const char *, double> floats[] = {
      {"0f3F800000", 1.0}, {"0d4000000000000000", 2.0},
      {"1.5", 1.5},        {"-2.5e-1", -0.25},
      {"1e3", 1000.0},     {"-0f40400000", -3.0}};
  for (auto [text, value] : floats) {
    Snippet snippet = parse("mov.f32 $0, " + std::string(text));
    const Operand &operand = snippet.instructions[0].operands[1];
    EXPECT_EQ(operand.kind, Operand::Kind::Float) << text;
    EXPECT_EQ(llvm::bit_cast<double>(operand.bits), value) << text;
  }
  const std::pair<const char *, uint64_t> integers[] = {
      {"0", 0},       {"017", 15}, {"0b101", 5},
      {"0xFfU", 255}, {"42u", 42}, {"18446744073709551615", UINT64_MAX}};
  for (auto [text, value] : integers) {
    Snippet snippet = parse("mov.u64 $0, " + std::string(text));
    const Operand &operand = snippet.instructions[0].operands[1];
    EXPECT_EQ(operand.kind, Operand::Kind::Integer) << text;
    EXPECT_EQ(operand.bits, value) << text;
  }
}

TEST(PTXParserTest, Errors) {
  const std::pair<const char *, const char *> errors[] = {
      {"{ mov.b32 $0, 1;", "a block is not closed"},
      {"}", "`}` closes no block"},
      {"= 1;", "expected an instruction, found `=`"},
      {"add.s32 $0 $1;", "`add.s32`: expected `,`, found `$`"},
      {"add.s32 $0,", "`add.s32`: expected an operand, found the end"},
      {"add.s32 $0, b;", "`add.s32`: `b` is not declared"},
      {"mov.u32 $0, %tid.x;",
       "`mov.u32`: `%tid` is a register of the hardware"},
      {"ld.global.u32 $0, [$1];", "`ld.global.u32`: memory is accessed"},
      {"L1: bra L1;", "`L1:`: labels and branches are control flow"},
      {".shared .b32 x;", "`.shared`: only registers can be declared"},
      {".reg .b128 x;", "`.reg`: `.b128` is not the type of a register"},
      {".reg .b32 x, x;", "`.reg`: `x` is declared twice"},
      {".reg .b32 x<1000000000>;",
       "`.reg`: expected up to 4096 registers, found 1000000000"},
      {"mov.b32 $0, ${1:x};", "`mov.b32`: operands with modifiers, as in "
                              "`${0:x}`, have no meaning"},
      {"mov.b32 $, 1;",
       "`mov.b32`: expected the number of an operand after `$`, found `,`"},
      {"mov.b32 $0, 12x;", "`mov.b32`: `12x` is not a number"},
      {"mov.b32 $0, {{1}};", "`mov.b32`: expected an operand, found `{`"}};
  for (auto [text, message] : errors)
    EXPECT_EQ(parseError(text), message) << text;
}

/// Text that is cut off, and random sequences of what the syntax consists of.
TEST(PTXParserTest, AnyTextEnds) {
  const char *const pieces[] = {
      "{",     "}",          ",",        ";",   "|",
      "@",     "!",          "$",        "$0",  "${",
      "[",     "]",          "<",        ">",   ".reg",
      " .b32", " .pred",     " a",       " p",  "_",
      "%",     "<3",         "add.s32 ", "mov", ".f32 ",
      "0x",    "0f3F800000", "-",        "1e",  "1e-",
      "0d",    "//",         "/*",       "*/",  "\n",
      "\"",    "\\",         ":",        ".",   "99999999999999999999",
      "\x80",  "(",          "=",        "'"};
  std::mt19937 random(62);
  unsigned accepted = 0;
  for (unsigned run = 0; run < 50000; ++run) {
    std::string text;
    for (unsigned i = random() % 16; i-- > 0;)
      text += pieces[random() % std::size(pieces)];
    accepted += parseError(text).empty();
  }
  // Some are snippets, such as those of declarations and comments.
  EXPECT_GT(accepted, 100u);
  std::string whole = "{ .reg .b32 a<2>; @p setp.lt.and.f32 p|q, $1, "
                      "-0f3F800000, !p; mov.b64 {$0, _}, 0x1U; /* c */ }";
  for (size_t length = 0; length < whole.size(); ++length)
    parseError(whole.substr(0, length));
}

} // namespace
