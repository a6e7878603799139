//===- Definedness.cpp - Check of registers without a value ---------------===//
// SPDX-License-Identifier: MIT

#include "Definedness.h"

#include "../Messages.h"

#include <algorithm>
#include <tuple>

namespace triton::intel::simulator {

namespace {
std::string describeRegister(std::uint32_t offset) {
  return "r" + std::to_string(offset / registerBytes) + ", byte " +
         std::to_string(offset % registerBytes);
}

constexpr std::uint64_t allBits = ~std::uint64_t(0);

std::uint64_t getMask(unsigned numBits) {
  return numBits >= 64 ? allBits : (std::uint64_t(1) << numBits) - 1;
}

/// Integers whose bits do not depend on all others.
bool isBitwise(const Instruction &instruction) {
  switch (instruction.opcode) {
  case Opcode::Mov:
  case Opcode::Movi:
  case Opcode::Sel:
  case Opcode::Not:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Shl:
  case Opcode::Shr:
    break;
  default:
    return false;
  }
  if (instruction.saturates ||
      (instruction.opcode == Opcode::Sel && !readsFlag(instruction)))
    return false;
  bool isLogic = instruction.opcode != Opcode::Mov &&
                 instruction.opcode != Opcode::Movi &&
                 instruction.opcode != Opcode::Sel;
  for (unsigned i = 0; i < instruction.numSources; ++i) {
    const Operand &source = instruction.sources[i];
    if (source.absolute || (source.negate && !isLogic))
      return false;
    // A copy of a float is one of its bits.
    if (isFloat(source.type) &&
        (source.type != instruction.destination.type || isLogic))
      return false;
  }
  return !isFloat(instruction.destination.type) ||
         isFloat(instruction.sources[0].type);
}

/// Returns whether an instruction compares an integer with itself, whose value
/// does not matter: the device compiler finds active lanes by it.
bool comparesItself(const Instruction &instruction) {
  const Operand &first = instruction.sources[0];
  const Operand &second = instruction.sources[1];
  auto getRegion = [](const Operand &operand) {
    return std::tuple(operand.offset, operand.type, operand.negate,
                      operand.absolute, operand.vertical, operand.width,
                      operand.horizontal);
  };
  return instruction.opcode == Opcode::Cmp && first.kind == Operand::Direct &&
         second.kind == Operand::Direct && !isFloat(first.type) &&
         getRegion(first) == getRegion(second);
}
} // namespace

/// A dispatch defines these dwords of r0, see Payload.cpp. Architecture
/// registers that the hardware keeps are defined; accumulators, flags and
/// addresses are not.
void DefinednessCheck::reset(unsigned inlineBytes, Span64 privateMemory) {
  this->privateMemory = privateMemory;
  defined.assign(registerFile::numBytes, 0);
  loaded.assign(registerFile::numBytes, 0);
  for (unsigned dword : {0, 1, 2, 5, 6, 7})
    set(dword * 4, 4, true);
  set(registerBytes, inlineBytes, true);
  set(registerFile::control, registerFile::numBytes - registerFile::control,
      true);
}

bool DefinednessCheck::isDefined(std::uint32_t offset,
                                 std::uint32_t size) const {
  auto begin = defined.begin() + offset;
  return std::all_of(begin, begin + size,
                     [](std::uint8_t bits) { return bits == 0xff; });
}

bool DefinednessCheck::isLoaded(std::uint32_t offset,
                                std::uint32_t size) const {
  auto begin = loaded.begin() + offset;
  return std::any_of(begin, begin + size,
                     [](std::uint8_t byte) { return byte; });
}

void DefinednessCheck::set(std::uint32_t offset, std::uint32_t size,
                           bool isDefined) {
  std::fill_n(defined.begin() + offset, size, isDefined ? 0xff : 0);
  std::fill_n(loaded.begin() + offset, size, 0);
}

void DefinednessCheck::setLoaded(std::uint32_t offset, std::uint32_t size) {
  std::fill_n(loaded.begin() + offset, size, 1);
}

bool DefinednessCheck::isFlagDefined(const Step &step, unsigned lane) const {
  unsigned bit = step.instruction.flag * 16 + step.instruction.firstLane + lane;
  return defined[registerFile::flag + bit / 8] >> (bit % 8) & 1;
}

void DefinednessCheck::setFlagDefined(const Step &step, unsigned lane,
                                      bool isDefined) {
  unsigned bit = step.instruction.flag * 16 + step.instruction.firstLane + lane;
  std::uint8_t &bits = defined[registerFile::flag + bit / 8];
  bits = static_cast<std::uint8_t>((bits & ~(1 << bit % 8)) |
                                   (isDefined << bit % 8));
}

/// A branch or a message must know its lanes.
std::optional<std::string> DefinednessCheck::checkFlag(const Step &step) const {
  const Instruction &instruction = step.instruction;
  if (!readsFlag(instruction))
    return std::nullopt;
  bool isBranch = instruction.opcode == Opcode::Goto ||
                  instruction.opcode == Opcode::Jmpi ||
                  instruction.opcode == Opcode::Send;
  if (!isBranch)
    return std::nullopt;
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    bool takesPart = instruction.ignoresMask ||
                     step.thread.running >> (instruction.firstLane + lane) & 1;
    if (takesPart && !isFlagDefined(step, lane))
      return "its predicate was never written for lane " + std::to_string(lane);
  }
  return std::nullopt;
}

