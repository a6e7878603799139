//===- SimulatedCode.cpp - Pieces of machine code on the simulator --------===//
// SPDX-License-Identifier: MIT

#include "SimulatedCode.h"

#include "intel/Runtime/Error.h"
#include "intel/Simulator/Decoder.h"
#include "intel/Simulator/Machine.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace py = pybind11;
using namespace triton::intel::simulator;
using triton::intel::runtime::Error;
using triton::intel::runtime::ErrorKind;

namespace triton_xe::python {

namespace {
Platform parsePlatform(const std::string &name) {
  if (name == "xehpc")
    return Platform::XeHPC;
  if (name == "xe2")
    return Platform::Xe2;
  if (name == "xe3")
    return Platform::Xe3;
  throw Error(ErrorKind::Device, "no code of `" + name + "` can be simulated");
}

constexpr std::size_t threadBytes = registerFile::maxGRFs * registerBytes;

/// Runs the threads of a group in turn, until all have ended.
void runGroup(WorkGroup &group) {
  constexpr std::uint64_t budget = 10'000'000;
  for (bool isAnyRunning = true; isAnyRunning;) {
    isAnyRunning = false;
    bool hasProgress = false;
    for (Thread *thread : group.threads) {
      if (thread->hasEnded)
        continue;
      std::uint64_t before = thread->numExecuted;
      StopReason reason = thread->run(budget);
      if (reason == StopReason::OutOfTime)
        throw Error(ErrorKind::Launch, "the code does not end");
      // A thread that still waits executes nothing but its wait.
      hasProgress |= reason == StopReason::Ended ||
                     thread->numExecuted > before + 1;
      isAnyRunning |= !thread->hasEnded;
    }
    if (isAnyRunning && !hasProgress)
      throw Error(ErrorKind::Launch, "all threads wait at a barrier");
  }
}

/// The registers of all threads, one behind the other, after a run.
py::bytes runCode(std::string igaJson, const std::string &platform,
                  std::string registers, std::uint32_t lanes,
                  std::uint32_t sharedBytes, std::string indirectData) {
  if (registers.size() % threadBytes)
    throw Error(ErrorKind::Argument,
                "expected the bytes of 256 registers per thread");
  Code code = decode(igaJson, parsePlatform(platform));
  LaunchState launch;
  launch.code = &code;
  launch.indirectData =
      reinterpret_cast<const std::uint8_t *>(indirectData.data());
  launch.indirectBytes = indirectData.size();
  launch.sharedBytes = sharedBytes;
  constexpr std::uint32_t scratchBytes = 1 << 16;
  launch.scratchBytes = scratchBytes;
  WorkGroup group;
  group.launch = &launch;
  group.sharedMemory.assign(sharedBytes, 0);
  std::vector<std::unique_ptr<Thread>> threads;
  for (std::size_t i = 0; i < registers.size() / threadBytes; ++i) {
    threads.push_back(std::make_unique<Thread>());
    Thread &thread = *threads.back();
    auto index = static_cast<unsigned>(i);
    thread.reset(group, index, index, lanes);
    std::memcpy(thread.registers.data(), registers.data() + i * threadBytes,
                threadBytes);
    group.threads.push_back(&thread);
  }
  runGroup(group);
  for (std::size_t i = 0; i < threads.size(); ++i)
    std::memcpy(registers.data() + i * threadBytes,
                threads[i]->registers.data(), threadBytes);
  return py::bytes(registers);
}
} // namespace

void bindSimulatedCode(py::module_ &module) {
  module.def("run_code", &runCode,
             "Run the code that IGA's JSON describes and return the registers "
             "behind it: 256 of 64 bytes for each thread of one work-group.",
             py::arg("iga_json"), py::arg("platform"), py::arg("registers"),
             py::arg("lanes"), py::arg("shared_bytes") = 0,
             py::arg("indirect_data") = std::string());
}

} // namespace triton_xe::python
