//===- SimulatorTiming.cpp - The timing model in Python -------------------===//
// SPDX-License-Identifier: MIT

#include "SimulatorTiming.h"

#include <map>
#include <mutex>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <utility>

namespace py = pybind11;
using namespace triton::intel::simulator;

namespace triton::intel::python {

namespace {
std::mutex modelMutex;
std::shared_ptr<const ChipModel> modelledChip;
/// The last result of the model, and its kernel.
struct LastLaunch {
  std::string name;
  unsigned registers = 0, spills = 0, mostThreads = 0;
  std::uint64_t cycles = 0, memoryCycles = 0, threads = 0;
  InstructionTiming total;
};
std::optional<LastLaunch> lastLaunch;

py::object describeLast() {
  std::lock_guard<std::mutex> lock(modelMutex);
  if (!lastLaunch)
    return py::none();
  py::dict result;
  result["name"] = lastLaunch->name;
  result["registers"] = lastLaunch->registers;
  result["spills"] = lastLaunch->spills;
  result["most_threads"] = lastLaunch->mostThreads;
  result["cycles"] = lastLaunch->cycles;
  result["memory_cycles"] = lastLaunch->memoryCycles;
  result["threads"] = lastLaunch->threads;
  result["issued"] = lastLaunch->total.issued;
  result["stalls"] = lastLaunch->total.stalls;
  return result;
}

std::shared_ptr<const ChipModel>
setModelledChip(std::shared_ptr<const ChipModel> chip) {
  std::lock_guard<std::mutex> lock(modelMutex);
  std::swap(modelledChip, chip);
  return chip;
}

ChipModel makeChip(unsigned cores, unsigned engines,
                   const std::map<unsigned, unsigned> &threads,
                   unsigned lanesPerCycle, double dpasCyclesPerRow,
                   double loadStoreBytes, double linesPerCycle,
                   double memoryBytes, double memoryReadBytes,
                   std::uint64_t cacheBytes, std::uint64_t sharedBytes,
                   std::optional<std::uint64_t> maxRecorded, bool isSampled) {
  if (!cores || !engines || !lanesPerCycle || loadStoreBytes <= 0 ||
      linesPerCycle <= 0 || memoryBytes <= 0 || memoryReadBytes < 0)
    throw py::value_error("a chip has at least one of everything");
  ChipModel chip;
  chip.cores = cores;
  chip.engines = engines;
  chip.threads = threads;
  chip.lanesPerCycle = lanesPerCycle;
  chip.dpasCyclesPerRow = dpasCyclesPerRow;
  chip.loadStoreBytes = loadStoreBytes;
  chip.linesPerCycle = linesPerCycle;
  chip.memoryBytes = memoryBytes;
  chip.memoryReadBytes = memoryReadBytes;
  chip.cacheBytes = cacheBytes;
  chip.sharedBytes = sharedBytes;
  if (maxRecorded)
    chip.maxRecorded = *maxRecorded;
  chip.isSampled = isSampled;
  return chip;
}
} // namespace

std::shared_ptr<const ChipModel> getModelledChip() {
  std::lock_guard<std::mutex> lock(modelMutex);
  return modelledChip;
}

void addTiming(const Kernel &kernel, const ChipModel &chip,
               const Timing &timing) {
  kernel.addTiming(timing);
  LastLaunch last;
  last.name = kernel.getName();
  last.registers = kernel.getDescription().numRegisters;
  last.spills = kernel.getScratchBytes();
  last.mostThreads = chip.getThreads(last.registers);
  last.cycles = timing.cycles;
  last.memoryCycles = timing.memoryCycles;
  last.threads = timing.threads;
  for (const InstructionTiming &part : timing.instructions)
    last.total += part;
  std::lock_guard<std::mutex> lock(modelMutex);
  lastLaunch = std::move(last);
}

py::dict describeTiming(const Timing &timing, const Code &code) {
  py::list instructions;
  for (std::size_t i = 0; i < timing.instructions.size(); ++i) {
    const InstructionTiming &own = timing.instructions[i];
    instructions.append(
        py::make_tuple(code.instructions[i].address, own.issued, own.stalls));
  }
  py::dict result;
  result["launches"] = timing.launches;
  result["cycles"] = timing.cycles;
  result["memory_cycles"] = timing.memoryCycles;
  result["core_cycles"] = timing.coreCycles;
  result["groups"] = timing.groups;
  result["threads"] = timing.threads;
  result["waves"] = timing.waves;
  result["instructions"] = instructions;
  return result;
}

void bindTiming(py::module_ &module) {
  py::class_<ChipModel, std::shared_ptr<ChipModel>>(
      module, "ChipModel", "The properties of a chip for the timing model.")
      .def(py::init(&makeChip), py::kw_only(), py::arg("cores"),
           py::arg("engines"), py::arg("threads"), py::arg("lanes_per_cycle"),
           py::arg("dpas_cycles_per_row"), py::arg("load_store_bytes"),
           py::arg("lines_per_cycle"), py::arg("memory_bytes"),
           py::arg("memory_read_bytes"), py::arg("cache_bytes"),
           py::arg("shared_bytes"), py::arg("max_recorded") = py::none(),
           py::arg("sampled") = false);
  py::tuple names(numStalls);
  for (unsigned i = 0; i < numStalls; ++i)
    names[i] = getName(static_cast<Stall>(i));
  module.attr("STALLS") = names;
  module.def(
      "model_timing",
      [](std::shared_ptr<ChipModel> chip) {
        return std::const_pointer_cast<ChipModel>(
            setModelledChip(std::move(chip)));
      },
      py::arg("chip").none(true),
      "Let launches be modelled for a chip, or no longer; returns the chip of "
      "before.");
  module.def("last_modelled", &describeLast,
             "The model's result for the last launch while it was on; None "
             "without any.");
}

} // namespace triton::intel::python
