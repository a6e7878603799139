//===- KernelInterface.cpp - An opened virtual GPU ------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/KernelInterface.h"

#include "intel/VirtualGPU/Clock.h"
#include "intel/VirtualGPU/Failure.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

namespace triton::intel::vgpu {

namespace {
/// Returns bytes as hexadecimal words of 32 bits, for messages.
std::string dump(const void *bytes, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i + sizeof(std::uint32_t) <= size;
       i += sizeof(std::uint32_t)) {
    std::uint32_t word;
    std::memcpy(&word, static_cast<const std::uint8_t *>(bytes) + i,
                sizeof(word));
    text += (i ? " " : "") + toHex(word);
  }
  return text;
}

/// Throws if `value` has bits that are not in `known`.
void checkBits(const char *field, std::uint64_t value, std::uint64_t known) {
  if (value & ~known)
    throw CallError(EINVAL, std::string("`") + field + "` has bits " +
                                toHex(value & ~known) +
                                ", which are not known");
}

void checkPages(const char *field, std::uint64_t value) {
  constexpr std::uint64_t page = 4096;
  if (value % page)
    throw CallError(EINVAL, std::string("`") + field + "` is " + toHex(value) +
                                ", no multiple of a page");
}

/// Returns whether memory of the process exists.
bool isMemory(std::uint64_t address, std::uint64_t size) {
  constexpr std::uint64_t page = 4096;
  std::uint64_t end = 0;
  if (!size)
    return true;
  if (!address || __builtin_add_overflow(address, size, &end))
    return false;
  std::uint64_t begin = address / page * page;
  std::vector<unsigned char> pages((end - begin + page - 1) / page);
  return mincore(reinterpret_cast<void *>(begin), end - begin, pages.data()) ==
         0;
}

/// Throws if memory of the process does not exist.
void checkMemory(const char *field, std::uint64_t address, std::uint64_t size) {
  if (!isMemory(address, size))
    throw CallError(EFAULT, std::string("`") + field + "` is " +
                                toHex(address) + ", where " +
                                std::to_string(size) +
                                " bytes are not memory of the process");
}

/// Returns an array of the process.
template <typename Element>
const Element *readArray(const char *field, std::uint64_t address,
                         std::uint64_t count) {
  checkMemory(field, address, count * sizeof(Element));
  return reinterpret_cast<const Element *>(address);
}

/// An entry of a list of extensions that sets a property of a queue.
struct PropertyExtension {
  std::uint64_t next;
  std::uint32_t name, padding, property, padding2;
  std::uint64_t value, reserved[2];
};

/// Properties of queues have no effect here, where each has a separate thread;
/// those that would change what commands mean are refused.
void checkQueueExtensions(std::uint64_t address) {
  constexpr std::uint32_t setProperty = 0, priority = 0, timeslice = 1;
  while (address) {
    const auto *extension =
        readArray<PropertyExtension>("extensions", address, 1);
    if (extension->name != setProperty ||
        (extension->property != priority && extension->property != timeslice))
      throw CallError(EINVAL, "extension " + std::to_string(extension->name) +
                                  " with property " +
                                  std::to_string(extension->property) +
                                  " of a queue is not known");
    address = extension->next;
  }
}

/// Returns the only number that all fences of a call are: a write to memory
/// when it has ended.
std::vector<Fence> readFences(std::uint64_t address, std::uint32_t count) {
  std::vector<Fence> fences;
  const auto *syncs = readArray<calls::Sync>("syncs", address, count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (syncs[i].type != calls::syncUserFence ||
        syncs[i].flags != calls::syncSignal || syncs[i].extensions)
      throw CallError(
          EINVAL, "a synchronization of type " + std::to_string(syncs[i].type) +
                      " with flags " + toHex(syncs[i].flags) + " is not known");
    fences.push_back({syncs[i].address, syncs[i].value});
  }
  return fences;
}

bool compare(std::uint16_t operation, std::uint64_t left, std::uint64_t right) {
  switch (operation) {
  case 0:
    return left == right;
  case 1:
    return left != right;
  case 2:
    return left > right;
  case 3:
    return left >= right;
  case 4:
    return left < right;
  case 5:
    return left <= right;
  default:
    throw CallError(EINVAL, "comparison " + std::to_string(operation) +
                                " of a fence is not known");
  }
}

/// Returns the units of the clock for the engines of a new queue.
std::vector<unsigned> findUnits(const calls::ExecQueueCreate &call,
                                const Chip &chip) {
  std::vector<unsigned> units;
  const auto *engines = readArray<calls::EngineInstance>(
      "instances", call.instances, call.numPlacements);
  for (unsigned i = 0; i < call.numPlacements; ++i) {
    const calls::EngineInstance &engine = engines[i];
    bool isCopy = engine.engineClass == calls::copyClass;
    unsigned count = isCopy ? chip.copyEngines
                     : engine.engineClass == calls::computeClass
                         ? chip.computeEngines
                     : engine.engineClass == calls::renderClass ? chip.hasRender
                                                                : 0;
    if (engine.instance >= count || engine.gt >= chip.tiles)
      throw CallError(EINVAL,
                      "there is no engine " + std::to_string(engine.instance) +
                          " of class " + std::to_string(engine.engineClass) +
                          " of GT " + std::to_string(engine.gt));
    units.push_back(
        Clock::getFirstUnit(chip, engine.gt) +
        (isCopy ? Clock::firstCopyUnit + engine.instance : Clock::kernelUnit));
  }
  if (units.empty())
    throw CallError(EINVAL, "a queue without an engine");
  return units;
}

template <typename Map>
typename Map::mapped_type findIn(std::mutex &mutex, Map &map,
                                 std::uint32_t number, const char *what) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = map.find(number);
  if (found == map.end())
    throw CallError(ENOENT, std::string("there is no ") + what + " " +
                                std::to_string(number));
  return found->second;
}
} // namespace

