//===- Device.h - The device a kernel runs on -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A SYCL device together with the context its kernels are built for and the
// queue they run on. There are two ways to get one: the CPU device, which this
// library opens itself, and a GPU whose queue belongs to the framework
// (torch.xpu hands out a `sycl::queue *`). Everything behind it is the same
// code.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_DEVICE_H
#define INTEL_RUNTIME_DEVICE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace triton::intel::runtime {

class Device {
public:
  /// Opens the CPU through Intel's OpenCL CPU runtime, chosen by its platform:
  /// another OpenCL CPU device on the machine does not take our SPIR-V.
  ///
  /// `openCLDrivers` is the value that OCL_ICD_FILENAMES has while SYCL looks
  /// for devices; it is restored afterwards, so that child processes and other
  /// users of OpenCL see no change. It has no effect once the process has
  /// listed its SYCL devices.
  static Device openCPU(const std::string &openCLDrivers);

  /// The device of a queue that belongs to the caller. The queue is copied
  /// (SYCL queues are handles), so the pointer need not outlive the call.
  static Device fromQueue(std::uintptr_t queue);

  const sycl::device &getDevice() const { return device; }
  const sycl::context &getContext() const { return context; }
  sycl::queue &getQueue() { return queue; }
  /// Where launches go whose time is asked for: the device's own queue has no
  /// events for that. A queue of the caller is what it is.
  sycl::queue &getTimedQueue() { return timedQueue; }

  bool isCPU() const { return cpu; }
  std::string getName() const;
  std::string getPlatformName() const;
  std::string getDriverVersion() const;
  std::size_t getMaxWorkGroupSize() const { return maxWorkGroupSize; }
  std::size_t getLocalMemorySize() const;
  std::size_t getComputeUnits() const;
  std::vector<std::size_t> getSubGroupSizes() const;
  /// In kHz. Those of the memory and the width of its bus (in bits) not every
  /// driver tells.
  std::size_t getClockRate() const;
  std::optional<std::size_t> getMemoryClockRate() const;
  std::optional<std::size_t> getMemoryBusWidth() const;

private:
  explicit Device(sycl::queue queue);
  Device(sycl::queue queue, sycl::queue timedQueue);
  static Device openWithTwoQueues(const sycl::device &device);

  sycl::queue queue, timedQueue;
  sycl::device device;
  sycl::context context;
  std::size_t maxWorkGroupSize;
  bool cpu;
};

/// Drivers have threads, which a fork does not copy: its child would wait for
/// them for ever. Throws `Error` of kind `Device` in a child of a process that
/// had opened a device.
void checkProcess();

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_DEVICE_H
