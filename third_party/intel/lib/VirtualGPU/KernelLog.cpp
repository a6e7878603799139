//===- KernelLog.cpp - A line for each kernel that ran --------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/KernelLog.h"

#include "intel/VirtualGPU/Failure.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace triton::intel::vgpu {

namespace {
/// Appends `"name": value` to an object.
void add(std::string &object, const std::string &name,
         const std::string &value) {
  object += (object.empty() ? "{\"" : ", \"") + name + "\": " + value;
}

std::string toList(const std::array<std::uint32_t, 3> &numbers) {
  return "[" + std::to_string(numbers[0]) + ", " + std::to_string(numbers[1]) +
         ", " + std::to_string(numbers[2]) + "]";
}

/// The cycles in which threads of the replayed core issue or wait, by cause.
std::string describeThreads(const simulator::Timing &timing) {
  simulator::InstructionTiming total;
  for (const simulator::InstructionTiming &part : timing.instructions)
    total += part;
  std::string object;
  add(object, "issued", std::to_string(total.issued));
  for (unsigned i = 0; i < simulator::numStalls; ++i)
    add(object, simulator::getName(static_cast<simulator::Stall>(i)),
        std::to_string(total.stalls[i]));
  return object + "}";
}
} // namespace

void writeLogLine(const std::string &path,
                  const simulator::DirectLaunch &launch,
                  const simulator::Timing &timing, unsigned tile) {
  std::string line;
  add(line, "kernel", "\"" + launch.name + "\"");
  add(line, "tile", std::to_string(tile));
  add(line, "groups", toList(launch.groups));
  add(line, "local", toList(launch.local));
  add(line, "threads", std::to_string(launch.numThreads));
  add(line, "registers", std::to_string(launch.numRegisters));
  add(line, "shared", std::to_string(launch.sharedBytes));
  add(line, "executed", std::to_string(timing.numExecuted));
  add(line, "touched_bytes", std::to_string(timing.touchedBytes));
  add(line, "cycles", std::to_string(timing.cycles));
  add(line, "memory_cycles", std::to_string(timing.memoryCycles));
  add(line, "core_cycles", std::to_string(timing.coreCycles));
  add(line, "waves", std::to_string(timing.waves));
  add(line, "threads_of_core", std::to_string(timing.threads));
  add(line, "core", describeThreads(timing));
  line += "}\n";
  // Processes and queues append to the same file, each by one call.
  int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
                    S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  bool isWritten = file >= 0 && ::write(file, line.data(), line.size()) ==
                                    static_cast<ssize_t>(line.size());
  std::string reason = isWritten ? "" : std::strerror(errno);
  if (file >= 0)
    ::close(file);
  if (!isWritten)
    throw QueueError("cannot write the log `" + path + "`: " + reason);
}

} // namespace triton::intel::vgpu
