//===- Message.cpp - Decoded descriptors of messages ----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/Message.h"

#include "intel/Simulator/Instruction.h"

#include <optional>

namespace triton::intel::simulator {

namespace {
/// Returns the bits `high` to `low` of a descriptor, both included.
constexpr std::uint32_t getBits(std::uint32_t value, unsigned high,
                                unsigned low) {
  return (value >> low) & ((std::uint32_t(1) << (high - low + 1)) - 1);
}

/// Returns the bits `high` to `low` as a signed number.
constexpr std::int32_t getSigned(std::uint32_t value, unsigned high,
                                 unsigned low) {
  return static_cast<std::int32_t>(value << (31 - high)) >>
         static_cast<int>(31 - high + low);
}

/// Opcodes of the LSC that are no atomics (bits 5:0).
enum LSCOpcode : std::uint32_t {
  lscLoad = 0,
  lscLoadQuad = 2,
  lscLoadBlock2D = 3,
  lscStore = 4,
  lscStoreQuad = 6,
  lscStoreBlock2D = 7,
  lscReadState = 0x1e,
  lscFence = 0x1f,
};

std::optional<AtomicOp> decodeAtomic(std::uint32_t opcode) {
  switch (opcode) {
  case 0x08:
    return AtomicOp::Increment;
  case 0x09:
    return AtomicOp::Decrement;
  case 0x0a:
    return AtomicOp::Load;
  case 0x0b:
    return AtomicOp::Store;
  case 0x0c:
    return AtomicOp::Add;
  case 0x0d:
    return AtomicOp::Subtract;
  case 0x0e:
    return AtomicOp::SignedMin;
  case 0x0f:
    return AtomicOp::SignedMax;
  case 0x10:
    return AtomicOp::UnsignedMin;
  case 0x11:
    return AtomicOp::UnsignedMax;
  case 0x12:
    return AtomicOp::CompareExchange;
  case 0x13:
    return AtomicOp::FloatAdd;
  case 0x14:
    return AtomicOp::FloatSubtract;
  case 0x15:
    return AtomicOp::FloatMin;
  case 0x16:
    return AtomicOp::FloatMax;
  case 0x17:
    return AtomicOp::FloatCompareExchange;
  case 0x18:
    return AtomicOp::And;
  case 0x19:
    return AtomicOp::Or;
  case 0x1a:
    return AtomicOp::Xor;
  default:
    return std::nullopt;
  }
}

MessageKind decodeLSCKind(std::uint32_t opcode) {
  switch (opcode) {
  case lscLoad:
    return MessageKind::Load;
  case lscLoadQuad:
    return MessageKind::LoadQuad;
  case lscLoadBlock2D:
    return MessageKind::LoadBlock2D;
  case lscStore:
    return MessageKind::Store;
  case lscStoreQuad:
    return MessageKind::StoreQuad;
  case lscStoreBlock2D:
    return MessageKind::StoreBlock2D;
  case lscReadState:
    return MessageKind::ReadState;
  case lscFence:
    return MessageKind::Fence;
  default:
    return decodeAtomic(opcode) ? MessageKind::Atomic : MessageKind::Unknown;
  }
}

/// Sizes of an element in memory and in a register.
bool decodeDataSize(Message &message, std::uint32_t code) {
  constexpr struct {
    std::uint8_t memory, inRegister;
    bool isUpper;
  } sizes[] = {{1, 1, false}, {2, 2, false}, {4, 4, false}, {8, 8, false},
               {1, 4, false}, {2, 4, false}, {2, 4, true}};
  if (code >= std::size(sizes))
    return false;
  message.memoryBytes = sizes[code].memory;
  message.registerBytes = sizes[code].inRegister;
  message.isUpperHalf = sizes[code].isUpper;
  return true;
}

/// Decodes the immediate offset, which chips from Xe2 on have in the extended
/// descriptor.
void decodeOffset(Message &message, std::uint32_t extended) {
  if (message.kind == MessageKind::LoadBlock2D ||
      message.kind == MessageKind::StoreBlock2D) {
    message.offsetX = getSigned(extended, 21, 12);
    message.offsetY = getSigned(extended, 31, 22);
    return;
  }
  if (message.space == AddressSpace::Flat)
    message.offset = getSigned(extended, 31, 12);
  else if (message.space == AddressSpace::BindingTable)
    message.offset = getSigned(extended, 23, 12);
}

Message decodeLSC(Platform platform, std::uint32_t descriptor,
                  std::uint32_t extended) {
  Message message;
  message.operation = static_cast<std::uint8_t>(getBits(descriptor, 5, 0));
  message.kind = decodeLSCKind(message.operation);
  if (std::optional<AtomicOp> atomic = decodeAtomic(message.operation))
    message.atomic = *atomic;
  message.cacheControl = static_cast<std::uint8_t>(
      platform == Platform::XeHPC ? getBits(descriptor, 19, 17)
                                  : getBits(descriptor, 19, 16));
  message.space = static_cast<AddressSpace>(getBits(descriptor, 30, 29));
  if (message.space == AddressSpace::BindingTable)
    message.surface = static_cast<std::uint8_t>(getBits(extended, 31, 24));
  if (message.kind == MessageKind::Fence ||
      message.kind == MessageKind::Unknown)
    return message;
  if (!decodeDataSize(message, getBits(descriptor, 11, 9)))
    message.kind = MessageKind::Unknown;
  message.isTransposed = getBits(descriptor, 15, 15);
  if (message.kind == MessageKind::LoadBlock2D ||
      message.kind == MessageKind::StoreBlock2D) {
    message.isVNNI = getBits(descriptor, 7, 7);
    message.addressBytes = 8;
  } else {
    message.addressBytes =
        static_cast<std::uint8_t>(1u << getBits(descriptor, 8, 7));
    constexpr std::uint8_t vectorSizes[] = {1, 2, 3, 4, 8, 16, 32, 64};
    message.vectorSize = vectorSizes[getBits(descriptor, 14, 12)];
  }
  if (message.kind == MessageKind::LoadQuad ||
      message.kind == MessageKind::StoreQuad) {
    message.vectorSize = static_cast<std::uint8_t>(getBits(descriptor, 15, 12));
    message.isTransposed = false;
  }
  if (platform != Platform::XeHPC)
    decodeOffset(message, extended);
  return message;
}

/// Barriers, by bits 3:0. The end of a thread is stated by the instruction.
Message decodeGateway(std::uint32_t descriptor) {
  constexpr std::uint32_t barrierSignal = 4;
  Message message;
  message.operation = static_cast<std::uint8_t>(getBits(descriptor, 3, 0));
  if (message.operation == barrierSignal)
    message.kind = MessageKind::Signal;
  return message;
}

/// Blocks of scratch memory (bit 18), in units of 32 bytes.
Message decodeDataPort(std::uint32_t descriptor) {
  constexpr unsigned unitBytes = 32;
  Message message;
  if (!getBits(descriptor, 18, 18))
    return message;
  message.kind = getBits(descriptor, 17, 17) ? MessageKind::ScratchWrite
                                             : MessageKind::ScratchRead;
  message.scratchOffset = getBits(descriptor, 11, 0) * unitBytes;
  message.scratchBytes = unitBytes << getBits(descriptor, 13, 12);
  return message;
}

/// Returns the names of operations.
std::string getOperationName(const Message &message) {
  switch (message.kind) {
  case MessageKind::Load:
    return "load";
  case MessageKind::Store:
    return "store";
  case MessageKind::LoadQuad:
    return "load_quad";
  case MessageKind::StoreQuad:
    return "store_quad";
  case MessageKind::LoadBlock2D:
    return "load_block2d";
  case MessageKind::StoreBlock2D:
    return "store_block2d";
  case MessageKind::Atomic: {
    constexpr const char *names[] = {"iinc", "idec", "load", "store", "iadd",
                                     "isub", "smin", "smax", "umin",  "umax",
                                     "icas", "fadd", "fsub", "fmin",  "fmax",
                                     "fcas", "and",  "or",   "xor"};
    return std::string("atomic_") + names[static_cast<int>(message.atomic)];
  }
  case MessageKind::Fence:
    return "fence";
  case MessageKind::ReadState:
    return "read_state";
  case MessageKind::Signal:
    return "barrier signal";
  case MessageKind::EndOfThread:
    return "end of thread";
  case MessageKind::ScratchRead:
    return "scratch read";
  case MessageKind::ScratchWrite:
    return "scratch write";
  case MessageKind::Unknown:
    break;
  }
  return "operation " + std::to_string(message.operation);
}

const char *getName(SharedFunction function) {
  switch (function) {
  case SharedFunction::UGM:
    return "ugm";
  case SharedFunction::SLM:
    return "slm";
  case SharedFunction::Gateway:
    return "gtwy";
  case SharedFunction::DataPort0:
    return "dc0";
  case SharedFunction::Other:
    break;
  }
  return "another function";
}
} // namespace

Message decodeMessage(Platform platform, SharedFunction function,
                      std::uint32_t descriptor, std::uint32_t extended) {
  Message message;
  switch (function) {
  case SharedFunction::UGM:
  case SharedFunction::SLM:
    message = decodeLSC(platform, descriptor, extended);
    break;
  case SharedFunction::Gateway:
    message = decodeGateway(descriptor);
    break;
  case SharedFunction::DataPort0:
    message = decodeDataPort(descriptor);
    break;
  case SharedFunction::Other:
    break;
  }
  message.responseLength =
      static_cast<std::uint8_t>(getBits(descriptor, 24, 20));
  message.addressLength =
      static_cast<std::uint8_t>(getBits(descriptor, 28, 25));
  // A 2D block may fill 32 registers, one more than the field holds.
  constexpr std::uint8_t fieldForFull = 31;
  if (message.kind == MessageKind::LoadBlock2D &&
      message.responseLength == fieldForFull)
    message.responseLength = fieldForFull + 1;
  return message;
}

std::string describe(SharedFunction function, const Message &message) {
  std::string text = getOperationName(message) + "." + getName(function);
  switch (message.kind) {
  case MessageKind::Load:
  case MessageKind::Store:
  case MessageKind::LoadBlock2D:
  case MessageKind::StoreBlock2D:
  case MessageKind::Atomic:
    break;
  default:
    return text;
  }
  text += ".d" + std::to_string(message.memoryBytes * 8);
  if (message.registerBytes != message.memoryBytes)
    text += message.isUpperHalf ? "u32h" : "u32";
  if (message.vectorSize > 1 || message.isTransposed)
    text += (message.vectorSize > 1 ? "x" + std::to_string(message.vectorSize)
                                    : std::string()) +
            (message.isTransposed ? "t" : "");
  if (message.isVNNI)
    text += "v";
  return text;
}

} // namespace triton::intel::simulator
