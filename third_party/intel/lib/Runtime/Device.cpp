//===- Device.cpp - The device a kernel runs on ---------------------------===//
// SPDX-License-Identifier: MIT
//
// Finds the CPU device by its platform, or takes the device of a caller's
// queue.
//
// Intel's OpenCL CPU runtime from PyPI is not registered with the system's
// OpenCL loader, so the loader gets its path through OCL_ICD_FILENAMES. The
// loader reads the variable when SYCL lists its platforms for the first time.
// The variable is set only for that moment.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Device.h"
#include "intel/Runtime/Error.h"

#include <atomic>
#include <cstdlib>
#include <optional>
#include <pthread.h>

namespace triton::intel::runtime {

namespace {
/// The name of the platform.
constexpr const char *cpuPlatform = "Intel(R) OpenCL";
/// The environment variable that the OpenCL loader reads.
constexpr const char *driversVariable = "OCL_ICD_FILENAMES";

/// Sets an environment variable of the C library for the life of the object.
class ScopedVariable {
public:
  ScopedVariable(const char *name, const std::string &value) : name(name) {
    if (const char *current = std::getenv(name))
      previous = current;
    setenv(name, value.c_str(), /*overwrite=*/1);
  }
  ~ScopedVariable() {
    // As it was, set or not.
    if (previous)
      setenv(name, previous->c_str(), /*overwrite=*/1);
    else
      unsetenv(name);
  }
  ScopedVariable(const ScopedVariable &) = delete;
  ScopedVariable &operator=(const ScopedVariable &) = delete;

private:
  const char *name;
  std::optional<std::string> previous;
};

/// This is true if this process is a child of one that had opened a device.
std::atomic<bool> isForked{false};

/// Once, when there is a driver that a child would lack.
void watchForks() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { isForked = true; });
  static_cast<void>(registered);
}

/// Describes what there is instead, for a message.
std::string describeDevices(const std::vector<sycl::platform> &platforms) {
  std::string text;
  for (const sycl::platform &platform : platforms) {
    for (const sycl::device &device : platform.get_devices()) {
      text += text.empty() ? "" : ", ";
      text += "`" + device.get_info<sycl::info::device::name>() + "` of `" +
              platform.get_info<sycl::info::platform::name>() + "`";
    }
  }
  return text.empty() ? "none" : text;
}
} // namespace

Device::Device(sycl::queue queue) : Device(queue, queue) {}

/// Numbers that every launch needs are queried once.
Device::Device(sycl::queue queue, sycl::queue timedQueue)
    : queue(std::move(queue)), timedQueue(std::move(timedQueue)),
      device(this->queue.get_device()), context(this->queue.get_context()),
      maxWorkGroupSize(
          device.get_info<sycl::info::device::max_work_group_size>()),
      cpu(device.is_cpu()) {
  watchForks();
}

void checkProcess() {
  if (isForked.load(std::memory_order_relaxed))
    throw Error(ErrorKind::Device,
                "this process was forked from one that had opened a SYCL "
                "device, whose driver does not work here: start it with "
                "`spawn` (multiprocessing.set_start_method)");
}

/// Both queues run in order, as kernels of one stream do. The first one names
/// an empty handler of exceptions: headers of SYCL 2026.2 would name one that
/// the library of 2026.0, which torch 2.13 pins, does not have.
Device Device::openWithTwoQueues(const sycl::device &device) {
  namespace property = sycl::property::queue;
  sycl::queue queue(device, sycl::async_handler(), property::in_order());
  sycl::queue timed(queue.get_context(), device,
                    {property::in_order(), property::enable_profiling()});
  return Device(std::move(queue), std::move(timed));
}

/// See Device.h. Throws `Error` of kind `Device` with a list of what was found.
Device Device::openCPU(const std::string &openCLDrivers) {
  checkProcess();
  try {
    std::vector<sycl::platform> platforms;
    {
      // Only while SYCL looks for platforms.
      ScopedVariable drivers(driversVariable, openCLDrivers);
      platforms = sycl::platform::get_platforms();
    }
    for (const sycl::platform &platform : platforms) {
      if (platform.get_info<sycl::info::platform::name>() != cpuPlatform)
        continue;
      for (const sycl::device &device : platform.get_devices())
        if (device.is_cpu())
          return openWithTwoQueues(device);
    }
    throw Error(ErrorKind::Device,
                "no Intel OpenCL CPU device: SYCL devices found: " +
                    describeDevices(platforms) + "; OpenCL drivers: " +
                    (openCLDrivers.empty() ? "none" : openCLDrivers));
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Device,
                std::string("cannot open the CPU device: ") + error.what());
  }
}

/// Throws `Error` of kind `Device` for null. Any other number is believed to be
/// a queue.
Device Device::fromQueue(std::uintptr_t queue) {
  checkProcess();
  if (!queue)
    throw Error(ErrorKind::Device,
                "expected a SYCL queue, found a null handle");
  try {
    return Device(*reinterpret_cast<sycl::queue *>(queue));
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Device,
                std::string("cannot use the queue's device: ") + error.what());
  }
}

std::string Device::getName() const {
  return device.get_info<sycl::info::device::name>();
}

std::string Device::getPlatformName() const {
  return device.get_platform().get_info<sycl::info::platform::name>();
}

std::string Device::getDriverVersion() const {
  return device.get_info<sycl::info::device::driver_version>();
}

std::size_t Device::getLocalMemorySize() const {
  return device.get_info<sycl::info::device::local_mem_size>();
}

std::size_t Device::getComputeUnits() const {
  return device.get_info<sycl::info::device::max_compute_units>();
}

std::vector<std::size_t> Device::getSubGroupSizes() const {
  return device.get_info<sycl::info::device::sub_group_sizes>();
}

/// SYCL has it in MHz.
std::size_t Device::getClockRate() const {
  return 1000 * std::size_t(
                    device.get_info<sycl::info::device::max_clock_frequency>());
}

std::optional<std::size_t> Device::getMemoryClockRate() const {
  namespace intel = sycl::ext::intel::info::device;
  if (!device.has(sycl::aspect::ext_intel_memory_clock_rate))
    return std::nullopt;
  return 1000 * std::size_t(device.get_info<intel::memory_clock_rate>());
}

std::optional<std::size_t> Device::getMemoryBusWidth() const {
  namespace intel = sycl::ext::intel::info::device;
  if (!device.has(sycl::aspect::ext_intel_memory_bus_width))
    return std::nullopt;
  return device.get_info<intel::memory_bus_width>();
}

} // namespace triton::intel::runtime
