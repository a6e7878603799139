//===- cpu_module.cpp - Python bindings of the CPU runtime ----------------===//
// SPDX-License-Identifier: MIT
//
// `triton_xe._cpu`: the CPU device, its kernels and their launcher. It has the
// surface of `_runtime` but needs neither SYCL nor a driver.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "HostDescriptors.h"
#include "HostLauncher.h"

#include "intel/Runtime/CPU/Launch.h"
#include "intel/Runtime/Error.h"

#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <x86intrin.h>

namespace py = pybind11;
using namespace triton::intel::runtime;
using triton::intel::python::HostLauncher;
using triton::intel::python::LaunchObserver;

namespace {
/// The processor, and what it can run.
class Device {
public:
  /// Throws `Error` of kind `Device` on a processor that no kernel can be made
  /// for.
  static Device openCPU() {
    Device device;
    device.instructionSets = cpu::getInstructionSets();
    if (device.instructionSets.empty())
      throw Error(ErrorKind::Device,
                  "the CPU device needs a processor with AVX2, FMA and F16C");
    device.name = readProcessorName();
    return device;
  }

  std::string name;
  /// The smallest first.
  std::vector<std::string> instructionSets;

private:
  /// As the system has it; a general name where there is none.
  static std::string readProcessorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
      if (line.rfind("model name", 0) == 0) {
        std::size_t colon = line.find(": ");
        if (colon != std::string::npos)
          return line.substr(colon + 2);
      }
    return "x86-64 processor";
  }
};

/// Relocates the object; shared, as launches may still run when Python drops
/// the kernel.
std::shared_ptr<cpu::Kernel> loadKernel(const Device &, const py::bytes &binary,
                                        const std::string &name) {
  std::string_view bytes = binary;
  py::gil_scoped_release release;
  return std::make_shared<cpu::Kernel>(bytes, name);
}

/// The name of the kernel in an object file.
std::string readKernelName(const py::bytes &binary) {
  std::string_view bytes = binary;
  // Nothing of it runs: any address will do for what the object lacks.
  static const char nothing = 0;
  cpu::LoadedObject object(
      bytes, [](const std::string &, cpu::LoadedObject &) -> const void * {
        return &nothing;
      });
  const void *symbol =
      object.find(cpu::kernelInfoSymbol, sizeof(cpu::KernelInfo));
  if (!symbol)
    throw Error(ErrorKind::Binary,
                std::string("damaged kernel binary: there is no `") +
                    cpu::kernelInfoSymbol + "`");
  cpu::KernelInfo info;
  std::memcpy(&info, symbol, sizeof(info));
  return object.readString(info.name);
}

/// How the launcher runs a kernel here.
struct CPURunner {
  using Kernel = cpu::Kernel;

  /// The storage of tensors is queried only where checks need it.
  static bool wantsMemory(const Kernel &kernel) { return kernel.hasChecks(); }
  static void run(const Kernel &kernel, const Geometry &geometry,
                  const std::vector<Argument> &arguments,
                  const std::function<bool()> &shouldStop, bool,
                  const std::vector<ArgumentMemory> &memory) {
    cpu::launch(kernel, geometry, arguments, shouldStop, memory);
  }
};

/// Binds the same properties as the device of `_runtime`, as far as they make
/// sense.
void bindDevice(py::module_ &module) {
  py::class_<Device>(module, "Device", "The processor as a device.")
      .def_static("open_cpu", &Device::openCPU,
                  "The processor; DeviceError if kernels cannot run on it.")
      .def("load_kernel", &loadKernel, py::arg("binary"), py::arg("name"),
           "Load an object file and return the kernel `name`.")
      .def_readonly("name", &Device::name)
      .def_readonly("instruction_sets", &Device::instructionSets,
                    "The targets of kernels, the smallest first.")
      .def_property_readonly("is_cpu", [](const Device &) { return true; })
      .def_property_readonly(
          "max_work_group_size",
          [](const Device &) { return cpu::Kernel::maxWorkGroupSize; })
      .def_property_readonly(
          "compute_units", [](const Device &) { return cpu::getNumThreads(); })
      .def_property_readonly("sub_group_sizes", [](const Device &) {
        return std::vector<unsigned>{8, 16, 32};
      });
}

/// Seconds that one of `count` launches of a program takes, of a kernel without
/// arguments: what a launch from Python cannot be faster than.
double timeLaunches(const cpu::Kernel &kernel, std::int64_t workGroupSize,
                    int count) {
  std::vector<Argument> arguments;
  const cpu::StopRequest neverStop = [] { return false; };
  py::gil_scoped_release release;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i)
    cpu::launch(kernel, {{1, 1, 1}, workGroupSize}, arguments, neverStop, {});
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count() / count;
}

/// Binds the same interface as `_runtime`'s kernels: the driver uses either.
void bindKernel(py::module_ &module) {
  py::class_<cpu::Kernel, std::shared_ptr<cpu::Kernel>>(
      module, "Kernel", "A loaded kernel, ready to launch.")
      .def_property_readonly("name", &cpu::Kernel::getName)
      .def("time_launches", &timeLaunches, py::arg("work_group_size"),
           py::arg("count"),
           "Seconds per launch of one program, without arguments, from C++.")
      .def_property_readonly("argument_count", &cpu::Kernel::getArgumentCount)
      .def_property_readonly("max_work_group_size",
                             [](const cpu::Kernel &kernel) {
                               return cpu::Kernel::maxWorkGroupSize;
                             })
      .def_property_readonly("spill_size",
                             [](const cpu::Kernel &) { return 0; })
      .def_property_readonly("instruction_set", &cpu::Kernel::getInstructionSet)
      .def_property_readonly("shared_memory_size", &cpu::Kernel::getSharedBytes)
      .def_property_readonly("sub_group_size", &cpu::Kernel::getSubGroupSize);

  triton::intel::python::bindDescriptors(module);
  triton::intel::python::bindLauncher<HostLauncher<CPURunner>>(
      module, "A function that packs arguments by a signature and runs a "
              "kernel. `wait` has no effect: it always waits.");
}
} // namespace

PYBIND11_MODULE(_cpu, module) {
  module.doc() = "CPU runtime of triton-xe";
  triton::intel::python::registerErrors();
  bindDevice(module);
  bindKernel(module);
  LaunchObserver::bind(module);
  module.def("kernel_name", &readKernelName, py::arg("binary"),
             "The name of the kernel in an object file.");
  module.def("request_interrupt", &cpu::requestInterrupt,
             "End all launches that run now, at the next iteration of a loop.");
  module.def(
      "read_clock", [] { return static_cast<std::uint64_t>(__rdtsc()); },
      "The clock that records of a profile are of.");
  module.def("divergent_barriers", &cpu::getNumDivergentBarriers,
             "How often a sub-group passed a barrier that another one had "
             "ended without reaching.");
}
