//===- SPIRVBinary.cpp - A look into a SPIR-V module ----------------------===//
// SPDX-License-Identifier: MIT
//
// Walks the instruction stream once. A SPIR-V instruction starts with a word
// that holds its length in words (high half) and its opcode (low half), so a
// module that was cut off is found without knowing the other 700 opcodes:
// either its last instruction is too long, or a kernel named by OpEntryPoint
// was never defined.
//
//===----------------------------------------------------------------------===//

#include "intel/ABI/SPIRVBinary.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <sstream>

namespace triton::intel::abi {

namespace {
/// The first word of a module, in the byte order of the machine.
constexpr std::uint32_t magicNumber = 0x07230203;
/// Magic number, version, generator, bound of ids, zero.
constexpr std::size_t headerWords = 5;

// Opcodes by number, as section 3 of the specification has them.
constexpr std::uint16_t opSourceContinued = 2;
constexpr std::uint16_t opSource = 3;
constexpr std::uint16_t opSourceExtension = 4;
constexpr std::uint16_t opName = 5;
constexpr std::uint16_t opMemberName = 6;
constexpr std::uint16_t opString = 7;
constexpr std::uint16_t opExtension = 10;
constexpr std::uint16_t opExtInstImport = 11;
constexpr std::uint16_t opMemoryModel = 14;
constexpr std::uint16_t opEntryPoint = 15;
constexpr std::uint16_t opExecutionMode = 16;
constexpr std::uint16_t opCapability = 17;
constexpr std::uint16_t opFunction = 54;
constexpr std::uint16_t opFunctionEnd = 56;
constexpr std::uint16_t opModuleProcessed = 330;
constexpr std::uint16_t opExecutionModeId = 331;

/// The prefix of a record of build options.
constexpr std::string_view optionsPrefix = "triton-xe build options: ";
/// The prefix of a record of the options after spills.
constexpr std::string_view spillOptionsPrefix =
    "triton-xe build options after spills: ";
/// The prefix of the record of an assertion's text.
constexpr std::string_view assertionPrefix = "triton-xe assertion: ";
/// The prefix of the record of a checked 2D block message: numbers and the
/// place follow.
constexpr std::string_view blockMessagePrefix = "triton-xe block message: ";

/// Throws: a file that was cut off or is of something else.
[[noreturn]] void fail(const std::string &what) {
  throw BinaryError("damaged SPIR-V binary: " + what);
}

/// Returns the words of `binary`; fails when it does not look like SPIR-V.
std::vector<std::uint32_t> readWords(std::string_view binary) {
  if (binary.size() < headerWords * 4)
    fail("expected a header of 20 bytes, found " +
         std::to_string(binary.size()) + " bytes");
  if (binary.size() % 4)
    fail("expected a multiple of 4 bytes, found " +
         std::to_string(binary.size()));
  std::vector<std::uint32_t> words(binary.size() / 4);
  // Copied, as the bytes need not be aligned.
  std::memcpy(words.data(), binary.data(), binary.size());
  if (words[0] != magicNumber)
    fail("wrong magic number");
  return words;
}

/// Calls `visit(opcode, position, length)` for every instruction, in words.
template <typename Visitor>
void visitInstructions(const std::vector<std::uint32_t> &words,
                       Visitor &&visit) {
  for (std::size_t at = headerWords; at < words.size();) {
    // A length of zero would never end.
    std::size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      fail("the instruction at byte " + std::to_string(at * 4) +
           " reaches past the end");
    visit(static_cast<std::uint16_t>(words[at] & 0xffff), at, length);
    at += length;
  }
}

/// Returns the literal string, padded with zeros, in `words[from, to)`.
std::string readString(const std::vector<std::uint32_t> &words,
                       std::size_t from, std::size_t to) {
  const char *text = reinterpret_cast<const char *>(words.data() + from);
  return std::string(text, strnlen(text, (to - from) * 4));
}

/// Returns whether an instruction comes before OpModuleProcessed in the
/// order that section 2.4 of the specification prescribes.
bool precedesModuleProcessed(std::uint16_t opcode) {
  switch (opcode) {
  case opCapability:
  case opExtension:
  case opExtInstImport:
  case opMemoryModel:
  case opEntryPoint:
  case opExecutionMode:
  case opExecutionModeId:
  case opString:
  case opSource:
  case opSourceContinued:
  case opSourceExtension:
  case opName:
  case opMemberName:
    return true;
  default:
    return false;
  }
}

/// Returns `binary` with an OpModuleProcessed of `prefix` and `text`, before
/// those that it has.
std::string addRecord(std::string_view binary, std::string_view prefix,
                      std::string_view content) {
  std::vector<std::uint32_t> words = readWords(binary);
  // After the instructions that must come first.
  std::size_t place = words.size();
  visitInstructions(
      words, [&](std::uint16_t opcode, std::size_t at, std::size_t) {
        if (place == words.size() && !precedesModuleProcessed(opcode))
          place = at;
      });

  std::string text = std::string(prefix) + std::string(content);
  // The string ends in at least one zero.
  std::vector<std::uint32_t> record(1 + text.size() / 4 + 1);
  record[0] =
      static_cast<std::uint32_t>(record.size()) << 16 | opModuleProcessed;
  std::memcpy(record.data() + 1, text.data(), text.size());
  // A new one comes ahead of the existing ones: in reverse order, records come
  // out in order.
  words.insert(words.begin() + place, record.begin(), record.end());
  return std::string(reinterpret_cast<const char *>(words.data()),
                     words.size() * 4);
}

/// Returns the contents of all records with `prefix`, in order.
std::vector<std::string> readRecords(std::string_view binary,
                                     std::string_view prefix) {
  std::vector<std::uint32_t> words = readWords(binary);
  std::vector<std::string> contents;
  visitInstructions(
      words, [&](std::uint16_t opcode, std::size_t at, std::size_t length) {
        // Records of other tools are left alone.
        if (opcode != opModuleProcessed || length < 2)
          return;
        std::string text = readString(words, at + 1, at + length);
        if (text.compare(0, prefix.size(), prefix) == 0)
          contents.push_back(text.substr(prefix.size()));
      });
  return contents;
}
} // namespace

std::vector<std::string> readSPIRVEntryPoints(std::string_view binary) {
  std::vector<std::uint32_t> words = readWords(binary);
  struct EntryPoint {
    std::uint32_t function;
    std::string name;
  };
  std::vector<EntryPoint> entryPoints;
  // Results of OpFunction, defined ones and imported ones.
  std::set<std::uint32_t> functions;
  std::uint16_t last = 0;
  visitInstructions(
      words, [&](std::uint16_t opcode, std::size_t at, std::size_t length) {
        // Execution model, function, name.
        if (opcode == opEntryPoint && length >= 4)
          entryPoints.push_back(
              {words[at + 2], readString(words, at + 3, at + length)});
        else if (opcode == opFunction && length >= 3)
          functions.insert(words[at + 2]);
        last = opcode;
      });
  // Functions are the last part of a module.
  if (last != opFunctionEnd)
    fail("the last function has no end");

  std::vector<std::string> names;
  for (EntryPoint &entryPoint : entryPoints) {
    if (!functions.count(entryPoint.function))
      fail("kernel `" + entryPoint.name + "` has no body");
    names.push_back(std::move(entryPoint.name));
  }
  return names;
}

std::string addBuildOptions(std::string_view binary, std::string_view options) {
  return addRecord(binary, optionsPrefix, options);
}

/// Several records are one list of options.
std::string readBuildOptions(std::string_view binary) {
  std::string options;
  for (const std::string &record : readRecords(binary, optionsPrefix))
    options += (options.empty() ? "" : " ") + record;
  return options;
}

std::string addSpillBuildOptions(std::string_view binary,
                                 std::string_view options) {
  return addRecord(binary, spillOptionsPrefix, options);
}

/// There is one at most.
std::optional<std::string> readSpillBuildOptions(std::string_view binary) {
  std::vector<std::string> records = readRecords(binary, spillOptionsPrefix);
  if (records.empty())
    return std::nullopt;
  return records.front();
}

/// Backwards: each goes ahead of those before it.
std::string addAssertions(std::string_view binary,
                          const std::vector<std::string> &texts) {
  std::string result(binary);
  for (auto text = texts.rbegin(); text != texts.rend(); ++text)
    result = addRecord(result, assertionPrefix, *text);
  return result;
}

std::vector<std::string> readAssertions(std::string_view binary) {
  return readRecords(binary, assertionPrefix);
}

namespace {
/// Returns a text such as "2 64 4 ... file.py:12".
std::string writeRecord(const CheckedBlockMessage &message) {
  const BlockRules &rules = message.rules;
  std::string text;
  for (std::uint32_t number :
       {message.elementBytes, rules.baseAlignment, rules.widthAlignment,
        rules.pitchAlignment, rules.offsetAlignment, rules.minWidth,
        rules.minPitch, rules.maxExtent})
    text += std::to_string(number) + " ";
  return text + message.place;
}

/// Throws for a text that cannot have been written here.
CheckedBlockMessage readRecord(const std::string &text) {
  CheckedBlockMessage message;
  BlockRules &rules = message.rules;
  std::istringstream stream(text);
  for (std::uint32_t *number :
       {&message.elementBytes, &rules.baseAlignment, &rules.widthAlignment,
        &rules.pitchAlignment, &rules.offsetAlignment, &rules.minWidth,
        &rules.minPitch, &rules.maxExtent})
    stream >> *number;
  // Alignments are divisors.
  if (!stream || stream.get() != ' ' || !rules.baseAlignment ||
      !rules.widthAlignment || !rules.pitchAlignment || !rules.offsetAlignment)
    fail("`" + text + "` is no record of a 2D block message");
  std::getline(stream, message.place, '\0');
  return message;
}
} // namespace

std::string addBlockMessages(std::string_view binary,
                             const std::vector<CheckedBlockMessage> &messages) {
  std::string result(binary);
  for (auto message = messages.rbegin(); message != messages.rend(); ++message)
    result = addRecord(result, blockMessagePrefix, writeRecord(*message));
  return result;
}

std::vector<CheckedBlockMessage> readBlockMessages(std::string_view binary) {
  std::vector<CheckedBlockMessage> messages;
  for (const std::string &record : readRecords(binary, blockMessagePrefix))
    messages.push_back(readRecord(record));
  return messages;
}

} // namespace triton::intel::abi
