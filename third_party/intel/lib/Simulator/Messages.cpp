//===- Messages.cpp - Loads, stores, fences, scratch ----------------------===//
// SPDX-License-Identifier: MIT
//
// Memory is that of this process: an address in the flat space is a pointer, if
// the launch does not translate it.
// Payloads have the layout of LSC_UNTYPED.md in the description of vISA: of
// each element of a vector a slice of whole registers, with a place for every
// lane.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include "Checks/Checks.h"
#include "MessageCounts.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace triton::intel::simulator {

namespace {
/// The hardware ignores the upper bits of addresses in shared memory. The
/// compiler sets one of them so that no pointer is null
/// (PrivateMemoryToSLM.hpp).
constexpr std::uint64_t sharedAddressMask = 0x0fffffff;
/// The binding table's entry for arguments and local ids.
constexpr unsigned indirectDataSurface = 255;
/// The pattern in the upper bits of narrow elements on chips that leave them
/// open.
constexpr std::uint64_t undefinedBits = 0xa5a5a5a5a5a5a5a5;

/// Returns the number of bytes of a slice of the data payload.
unsigned getSliceBytes(const Request &request) {
  unsigned bytes = request.getWidth() * request.message.registerBytes;
  return (bytes + registerBytes - 1) / registerBytes * registerBytes;
}

/// Copies in and out of registers, whose rows need not follow each other in a
/// payload that was gathered.
void copyResult(const Request &request, unsigned offset,
                const std::uint8_t *bytes, unsigned size) {
  if (!request.operands.isNull)
    std::memcpy(request.getResult(offset), bytes, size);
}

/// Reads an element of memory, as readBits does. A sanitizer would check that
/// function, and knows only memory that was allocated, and not the bytes after
/// it that an aligned vector has.
[[gnu::no_sanitize("address")]] std::uint64_t
readMemory(const std::uint8_t *memory, unsigned size) {
  std::uint64_t bits = 0;
  switch (size) {
  case 1:
    __builtin_memcpy(&bits, memory, 1);
    break;
  case 2:
    __builtin_memcpy(&bits, memory, 2);
    break;
  case 4:
    __builtin_memcpy(&bits, memory, 4);
    break;
  default:
    __builtin_memcpy(&bits, memory, 8);
  }
  return bits;
}

/// Loads an element from memory as it is in a register.
void loadElement(const Request &request, std::uint8_t *memory,
                 unsigned offset) {
  const Message &message = request.message;
  std::uint64_t bits = readMemory(memory, message.memoryBytes);
  if (message.isUpperHalf) {
    bits <<= 16;
  } else if (message.registerBytes != message.memoryBytes &&
             request.step.thread.group->launch->code->platform ==
                 Platform::XeHPC) {
    // Others extend with zeros.
    bits |= undefinedBits << (8 * message.memoryBytes);
  }
  if (!request.operands.isNull)
    writeBits(request.getResult(offset), bits, message.registerBytes);
}

void storeElement(const Request &request, std::uint64_t address,
                  unsigned offset) {
  unsigned size = request.message.memoryBytes;
  const std::uint8_t *data = request.getData(offset);
  if (request.message.isUpperHalf)
    data += 2;
  writeBits(translate(request, address, size, data), readBits(data, size),
            size);
}

/// Executes one lane's elements at successive addresses.
void executeLane(Request &request, unsigned lane) {
  const Message &message = request.message;
  bool loads = message.kind == MessageKind::Load ||
               message.kind == MessageKind::LoadQuad;
  bool isQuad = message.kind == MessageKind::LoadQuad ||
                message.kind == MessageKind::StoreQuad;
  std::uint64_t address = request.begin = request.addresses[lane];
  unsigned sliceBytes = getSliceBytes(request), slice = 0;
  // `vectorSize` of a quad message is the set of its channels.
  unsigned count = isQuad ? 4 : message.vectorSize;
  for (unsigned element = 0; element < count; ++element) {
    if (isQuad && !(message.vectorSize >> element & 1))
      continue;
    unsigned offset = slice++ * sliceBytes + lane * message.registerBytes;
    std::uint64_t place = address + element * message.memoryBytes;
    if (loads)
      loadElement(request, translate(request, place, message.memoryBytes),
                  offset);
    else
      storeElement(request, place, offset);
  }
}

/// Returns how many elements of a block a message accesses. The device compiler
/// reads powers of two of registers of the thread's scratch memory, and uses
/// nothing of what is past its end.
unsigned countElements(const Request &request, std::uint64_t address) {
  const Message &message = request.message;
  std::uint64_t limit = request.step.thread.group->launch->scratchBytes;
  address &= 0xffffffff;
  if (message.kind != MessageKind::Load ||
      request.operands.function == SharedFunction::SLM ||
      (message.space != AddressSpace::Surface &&
       message.space != AddressSpace::BindlessSurface) ||
      address >= limit)
    return message.vectorSize;
  return std::min<std::uint64_t>(message.vectorSize,
                                 (limit - address) / message.memoryBytes);
}

/// Executes a message with one address, whose elements fill registers.
void executeTransposed(Request &request) {
  const Message &message = request.message;
  std::uint64_t address = request.begin = request.addresses[0];
  unsigned count = countElements(request, address);
  for (unsigned element = 0; element < message.vectorSize; ++element) {
    std::uint64_t place = address + element * message.memoryBytes;
    unsigned offset = element * message.registerBytes;
    if (element >= count) {
      if (!request.operands.isNull)
        writeBits(request.getResult(offset), undefinedBits,
                  message.registerBytes);
      continue;
    }
    if (message.kind == MessageKind::Load)
      loadElement(request, translate(request, place, message.memoryBytes),
                  offset);
    else
      storeElement(request, place, offset);
  }
}

void executeAtomics(Request &request) {
  const Message &message = request.message;
  unsigned sliceBytes = getSliceBytes(request);
  for (unsigned lane = 0; lane < request.step.numLanes; ++lane) {
    if (!request.step.isEnabled(lane))
      continue;
    unsigned offset = lane * message.registerBytes;
    std::uint64_t operand = 0, other = 0;
    if (request.operands.dataLength || request.operands.gathers) {
      operand = readBits(request.getData(offset), message.memoryBytes);
      if (message.atomic == AtomicOp::CompareExchange ||
          message.atomic == AtomicOp::FloatCompareExchange)
        other =
            readBits(request.getData(sliceBytes + offset), message.memoryBytes);
    }
    std::uint8_t *memory =
        translate(request, request.addresses[lane], message.memoryBytes);
    std::uint64_t before = executeAtomic(request, memory, operand, other);
    if (!request.operands.isNull)
      writeBits(request.getResult(offset), before, message.registerBytes);
  }
}

/// Returns the place of bytes of the thread's scratch memory.
std::uint8_t *getScratch(const Request &request, std::size_t begin,
                         std::size_t size) {
  Thread &thread = request.step.thread;
  const LaunchState &launch = *thread.group->launch;
  if (!launch.translation)
    return thread.scratch.data() + begin;
  return translateFlat(request,
                       launch.scratchBase +
                           std::uint64_t(thread.number) * launch.scratchBytes +
                           begin,
                       size);
}

/// Executes an access to a block of the thread's scratch memory, whole
/// registers whatever lanes run. The device compiler reads powers of two of
/// them, and uses nothing of what is past the end of the memory.
void executeScratch(Request &request) {
  const Message &message = request.message;
  std::size_t limit = request.step.thread.group->launch->scratchBytes;
  bool isRead = message.kind == MessageKind::ScratchRead;
  std::size_t begin = message.scratchOffset, size = message.scratchBytes;
  if (isRead ? begin >= limit : begin + size > limit)
    request.fail("beyond the " + std::to_string(limit) +
                 " bytes of scratch memory of a thread");
  countScratch(request);
  if (!isRead) {
    std::memcpy(getScratch(request, begin, size), request.getData(0), size);
    return;
  }
  llvm::SmallVector<std::uint8_t, 512> block(
      size, static_cast<std::uint8_t>(undefinedBits));
  std::size_t known = std::min(size, limit - begin);
  std::memcpy(block.data(), getScratch(request, begin, known), known);
  copyResult(request, 0, block.data(), size);
}

/// The answer of a fence only signals that it is over.
void executeFence(Request &request) {
  std::uint8_t undefined[registerBytes];
  std::fill(std::begin(undefined), std::end(undefined),
            static_cast<std::uint8_t>(undefinedBits));
  copyResult(request, 0, undefined,
             std::min<unsigned>(request.message.responseLength, 1) *
                 registerBytes);
}

/// Prefetches may name any address, and come without a destination.
bool isPrefetch(const Request &request) {
  return request.operands.isNull &&
         (request.message.kind == MessageKind::Load ||
          request.message.kind == MessageKind::LoadQuad);
}

Next carryOut(Request &request) {
  switch (request.message.kind) {
  case MessageKind::Load:
  case MessageKind::Store:
  case MessageKind::LoadQuad:
  case MessageKind::StoreQuad:
  case MessageKind::Atomic:
    request.readAddresses();
    if (request.step.thread.counts || request.step.thread.recorder)
      countFlat(request);
    executeFlat(request);
    return Next::Following;
  case MessageKind::LoadBlock2D:
  case MessageKind::StoreBlock2D:
    executeBlock2D(request);
    return Next::Following;
  case MessageKind::ScratchRead:
  case MessageKind::ScratchWrite:
    executeScratch(request);
    return Next::Following;
  case MessageKind::Fence:
    executeFence(request);
    return Next::Following;
  case MessageKind::Signal:
    signalBarrier(request);
    return Next::Following;
  case MessageKind::EndOfThread: {
    const Thread &thread = request.step.thread;
    if (thread.group->launch->isStrict &&
        thread.getDispatchedLanes() & ~thread.running)
      request.fail("some lanes have not come to the end of the thread");
    if (thread.checks)
      thread.checks->end(thread);
    return Next::End;
  }
  case MessageKind::ReadState:
  case MessageKind::Unknown:
    break;
  }
  request.fail("messages of this kind are not simulated");
}

/// Runs the checks, if there are any. Elements of vectors have to be aligned
/// (XeTLA's limitation.hpp); single ones the compiler also loads at other
/// addresses.
void checkAccess(const Request &request, std::uint64_t address, unsigned size,
                 bool isShared, bool changes) {
  ThreadChecks *checks = request.step.thread.checks;
  if (!checks)
    return;
  bool isSingle = request.message.vectorSize == 1 &&
                  !request.message.isTransposed &&
                  request.message.kind != MessageKind::Atomic;
  if (address % size && !isSingle)
    request.fail("an address that is no multiple of " + std::to_string(size));
  AccessKind kind = AccessKind::Load;
  if (request.message.kind == MessageKind::Atomic)
    kind = AccessKind::Atomic;
  else if (request.message.kind == MessageKind::Store ||
           request.message.kind == MessageKind::StoreQuad)
    kind = AccessKind::Store;
  AccessedBytes accessed{address, size, std::nullopt};
  if (kind == AccessKind::Load)
    accessed.vectorBegin = request.begin;
  checks->access(request.step, accessed, kind, isShared, changes);
}

/// Returns a byte of a gathered payload, whose registers are anywhere.
const std::uint8_t *getGathered(const Request &request, unsigned offset) {
  unsigned number = request.gathered[offset / registerBytes];
  return request.step.thread.registers.data() + number * registerBytes +
         offset % registerBytes;
}
} // namespace

