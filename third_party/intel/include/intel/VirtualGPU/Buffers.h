//===- Buffers.h - The memory of a virtual GPU ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// All buffer objects of a device are parts of one sparse file without a name.
// The descriptor of an opened device is a duplicate of this file's, so that the
// driver's own mmap of an object finds the right bytes, and nothing has to
// intercept mmap. The virtual GPU maps each object once more for itself: the
// program may protect or unmap its own mapping.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_BUFFERS_H
#define TRITON_INTEL_VIRTUALGPU_BUFFERS_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace triton::intel::vgpu {

class Buffers;

/// A buffer object, whose memory lives as long as a handle or a binding of it.
class Buffer {
public:
  Buffer(Buffers &owner, unsigned region, std::uint64_t offset,
         std::uint64_t size, std::uint8_t *host)
      : owner(owner), region(region), offset(offset), size(size), host(host) {}
  ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  std::uint64_t getOffset() const { return offset; }
  std::uint64_t getSize() const { return size; }
  std::uint8_t *getHost() const { return host; }
  /// Returns whether it is in memory of the system, the first region.
  bool isOfSystem() const { return region == 0; }
  /// Returns whether it is of these buffers.
  bool isOf(const Buffers &buffers) const { return &owner == &buffers; }

private:
  friend class Buffers;
  Buffers &owner;
  unsigned region;
  std::uint64_t offset, size;
  std::uint8_t *host;
};

class Buffers {
public:
  /// `capacities` are the bytes of each memory region of the device, by its
  /// instance; system memory, the first one, has no limit here. Throws
  /// `std::system_error` if the system gives no file.
  explicit Buffers(std::vector<std::uint64_t> capacities);

  /// Makes an object in a region. Throws `CallError` if the region is full or
  /// the process has no room.
  std::shared_ptr<Buffer> create(unsigned region, std::uint64_t size);

  /// Returns the file of all objects.
  int getFile() const { return file; }
  /// Returns how many bytes of a region are in use.
  std::uint64_t getUsed(unsigned region) const;

private:
  friend class Buffer;
  void release(const Buffer &buffer);

  int file;
  std::vector<std::uint64_t> capacities, used;
  /// The offset at which the next object begins. Offsets are not used again:
  /// the file has more room than a program needs in its life.
  std::uint64_t next = 0;
  mutable std::mutex mutex;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_BUFFERS_H
