//===- KernelInterface.h - An opened virtual GPU ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// This class has what the kernel's driver keeps for each open of a render node,
// which is handles of objects, address spaces and queues, and its calls. A
// call, a flag or a field that is not known fails, and is written to standard
// error with its number and bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_KERNELINTERFACE_H
#define TRITON_INTEL_VIRTUALGPU_KERNELINTERFACE_H

#include "intel/VirtualGPU/AddressSpace.h"
#include "intel/VirtualGPU/Device.h"
#include "intel/VirtualGPU/DriverCalls.h"
#include "intel/VirtualGPU/ExecQueue.h"
#include "intel/VirtualGPU/Exports.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace triton::intel::vgpu {

/// Makes what runs the batches of a new queue, on one of some units of the
/// device's clock.
using RunnerFactory = std::function<BatchRunner(
    Device &device, std::shared_ptr<AddressSpace> space,
    std::vector<unsigned> units)>;

class KernelInterface {
public:
  KernelInterface(Device &device, Exports &exports, RunnerFactory makeRunner);

  Device &getDevice() const { return device; }

  /// Carries out an ioctl; returns 0, or a number of errno.
  int call(unsigned long request, void *argument);

private:
  struct Entry;
  static const Entry *find(unsigned number);

  void getVersion(calls::Version &call);
  void closeObject(calls::GemClose &call);
  void exportObject(calls::PrimeHandle &call);
  void importObject(calls::PrimeHandle &call);
  void query(calls::DeviceQuery &call);
  void queryCycles(calls::DeviceQuery &call);
  void createObject(calls::GemCreate &call);
  void findOffset(calls::GemMmapOffset &call);
  void createSpace(calls::VMCreate &call);
  void destroySpace(calls::VMDestroy &call);
  void bind(calls::VMBind &call);
  void bindOne(AddressSpace &space, const calls::BindOperation &operation);
  void createQueue(calls::ExecQueueCreate &call);
  void destroyQueue(calls::ExecQueueDestroy &call);
  void getQueueProperty(calls::ExecQueueGetProperty &call);
  void execute(calls::Exec &call);
  void wait(calls::WaitUserFence &call);

  /// These return what a number refers to, or throw `CallError`.
  std::shared_ptr<Buffer> findObject(std::uint32_t handle);
  std::shared_ptr<AddressSpace> findSpace(std::uint32_t number);
  std::shared_ptr<ExecQueue> findQueue(std::uint32_t number);

  Device &device;
  Exports &exports;
  RunnerFactory makeRunner;
  std::mutex mutex;
  std::map<std::uint32_t, std::shared_ptr<Buffer>> objects;
  std::map<std::uint32_t, std::shared_ptr<AddressSpace>> spaces;
  std::map<std::uint32_t, std::shared_ptr<ExecQueue>> queues;
  std::shared_ptr<QueueGroup> group = std::make_shared<QueueGroup>();
  /// The page of `calls::mapBarrierPage`, once it was mapped.
  std::shared_ptr<Buffer> barrierPage;
  std::uint32_t lastNumber = 0;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_KERNELINTERFACE_H
