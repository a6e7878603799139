//===- SPIRVBinary.cpp - A look into a SPIR-V module ----------------------===//
//
// Walks the instruction stream once. A SPIR-V instruction starts with a word
// that holds its length in words (high half) and its opcode (low half), so a
// module that was cut off is found without knowing the other 700 opcodes:
// either its last instruction is too long, or a kernel named by OpEntryPoint
// was never defined.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/SPIRVBinary.h"
#include "intel/Runtime/Error.h"

#include <cstdint>
#include <cstring>
#include <set>

namespace triton::intel::runtime {

namespace {
constexpr std::uint32_t magicNumber = 0x07230203;
constexpr std::size_t headerWords = 5;
constexpr std::uint16_t opEntryPoint = 15;
constexpr std::uint16_t opFunction = 54;
constexpr std::uint16_t opFunctionEnd = 56;

[[noreturn]] void fail(const std::string &what) {
  throw Error(ErrorKind::Binary, "damaged SPIR-V binary: " + what);
}
} // namespace

std::vector<std::string> readSPIRVEntryPoints(std::string_view binary) {
  if (binary.size() < headerWords * 4)
    fail("expected a header of 20 bytes, found " +
         std::to_string(binary.size()) + " bytes");
  if (binary.size() % 4)
    fail("expected a multiple of 4 bytes, found " +
         std::to_string(binary.size()));

  std::vector<std::uint32_t> words(binary.size() / 4);
  std::memcpy(words.data(), binary.data(), binary.size());
  if (words[0] != magicNumber)
    fail("wrong magic number");

  struct EntryPoint {
    std::uint32_t function;
    std::string name;
  };
  std::vector<EntryPoint> entryPoints;
  std::set<std::uint32_t> functions;
  std::uint16_t opcode = 0;
  for (std::size_t at = headerWords; at < words.size();) {
    std::size_t length = words[at] >> 16;
    opcode = words[at] & 0xffff;
    if (length == 0 || length > words.size() - at)
      fail("the instruction at byte " + std::to_string(at * 4) +
           " reaches past the end");
    if (opcode == opEntryPoint && length >= 4) {
      // Execution model, function, then a literal string padded with zeros.
      const char *name = reinterpret_cast<const char *>(&words[at + 3]);
      std::size_t capacity = (length - 3) * 4;
      entryPoints.push_back(
          {words[at + 2], std::string(name, strnlen(name, capacity))});
    } else if (opcode == opFunction && length >= 3) {
      functions.insert(words[at + 2]);
    }
    at += length;
  }
  if (opcode != opFunctionEnd)
    fail("the last function has no end");

  std::vector<std::string> names;
  for (EntryPoint &entryPoint : entryPoints) {
    if (!functions.count(entryPoint.function))
      fail("kernel `" + entryPoint.name + "` has no body");
    names.push_back(std::move(entryPoint.name));
  }
  return names;
}

} // namespace triton::intel::runtime
