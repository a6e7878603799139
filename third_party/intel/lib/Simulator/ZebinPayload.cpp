//===- ZebinPayload.cpp - Arguments and ids of a zebin kernel -------------===//
// SPDX-License-Identifier: MIT

#include "ZebinPayload.h"

#include "intel/Runtime/Error.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::simulator {

using runtime::Argument;
using runtime::Error;
using runtime::ErrorKind;

namespace {
std::uint32_t roundUp(std::uint32_t value, std::uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

constexpr std::uint32_t payloadUnit = 32;
} // namespace

ZebinPayload::ZebinPayload(const Kernel &kernel, const Dispatch &dispatch,
                           const std::vector<Argument> &arguments,
                           const LaunchMemory &memory)
    : kernel(kernel), dispatch(dispatch), arguments(arguments), memory(memory) {
  sharedBytes = kernel.getDescription().sharedBytes;
  const KernelDescription &description = kernel.getDescription();
  auto localSize = static_cast<unsigned>(dispatch.getLocalSize());
  numThreads = (localSize + description.simdSize - 1) / description.simdSize;
  std::uint32_t end = 0;
  for (const PayloadArgument &argument : description.arguments)
    end = std::max(end, argument.offset + argument.size);
  inlineBytes = description.inlineBytes;
  crossThread.resize(std::max(roundUp(end, payloadUnit), inlineBytes));
  for (const PayloadArgument &argument : description.arguments)
    write(argument);
  // Inline arguments are in a register and not in memory.
  indirectData.assign(crossThread.begin() + inlineBytes, crossThread.end());
  writeLocalIds();
  indirectData.resize(indirectData.size() + padding);
}

/// Writes one argument to its place. Offsets of work-items are zero, as are
/// bytes that were never written.
void ZebinPayload::write(const PayloadArgument &argument) {
  std::uint8_t bytes[24] = {};
  auto setWords = [&](const std::array<std::uint32_t, 3> &words) {
    std::memcpy(bytes, words.data(), sizeof(words));
  };
  auto setAddress = [&](std::uint64_t address) {
    std::memcpy(bytes, &address, sizeof(address));
  };
  std::uint32_t begin = 0;
  if (argument.kind == "arg_bypointer" || argument.kind == "arg_byvalue") {
    if (argument.index < 0 ||
        static_cast<std::size_t>(argument.index) >= arguments.size())
      throw Error(ErrorKind::Binary,
                  "damaged zebin: an argument without a number");
    std::uint64_t bits = arguments[argument.index].bits;
    // Arguments by value have none.
    if (!argument.addressMode.empty() && argument.addressMode != "stateless" &&
        argument.addressMode != "slm")
      throw Error(ErrorKind::Launch,
                  "kernel `" + kernel.getName() + "` wants argument " +
                      std::to_string(argument.index) + " as a surface (`" +
                      argument.addressMode +
                      "`), which the simulator cannot give");
    if (argument.addressMode == "slm") {
      // The size of a piece of shared memory; the kernel gets its place.
      std::uint32_t place =
          roundUp(sharedBytes, std::max(argument.sharedAlignment, 16u));
      sharedBytes = place + static_cast<std::uint32_t>(bits);
      bits = place;
    }
    setAddress(bits);
    begin = argument.sourceOffset;
  } else if (argument.kind == "local_size" ||
             argument.kind == "enqueued_local_size") {
    setWords(dispatch.local);
  } else if (argument.kind == "group_count") {
    setWords(dispatch.groups);
  } else if (argument.kind == "global_size") {
    setWords({dispatch.groups[0] * dispatch.local[0],
              dispatch.groups[1] * dispatch.local[1],
              dispatch.groups[2] * dispatch.local[2]});
  } else if (argument.kind == "work_dimensions") {
    std::uint32_t dimensions = dispatch.local[2] * dispatch.groups[2] > 1   ? 3
                               : dispatch.local[1] * dispatch.groups[1] > 1 ? 2
                                                                            : 1;
    setWords({dimensions, 0, 0});
  } else if (argument.kind == "global_base") {
    setAddress(kernel.getGlobalBase());
  } else if (argument.kind == "const_base") {
    setAddress(kernel.getConstantBase());
  } else if (argument.kind == "private_base_stateless") {
    setAddress(memory.privateBase);
  } else if (argument.kind == "printf_buffer") {
    setAddress(memory.printBase);
  } else if (argument.kind != "global_id_offset") {
    throw Error(ErrorKind::Launch, "kernel `" + kernel.getName() +
                                       "` wants an argument of kind `" +
                                       argument.kind +
                                       "`, which the simulator cannot give");
  }
  if (begin + argument.size > sizeof(bytes))
    throw Error(ErrorKind::Launch,
                "kernel `" + kernel.getName() + "` takes an argument of " +
                    std::to_string(begin + argument.size) +
                    " bytes, which the simulator cannot give");
  std::memcpy(crossThread.data() + argument.offset, bytes + begin,
              argument.size);
}

/// Ids of 16 bits, one for each lane of a thread and dimension, in whole
/// registers. After the last work-item they go on counting.
void ZebinPayload::writeLocalIds() {
  const KernelDescription &description = kernel.getDescription();
  for (unsigned thread = 0; thread < numThreads; ++thread) {
    for (const PayloadArgument &argument : description.perThreadArguments) {
      if (argument.kind != "local_id")
        throw Error(ErrorKind::Launch, "kernel `" + kernel.getName() +
                                           "` wants `" + argument.kind +
                                           "` per thread");
      unsigned numDimensions = argument.size / registerBytes;
      for (unsigned dimension = 0; dimension < numDimensions; ++dimension) {
        std::uint16_t ids[maxLanes] = {};
        for (unsigned lane = 0; lane < description.simdSize; ++lane) {
          std::uint32_t item = thread * description.simdSize + lane;
          const auto &local = dispatch.local;
          std::uint32_t id[] = {item % local[0], item / local[0] % local[1],
                                item / local[0] / local[1]};
          ids[lane] = static_cast<std::uint16_t>(id[std::min(dimension, 2u)]);
        }
        auto *bytes = reinterpret_cast<const std::uint8_t *>(ids);
        indirectData.insert(indirectData.end(), bytes, bytes + registerBytes);
      }
    }
  }
}

std::uint32_t ZebinPayload::getLanes(unsigned thread) const {
  unsigned simdSize = kernel.getDescription().simdSize;
  auto rest =
      static_cast<unsigned>(dispatch.getLocalSize()) - thread * simdSize;
  unsigned count = std::min(rest, simdSize);
  return ~std::uint32_t(0) >> (maxLanes - count);
}

void ZebinPayload::initialize(Thread &thread,
                              const std::array<std::uint32_t, 3> &group,
                              unsigned number) const {
  initializeHeader(thread, group, number);
  if (inlineBytes)
    std::memcpy(thread.getRegister(1), crossThread.data(), inlineBytes);
}

} // namespace triton::intel::simulator