/// Reads the bits of a source that are defined, lane by lane, of its value
/// extended to 64 bits; and whether anything of it was loaded.
void DefinednessCheck::readSource(const Step &step, const Operand &source,
                                  Masks &masks,
                                  bool (&isLoadedLane)[maxLanes]) {
  unsigned size = getSizeInBytes(source.type);
  visitElements(step, source, /*isDestination=*/false,
                [&](unsigned lane, std::uint32_t offset) {
                  std::uint64_t mask = 0;
                  for (unsigned i = 0; i < size; ++i)
                    mask |= std::uint64_t(defined[offset + i]) << (8 * i);
                  // Extended by the type: with zeros, or with the sign.
                  bool isSignDefined = mask >> (8 * size - 1) & 1;
                  if (!isSigned(source.type) || isSignDefined)
                    mask |= ~getMask(8 * size);
                  if (source.kind == Operand::IndirectLanes &&
                      !isDefined(source.offset + lane / source.width * 2, 2))
                    mask = 0;
                  masks[lane] = mask;
                  isLoadedLane[lane] |= isLoaded(offset, size);
                });
  if (source.kind == Operand::IndirectRegion && !isDefined(source.offset, 2))
    std::fill_n(masks.values, step.numLanes, 0);
}

/// Returns the bits of a result of a bitwise operation that are defined.
std::uint64_t DefinednessCheck::combine(const Step &step, unsigned lane,
                                        std::uint64_t a, std::uint64_t b,
                                        const Masks &first,
                                        const Masks &second) const {
  std::uint64_t x = first[lane], y = second[lane];
  constexpr unsigned countMask = 63;
  switch (step.instruction.opcode) {
  case Opcode::And:
    // A zero decides alone.
    return (x & y) | (x & ~a) | (y & ~b);
  case Opcode::Or:
    return (x & y) | (x & a) | (y & b);
  case Opcode::Xor:
    return x & y;
  case Opcode::Shl:
    return y == allBits ? x << (b & countMask) | getMask(b & countMask) : 0;
  case Opcode::Shr:
    return y == allBits ? x >> (b & countMask) | ~(allBits >> (b & countMask))
                        : 0;
  case Opcode::Sel: {
    bool isFirst =
        (step.readFlag() >> lane & 1) != step.instruction.isPredicateInverted;
    return isFirst ? x : y;
  }
  default:
    return x;
  }
}

/// Results are defined where all their sources are.
void DefinednessCheck::propagate(const Step &step) {
  const Instruction &instruction = step.instruction;
  bool isLoadedLane[maxLanes] = {};
  Masks masks[3];
  for (unsigned i = 0; i < 3; ++i) {
    std::fill_n(masks[i].values, maxLanes, allBits);
    if (i < instruction.numSources && !comparesItself(instruction))
      readSource(step, instruction.sources[i], masks[i], isLoadedLane);
  }
  Masks result;
  bool bitwise = isBitwise(instruction);
  Lanes<std::uint64_t> a = {}, b = {};
  if (bitwise) {
    step.readBits(instruction.sources[0], a);
    if (instruction.numSources > 1)
      step.readBits(instruction.sources[1], b);
  }
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    bool isWhole =
        (masks[0][lane] & masks[1][lane] & masks[2][lane]) == allBits;
    if ((instruction.opcode == Opcode::Mach ||
         instruction.opcode == Opcode::Macl))
      isWhole &= isDefined(registerFile::acc + lane * 4, 4);
    result[lane] =
        bitwise ? combine(step, lane, a[lane], b[lane], masks[0], masks[1])
                : (isWhole ? allBits : 0);
    if (readsFlag(instruction) && !isFlagDefined(step, lane))
      result[lane] = 0;
  }
  unsigned size = getSizeInBytes(instruction.destination.type);
  visitElements(step, instruction.destination, /*isDestination=*/true,
                [&](unsigned lane, std::uint32_t offset) {
                  for (unsigned i = 0; i < size; ++i) {
                    defined[offset + i] =
                        static_cast<std::uint8_t>(result[lane] >> (8 * i));
                    loaded[offset + i] = isLoadedLane[lane];
                  }
                });
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    if (!step.isEnabled(lane))
      continue;
    if (writesFlag(instruction))
      setFlagDefined(step, lane,
                     (result[lane] | ~getMask(8 * size)) == allBits);
    if (usesImplicitAccumulator(instruction))
      set(registerFile::acc + lane * 4, 4, result[lane] == allBits);
  }
}

