//===- Message.h - Decoded descriptors of messages --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Messages of the load/store cache (LSC), of the gateway and of the legacy data
// port, read from their descriptors. The bits are those of IGA's
// MessageDecoderLSC.cpp, MessageDecoderHDC.cpp and MessageDecoder.cpp, and of
// visa's G4_SendDescs.hpp (intel-graphics-compiler, 2.40).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SIMULATOR_MESSAGE_H
#define TRITON_INTEL_SIMULATOR_MESSAGE_H

#include <cstdint>
#include <string>

namespace triton::intel::simulator {

enum class Platform : std::uint8_t;

/// The shared function that receives a message (SFID).
enum class SharedFunction : std::uint8_t {
  /// Untyped global memory, and shared local memory, of the LSC.
  UGM,
  SLM,
  /// Barriers and the end of a thread.
  Gateway,
  /// The legacy data port, for scratch blocks.
  DataPort0,
  /// None of these: executing one is an error that names it.
  Other,
};

enum class MessageKind : std::uint8_t {
  Load,
  Store,
  LoadQuad,
  StoreQuad,
  LoadBlock2D,
  StoreBlock2D,
  Atomic,
  Fence,
  ReadState,
  Signal,
  EndOfThread,
  ScratchRead,
  ScratchWrite,
  /// Not one that the simulator knows.
  Unknown,
};

enum class AtomicOp : std::uint8_t {
  Increment,
  Decrement,
  Load,
  Store,
  Add,
  Subtract,
  SignedMin,
  SignedMax,
  UnsignedMin,
  UnsignedMax,
  CompareExchange,
  FloatAdd,
  FloatSubtract,
  FloatMin,
  FloatMax,
  FloatCompareExchange,
  And,
  Or,
  Xor,
};

enum class AddressSpace : std::uint8_t {
  Flat,
  BindlessSurface,
  Surface,
  BindingTable
};

struct Message {
  MessageKind kind = MessageKind::Unknown;
  AtomicOp atomic = AtomicOp::Load;
  AddressSpace space = AddressSpace::Flat;
  /// Bytes of an address, of an element in memory and of one in a register.
  std::uint8_t addressBytes = 8, memoryBytes = 4, registerBytes = 4;
  /// The element is in the upper half of the register's (d16u32h).
  bool isUpperHalf = false;
  /// Elements at successive addresses. For a quad message, the set of channels.
  std::uint8_t vectorSize = 1;
  /// One address; elements fill registers one after the other.
  bool isTransposed = false;
  /// Rows of a 2D block are interleaved for dpas (VNNI).
  bool isVNNI = false;
  /// The whole cache control field; it does not change values.
  std::uint8_t cacheControl = 0;
  /// Registers that come back, and of the address payload.
  std::uint8_t responseLength = 0, addressLength = 0;
  /// Added to addresses, in bytes; of 2D blocks x and y, in elements.
  std::int32_t offset = 0, offsetX = 0, offsetY = 0;
  /// The number of the binding table's entry.
  std::uint8_t surface = 0;
  /// Place and size of a scratch block of the legacy data port, in bytes.
  std::uint32_t scratchOffset = 0, scratchBytes = 0;
  /// Bits 5:0 of an LSC descriptor, or those that name the operation elsewhere.
  std::uint8_t operation = 0;
};

/// Reads the descriptors of a message to `function`. An unknown message has the
/// kind `Unknown`.
Message decodeMessage(Platform platform, SharedFunction function,
                      std::uint32_t descriptor, std::uint32_t extended);

/// Returns a short name for errors and tables: "load.ugm.d32x4t".
std::string describe(SharedFunction function, const Message &message);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_MESSAGE_H
