//===- MessageCounts.cpp - Bytes and cache lines of a message -------------===//
// SPDX-License-Identifier: MIT

#include "MessageCounts.h"

#include "Timing/Trace.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>

namespace triton::intel::simulator {

namespace {
/// Shared local memory has 16 banks, whose words of 4 bytes follow each other
/// (Intel's oneAPI GPU optimization guide, "Shared Local Memory").
constexpr unsigned numBanks = 16, bankBytes = 4;

/// Adds to the counts of the instruction, if there are any.
void addCounts(const Request &request, const InstructionCounts &part) {
  Thread &thread = request.step.thread;
  if (thread.counts)
    (*thread.counts)[thread.ip] += part;
}

bool isGlobal(const Request &request) {
  return request.operands.function == SharedFunction::UGM &&
         request.message.space == AddressSpace::Flat;
}

/// Returns where an address is that is not of the flat space: after all of
/// those, so that the numbers of lines are different, and the same in every
/// run.
std::uint64_t getSpaceBase(const Request &request) {
  constexpr std::uint64_t indirectBase = std::uint64_t(1) << 62,
                          scratchBase = std::uint64_t(1) << 63;
  constexpr unsigned scratchShift = 32;
  if (isGlobal(request) || request.operands.function == SharedFunction::SLM)
    return 0;
  if (request.message.space == AddressSpace::BindingTable)
    return indirectBase;
  std::uint64_t thread = request.step.thread.recorder->getNumber();
  return scratchBase | thread << scratchShift;
}

MessageRoute getRoute(const Request &request) {
  bool isShared = request.operands.function == SharedFunction::SLM;
  switch (request.message.kind) {
  case MessageKind::Fence:
    return isShared ? MessageRoute::SharedFence : MessageRoute::Fence;
  case MessageKind::Signal:
    return MessageRoute::Signal;
  case MessageKind::ScratchRead:
  case MessageKind::ScratchWrite:
    return MessageRoute::ScratchBlock;
  case MessageKind::Load:
  case MessageKind::LoadQuad:
  case MessageKind::LoadBlock2D:
  case MessageKind::Store:
  case MessageKind::StoreQuad:
  case MessageKind::StoreBlock2D:
  case MessageKind::Atomic:
    break;
  default:
    return MessageRoute::Other;
  }
  if (isShared)
    return MessageRoute::Shared;
  if (request.message.space == AddressSpace::Surface ||
      request.message.space == AddressSpace::BindlessSurface)
    return MessageRoute::Scratch;
  switch (request.message.kind) {
  case MessageKind::Atomic:
    return MessageRoute::Atomic;
  case MessageKind::Store:
  case MessageKind::StoreQuad:
  case MessageKind::StoreBlock2D:
    return MessageRoute::Store;
  default:
    return request.operands.isNull ? MessageRoute::Prefetch
                                   : MessageRoute::Load;
  }
}

/// Returns whether all lanes run, and the bytes of each follow those of the one
/// before.
bool followEachOther(const Request &request, unsigned numLanes,
                     unsigned laneBytes) {
  bool follows = request.step.enabled == getLaneMask(request.step.numLanes);
  for (unsigned lane = 1; lane < numLanes; ++lane)
    follows &= request.addresses[lane] ==
               request.addresses[0] + std::uint64_t(lane) * laneBytes;
  return follows;
}

/// Returns whether a message takes anything from memory: atomics do, too.
bool isRead(const Request &request) {
  MessageKind kind = request.message.kind;
  return kind != MessageKind::Store && kind != MessageKind::StoreQuad &&
         kind != MessageKind::StoreBlock2D;
}

/// Sorts numbers, and leaves each once.
void makeUnique(llvm::SmallVectorImpl<std::uint64_t> &numbers) {
  // The lines of most messages are sorted.
  if (!std::is_sorted(numbers.begin(), numbers.end()))
    std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Returns how many of the words have to wait for another one of their bank;
/// the same word serves any number of lanes.
unsigned countConflicts(llvm::SmallVectorImpl<std::uint64_t> &words) {
  makeUnique(words);
  std::array<unsigned, numBanks> uses = {};
  for (std::uint64_t word : words)
    ++uses[word % numBanks];
  unsigned most = *std::max_element(uses.begin(), uses.end());
  return most ? most - 1 : 0;
}
} // namespace

void countFlat(const Request &request) {
  const Message &message = request.message;
  InstructionCounts counts;
  bool isShared = request.operands.function == SharedFunction::SLM;
  bool isQuad = message.kind == MessageKind::LoadQuad ||
                message.kind == MessageKind::StoreQuad;
  unsigned count =
      isQuad ? static_cast<unsigned>(__builtin_popcount(message.vectorSize))
             : message.vectorSize;
  unsigned laneBytes = count * message.memoryBytes;
  unsigned numLanes = message.isTransposed ? 1 : request.step.numLanes;
  llvm::SmallVector<std::uint64_t, 64> lines, words;
  // Accesses of lanes that follow each other are like one access.
  if (!isShared && followEachOther(request, numLanes, laneBytes)) {
    laneBytes *= numLanes;
    numLanes = 1;
  }
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    if (!request.step.isEnabled(lane))
      continue;
    std::uint64_t address = request.addresses[lane];
    counts.bytes += laneBytes;
    for (std::uint64_t line = address / lineBytes;
         line <= (address + laneBytes - 1) / lineBytes; ++line)
      if (lines.empty() || line != lines.back())
        lines.push_back(line);
    if (isShared && !message.isTransposed)
      words.push_back(address / bankBytes);
  }
  makeUnique(lines);
  counts.cacheLines = lines.size();
  // The elements of a vector go one after the other.
  if (isShared)
    counts.bankConflicts = std::uint64_t(countConflicts(words)) * count;
  addCounts(request, counts);
  Recorder *recorder = request.step.thread.recorder;
  if (!recorder)
    return;
  recorder->addBytes(counts.bytes, static_cast<unsigned>(counts.bankConflicts));
  if (isShared)
    return;
  std::uint64_t base = getSpaceBase(request) / lineBytes;
  for (std::uint64_t line : lines)
    recorder->addLine(base + line, isGlobal(request), isRead(request));
}

void countRow(const Request &request, std::uint64_t address,
              std::uint64_t bytes) {
  InstructionCounts counts;
  counts.bytes = bytes;
  std::uint64_t first = address / lineBytes,
                last = (address + bytes - 1) / lineBytes;
  counts.cacheLines = last - first + 1;
  addCounts(request, counts);
  recordRow(request, address, bytes);
}

void recordRow(const Request &request, std::uint64_t address,
               std::uint64_t bytes) {
  Recorder *recorder = request.step.thread.recorder;
  if (!recorder)
    return;
  recorder->addBytes(bytes);
  for (std::uint64_t line = address / lineBytes;
       line <= (address + bytes - 1) / lineBytes; ++line)
    recorder->addLine(line, /*isGlobal=*/true, isRead(request));
}

void countScratch(const Request &request) {
  InstructionCounts counts;
  counts.bytes = request.message.scratchBytes;
  addCounts(request, counts);
  Recorder *recorder = request.step.thread.recorder;
  if (!recorder)
    return;
  recorder->addBytes(counts.bytes);
  std::uint64_t begin = getSpaceBase(request) + request.message.scratchOffset;
  for (std::uint64_t offset = 0; offset < counts.bytes; offset += lineBytes)
    recorder->addLine((begin + offset) / lineBytes, /*isGlobal=*/false,
                      /*isRead=*/false);
}

namespace {
/// Returns whether the cache control states that L1 does not keep it: LSC_UC_UC
/// and LSC_UC_CA of IGA's MessageDecoderLSC.cpp, as Xe-HPC has them.
bool passesL1(const Request &request) {
  constexpr unsigned uncached = 1, farCached = 2;
  unsigned control = request.message.cacheControl;
  return request.step.thread.group->launch->code->platform == Platform::XeHPC &&
         (control == uncached || control == farCached);
}
} // namespace

void recordMessage(const Request &request) {
  TracedMessage message;
  message.passesL1 = passesL1(request);
  message.route = getRoute(request);
  message.numLanes = static_cast<std::uint8_t>(request.step.numLanes);
  message.payload = static_cast<std::uint8_t>(request.message.addressLength +
                                              request.operands.dataLength);
  request.step.thread.recorder->beginMessage(message);
}

} // namespace triton::intel::simulator