/// A call: its number, its name and what carries it out.
struct KernelInterface::Entry {
  unsigned number;
  const char *name;
  std::size_t size;
  void (*run)(KernelInterface &self, void *argument);
};

const KernelInterface::Entry *KernelInterface::find(unsigned number) {
#define CALL(NUMBER, STRUCT, METHOD)                                           \
  {                                                                            \
    calls::NUMBER, #NUMBER, sizeof(calls::STRUCT),                             \
        [](KernelInterface &self, void *argument) {                            \
          self.METHOD(*static_cast<calls::STRUCT *>(argument));                \
        }                                                                      \
  }
  static constexpr Entry entries[] = {
      CALL(version, Version, getVersion),
      CALL(gemClose, GemClose, closeObject),
      CALL(primeHandleToFD, PrimeHandle, exportObject),
      CALL(primeFDToHandle, PrimeHandle, importObject),
      CALL(deviceQuery, DeviceQuery, query),
      CALL(gemCreate, GemCreate, createObject),
      CALL(gemMmapOffset, GemMmapOffset, findOffset),
      CALL(vmCreate, VMCreate, createSpace),
      CALL(vmDestroy, VMDestroy, destroySpace),
      CALL(vmBind, VMBind, bind),
      CALL(execQueueCreate, ExecQueueCreate, createQueue),
      CALL(execQueueDestroy, ExecQueueDestroy, destroyQueue),
      CALL(execQueueGetProperty, ExecQueueGetProperty, getQueueProperty),
      CALL(exec, Exec, execute),
      CALL(waitUserFence, WaitUserFence, wait),
  };
#undef CALL
  auto found =
      std::find_if(std::begin(entries), std::end(entries),
                   [&](const Entry &entry) { return entry.number == number; });
  return found == std::end(entries) ? nullptr : found;
}

KernelInterface::KernelInterface(Device &device, Exports &exports,
                                 RunnerFactory makeRunner)
    : device(device), exports(exports), makeRunner(std::move(makeRunner)) {}

