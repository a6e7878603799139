//===- Parser.cpp - The syntax of PTX snippets ----------------------------===//
// SPDX-License-Identifier: MIT
//
// A parser by recursive descent whose depth is bounded: blocks are a list of
// scopes, and vectors have no vectors inside. Each step consumes text or
// returns an error, so that any text comes to an end.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/PTXParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::triton::intel::ptx;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

char ParseError::ID = 0;

void ParseError::log(llvm::raw_ostream &stream) const {
  if (!opcode.empty())
    stream << "`" << opcode << "`: ";
  stream << message;
}

std::error_code ParseError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

namespace {

/// The ISA has no limit. This one bounds the memory that a declaration such as
/// `.reg .b32 t<1000000000>` takes; a thread of NVIDIA's devices has 255
/// registers (CUDA C++ Programming Guide, "Compute Capabilities").
constexpr unsigned kMaxRegisters = 4096;

bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_' || c == '%'; }

bool isNameBody(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

/// Returns the bits of a register type, 0 for types that registers do not have.
unsigned getRegisterWidth(StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Case("pred", 1)
      .Cases({"b8", "u8", "s8"}, 8)
      .Cases({"b16", "u16", "s16", "f16", "bf16"}, 16)
      .Cases({"b32", "u32", "s32", "f32", "f16x2", "bf16x2"}, 32)
      .Cases({"b64", "u64", "s64", "f64"}, 64)
      .Default(0);
}

/// Reads one snippet.
class Parser {
public:
  explicit Parser(StringRef text) : rest(text) {}

  Expected<Snippet> parse() {
    scopes.emplace_back();
    for (skipSpace(); !rest.empty(); skipSpace())
      if (Error error = parseStatement())
        return error;
    opcode.clear();
    if (scopes.size() != 1)
      return fail("a block is not closed");
    return std::move(snippet);
  }

private:
  Error fail(const Twine &message) {
    return llvm::make_error<ParseError>(message.str(), opcode);
  }

  /// Skips white space and comments. A comment without an end is the rest.
  void skipSpace() {
    while (true) {
      rest = rest.ltrim();
      if (rest.starts_with("//"))
        rest = rest.drop_until([](char c) { return c == '\n'; });
      else if (rest.starts_with("/*"))
        rest = rest.substr(std::min(rest.find("*/", 2), rest.size() - 2) + 2);
      else
        return;
    }
  }

  /// Consumes the punctuation mark, if it is next.
  bool consume(StringRef mark) {
    skipSpace();
    return rest.consume_front(mark);
  }

  /// Returns what is next in quotes, for messages.
  std::string describeNext() {
    skipSpace();
    if (rest.empty())
      return "the end";
    // A part of a character would be no text.
    if (!llvm::isASCII(rest.front()))
      return "a character outside of ASCII";
    return ("`" + rest.take_front(1) + "`").str();
  }

  Error expect(StringRef mark) {
    if (consume(mark))
      return Error::success();
    return fail("expected `" + mark + "`, found " + describeNext());
  }

  /// Consumes a name of a register; empty if there is none.
  StringRef consumeName() {
    skipSpace();
    if (rest.empty() || !isNameStart(rest.front()))
      return {};
    StringRef name = rest.take_front(1);
    name = StringRef(name.data(),
                     1 + rest.drop_front().take_while(isNameBody).size());
    rest = rest.drop_front(name.size());
    return name;
  }

  /// Consumes a decimal number that fits; nothing otherwise.
  std::optional<unsigned> consumeNumber() {
    unsigned number;
    if (rest.empty() || !llvm::isDigit(rest.front()) ||
        rest.consumeInteger(10, number))
      return std::nullopt;
    return number;
  }

  Error parseStatement() {
    opcode.clear();
    if (consume("{")) {
      scopes.emplace_back();
      return Error::success();
    }
    if (consume("}")) {
      if (scopes.size() == 1)
        return fail("`}` closes no block");
      scopes.pop_back();
      return Error::success();
    }
    if (consume(";"))
      return Error::success();
    if (rest.starts_with("."))
      return parseDirective();
    return parseInstruction();
  }

  Error parseDirective() {
    opcode = rest.take_front(1).str() +
             rest.drop_front().take_while(isNameBody).str();
    rest = rest.drop_front(opcode.size());
    if (opcode != ".reg")
      return fail("only registers can be declared");
    if (Error error = expect("."))
      return error;
    StringRef type = consumeName();
    unsigned width = getRegisterWidth(type);
    if (width == 0)
      return fail("`." + type + "` is not the type of a register");
    do
      if (Error error = parseDeclaration(width))
        return error;
    while (consume(","));
    return expect(";");
  }

  /// One name, or `name<count>` for several.
  Error parseDeclaration(unsigned width) {
    StringRef name = consumeName();
    if (name.empty())
      return fail("expected a name, found " + describeNext());
    if (!consume("<"))
      return declare(name, width);
    std::optional<unsigned> count = consumeNumber();
    if (!count)
      return fail("expected a number of registers, found " + describeNext());
    if (*count > kMaxRegisters)
      return fail("expected up to " + Twine(kMaxRegisters) +
                  " registers, found " + Twine(*count));
    for (unsigned i = 0; i < *count; ++i)
      if (Error error = declare((name + Twine(i)).str(), width))
        return error;
    return expect(">");
  }

  Error declare(StringRef name, unsigned width) {
    if (snippet.registers.size() == kMaxRegisters)
      return fail("expected up to " + Twine(kMaxRegisters) + " registers");
    unsigned index = snippet.registers.size();
    if (!scopes.back().try_emplace(name, index).second)
      return fail("`" + name + "` is declared twice");
    snippet.registers.push_back({name.str(), width});
    return Error::success();
  }

  Error parseInstruction() {
    Instruction instruction;
    if (consume("@")) {
      Expected<Operand> predicate = parseOperand(/*isElement=*/true);
      if (!predicate)
        return predicate.takeError();
      instruction.predicate = *predicate;
      skipSpace();
    }
    // Modifiers may have colons in them, as in `.L1::evict_last`.
    StringRef name = rest.take_while(
        [](char c) { return isNameBody(c) || c == '.' || c == ':'; });
    if (name.empty() || !llvm::isAlpha(name.front()))
      return fail("expected an instruction, found " + describeNext());
    rest = rest.drop_front(name.size());
    opcode = instruction.opcode = name.str();
    if (name.ends_with(":"))
      return fail("labels and branches are control flow");
    while (!consume(";")) {
      if (!instruction.operands.empty())
        if (Error error = expect(","))
          return error;
      Expected<Operand> operand = parseOperand(/*isElement=*/false);
      if (!operand)
        return operand.takeError();
      instruction.operands.push_back(std::move(*operand));
      skipSpace();
      // The last instruction of a block or of the text may lack its semicolon.
      if (rest.empty() || rest.starts_with("}"))
        break;
    }
    snippet.instructions.push_back(std::move(instruction));
    return Error::success();
  }

  /// `isElement` is for operands that are no vectors.
  Expected<Operand> parseOperand(bool isElement) {
    Operand operand;
    if (!isElement && consume("{")) {
      if (Error error = parseElements(operand, ","))
        return error;
      if (Error error = expect("}"))
        return error;
      operand.kind = Operand::Kind::Vector;
      return operand;
    }
    operand.isNegated = consume("!");
    skipSpace();
    if (rest.starts_with("["))
      return fail("memory is accessed");
    if (rest.starts_with("$")) {
      if (Error error = parseParameter(operand))
        return error;
    } else if (!rest.empty() &&
               (llvm::isDigit(rest.front()) || rest.starts_with("-"))) {
      if (Error error = parseLiteral(operand))
        return error;
    } else if (Error error = parseRegister(operand)) {
      return error;
    }
    if (!isElement && rest.ltrim().starts_with("|"))
      return parsePair(std::move(operand));
    return operand;
  }

  /// Elements with `separator` between them.
  Error parseElements(Operand &operand, StringRef separator) {
    do {
      Expected<Operand> element = parseOperand(/*isElement=*/true);
      if (!element)
        return element.takeError();
      operand.elements.push_back(std::move(*element));
    } while (consume(separator));
    return Error::success();
  }

  Expected<Operand> parsePair(Operand first) {
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.elements.push_back(std::move(first));
    consume("|");
    if (Error error = parseElements(pair, "|"))
      return error;
    return pair;
  }

  /// `$1` or `${1}`.
  Error parseParameter(Operand &operand) {
    rest = rest.drop_front();
    bool isBraced = rest.consume_front("{");
    std::optional<unsigned> number = consumeNumber();
    if (!number)
      return fail("expected the number of an operand after `$`, found " +
                  describeNext());
    if (isBraced && !rest.consume_front("}"))
      return fail("operands with modifiers, as in `${0:x}`, have no meaning");
    operand.kind = Operand::Kind::Parameter;
    operand.index = *number;
    return Error::success();
  }

  Error parseRegister(Operand &operand) {
    StringRef name = consumeName();
    if (name.empty())
      return fail("expected an operand, found " + describeNext());
    if (name == "_")
      return Error::success();
    for (auto &scope : llvm::reverse(scopes)) {
      auto found = scope.find(name);
      if (found == scope.end())
        continue;
      operand.kind = Operand::Kind::Register;
      operand.index = found->second;
      return Error::success();
    }
    if (name.starts_with("%"))
      return fail("`" + name + "` is a register of the hardware");
    return fail("`" + name + "` is not declared");
  }

  /// Integers, `0f` and `0d` with the bits of a float, and decimal floats.
  Error parseLiteral(Operand &operand) {
    bool isNegative = rest.consume_front("-");
    skipSpace();
    StringRef text = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '.' || c == '_'; });
    rest = rest.drop_front(text.size());
    // An exponent may have a sign.
    if (!text.starts_with_insensitive("0x") && text.ends_with_insensitive("e"))
      if (rest.starts_with("-") || rest.starts_with("+")) {
        size_t length = 1 + rest.drop_front().take_while(llvm::isDigit).size();
        text = StringRef(text.data(), text.size() + length);
        rest = rest.drop_front(length);
      }
    if (!parseInteger(text, isNegative, operand) &&
        !parseFloat(text, isNegative, operand))
      return fail("`" + text + "` is not a number");
    return Error::success();
  }

