//===- BlockMessages.h - 2D block messages in LLVM IR -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A message is a call of a function that drivers have for its shape
// (cl_intel_subgroup_2d_block_io). This file is the only one that takes the
// name of such a function apart, and that composes it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_SPIRV_BLOCKMESSAGES_H
#define TRITON_INTEL_TARGET_SPIRV_BLOCKMESSAGES_H

#include "intel/ABI/BlockMessage.h"
#include "intel/Target/KnownTargets.h"

#include "llvm/IR/IRBuilder.h"

#include <optional>
#include <string>

namespace triton::intel::spirv {

/// The effect of a message on blocks of memory. `VNNI` packs the elements of
/// consecutive rows in a column into 32 bits.
enum class BlockMessageKind { Load, LoadVNNI, LoadTransposed, Store, Prefetch };

/// Describes a message.
struct BlockMessage {
  /// Numbers the operands of the function: the surface (width and pitch in
  /// bytes, height in rows), a vector of the column and the row where the first
  /// block begins, in elements, and for all but prefetches a pointer to the
  /// elements of a lane.
  enum Operand : unsigned { Base, Width, Height, Pitch, Place, Elements };

  BlockMessageKind kind = BlockMessageKind::Load;
  /// Holds the width of an element in bits, the rows and columns of a block in
  /// elements, and the number of blocks side by side.
  unsigned bits = 0, rows = 0, columns = 0, blocks = 0;
  /// Holds the width in bits of what the pointer to a lane's elements points
  /// to; 0 for a prefetch.
  unsigned laneBits = 0;

  bool isPrefetch() const { return kind == BlockMessageKind::Prefetch; }
  bool isStore() const { return kind == BlockMessageKind::Store; }
  /// Returns the bytes of a row of all blocks.
  unsigned getRowBytes() const { return columns * blocks * bits / 8; }
  /// Returns the mangled name of the function, with the types that drivers and
  /// device libraries have: pointers to unsigned integers.
  std::string getName() const;
};

/// Returns the message that a function of this mangled name is; none for other
/// functions. The name may have other types of the same widths.
std::optional<BlockMessage> readBlockMessage(llvm::StringRef mangled);

/// Returns the message that a value is the direct call of.
std::optional<BlockMessage> readBlockMessage(const llvm::Value &call);

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
