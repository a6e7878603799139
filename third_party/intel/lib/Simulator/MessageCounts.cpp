//===- MessageCounts.cpp - Bytes and cache lines of a message -------------===//
// SPDX-License-Identifier: MIT

#include "MessageCounts.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>

namespace triton::intel::simulator {

namespace {
constexpr unsigned lineBytes = 64;
/// Shared local memory has 16 banks, whose words of 4 bytes follow each other
/// (Intel's oneAPI GPU optimization guide, "Shared Local Memory").
constexpr unsigned numBanks = 16, bankBytes = 4;

InstructionCounts &getCounts(const Request &request) {
  Thread &thread = request.step.thread;
  return (*thread.counts)[thread.ip];
}

/// How many of the words have to wait for another one of their bank; the same
/// word serves any number of lanes.
unsigned countConflicts(llvm::SmallVectorImpl<std::uint64_t> &words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::array<unsigned, numBanks> uses = {};
  for (std::uint64_t word : words)
    ++uses[word % numBanks];
  unsigned most = *std::max_element(uses.begin(), uses.end());
  return most ? most - 1 : 0;
}

std::uint64_t readAddress(const Request &request, unsigned lane) {
  std::uint64_t address = 0;
  unsigned size = request.message.addressBytes;
  std::memcpy(&address, request.getAddress(lane * size), size);
  return address + static_cast<std::int64_t>(request.message.offset);
}
} // namespace

void countFlat(const Request &request) {
  const Message &message = request.message;
  InstructionCounts &counts = getCounts(request);
  bool isQuad = message.kind == MessageKind::LoadQuad ||
                message.kind == MessageKind::StoreQuad;
  unsigned count =
      isQuad ? static_cast<unsigned>(__builtin_popcount(message.vectorSize))
             : message.vectorSize;
  unsigned laneBytes = count * message.memoryBytes;
  unsigned numLanes = message.isTransposed ? 1 : request.step.numLanes;
  llvm::SmallVector<std::uint64_t, 64> lines, words;
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    if (!request.step.isEnabled(lane))
      continue;
    std::uint64_t address = readAddress(request, lane);
    counts.bytes += laneBytes;
    for (std::uint64_t line = address / lineBytes;
         line <= (address + laneBytes - 1) / lineBytes; ++line)
      lines.push_back(line);
    if (!message.isTransposed)
      words.push_back(address / bankBytes);
  }
  std::sort(lines.begin(), lines.end());
  counts.cacheLines += static_cast<std::uint64_t>(
      std::unique(lines.begin(), lines.end()) - lines.begin());
  // The elements of a vector go one after the other.
  if (request.operands.function == SharedFunction::SLM)
    counts.bankConflicts += std::uint64_t(countConflicts(words)) * count;
}

void countRow(const Request &request, std::uint64_t address,
              std::uint64_t bytes) {
  InstructionCounts &counts = getCounts(request);
  counts.bytes += bytes;
  counts.cacheLines +=
      (address + bytes - 1) / lineBytes - address / lineBytes + 1;
}

} // namespace triton::intel::simulator