const std::uint8_t *Request::getAddress(unsigned offset) const {
  if (operands.gathers)
    return getGathered(*this, offset);
  return step.thread.registers.data() +
         operands.addressRegister * registerBytes + offset;
}

void Request::readAddresses() {
  unsigned size = message.addressBytes;
  unsigned count = message.isTransposed ? 1 : step.numLanes;
  auto offset = static_cast<std::uint64_t>(std::int64_t(message.offset));
  for (unsigned lane = 0; lane < count; ++lane)
    addresses[lane] = readBits(getAddress(lane * size), size) + offset;
}

const std::uint8_t *Request::getData(unsigned offset) const {
  // The data of a gathered payload follows its address: a register for one
  // address, otherwise room for all lanes.
  if (operands.gathers && !operands.dataLength) {
    bool hasOneAddress =
        message.isTransposed || message.kind == MessageKind::StoreBlock2D;
    unsigned addressBytes =
        hasOneAddress ? registerBytes : getWidth() * message.addressBytes;
    return getGathered(*this, addressBytes + offset);
  }
  return step.thread.registers.data() + operands.dataRegister * registerBytes +
         offset;
}

std::uint8_t *Request::getResult(unsigned offset) const {
  return step.thread.registers.data() +
         operands.destinationRegister * registerBytes + offset;
}

