//===- AddressSpace.cpp - Virtual memory of a virtual GPU -----------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/AddressSpace.h"

#include "intel/VirtualGPU/Failure.h"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace triton::intel::vgpu {

namespace {
std::uint64_t makeVersion() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// The ranges that this thread found last: kernels go back and forth between a
/// few of them.
struct FoundRange {
  std::uint64_t version = 0;
  simulator::MappedRange range;
};
constexpr unsigned numFound = 8;
thread_local FoundRange foundRanges[numFound];
thread_local unsigned nextFound = 0;

[[noreturn]] void failPage(std::uint64_t address, bool isWritten) {
  throw QueueError("page fault: " + std::string(isWritten ? "write" : "read") +
                   " at " + toHex(address) + ", which is not bound");
}
} // namespace

AddressSpace::AddressSpace(unsigned addressBits)
    : mask((std::uint64_t(1) << addressBits) - 1), version(makeVersion()) {}

/// Makes room in [begin, end). The caller holds the lock.
void AddressSpace::erase(std::uint64_t begin, std::uint64_t end) {
  auto range = ranges.upper_bound(begin);
  if (range != ranges.begin())
    --range;
  while (range != ranges.end() && range->first < end) {
    std::uint64_t oldBegin = range->first;
    if (range->second.end <= begin) {
      ++range;
      continue;
    }
    Range old = range->second;
    range = ranges.erase(range);
    if (numAccesses && old.buffer)
      unbound.push_back(old.buffer);
    if (oldBegin < begin) {
      Range head = old;
      head.end = begin;
      ranges.emplace(oldBegin, std::move(head));
    }
    if (old.end > end) {
      Range tail = old;
      tail.host += end - oldBegin;
      range = ranges.emplace(end, std::move(tail)).first;
      ++range;
    }
  }
}

void AddressSpace::insert(std::uint64_t begin, Range range) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  erase(begin, range.end);
  ranges.emplace(begin, std::move(range));
  version = makeVersion();
}

void AddressSpace::bind(std::uint64_t address, std::uint64_t size,
                        const std::shared_ptr<Buffer> &buffer,
                        std::uint64_t offset, bool isReadOnly) {
  address &= mask;
  insert(address,
         {address + size, buffer->getHost() + offset, buffer, isReadOnly});
}

void AddressSpace::bindUserMemory(std::uint64_t address, std::uint64_t size,
                                  std::uint8_t *host, bool isReadOnly) {
  address &= mask;
  insert(address, {address + size, host, nullptr, isReadOnly});
}

void AddressSpace::unbind(std::uint64_t address, std::uint64_t size) {
  address &= mask;
  std::unique_lock<std::shared_mutex> lock(mutex);
  erase(address, address + size);
  version = makeVersion();
}

simulator::MappedRange AddressSpace::find(std::uint64_t address) const {
  std::uint64_t upper = address & ~mask;
  address &= mask;
  std::uint64_t now = version.load(std::memory_order_acquire);
  auto holds = [&](const FoundRange &found) {
    return found.version == now &&
           address - found.range.begin < found.range.size;
  };
  const FoundRange *found =
      std::find_if(std::begin(foundRanges), std::end(foundRanges), holds);
  if (found == std::end(foundRanges)) {
    std::shared_lock<std::shared_mutex> lock(mutex);
    auto next = ranges.upper_bound(address);
    if (next == ranges.begin() || std::prev(next)->second.end <= address)
      return {};
    const auto &[begin, range] = *std::prev(next);
    FoundRange &replaced = foundRanges[nextFound++ % numFound];
    replaced = {version.load(std::memory_order_relaxed),
                {begin, range.end - begin, range.host, range.isReadOnly,
                 !range.buffer || range.buffer->isOfSystem()}};
    found = &replaced;
  }
  simulator::MappedRange range = found->range;
  range.begin |= upper;
  return range;
}

std::uint8_t *AddressSpace::translate(std::uint64_t address, std::uint64_t size,
                                      bool isWritten) const {
  return find(address).get(address, size, isWritten);
}

template <typename Copy>
void AddressSpace::forEachPart(std::uint64_t address, std::uint64_t size,
                               bool isWritten, const Copy &copy) const {
  for (std::uint64_t done = 0; done < size;) {
    simulator::MappedRange range = find(address + done);
    std::uint64_t part =
        std::min(range.begin + range.size - (address + done), size - done);
    std::uint8_t *host = range.get(address + done, part, isWritten);
    if (!host)
      failPage(address + done, isWritten);
    copy(host, done, part);
    done += part;
  }
}

void AddressSpace::read(std::uint64_t address, void *bytes,
                        std::uint64_t size) const {
  forEachPart(address, size, /*isWritten=*/false,
              [&](std::uint8_t *host, std::uint64_t done, std::uint64_t part) {
                std::memcpy(static_cast<std::uint8_t *>(bytes) + done, host,
                            part);
              });
}

void AddressSpace::write(std::uint64_t address, const void *bytes,
                         std::uint64_t size) const {
  forEachPart(address, size, /*isWritten=*/true,
              [&](std::uint8_t *host, std::uint64_t done, std::uint64_t part) {
                std::memcpy(host,
                            static_cast<const std::uint8_t *>(bytes) + done,
                            part);
              });
}

template <typename Word>
Word *AddressSpace::getWord(std::uint64_t address, bool isWritten) const {
  if (address % sizeof(Word))
    throw QueueError("an access of " + std::to_string(sizeof(Word)) +
                     " bytes at " + toHex(address) + ", which is no multiple");
  std::uint8_t *host = translate(address, sizeof(Word), isWritten);
  if (!host)
    failPage(address, isWritten);
  return reinterpret_cast<Word *>(host);
}

std::uint32_t AddressSpace::load32(std::uint64_t address) const {
  return __atomic_load_n(getWord<std::uint32_t>(address, false),
                         __ATOMIC_ACQUIRE);
}

void AddressSpace::store32(std::uint64_t address, std::uint32_t value) const {
  __atomic_store_n(getWord<std::uint32_t>(address, true), value,
                   __ATOMIC_RELEASE);
}

void AddressSpace::add32(std::uint64_t address, std::uint32_t value) const {
  __atomic_fetch_add(getWord<std::uint32_t>(address, true), value,
                     __ATOMIC_ACQ_REL);
}

std::uint64_t AddressSpace::load64(std::uint64_t address) const {
  return __atomic_load_n(getWord<std::uint64_t>(address, false),
                         __ATOMIC_ACQUIRE);
}

void AddressSpace::store64(std::uint64_t address, std::uint64_t value) const {
  __atomic_store_n(getWord<std::uint64_t>(address, true), value,
                   __ATOMIC_RELEASE);
}

AddressSpace::Access::Access(AddressSpace &space) : space(space) {
  std::unique_lock<std::shared_mutex> lock(space.mutex);
  ++space.numAccesses;
}

AddressSpace::Access::~Access() {
  // Objects end outside of the lock.
  std::vector<std::shared_ptr<Buffer>> last;
  std::unique_lock<std::shared_mutex> lock(space.mutex);
  if (--space.numAccesses == 0)
    last.swap(space.unbound);
}

std::size_t AddressSpace::countRanges() const {
  std::shared_lock<std::shared_mutex> lock(mutex);
  return ranges.size();
}

} // namespace triton::intel::vgpu