/// A row of results needs its accumulators, its row of A, and of B the columns.
void DefinednessCheck::propagateDpas(const Step &step) {
  constexpr unsigned columns = 16, rowBytes = 32, weightRegisters = 8;
  const Instruction &instruction = step.instruction;
  const auto &sources = instruction.sources;
  bool isColumnDefined[columns];
  for (unsigned n = 0; n < columns; ++n) {
    isColumnDefined[n] = true;
    for (unsigned i = 0; i < weightRegisters; ++i)
      isColumnDefined[n] &=
          isDefined(sources[1].offset + i * registerBytes + n * 4, 4);
  }
  unsigned inSize = getSizeInBytes(sources[0].type);
  unsigned outSize = getSizeInBytes(instruction.destination.type);
  for (unsigned row = 0; row < instruction.repeat; ++row) {
    bool isRowDefined = isDefined(sources[2].offset + row * rowBytes, rowBytes);
    for (unsigned n = 0; n < columns; ++n) {
      unsigned element = row * columns + n;
      bool isSumDefined =
          sources[0].kind != Operand::Direct ||
          isDefined(sources[0].offset + element * inSize, inSize);
      if (step.isEnabled(n))
        set(instruction.destination.offset + element * outSize, outSize,
            isRowDefined && isColumnDefined[n] && isSumDefined);
    }
  }
}

/// Returns whether a store only keeps registers for later, in scratch or
/// private memory. A function saves those of its caller, whatever is in them.
bool DefinednessCheck::isSaved(const Step &step, const Message &message,
                               unsigned lane, std::uint32_t address) const {
  if (message.space == AddressSpace::Surface ||
      message.space == AddressSpace::BindlessSurface)
    return true;
  std::uint64_t place = 0;
  std::memcpy(&place,
              step.thread.registers.data() + address +
                  lane * message.addressBytes,
              message.addressBytes);
  place += static_cast<std::uint64_t>(std::int64_t(message.offset));
  return place - privateMemory.begin < privateMemory.size;
}

std::optional<std::string>
DefinednessCheck::require(std::uint32_t offset, std::uint32_t size,
                          const std::string &what) const {
  if (isDefined(offset, size))
    return std::nullopt;
  return what + " (" + describeRegister(offset) + ") was never written";
}

/// Checks the payload of a message. Its answer counts as defined: the checks of
/// memory know better where it is not.
std::optional<std::string> DefinednessCheck::checkSend(const Step &step) {
  const SendOperands &send =
      step.thread.group->launch->code->messages[step.instruction.message];
  Message decoded;
  const Message &message = resolveMessage(step, send, decoded);
  std::uint32_t address = send.addressRegister * registerBytes;
  std::uint32_t result = send.destinationRegister * registerBytes;
  bool isAnswerDefined = message.kind != MessageKind::Fence;
  switch (message.kind) {
  case MessageKind::LoadBlock2D:
  case MessageKind::StoreBlock2D: {
    if (!step.isEnabled(0))
      return std::nullopt;
    // The eighth dword has an undefined byte. Rows outside of the surface need
    // not be defined: data is looked at when it is stored.
    constexpr unsigned payloadBytes = 31;
    if (!send.gathers)
      if (auto found = require(address, payloadBytes, "its surface"))
        return found;
    break;
  }
  case MessageKind::Signal: {
    // Role and number, and how many take part.
    constexpr unsigned wordOffset = 8, wordBytes = 4;
    return require(address + wordOffset, wordBytes, "the barrier's word");
  }
  case MessageKind::Load:
  case MessageKind::Store:
  case MessageKind::LoadQuad:
  case MessageKind::StoreQuad:
  case MessageKind::Atomic:
    // The registers of a gathered payload are anywhere.
    if (!send.gathers)
      return checkFlat(step, send, message);
    break;
  default:
    break;
  }
  if (!send.isNull)
    set(result, message.responseLength * registerBytes, isAnswerDefined);
  return std::nullopt;
}

