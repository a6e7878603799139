//===- CoreMemory.cpp - When messages are answered ------------------------===//
// SPDX-License-Identifier: MIT

#include "CoreMemory.h"

#include "intel/Target/LatencyTable.h"

#include <algorithm>

namespace triton::intel::simulator {

const std::uint64_t *LineCache::find(std::uint64_t line) {
  auto place = places.find(line);
  if (place == places.end())
    return nullptr;
  entries.splice(entries.begin(), entries, place->second);
  return &entries.front().arrival;
}

void LineCache::insert(std::uint64_t line, std::uint64_t arrival) {
  if (!capacity)
    return;
  if (places.size() >= capacity) {
    places.erase(entries.back().line);
    entries.pop_back();
  }
  entries.push_front({line, arrival});
  places[line] = entries.begin();
}

double CoreMemory::passFar(double begin) {
  begin = std::max(begin, farFree);
  farFree = begin + 1 / chip.linesPerCycle;
  return begin;
}

std::uint64_t CoreMemory::access(double begin, const TracedMessage &message,
                                 const std::uint64_t *lines, bool &isFar) {
  std::uint64_t last = static_cast<std::uint64_t>(begin) + latency::nearCache;
  bool allocates = message.route != MessageRoute::Atomic &&
                   message.route != MessageRoute::Store && !message.passesL1;
  for (unsigned i = 0; i < message.numLines; ++i) {
    if (allocates)
      if (const std::uint64_t *arrival = cache.find(lines[i])) {
        last = std::max(last, *arrival);
        continue;
      }
    isFar = true;
    std::uint64_t arrival =
        static_cast<std::uint64_t>(passFar(begin)) + latency::farCache;
    last = std::max(last, arrival);
    if (allocates)
      cache.insert(lines[i], arrival);
  }
  return last;
}

CoreMemory::Answer CoreMemory::send(std::uint64_t cycle,
                                    const TracedMessage &message,
                                    const std::uint64_t *lines) {
  Answer answer;
  answer.read = cycle + latency::messageRead + message.payload;
  auto answerAfter = [&](unsigned cycles) {
    answer.written = cycle + cycles;
    return answer;
  };
  bool isShared = message.route == MessageRoute::Shared;
  switch (message.route) {
  case MessageRoute::SharedFence:
    answer.cause = Stall::Shared;
    return answerAfter(latency::sharedFence);
  case MessageRoute::Fence:
    return answerAfter(latency::fence);
  case MessageRoute::Signal:
    return answerAfter(latency::barrier);
  case MessageRoute::Other:
    return answerAfter(latency::otherMessage);
  default:
    break;
  }
  // Everything else passes the queue before L1 and shared memory.
  double begin = std::max(static_cast<double>(cycle), nearFree);
  std::uint64_t bytes =
      isShared ? message.bytes : std::uint64_t(message.numLines) * lineBytes;
  double end = begin + static_cast<double>(bytes) / chip.loadStoreBytes;
  if (isShared) {
    nearFree = end + message.conflicts;
    constexpr unsigned wide = 16;
    unsigned cycles =
        message.numLanes > wide ? latency::sharedWide : latency::shared;
    answer.cause = Stall::Shared;
    answer.written =
        static_cast<std::uint64_t>(end) + cycles + message.conflicts;
    answer.queued = static_cast<std::uint64_t>(end) - cycle;
    return answer;
  }
  nearFree = end;
  bool isFar = false;
  std::uint64_t last = access(end, message, lines, isFar);
  std::uint64_t expected =
      cycle + (isFar ? latency::farCache : latency::nearCache);
  if (message.route == MessageRoute::ScratchBlock) {
    last = std::max(last, cycle + latency::scratch);
    expected = std::max(expected, cycle + latency::scratch);
  }
  bool isAnswered = message.route != MessageRoute::Prefetch &&
                    message.route != MessageRoute::Store;
  answer.written = isAnswered ? std::max(last, answer.read) : answer.read;
  answer.queued = isAnswered && last > expected ? last - expected : 0;
  return answer;
}

} // namespace triton::intel::simulator
