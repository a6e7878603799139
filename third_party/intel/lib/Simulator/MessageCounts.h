//===- MessageCounts.h - Bytes and cache lines of a message -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_SIMULATOR_MESSAGECOUNTS_H
#define TRITON_INTEL_LIB_SIMULATOR_MESSAGECOUNTS_H

#include "Messages.h"

namespace triton::intel::simulator {

/// Counts elements at successive addresses of each lane that takes part, or of
/// one address.
void countFlat(const Request &request);

/// Counts bytes in a row, which starts a separate line.
void countRow(const Request &request, std::uint64_t address,
              std::uint64_t bytes);

/// Counts a block of scratch memory.
void countScratch(const Request &request);

/// Records what the timing model needs, if it is on: the message, before the
/// functions above report which lines it touches; and the rows of a prefetch,
/// which count for nothing else.
void recordMessage(const Request &request);
void recordRow(const Request &request, std::uint64_t address,
               std::uint64_t bytes);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_MESSAGECOUNTS_H
