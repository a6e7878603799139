//===- Exports.cpp - Objects that descriptors refer to --------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Exports.h"

#include "intel/VirtualGPU/Failure.h"

#include <cerrno>
#include <fcntl.h>
#include <mutex>

namespace triton::intel::vgpu {

int Exports::add(std::shared_ptr<Buffer> buffer, int file, bool closesOnExec) {
  int descriptor = fcntl(file, closesOnExec ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
  if (descriptor < 0)
    throw CallError(errno, "there is no descriptor left");
  std::unique_lock<std::shared_mutex> lock(mutex);
  buffers[descriptor] = std::move(buffer);
  return descriptor;
}

std::shared_ptr<Buffer> Exports::find(int descriptor) const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto found = buffers.find(descriptor);
  return found == buffers.end() ? nullptr : found->second;
}

void Exports::remove(int descriptor) {
  // The object ends outside of the lock.
  std::shared_ptr<Buffer> last = find(descriptor);
  if (!last)
    return;
  std::unique_lock<std::shared_mutex> lock(mutex);
  buffers.erase(descriptor);
}

} // namespace triton::intel::vgpu
