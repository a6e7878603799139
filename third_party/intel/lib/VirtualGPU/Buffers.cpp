//===- Buffers.cpp - The memory of a virtual GPU --------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Buffers.h"

#include "intel/VirtualGPU/Failure.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace triton::intel::vgpu {

namespace {
/// Bytes of the sparse file: 16 TB, the largest file of Linux's shared memory
/// that needs no separate pages.
constexpr std::uint64_t fileBytes = std::uint64_t(1) << 44;
/// Objects begin at multiples of the largest page that a chip has.
constexpr std::uint64_t objectAlignment = std::uint64_t(1) << 16;
} // namespace

Buffer::~Buffer() { owner.release(*this); }

Buffers::Buffers(std::vector<std::uint64_t> capacities)
    : file(memfd_create("virtual-gpu", MFD_CLOEXEC)),
      capacities(std::move(capacities)), used(this->capacities.size()) {
  if (file < 0 || ftruncate(file, static_cast<off_t>(fileBytes)) != 0)
    throw std::system_error(errno, std::generic_category(),
                            "no memory for a virtual GPU");
}

std::shared_ptr<Buffer> Buffers::create(unsigned region, std::uint64_t size) {
  std::uint64_t offset;
  {
    std::lock_guard<std::mutex> lock(mutex);
    bool isLimited = region != 0;
    if (isLimited &&
        (size > capacities[region] || used[region] > capacities[region] - size))
      throw CallError(ENOMEM, "no room for " + std::to_string(size) +
                                  " bytes: " + std::to_string(used[region]) +
                                  " of " + std::to_string(capacities[region]) +
                                  " bytes of local memory are in use");
    if (size > fileBytes - next)
      throw CallError(ENOMEM, "the file of all objects has no room for " +
                                  std::to_string(size) + " bytes");
    offset = next;
    next += (size + objectAlignment - 1) / objectAlignment * objectAlignment;
    used[region] += size;
  }
  void *host =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
           file, static_cast<off_t>(offset));
  if (host == MAP_FAILED) {
    std::lock_guard<std::mutex> lock(mutex);
    used[region] -= size;
    throw CallError(ENOMEM, "the process has no room for an object of " +
                                std::to_string(size) + " bytes");
  }
  return std::make_shared<Buffer>(*this, region, offset, size,
                                  static_cast<std::uint8_t *>(host));
}

std::uint64_t Buffers::getUsed(unsigned region) const {
  std::lock_guard<std::mutex> lock(mutex);
  return used[region];
}

void Buffers::release(const Buffer &buffer) {
  munmap(buffer.host, buffer.size);
  fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(buffer.offset), static_cast<off_t>(buffer.size));
  std::lock_guard<std::mutex> lock(mutex);
  used[buffer.region] -= buffer.size;
}

} // namespace triton::intel::vgpu
