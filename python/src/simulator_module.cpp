//===- simulator_module.cpp - Python bindings of the simulator ------------===//
// SPDX-License-Identifier: MIT
//
// `triton_xe._simulator`: native code of Intel GPUs, executed instruction by
// instruction on the processor. It has the surface of `_cpu`.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "HostDescriptors.h"
#include "HostLauncher.h"
#include "SimulatedCode.h"
#include "SimulatorTiming.h"

#include "intel/Runtime/Error.h"
#include "intel/Simulator/Launch.h"
#include "intel/Support/ThreadPool.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace triton::intel;
using triton::intel::python::HostLauncher;
using triton::intel::python::LaunchObserver;

namespace {
/// Which code to disassemble: its platform, and its bytes.
py::tuple findCode(const py::bytes &zebin, const std::string &name) {
  simulator::MachineCode code = simulator::findMachineCode(zebin, name);
  return py::make_tuple(
      std::string(code.platform),
      py::bytes(reinterpret_cast<const char *>(code.bytes.data()),
                code.bytes.size()));
}

/// Shared, as launches may still run when Python drops the kernel.
std::shared_ptr<simulator::Kernel> loadKernel(const py::bytes &zebin,
                                              const std::string &name,
                                              const std::string &igaJson) {
  std::string_view bytes = zebin;
  py::gil_scoped_release release;
  return std::make_shared<simulator::Kernel>(bytes, name, igaJson);
}

/// This is true if launches count what they execute.
std::atomic<bool> countsInstructions{false};
/// How their dpas sum.
std::atomic<simulator::DpasOrder> dpasOrder{simulator::DpasOrder::Step};

/// The counts of the launches of all kernels.
std::mutex totalMutex;
simulator::InstructionCounts total;

/// Launches a kernel; counts and models, if that is wanted.
void launchKernel(const simulator::Kernel &kernel,
                  const simulator::Dispatch &dispatch,
                  const std::vector<runtime::Argument> &arguments,
                  const std::function<bool()> &shouldStop,
                  simulator::Watching watching) {
  simulator::Counts counts;
  watching.dpasOrder = dpasOrder;
  if (countsInstructions) {
    counts.resize(kernel.getCode().instructions.size());
    watching.counts = &counts;
  }
  simulator::Timing timing;
  std::shared_ptr<const simulator::ChipModel> chip =
      triton::intel::python::getModelledChip();
  if (chip) {
    watching.chip = chip.get();
    watching.timing = &timing;
  }
  simulator::launch(kernel, dispatch, arguments, shouldStop, watching);
  kernel.addCounts(counts);
  if (chip)
    triton::intel::python::addTiming(kernel, *chip, timing);
  std::lock_guard<std::mutex> lock(totalMutex);
  for (const simulator::InstructionCounts &part : counts)
    total += part;
}

/// An argument as its bits, with the bytes of its memory where it is a buffer.
using BareArgument = std::pair<std::uint64_t, std::uint64_t>;

/// A launch of any kernel, whatever produced it.
void launchBare(const simulator::Kernel &kernel,
                const std::array<std::uint32_t, 3> &groups,
                const std::array<std::uint32_t, 3> &local,
                const std::vector<BareArgument> &bare, bool isChecked) {
  std::vector<runtime::Argument> arguments;
  simulator::Watching watching;
  watching.checks = isChecked;
  for (const auto &[bits, bytes] : bare) {
    arguments.push_back({runtime::ArgumentType::UInt64, bits});
    if (bytes)
      watching.memory.push_back(
          {"argument " + std::to_string(arguments.size() - 1),
           arguments.size() - 1, bits, bits, bytes, 1, /*isKnown=*/true});
  }
  triton::intel::python::runInterruptibly(
      [&](const std::function<bool()> &shouldStop) {
        launchKernel(kernel, {groups, local}, arguments, shouldStop, watching);
      });
}

/// Returns what launches of a kernel have counted: of each instruction its
/// address, and the numbers of `InstructionCounts` in their order.
py::list getCounts(const simulator::Kernel &kernel) {
  py::list result;
  simulator::Counts counts = kernel.getCounts();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const simulator::InstructionCounts &own = counts[i];
    result.append(py::make_tuple(kernel.getCode().instructions[i].address,
                                 own.executions, own.lanes, own.bytes,
                                 own.cacheLines, own.bankConflicts));
  }
  return result;
}

/// Programs are work-groups of one dimension.
struct SimulatorRunner {
  using Kernel = simulator::Kernel;

