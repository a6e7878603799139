//===- Device.h - The device a kernel runs on -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A SYCL device with the context that its kernels are built for, and the queue
// that they run on. There are two ways to get one: this library opens the CPU
// device itself, and the framework passes the queue of a GPU (torch.xpu
// provides a `sycl::queue *`). The code for both is the same.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_DEVICE_H
#define TRITON_INTEL_RUNTIME_DEVICE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace triton::intel::runtime {

class Device {
public:
  /// Opens the CPU through Intel's OpenCL CPU runtime, which is selected by its
  /// platform: other OpenCL CPU devices do not accept our SPIR-V.
  ///
  /// `openCLDrivers` is the value that OCL_ICD_FILENAMES has while SYCL looks
  /// for devices; it is restored afterwards, so that child processes and other
  /// users of OpenCL see no change. It has no effect once the process has
  /// listed its SYCL devices.
  static Device openCPU(const std::string &openCLDrivers);

  /// Returns the device of a queue that belongs to the caller. The queue is
  /// copied (SYCL queues are handles), so the pointer need not outlive the
  /// call.
  static Device fromQueue(std::uintptr_t queue);

  const sycl::device &getDevice() const { return device; }
  const sycl::context &getContext() const { return context; }
  sycl::queue &getQueue() { return queue; }
  /// Returns the queue for launches whose time is measured, because the
  /// device's own queue has no events with times. For a queue of the caller, it
  /// is the same queue.
  sycl::queue &getTimedQueue() { return timedQueue; }

  bool isCPU() const { return cpu; }
  std::string getName() const;
  std::string getPlatformName() const;
  std::string getDriverVersion() const;
  std::size_t getMaxWorkGroupSize() const { return maxWorkGroupSize; }
  std::size_t getLocalMemorySize() const;
  std::size_t getComputeUnits() const;
  std::vector<std::size_t> getSubGroupSizes() const;
  /// Returns the clock rate in kHz. Not every driver reports that of the
  /// memory, and the width of its bus in bits.
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

/// Throws `Error` of kind `Device` in a child of a process that had opened a
/// device before it forked. Drivers have threads that a fork does not copy, and
/// the child would wait for them forever.
void checkProcess();

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_DEVICE_H
