//===- BlockRules.cpp - Rules of 2D block messages ------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/BlockRules.h"

#include <cstdio>

namespace triton::intel::runtime {

namespace {
using abi::BlockOperands;
using abi::BlockRules;

/// Returns all operands in words, for the second line of a message.
std::string describeSurface(const BlockOperands &operands) {
  char base[32];
  std::snprintf(base, sizeof(base), "0x%llx",
                static_cast<unsigned long long>(operands.base));
  return "base " + std::string(base) + ", width " +
         std::to_string(operands.width) + " bytes, height " +
         std::to_string(operands.height) + ", pitch " +
         std::to_string(operands.pitch) + " bytes; the block is at column " +
         std::to_string(operands.x) + ", row " + std::to_string(operands.y);
}

/// A rule that an operand has to satisfy.
struct Rule {
  const char *what;
  /// The value of the operand.
  std::int64_t value;
  /// Bounds; `multiple` is 1 if there is no such rule.
  std::uint32_t least, multiple;
  std::int64_t most;
};

/// Returns a text such as "the width must be at least 64, found 32"; empty if
/// the rule holds.
std::string describeBroken(const Rule &rule) {
  std::string must = std::string("the ") + rule.what + " must be ";
  std::string found = ", found " + std::to_string(rule.value);
  if (rule.value < rule.least)
    return must + "at least " + std::to_string(rule.least) + found;
  if (rule.value > rule.most)
    return must + "at most " + std::to_string(rule.most) + found;
  if (rule.value % rule.multiple)
    return must + "a multiple of " + std::to_string(rule.multiple) + found;
  return {};
}

/// Returns the first rule that is broken; empty if all of them hold.
std::string findBroken(const BlockRules &rules, std::uint32_t elementBytes,
                       const BlockOperands &operands) {
  // A base has a power of two as its rule: hardware ignores the low bits.
  if (operands.base % rules.baseAlignment)
    return "the base must be a multiple of " +
           std::to_string(rules.baseAlignment) + " bytes";
  const Rule bounds[] = {
      {"width", operands.width, rules.minWidth, rules.widthAlignment,
       rules.maxExtent},
      {"pitch", operands.pitch, rules.minPitch, rules.pitchAlignment,
       rules.maxExtent},
      {"height", operands.height, 1, 1, rules.maxExtent},
  };
  for (const Rule &rule : bounds)
    if (std::string broken = describeBroken(rule); !broken.empty())
      return broken;
  if (operands.pitch < operands.width)
    return "the pitch must not be below the width";
  // Columns are elements, the rule counts bytes.
  std::int64_t offset = std::int64_t(operands.x) * elementBytes;
  if (offset % rules.offsetAlignment)
    return "the column must be a multiple of " +
           std::to_string(rules.offsetAlignment) + " bytes, found " +
           std::to_string(offset);
  return {};
}
} // namespace

/// Returns none if the message is legal.
std::optional<std::string> checkBlockRules(const std::string &place,
                                           const BlockRules &rules,
                                           std::uint32_t elementBytes,
                                           const BlockOperands &operands) {
  std::string broken = findBroken(rules, elementBytes, operands);
  if (broken.empty())
    return std::nullopt;
  return place + ": a 2D block message that no hardware takes: " + broken +
         "\n  the surface has " + describeSurface(operands);
}

} // namespace triton::intel::runtime
