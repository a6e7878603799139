//===- runtime_module.cpp - Python bindings of the SYCL runtime -----------===//
// SPDX-License-Identifier: MIT
//
// `triton_xe._runtime`: devices, kernels and the launcher. It does not load the
// compiler, so that a process that only runs cached kernels stays small.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "HostDescriptors.h"
#include "KernelHandle.h"
#include "LaunchFunction.h"
#include "LaunchObserver.h"
#include "Launcher.h"

#include "intel/ABI/SPIRVBinary.h"
#include "intel/Runtime/Launch.h"
#include "intel/Runtime/LaunchTime.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <time.h>

namespace py = pybind11;
using namespace triton::intel::runtime;
using triton::intel::python::KernelHandle;
using triton::intel::python::KernelVariants;
using triton::intel::python::Launcher;

namespace {
/// Builds the binary, which may take seconds: without the interpreter's lock.
KernelHandle loadKernel(const Device &device, const py::bytes &binary,
                        const std::string &name,
                        const std::vector<std::size_t> &spillSizes) {
  std::string_view bytes = binary;
  py::gil_scoped_release release;
  SpillQuery getSpillSize = querySpillSize;
  if (!spillSizes.empty())
    getSpillSize = [&, next = std::size_t(0)](const sycl::kernel &,
                                              const sycl::device &) mutable {
      return next < spillSizes.size() ? spillSizes[next++] : 0;
    };
  return KernelHandle{device,
                      Module(device, bytes, getSpillSize).getKernel(name)};
}

/// Binds the properties of a device, for targets and messages.
void bindDevice(py::module_ &module) {
  py::class_<Device>(module, "Device",
                     "A SYCL device with the queue that kernels run on.")
      .def_static("open_cpu", &Device::openCPU, py::arg("opencl_drivers"),
                  py::call_guard<py::gil_scoped_release>(),
                  "Open the CPU through Intel's OpenCL CPU runtime.")
      .def_static("from_queue", &Device::fromQueue, py::arg("queue"),
                  "The device of a `sycl::queue *` given as an integer.")
      .def_property_readonly(
          "queue",
          [](Device &device) {
            return reinterpret_cast<std::uintptr_t>(&device.getQueue());
          },
          "The `sycl::queue *` as an integer, valid as long as this object.")
      .def_property_readonly(
          "timed_queue",
          [](Device &device) {
            return reinterpret_cast<std::uintptr_t>(&device.getTimedQueue());
          },
          "Another `sycl::queue *`, whose events know when kernels ran.")
      .def("load_kernel", &loadKernel, py::arg("binary"), py::arg("name"),
           py::arg("spill_sizes") = std::vector<std::size_t>(),
           "Build SPIR-V for this device and return the kernel `name`. With "
           "`spill_sizes`, builds are taken to spill these numbers of bytes, "
           "one after the other, whatever the driver reports: for tests.")
      .def_property_readonly("name", &Device::getName)
      .def_property_readonly("platform", &Device::getPlatformName)
      .def_property_readonly("driver_version", &Device::getDriverVersion)
      .def_property_readonly("is_cpu", &Device::isCPU)
      .def_property_readonly("max_work_group_size",
                             &Device::getMaxWorkGroupSize)
      .def_property_readonly("local_memory_size", &Device::getLocalMemorySize)
      .def_property_readonly("compute_units", &Device::getComputeUnits)
      .def_property_readonly("sub_group_sizes", &Device::getSubGroupSizes)
      .def_property_readonly("clock_rate", &Device::getClockRate, "In kHz.")
      .def_property_readonly(
          "memory_clock_rate", &Device::getMemoryClockRate,
          "In kHz; None where the driver does not report it.")
      .def_property_readonly(
          "memory_bus_width", &Device::getMemoryBusWidth,
          "In bits; None where the driver does not report it.");
}

/// Binds what an observer of launches gets.
void bindLaunchTime(py::module_ &module) {
  py::enum_<LaunchTime::Source>(module, "TimeSource",
                                "The source of the time of a launch.")
      .value("EVENTS", LaunchTime::Source::Events)
      .value("TAGS", LaunchTime::Source::Tags)
      .value("HOST", LaunchTime::Source::Host);
  py::class_<LaunchTime>(module, "LaunchTime", "When a kernel ran.")
      .def_property_readonly("source", &LaunchTime::getSource)
      .def_property_readonly("is_known", &LaunchTime::isKnown,
                             "Whether the kernel has ended.")
      .def("read", &LaunchTime::read, py::call_guard<py::gil_scoped_release>(),
           "Begin and end in nanoseconds, of the device's clock unless the "
           "source is the host. Waits for the kernel.");
}

/// Seconds of this thread per launch of one program, without arguments. Waits
/// for the last of them, outside of the time.
double timeLaunches(KernelHandle &handle, std::int64_t workGroupSize,
                    int count) {
  py::gil_scoped_release release;
  auto readClock = [] {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
  };
  sycl::queue &queue = handle.device.getQueue();
  double begin = readClock();
  for (int i = 0; i < count; ++i)
    launch(queue, handle.kernel, {{1, 1, 1}, workGroupSize}, {},
           /*wait=*/false);
  double seconds = (readClock() - begin) / count;
  queue.wait_and_throw();
  return seconds;
}

/// Kernels and what launches them.
void bindKernel(py::module_ &module) {
  py::class_<KernelHandle>(module, "Kernel",
                           "A kernel loaded on a device, ready to launch.")
      .def_property_readonly(
          "name",
          [](const KernelHandle &handle) { return handle.kernel.getName(); })
      .def("time_launches", &timeLaunches, py::arg("work_group_size"),
           py::arg("count"),
           "Seconds per launch of one program, without arguments, from C++.")
      .def_property_readonly("argument_count",
                             [](const KernelHandle &handle) {
                               return handle.kernel.getArgumentCount();
                             })
      .def_property_readonly("max_work_group_size",
                             [](const KernelHandle &handle) {
                               return handle.kernel.getMaxWorkGroupSize();
                             })
      .def_property_readonly("spill_size",
                             [](const KernelHandle &handle) {
                               return handle.kernel.getSpillSize();
                             })
      .def_property_readonly("sub_group_size",
                             [](const KernelHandle &handle) {
                               return handle.kernel.getSubGroupSize();
                             })
      .def_property_readonly(
          "spill_fallback",
          [](const KernelHandle &handle)
              -> std::optional<std::pair<bool, std::size_t>> {
            const auto &fallback = handle.kernel.getSpillFallback();
            if (!fallback)
              return std::nullopt;
            return std::pair(fallback->isSecond, fallback->otherSpillSize);
          },
          "Whether the kernel is the second build of two, as the first one "
          "spilled registers, and the bytes that the other one spills; None "
          "without a second build.");

  triton::intel::python::bindDescriptors(module);
  triton::intel::python::bindLauncher<Launcher>(
      module, "A function that packs arguments by a signature and "
              "launches a kernel.");
}
} // namespace

PYBIND11_MODULE(_runtime, module) {
  module.doc() = "SYCL runtime of triton-xe";
  triton::intel::python::registerErrors();
  bindDevice(module);
  bindKernel(module);
  bindLaunchTime(module);
  triton::intel::python::LaunchObserver::bind(module);
  module.def(
      "read_build_options",
      [](const py::bytes &binary) {
        return triton::intel::abi::readBuildOptions(std::string_view(binary));
      },
      py::arg("binary"),
      "Options that the SPIR-V module was given on its way.");
  module.def(
      "read_spill_build_options",
      [](const py::bytes &binary) {
        return triton::intel::abi::readSpillBuildOptions(
            std::string_view(binary));
      },
      py::arg("binary"),
      "Options that the SPIR-V module is to be built with where registers are "
      "spilled with the others, or None.");
}
