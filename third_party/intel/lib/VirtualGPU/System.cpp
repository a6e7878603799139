//===- System.cpp - The virtual GPUs of the process -----------------------===//
// SPDX-License-Identifier: MIT

#include "System.h"

#include "intel/VirtualGPU/Failure.h"
#include "intel/VirtualGPU/KernelCache.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace triton::intel::vgpu {

System *System::get() {
  // Opening files, which making it does, comes here again.
  static thread_local bool isMaking = false;
  if (isMaking)
    return nullptr;
  // Never destroyed: queues run until the process has ended.
  static std::atomic<System *> made = nullptr;
  if (System *system = made.load(std::memory_order_acquire))
    return system;
  // A process may get a chip later than its first file, as one does that was
  // forked from a process without any.
  if (!hasChip())
    return nullptr;
  static System *const instance = [] {
    isMaking = true;
    System *system = nullptr;
    try {
      system = new System();
    } catch (const std::exception &error) {
      report(error.what());
      _exit(1);
    }
    isMaking = false;
    made.store(system, std::memory_order_release);
    return system;
  }();
  return instance;
}

System::System() : settings(readSettings()) {
  const Chip *chip = findChip(settings.chip);
  if (!chip)
    throw std::runtime_error("there is no chip `" + settings.chip + "`");
  for (unsigned i = 0; i < settings.count; ++i)
    devices.push_back(std::make_unique<Device>(*chip, i));
  files = std::make_unique<FileTree>(settings.cache, devices);
}

int System::open(unsigned device, int flags) {
  int descriptor = fcntl(devices[device]->getBuffers().getFile(),
                         flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
  if (descriptor < 0)
    return -1;
  // Kernels are kept for all queues of the process.
  static KernelCache &kernels = *new KernelCache(settings.cache);
  RunnerFactory makeRunner = [this](Device &device,
                                    std::shared_ptr<AddressSpace> space,
                                    std::vector<unsigned> units) {
    auto processor = std::make_shared<CommandProcessor>(
        device.getChip(), std::move(space), kernels, settings.execution,
        QueueClock(device.getClock(), std::move(units)));
    return [processor](std::uint64_t address, const std::atomic<bool> &stops) {
      processor->run(address, stops);
    };
  };
  add(descriptor, std::make_shared<KernelInterface>(*devices[device], exports,
                                                    std::move(makeRunner)));
  return descriptor;
}

std::shared_ptr<KernelInterface> System::find(int descriptor) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto found = opened.find(descriptor);
  return found == opened.end() ? nullptr : found->second;
}

void System::add(int descriptor, std::shared_ptr<KernelInterface> interface) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  opened[descriptor] = std::move(interface);
}

void System::remove(int descriptor) {
  exports.remove(descriptor);
  // Its queues end outside of the lock.
  std::shared_ptr<KernelInterface> last = find(descriptor);
  if (!last)
    return;
  std::unique_lock<std::shared_mutex> lock(mutex);
  opened.erase(descriptor);
}

} // namespace triton::intel::vgpu