int KernelInterface::call(unsigned long request, void *argument) {
  unsigned number = _IOC_NR(request);
  const Entry *entry =
      _IOC_TYPE(request) == calls::ioctlType ? find(number) : nullptr;
  std::size_t size = _IOC_SIZE(request);
  if (!entry || size != entry->size) {
    report("ioctl " + toHex(request) + " is not known: " +
           (entry ? std::string("`") + entry->name + "` has " +
                        std::to_string(entry->size) + " bytes, not " +
                        std::to_string(size)
                  : "number " + toHex(number) + ", " + std::to_string(size) +
                        " bytes") +
           (isMemory(reinterpret_cast<std::uint64_t>(argument), size)
                ? ": " + dump(argument, size)
                : ""));
    return EINVAL;
  }
  try {
    checkMemory("arg", reinterpret_cast<std::uint64_t>(argument), size);
    entry->run(*this, argument);
    return 0;
  } catch (const CallError &error) {
    if (*error.what())
      report(std::string("ioctl `") + entry->name + "`: " + error.what());
    return error.getNumber();
  } catch (const std::exception &error) {
    report(std::string("ioctl `") + entry->name + "`: " + error.what());
    return ENOMEM;
  }
}

void KernelInterface::getVersion(calls::Version &call) {
  auto copy = [](std::string_view text, char *to, std::uint64_t &length) {
    if (to)
      checkMemory("name", reinterpret_cast<std::uint64_t>(to), length);
    if (to)
      std::memcpy(to, text.data(), std::min<std::size_t>(length, text.size()));
    length = text.size();
  };
  call.major = 1;
  call.minor = call.patch = 0;
  copy("xe", call.name, call.nameLength);
  copy("20260101", call.date, call.dateLength);
  copy("Virtual GPU of triton-xe", call.description, call.descriptionLength);
}

void KernelInterface::closeObject(calls::GemClose &call) {
  std::shared_ptr<Buffer> closed = findObject(call.handle);
  std::lock_guard<std::mutex> lock(mutex);
  objects.erase(call.handle);
}

void KernelInterface::exportObject(calls::PrimeHandle &call) {
  checkBits("flags", call.flags, O_CLOEXEC | O_RDWR);
  call.descriptor =
      exports.add(findObject(call.handle), device.getBuffers().getFile(),
                  call.flags & O_CLOEXEC);
}

void KernelInterface::importObject(calls::PrimeHandle &call) {
  std::shared_ptr<Buffer> buffer = exports.find(call.descriptor);
  if (!buffer)
    throw CallError(EBADF, "descriptor " + std::to_string(call.descriptor) +
                               " is no object of a GPU of this process");
  std::lock_guard<std::mutex> lock(mutex);
  // The same object has one handle, as the kernel has it.
  for (const auto &[handle, known] : objects)
    if (known == buffer) {
      call.handle = handle;
      return;
    }
  call.handle = ++lastNumber;
  objects[call.handle] = std::move(buffer);
}

void KernelInterface::query(calls::DeviceQuery &call) {
  checkBits("extensions", call.extensions, 0);
  if (call.query == calls::queryEngineCycles)
    return queryCycles(call);
  std::vector<std::uint8_t> answer = answerQuery(device, call.query);
  auto size = static_cast<std::uint32_t>(answer.size());
  if (call.size && call.size != size)
    throw CallError(EINVAL, "the answer to query " +
                                std::to_string(call.query) + " has " +
                                std::to_string(size) + " bytes, not " +
                                std::to_string(call.size));
  checkMemory("data", call.data, call.size);
  if (call.size)
    std::memcpy(reinterpret_cast<void *>(call.data), answer.data(), size);
  call.size = size;
}

/// The only query whose answer has inputs.
void KernelInterface::queryCycles(calls::DeviceQuery &call) {
  constexpr std::uint32_t size = sizeof(calls::EngineCycles);
  if (call.size && call.size != size)
    throw CallError(EINVAL);
  checkMemory("data", call.data, call.size);
  if (call.size) {
    auto *cycles = reinterpret_cast<calls::EngineCycles *>(call.data);
    const Chip &chip = device.getChip();
    cycles->width = chip.timestampBits;
    std::uint64_t begin = readSystemClock(cycles->clock);
    const Clock &clock = device.getClock();
    cycles->cycles = clock.toTicks(clock.read());
    cycles->cpuTime = begin;
    cycles->cpuDelta = readSystemClock(cycles->clock) - begin;
  }
  call.size = size;
}