namespace {
bool changesMemory(const Request &request) {
  switch (request.message.kind) {
  case MessageKind::Store:
  case MessageKind::StoreQuad:
  case MessageKind::StoreBlock2D:
  case MessageKind::ScratchWrite:
  case MessageKind::Atomic:
    return true;
  default:
    return false;
  }
}
} // namespace

std::uint8_t *findVirtual(const Request &request, std::uint64_t address,
                          std::uint64_t size) {
  MappedRange range = request.translation->find(address);
  std::uint8_t *place = range.get(address, size, changesMemory(request));
  if (place)
    request.range = range;
  return place;
}

void failPage(const Request &request, std::uint64_t address,
              std::uint64_t size) {
  request.fail("page fault at 0x" +
               llvm::utohexstr(address, /*LowerCase=*/true) + ", where " +
               std::to_string(size) + " bytes cannot be " +
               (changesMemory(request) ? "written" : "read"));
}

std::uint8_t *translateAny(const Request &request, std::uint64_t address,
                           unsigned size, const std::uint8_t *stored) {
  Thread &thread = request.step.thread;
  auto within = [&](std::uint8_t *memory, std::uint64_t limit,
                    const char *name) {
    if (address > limit || size > limit - address)
      request.fail("byte " + std::to_string(address) + " of " + name +
                   ", which has " + std::to_string(limit) + " bytes");
    return memory + address;
  };
  if (request.operands.function == SharedFunction::SLM) {
    address &= sharedAddressMask;
    std::vector<std::uint8_t> &memory = thread.group->sharedMemory;
    std::uint8_t *place =
        within(memory.data(), memory.size(), "shared local memory");
    checkAccess(request, address, size, /*isShared=*/true,
                !stored || std::memcmp(place, stored, size));
    return place;
  }
  switch (request.message.space) {
  case AddressSpace::Flat:
    checkAccess(request, address, size, /*isShared=*/false, /*changes=*/true);
    return translateFlat(request, address, size);
  case AddressSpace::BindingTable: {
    if (request.message.surface != indirectDataSurface)
      request.fail("surface " + std::to_string(request.message.surface) +
                   " of the binding table is none that the simulator has");
    const LaunchState &launch = *thread.group->launch;
    return within(const_cast<std::uint8_t *>(launch.indirectData),
                  launch.indirectBytes, "the arguments");
  }
  case AddressSpace::Surface:
  case AddressSpace::BindlessSurface:
    break;
  }
  // The only surface that kernels without images have.
  address &= 0xffffffff;
  within(nullptr, thread.group->launch->scratchBytes,
         "scratch memory of a thread");
  return getScratch(request, address, size);
}

