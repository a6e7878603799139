//===- Barriers.cpp - Signals of a work-group's barriers ------------------===//
// SPDX-License-Identifier: MIT
//
// A thread signals, as a producer, a consumer or both, and waits with sync.bar,
// perhaps later: in between it may do what others need not wait for (split
// barriers). When all producers have signalled, each consumer of the phase may
// pass once (NBARRIER.md in the description of vISA).
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

namespace triton::intel::simulator {

void signalBarrier(Request &request) {
  // The third dword of the payload; the others are not defined.
  std::uint32_t word;
  std::memcpy(&word, request.getAddress(2 * sizeof(word)), sizeof(word));
  enum Role { Both, Producer, Consumer };
  unsigned id = word & 0xff, role = word >> 14 & 3;
  unsigned numProducers = word >> 16 & 0xff, numConsumers = word >> 24 & 0xff;
  if (id >= numBarriers || role > Consumer)
    request.fail("there is no such barrier");
  WorkGroup &group = *request.step.thread.group;
  Barrier &barrier = group.barriers[id];
  ++request.step.thread.numSignals;
  if (role != Consumer)
    ++barrier.numSignalled;
  if (role != Producer)
    barrier.consumers.push_back(
        static_cast<std::uint16_t>(request.step.thread.index));
  if (barrier.numSignalled < numProducers ||
      barrier.consumers.size() < numConsumers)
    return;
  for (std::uint16_t consumer : barrier.consumers)
    ++group.threads[consumer]->credits[id];
  barrier.numSignalled = 0;
  barrier.consumers.clear();
}

} // namespace triton::intel::simulator
