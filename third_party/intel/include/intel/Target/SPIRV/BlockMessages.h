//===- BlockMessages.h - 2D block messages in LLVM IR -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A message is the call of a function that is SPIR-V's instruction for its kind
// (intel/Target/BlockMessageKind.h). Its shape is in constant operands, so that
// a pass reads and changes it without the name of a function.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_SPIRV_BLOCKMESSAGES_H
#define TRITON_INTEL_TARGET_SPIRV_BLOCKMESSAGES_H

#include "intel/ABI/BlockMessage.h"
#include "intel/Target/BlockMessageKind.h"
#include "intel/Target/KnownTargets.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <string>

namespace triton::intel::spirv {

using mlir::triton::gpu::intel::BlockMessageKind;
using mlir::triton::gpu::intel::MessageOperand;

/// The operands of a message that are its shape, all of them constants.
inline constexpr MessageOperand kShape[] = {
    MessageOperand::ElementBytes, MessageOperand::Columns, MessageOperand::Rows,
    MessageOperand::Blocks};

/// The operands of a message that are its surface.
inline constexpr MessageOperand kSurface[] = {
    MessageOperand::Base, MessageOperand::Width, MessageOperand::Height,
    MessageOperand::Pitch};

/// The operands of the functions of device libraries, in their order.
inline constexpr MessageOperand kLibraryOperands[] = {
    MessageOperand::Base,  MessageOperand::Width, MessageOperand::Height,
    MessageOperand::Pitch, MessageOperand::Place, MessageOperand::Elements};

/// Describes the blocks that a message moves.
struct BlockMessage {
  BlockMessageKind kind = BlockMessageKind::Load;
  /// Holds the width of an element in bits, the columns and rows of a block in
  /// elements, and the number of blocks side by side.
  unsigned bits = 0, columns = 0, rows = 0, blocks = 0;

  bool isPrefetch() const { return kind == BlockMessageKind::Prefetch; }
  bool isStore() const { return kind == BlockMessageKind::Store; }
  /// Returns the bytes of a row of all blocks.
  unsigned getRowBytes() const { return columns * blocks * bits / 8; }
  /// Returns the width in bits of the values that lanes hold: consecutive
  /// values of the message are in consecutive lanes. Packed rows have 32 bits.
  unsigned getLaneBits() const {
    return kind == BlockMessageKind::Transform ? 32 : bits;
  }
  /// Returns the mangled name of OpenCL C's function for the message
  /// (cl_intel_subgroup_2d_block_io). Device libraries define these.
  std::string getLibraryName() const;
};

/// The call of a message.
class BlockMessageCall : public llvm::CallInst {
public:
  BlockMessageKind getKind() const {
    return *mlir::triton::gpu::intel::getBlockMessageKind(
        getCalledFunction()->getName());
  }
  BlockMessage getMessage() const;

  llvm::Value *get(MessageOperand operand) const {
    return getArgOperand(getPosition(getKind(), operand));
  }
  void set(MessageOperand operand, llvm::Value *value) {
    setArgOperand(getPosition(getKind(), operand), value);
  }

  static bool classof(const llvm::Value *value);
};

/// Returns whether IGC may take the address of a message in another block of
/// code for that of `call` (HidePlaces.cpp): if a loop has branches, several
/// ends, or loops inside, and for the messages of these.
bool sharesAddresses(const BlockMessageCall &call, const llvm::LoopInfo &loops);

/// Returns the limits of a target that operands may break.
triton::intel::abi::BlockRules
getBlockRules(const mlir::triton::gpu::intel::KnownTarget &target);

/// Returns "file:line", and the lines that it was inlined at.
std::string describePlace(const llvm::DebugLoc &location);

/// Emits a value of type i1 that is true if no hardware takes a message with
/// elements of `elementBytes` bytes. `operands` are base, width, height, pitch
/// and x, the rules those of `checkBlockRules` of the runtime.
llvm::Value *emitBreaksBlockRules(llvm::IRBuilderBase &builder,
                                  const triton::intel::abi::BlockRules &rules,
                                  unsigned elementBytes,
                                  llvm::ArrayRef<llvm::Value *> operands);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_TARGET_SPIRV_BLOCKMESSAGES_H