void KernelInterface::createObject(calls::GemCreate &call) {
  constexpr std::uint32_t knownFlags = 0xd;
  const Chip &chip = device.getChip();
  unsigned numRegions =
      Device::localRegion + (chip.hasLocalMemory() ? chip.tiles : 0);
  std::uint32_t regions = (1u << numRegions) - 1;
  checkBits("extensions", call.extensions, 0);
  checkBits("flags", call.flags, knownFlags);
  checkBits("placement", call.placement, regions);
  if (!call.size || !call.placement)
    throw CallError(EINVAL, "an object without a size or a place");
  checkPages("size", call.size);
  // Memory of a tile first.
  std::uint32_t local = call.placement & ~(1u << Device::systemRegion);
  auto region = static_cast<unsigned>(local ? __builtin_ctz(local)
                                            : unsigned(Device::systemRegion));
  std::shared_ptr<Buffer> buffer =
      device.getBuffers().create(region, call.size);
  std::lock_guard<std::mutex> lock(mutex);
  call.handle = ++lastNumber;
  objects[call.handle] = std::move(buffer);
}

void KernelInterface::findOffset(calls::GemMmapOffset &call) {
  checkBits("extensions", call.extensions, 0);
  checkBits("flags", call.flags, calls::mapBarrierPage);
  if (!(call.flags & calls::mapBarrierPage)) {
    std::shared_ptr<Buffer> buffer = findObject(call.handle);
    if (!buffer->isOf(device.getBuffers()))
      throw CallError(EINVAL, "an object of another device, which only that "
                              "one can map");
    call.offset = buffer->getOffset();
    return;
  }
  constexpr std::uint64_t page = 4096;
  std::lock_guard<std::mutex> lock(mutex);
  if (!barrierPage)
    barrierPage = device.getBuffers().create(Device::systemRegion, page);
  call.offset = barrierPage->getOffset();
}

void KernelInterface::createSpace(calls::VMCreate &call) {
  // Long-running work, page faults, and no more memory than there is. A scratch
  // page after all addresses is refused: it would hide page faults.
  constexpr std::uint32_t knownFlags = 0xe;
  checkBits("extensions", call.extensions, 0);
  checkBits("flags", call.flags, knownFlags);
  std::lock_guard<std::mutex> lock(mutex);
  call.vm = ++lastNumber;
  spaces[call.vm] =
      std::make_shared<AddressSpace>(device.getChip().addressBits);
}

void KernelInterface::destroySpace(calls::VMDestroy &call) {
  findSpace(call.vm);
  std::lock_guard<std::mutex> lock(mutex);
  spaces.erase(call.vm);
}

void KernelInterface::bind(calls::VMBind &call) {
  checkBits("extensions", call.extensions, 0);
  if (call.queue)
    throw CallError(EINVAL, "queues for bindings are not known");
  std::shared_ptr<AddressSpace> space = findSpace(call.vm);
  std::vector<Fence> fences = readFences(call.syncs, call.numSyncs);
  const auto *operations =
      call.numBinds == 1
          ? &call.bind
          : readArray<calls::BindOperation>("binds", call.binds, call.numBinds);
  for (const Fence &fence : fences)
    checkMemory("sync.addr", fence.address, sizeof(fence.value));
  for (std::uint32_t i = 0; i < call.numBinds; ++i)
    bindOne(*space, operations[i]);
  // Here, unlike for batches, the addresses are the process's own.
  for (const Fence &fence : fences)
    __atomic_store_n(reinterpret_cast<std::uint64_t *>(fence.address),
                     fence.value, __ATOMIC_RELEASE);
}

void KernelInterface::bindOne(AddressSpace &space,
                              const calls::BindOperation &operation) {
  constexpr std::uint32_t knownFlags =
      calls::bindReadOnly | calls::bindImmediate | calls::bindDumpable;
  checkBits("bind.extensions", operation.extensions, 0);
  // The driver finds out in this way whether memory may be compressed.
  if (operation.flags & calls::bindDecompress)
    throw CallError(EOPNOTSUPP);
  checkBits("bind.flags", operation.flags, knownFlags);
  checkPages("bind.addr", operation.address);
  checkPages("bind.range", operation.range);
  if (!operation.range)
    throw CallError(EINVAL, "a binding without a size");
  std::uint64_t end = std::uint64_t(1) << device.getChip().addressBits;
  if (operation.range > end - (operation.address & (end - 1)))
    throw CallError(EINVAL, "a binding beyond the last address");
  bool isReadOnly = operation.flags & calls::bindReadOnly;
  switch (operation.operation) {
  case calls::bindMap: {
    std::shared_ptr<Buffer> buffer = findObject(operation.object);
    if (operation.offset > buffer->getSize() ||
        operation.range > buffer->getSize() - operation.offset)
      throw CallError(EINVAL, "a binding beyond the end of its object");
    return space.bind(operation.address, operation.range, buffer,
                      operation.offset, isReadOnly);
  }
  case calls::bindUnmap:
    return space.unbind(operation.address, operation.range);
  case calls::bindMapUserMemory:
    checkMemory("bind.userptr", operation.offset, operation.range);
    return space.bindUserMemory(
        operation.address, operation.range,
        reinterpret_cast<std::uint8_t *>(operation.offset), isReadOnly);
  case calls::bindPrefetch:
    // All memory is equally near.
    return;
  default:
    throw CallError(EINVAL, "bind operation " +
                                std::to_string(operation.operation) +
                                " is not known");
  }
}