  static bool parseInteger(StringRef text, bool isNegative, Operand &operand) {
    if (text.size() > 1)
      if (!text.consume_back("U"))
        text.consume_back("u");
    uint64_t value;
    // The radix follows from the prefix, as in C.
    if (text.starts_with_insensitive("0o") || text.getAsInteger(0, value))
      return false;
    operand.kind = Operand::Kind::Integer;
    operand.bits = isNegative ? -value : value;
    return true;
  }

  static bool parseFloat(StringRef text, bool isNegative, Operand &operand) {
    double value = 0;
    uint64_t bits = 0;
    if (text.consume_front_insensitive("0f")) {
      if (text.size() != 8 || text.getAsInteger(16, bits))
        return false;
      value = llvm::bit_cast<float>(static_cast<uint32_t>(bits));
    } else if (text.consume_front_insensitive("0d")) {
      if (text.size() != 16 || text.getAsInteger(16, bits))
        return false;
      value = llvm::bit_cast<double>(bits);
    } else if (text.empty() || !llvm::isDigit(text.front()) ||
               text.find_first_of(".eE") == StringRef::npos ||
               text.getAsDouble(value)) {
      return false;
    }
    operand.kind = Operand::Kind::Float;
    operand.bits = llvm::bit_cast<uint64_t>(isNegative ? -value : value);
    return true;
  }

  /// The text that is not read yet.
  StringRef rest;
  /// The instruction or directive that is being read, for messages.
  std::string opcode;
  /// The names of each open block.
  llvm::SmallVector<llvm::StringMap<unsigned>, 0> scopes;
  Snippet snippet;
};

} // namespace

Expected<Snippet> mlir::triton::intel::ptx::parseSnippet(StringRef text) {
  return Parser(text).parse();
}