  static bool wantsMemory(const Kernel &) { return false; }
  static void run(const Kernel &kernel, const runtime::Geometry &geometry,
                  const std::vector<runtime::Argument> &arguments,
                  const std::function<bool()> &shouldStop, bool isChecked,
                  const std::vector<runtime::ArgumentMemory> &memory) {
    runtime::checkGeometry(kernel.getName(), kernel.getMaxWorkGroupSize(),
                           geometry);
    runtime::checkCooperation(kernel.getName(), simulator::maxResidentGroups,
                              geometry);
    simulator::Dispatch dispatch;
    for (int dimension = 0; dimension < 3; ++dimension)
      dispatch.groups[dimension] =
          static_cast<std::uint32_t>(geometry.grid[dimension]);
    dispatch.local = {static_cast<std::uint32_t>(geometry.workGroupSize), 1, 1};
    simulator::Watching watching;
    watching.checks = isChecked;
    watching.memory = memory;
    launchKernel(kernel, dispatch, arguments, shouldStop, watching);
  }
};

void bindKernel(py::module_ &module) {
  using simulator::Kernel;
  py::class_<Kernel, std::shared_ptr<Kernel>>(
      module, "Kernel", "A loaded kernel, ready to launch.")
      .def_property_readonly("name", &Kernel::getName)
      .def_property_readonly("argument_count", &Kernel::getArgumentCount)
      .def_property_readonly("max_work_group_size",
                             &Kernel::getMaxWorkGroupSize)
      .def_property_readonly("spill_size", &Kernel::getScratchBytes)
      .def_property_readonly("shared_memory_size",
                             [](const Kernel &kernel) {
                               return kernel.getDescription().sharedBytes;
                             })
      .def_property_readonly(
          "counts", &getCounts,
          "The sums over launches while counting was on: for each "
          "instruction its address, executions, lanes, bytes, cache lines and "
          "bank conflicts.")
      .def_property_readonly(
          "timing",
          [](const Kernel &kernel) {
            return triton::intel::python::describeTiming(kernel.getTiming(),
                                                         kernel.getCode());
          },
          "The timing model's total for launches while it was on.")
      .def_property_readonly("register_count",
                             [](const Kernel &kernel) {
                               return kernel.getDescription().numRegisters;
                             })
      .def_property_readonly("sub_group_size", [](const Kernel &kernel) {
        return kernel.getDescription().simdSize;
      });

  triton::intel::python::bindDescriptors(module);
  triton::intel::python::bindLauncher<HostLauncher<SimulatorRunner>>(
      module, "A function that packs arguments by a signature and runs a "
              "kernel. `wait` has no effect: it always waits.");
}
} // namespace

PYBIND11_MODULE(_simulator, module) {
  module.doc() = "Simulator of Xe for triton-xe";
  triton::intel::python::registerErrors();
  bindKernel(module);
  LaunchObserver::bind(module);
  triton::intel::python::bindTiming(module);
  module.def("find_code", &findCode, py::arg("zebin"), py::arg("name"),
             "The disassembler's platform and the machine code of a kernel.");
  module.def(
      "kernel_names",
      [](const py::bytes &zebin) { return simulator::findKernelNames(zebin); },
      py::arg("zebin"), "The kernels of a zebin, in order.");
  module.def("load_kernel", &loadKernel, py::arg("zebin"), py::arg("name"),
             py::arg("iga_json"),
             "Load a kernel whose code `iga64` has described as JSON.");
  module.def(
      "launch", &launchBare, py::arg("kernel"), py::arg("groups"),
      py::arg("local"), py::arg("arguments"), py::arg("checks") = false,
      "Launch a kernel in up to three dimensions. Takes for each "
      "argument its bits, and how many bytes it has if it is a buffer; a "
      "pointer to shared local memory is given as its size.");
  py::enum_<simulator::DpasOrder>(module, "DpasOrder",
                                  "How dpas sum products of floats.")
      .value("STEP", simulator::DpasOrder::Step)
      .value("REVERSED", simulator::DpasOrder::Reversed)
      .value("PRODUCT", simulator::DpasOrder::Product)
      .value("WHOLE", simulator::DpasOrder::Whole);
  module.def(
      "set_dpas_order",
      [](simulator::DpasOrder order) { return dpasOrder.exchange(order); },
      py::arg("order"),
      "Let dpas of launches sum in another order; returns the one before.");
  module.def(
      "total_counts",
      [] {
        std::lock_guard<std::mutex> lock(totalMutex);
        return py::make_tuple(total.executions, total.lanes, total.bytes,
                              total.cacheLines, total.bankConflicts);
      },
      "The sums over launches of all kernels while counting was on: "
      "executions, lanes, bytes, cache lines and bank conflicts.");
  module.def(
      "count_instructions",
      [](bool isOn) { return countsInstructions.exchange(isOn); },
      py::arg("is_on"),
      "Let launches count what they execute; returns whether they did.");
  module.def(
      "processor_count",
      [] { return support::ThreadPool::get().getNumThreads(); },
      "Threads that run work-groups.");
  triton::intel::python::bindSimulatedCode(module);
}