void executeFlat(Request &request) {
  if (isPrefetch(request))
    return;
  if (request.message.kind == MessageKind::Atomic)
    return executeAtomics(request);
  if (request.message.isTransposed) {
    if (request.step.isEnabled(0))
      executeTransposed(request);
    return;
  }
  for (unsigned lane = 0; lane < request.step.numLanes; ++lane)
    if (request.step.isEnabled(lane))
      executeLane(request, lane);
}

const Message &resolveMessage(const Step &step, const SendOperands &operands,
                              Message &decoded) {
  if (operands.isDescriptorImmediate)
    return operands.message;
  std::uint32_t descriptor;
  std::memcpy(&descriptor, step.thread.registers.data() + operands.descriptor,
              sizeof(descriptor));
  // An extended descriptor in a register is a surface, which has no offset.
  decoded = decodeMessage(step.thread.group->launch->code->platform,
                          operands.function, descriptor,
                          operands.isExtendedImmediate ? operands.extended : 0);
  return decoded;
}

Next executeSend(Step &step) {
  Thread &thread = step.thread;
  const SendOperands &operands =
      thread.group->launch->code->messages[step.instruction.message];
  Message decoded;
  Request request(step, operands, resolveMessage(step, operands, decoded));
  if (operands.gathers)
    std::memcpy(request.gathered,
                thread.registers.data() + operands.gatherOffset,
                sizeof(request.gathered));
  if (thread.recorder)
    recordMessage(request);
  return carryOut(request);
}

} // namespace triton::intel::simulator