void KernelInterface::createQueue(calls::ExecQueueCreate &call) {
  // A hint to answer fast.
  constexpr std::uint32_t knownFlags = 1;
  checkBits("flags", call.flags, knownFlags);
  checkQueueExtensions(call.extensions);
  if (call.width != 1)
    throw CallError(EINVAL, "queues of several batches at a time, which are "
                            "for several tiles, are not known");
  std::shared_ptr<AddressSpace> space = findSpace(call.vm);
  auto queue = std::make_shared<ExecQueue>(
      space, group,
      makeRunner(device, space, findUnits(call, device.getChip())));
  std::lock_guard<std::mutex> lock(mutex);
  call.queue = ++lastNumber;
  queues[call.queue] = std::move(queue);
}

void KernelInterface::destroyQueue(calls::ExecQueueDestroy &call) {
  std::shared_ptr<ExecQueue> queue = findQueue(call.queue);
  std::lock_guard<std::mutex> lock(mutex);
  queues.erase(call.queue);
}

void KernelInterface::getQueueProperty(calls::ExecQueueGetProperty &call) {
  if (call.property != calls::propertyBan)
    throw CallError(EINVAL, "property " + std::to_string(call.property) +
                                " of a queue is not known");
  call.value = findQueue(call.queue)->isBanned();
}

void KernelInterface::execute(calls::Exec &call) {
  checkBits("extensions", call.extensions, 0);
  if (call.numBatches != 1)
    throw CallError(EINVAL, std::to_string(call.numBatches) +
                                " batches at a time are not known");
  findQueue(call.queue)
      ->submit({call.address, readFences(call.syncs, call.numSyncs)});
}

void KernelInterface::wait(calls::WaitUserFence &call) {
  checkBits("extensions", call.extensions, 0);
  checkBits("flags", call.flags, calls::waitAbsoluteTime);
  std::shared_ptr<ExecQueue> queue =
      call.queue ? findQueue(call.queue) : nullptr;
  auto now = [] {
    return static_cast<std::int64_t>(readSystemClock(CLOCK_MONOTONIC));
  };
  bool isAbsolute = call.flags & calls::waitAbsoluteTime;
  bool isForever = call.timeout < 0;
  std::int64_t end = isAbsolute || isForever ? call.timeout : 0;
  if (!isAbsolute && !isForever &&
      __builtin_add_overflow(now(), call.timeout, &end))
    isForever = true;
  const auto *memory = readArray<std::uint64_t>("addr", call.address, 1);
  while (!compare(call.operation,
                  __atomic_load_n(memory, __ATOMIC_ACQUIRE) & call.mask,
                  call.value & call.mask)) {
    if (queue && queue->isBanned())
      throw CallError(EIO);
    if (!isForever && now() >= end)
      throw CallError(ETIME);
    constexpr timespec pause = {0, 20'000};
    nanosleep(&pause, nullptr);
  }
}

std::shared_ptr<Buffer> KernelInterface::findObject(std::uint32_t handle) {
  return findIn(mutex, objects, handle, "object");
}
std::shared_ptr<AddressSpace> KernelInterface::findSpace(std::uint32_t number) {
  return findIn(mutex, spaces, number, "address space");
}
std::shared_ptr<ExecQueue> KernelInterface::findQueue(std::uint32_t number) {
  return findIn(mutex, queues, number, "queue");
}

} // namespace triton::intel::vgpu