/// Addresses and data of lanes that take part.
std::optional<std::string> DefinednessCheck::checkFlat(const Step &step,
                                                       const SendOperands &send,
                                                       const Message &message) {
  std::uint32_t address = send.addressRegister * registerBytes;
  std::uint32_t data = send.dataRegister * registerBytes;
  bool isPrefetch = send.isNull && message.kind == MessageKind::Load;
  unsigned width = step.numLanes > 16 ? 32 : 16;
  unsigned sliceBytes = (width * message.registerBytes + registerBytes - 1) /
                        registerBytes * registerBytes;
  unsigned used = std::min(message.registerBytes, message.memoryBytes);
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    if (!step.isEnabled(lane))
      continue;
    std::string where = " in lane " + std::to_string(lane);
    if (!isPrefetch)
      if (auto found = require(address + lane * message.addressBytes,
                               message.addressBytes, "its address" + where))
        return found;
    bool hasData = send.dataLength && !isSaved(step, message, lane, address);
    if (message.isTransposed) {
      std::uint32_t size = message.vectorSize * message.registerBytes;
      if (hasData)
        if (auto found = require(data, size, "its data"))
          return found;
      markAnswer(step, send, message, 0, size);
      break;
    }
    unsigned numData =
        hasData ? send.dataLength * registerBytes / sliceBytes : 0;
    for (unsigned element = 0; element < numData; ++element)
      if (auto found = require(data + element * sliceBytes +
                                   lane * message.registerBytes,
                               used, "its data" + where))
        return found;
    unsigned numAnswers = message.responseLength * registerBytes / sliceBytes;
    for (unsigned element = 0; element < numAnswers; ++element)
      markAnswer(step, send, message,
                 element * sliceBytes + lane * message.registerBytes,
                 message.registerBytes);
  }
  return std::nullopt;
}

/// Marks elements that a message brings. Values that are loaded from tables may
/// be addresses.
void DefinednessCheck::markAnswer(const Step &step, const SendOperands &send,
                                  const Message &message, std::uint32_t offset,
                                  std::uint32_t size) {
  if (send.isNull)
    return;
  offset += send.destinationRegister * registerBytes;
  set(offset, size, true);
  if (send.function == SharedFunction::UGM &&
      message.space == AddressSpace::Flat &&
      (message.memoryBytes == 8 ||
       (message.memoryBytes == 4 && message.vectorSize > 1)))
    setLoaded(offset, size);
  // Others extend narrow elements with zeros.
  bool leavesOpen =
      step.thread.group->launch->code->platform == Platform::XeHPC &&
      message.registerBytes > message.memoryBytes && !message.isUpperHalf;
  for (std::uint32_t element = 0; leavesOpen && element < size;
       element += message.registerBytes)
    set(offset + element + message.memoryBytes,
        message.registerBytes - message.memoryBytes, false);
}

std::optional<std::string>
DefinednessCheck::checkData(std::uint32_t offset, std::uint32_t size) const {
  return require(offset, size, "its data");
}

std::optional<std::string> DefinednessCheck::check(const Step &step) {
  if (std::optional<std::string> found = checkFlag(step))
    return found;
  switch (step.instruction.opcode) {
  case Opcode::Send:
    return checkSend(step);
  case Opcode::Dpas:
    propagateDpas(step);
    return std::nullopt;
  case Opcode::Sync:
  case Opcode::Nop:
  case Opcode::Goto:
  case Opcode::Join:
  case Opcode::Jmpi:
  case Opcode::Ret:
    return std::nullopt;
  case Opcode::Calla:
    if (auto found =
            require(step.instruction.sources[0].offset, 4, "its address"))
      return found;
    [[fallthrough]];
  case Opcode::Call: {
    constexpr unsigned frameBytes = 8;
    set(step.instruction.destination.offset, frameBytes, true);
    return std::nullopt;
  }
  default:
    break;
  }
  propagate(step);
  return std::nullopt;
}

} // namespace triton::intel::simulator
