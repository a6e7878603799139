//===- MemoryCode.cpp - Machine code that begins somewhere in memory ------===//
// SPDX-License-Identifier: MIT
//
// Only these bits of an instruction are read, which are the same from Xe-HPC to
// Xe3: the opcode, the bit of compaction, the end of the thread of a send, and
// the targets of branches (visa/iga, IGALibrary/Models and Backend/Native, of
// intel-graphics-compiler). Targets count from the branch itself.
//
//===----------------------------------------------------------------------===//

#include "intel/Simulator/MemoryCode.h"

#include "intel/Runtime/Error.h"

#include <cstring>
#include <set>
#include <string>

namespace triton::intel::simulator {

using runtime::Error;
using runtime::ErrorKind;

namespace {
constexpr std::size_t compactBytes = 8, fullBytes = 16;

enum EncodedOpcode : unsigned {
  firstBranch = 0x20,
  ret = 0x2d,
  lastBranch = 0x2f,
  send = 0x31,
  sendc = 0x32,
};

struct EncodedInstruction {
  std::uint64_t low = 0, high = 0;

  unsigned getOpcode() const { return low & 0x7f; }
  std::size_t getSize() const {
    return low >> 29 & 1 ? compactBytes : fullBytes;
  }
  bool isBranch() const {
    return getOpcode() >= firstBranch && getOpcode() <= lastBranch;
  }
  /// Targets in registers are not known.
  bool hasTarget() const { return low >> 46 & 1; }
  bool hasSecondTarget() const { return low >> 47 & 1; }
  std::int32_t getTarget() const {
    return static_cast<std::int32_t>(high >> 32);
  }
  std::int32_t getSecondTarget() const {
    return static_cast<std::int32_t>(high & 0xffffffff);
  }
  /// Returns whether nothing goes on after it. A return may have a predicate;
  /// then the compiler has a branch to what follows.
  bool isEnd() const {
    bool isSend = getOpcode() == send || getOpcode() == sendc;
    return (isSend && low >> 34 & 1) || getOpcode() == ret;
  }
};

/// Finds the instructions of a kernel.
class Walk {
public:
  Walk(const std::uint8_t *bytes, std::size_t numBytes)
      : bytes(bytes), numBytes(numBytes) {}
  std::vector<std::uint8_t> run();

private:
  EncodedInstruction read(std::size_t place) const;
  void addTarget(std::size_t place, std::int32_t distance);
  void addPadding(std::size_t size);

  const std::uint8_t *bytes;
  std::size_t numBytes;
  /// The places that branches lead to.
  std::set<std::size_t> targets;
  /// The code that was found, and its first compact instruction.
  std::vector<std::uint8_t> code, compact;
};

EncodedInstruction Walk::read(std::size_t place) const {
  auto require = [&](std::size_t size) {
    if (place > numBytes || size > numBytes - place)
      throw Error(ErrorKind::Binary,
                  "machine code: there is no end of the thread in " +
                      std::to_string(numBytes) + " bytes");
  };
  EncodedInstruction instruction;
  require(compactBytes);
  std::memcpy(&instruction.low, bytes + place, sizeof(instruction.low));
  require(instruction.getSize());
  if (instruction.getSize() == fullBytes)
    std::memcpy(&instruction.high, bytes + place + compactBytes,
                sizeof(instruction.high));
  return instruction;
}

void Walk::addTarget(std::size_t place, std::int32_t distance) {
  auto target = static_cast<std::int64_t>(place) + distance;
  if (target < 0)
    throw Error(ErrorKind::Binary,
                "machine code: the branch " + std::to_string(place) +
                    " bytes after the first instruction leads to an address "
                    "before it");
  targets.insert(static_cast<std::size_t>(target));
}

/// Adds padding as instructions of its length, which nothing executes.
/// Instructions of 16 zeros are `illegal`. There is none of 8 bytes that always
/// has a meaning; but where 8 are left, the code has had a compact one.
void Walk::addPadding(std::size_t size) {
  if (size % fullBytes) {
    if (compact.empty())
      throw Error(ErrorKind::Binary,
                  "machine code: a branch leads into an instruction");
    code.insert(code.end(), compact.begin(), compact.end());
  }
  code.resize(code.size() + size / fullBytes * fullBytes);
}

std::vector<std::uint8_t> Walk::run() {
  for (std::size_t place = 0;;) {
    EncodedInstruction instruction = read(place);
    std::size_t size = instruction.getSize();
    if (instruction.isBranch() && size == fullBytes) {
      if (instruction.hasTarget())
        addTarget(place, instruction.getTarget());
      if (instruction.hasSecondTarget())
        addTarget(place, instruction.getSecondTarget());
    }
    code.insert(code.end(), bytes + place, bytes + place + size);
    if (size == compactBytes && compact.empty())
      compact.assign(bytes + place, bytes + place + size);
    place += size;
    if (!instruction.isEnd())
      continue;
    auto next = targets.lower_bound(place);
    if (next == targets.end())
      return std::move(code);
    // Before this number of bytes is filled.
    read(*next);
    addPadding(*next - place);
    place = *next;
  }
}
} // namespace

std::vector<std::uint8_t> readMemoryCode(const std::uint8_t *bytes,
                                         std::size_t numBytes) {
  return Walk(bytes, numBytes).run();
}

} // namespace triton::intel::simulator
