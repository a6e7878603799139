//===- AddressSpace.h - Virtual memory of a virtual GPU ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The bindings of VM_BIND, as ranges that do not overlap. The driver binds at
// any time and from any thread, while queues read and write: lookups share a
// lock, and each thread keeps the range that it found last.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_ADDRESSSPACE_H
#define TRITON_INTEL_VIRTUALGPU_ADDRESSSPACE_H

#include "intel/Simulator/AddressTranslation.h"
#include "intel/VirtualGPU/Buffers.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <vector>

namespace triton::intel::vgpu {

class AddressSpace : public simulator::AddressTranslation {
public:
  /// Addresses have `addressBits` bits. Higher ones are ignored: the driver
  /// writes some addresses with their sign extended, and others without.
  explicit AddressSpace(unsigned addressBits);

  /// Binds a part of an object, or memory of the process. An earlier binding of
  /// these addresses is replaced, and split where it begins earlier or ends
  /// later.
  void bind(std::uint64_t address, std::uint64_t size,
            const std::shared_ptr<Buffer> &buffer, std::uint64_t offset,
            bool isReadOnly);
  void bindUserMemory(std::uint64_t address, std::uint64_t size,
                      std::uint8_t *host, bool isReadOnly);
  void unbind(std::uint64_t address, std::uint64_t size);

  /// Returns the memory of the process that a range is bound to, or null if not
  /// all of it is bound, to memory whose bytes follow each other.
  std::uint8_t *translate(std::uint64_t address, std::uint64_t size,
                          bool isWritten) const;

  /// The range begins where a bound one does, with the upper bits of `address`.
  simulator::MappedRange find(std::uint64_t address) const override;

  /// These copy between the space and memory of the process, over any number of
  /// ranges. They throw `QueueError`, with the first address that is not bound.
  void read(std::uint64_t address, void *bytes, std::uint64_t size) const;
  void write(std::uint64_t address, const void *bytes,
             std::uint64_t size) const;
  /// These are single accesses, which other threads see as a whole.
  std::uint32_t load32(std::uint64_t address) const;
  void store32(std::uint64_t address, std::uint32_t value) const;
  void add32(std::uint64_t address, std::uint32_t value) const;
  std::uint64_t load64(std::uint64_t address) const;
  void store64(std::uint64_t address, std::uint64_t value) const;

  /// Returns the number of ranges.
  std::size_t countRanges() const;

  /// While one of these exists, objects that are unbound stay in memory: a
  /// thread of a kernel may have looked an address up just before. Its next
  /// access is a page fault.
  class Access {
  public:
    explicit Access(AddressSpace &space);
    ~Access();
    Access(const Access &) = delete;
    Access &operator=(const Access &) = delete;

  private:
    AddressSpace &space;
  };

private:
  struct Range {
    std::uint64_t end = 0;
    std::uint8_t *host = nullptr;
    /// Keeps the object; null for memory of the process.
    std::shared_ptr<Buffer> buffer;
    bool isReadOnly = false;
  };
  void insert(std::uint64_t begin, Range range);
  void erase(std::uint64_t begin, std::uint64_t end);
  template <typename Word>
  Word *getWord(std::uint64_t address, bool isWritten) const;
  template <typename Copy>
  void forEachPart(std::uint64_t address, std::uint64_t size, bool isWritten,
                   const Copy &copy) const;

  std::uint64_t mask;
  mutable std::shared_mutex mutex;
  /// The bound ranges by their first addresses.
  std::map<std::uint64_t, Range> ranges;
  /// Objects that were unbound while kernels ran, and how many kernels run.
  std::vector<std::shared_ptr<Buffer>> unbound;
  unsigned numAccesses = 0;
  /// A number that no other state of any space has had: what threads keep is of
  /// one state only.
  std::atomic<std::uint64_t> version;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_ADDRESSSPACE_H
