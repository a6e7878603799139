//===- BlockMessageKind.h - The kinds of 2D block messages ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// SPIR-V has an instruction for each kind of message (SPV_INTEL_2d_block_io).
// In LLVM IR it is the call of a function, which LLVM's SPIR-V backend and the
// device compilers know by its name. Its first four operands are constants, the
// shape of the message.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_BLOCKMESSAGEKIND_H
#define TRITON_INTEL_TARGET_BLOCKMESSAGEKIND_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlir::triton::gpu::intel {

/// The kind of a 2D block message.
enum class BlockMessageKind : uint8_t {
  Load,
  /// A load that packs consecutive rows into the lanes' 32 bits (VNNI).
  Transform,
  /// A load that exchanges rows and columns.
  Transpose,
  Store,
  Prefetch,
};

/// Numbers the operands of a message's function.
enum class MessageOperand : uint8_t {
  /// The shape: bytes of an element, columns and rows of a block in elements,
  /// and the number of blocks side by side.
  ElementBytes,
  Columns,
  Rows,
  Blocks,
  /// The surface: its base in global memory, its width in bytes, its height in
  /// rows, and its pitch in bytes.
  Base,
  Width,
  Height,
  Pitch,
  /// A vector of the column and the row of the first element.
  Place,
  /// The private memory of a lane with its elements. A prefetch has none.
  Elements,
};

/// Returns the position of an operand among those of the function of a kind. A
/// store has the elements before the surface.
unsigned getPosition(BlockMessageKind kind, MessageOperand operand);

/// Returns the mangled name of the function of a kind.
llvm::StringRef getFunctionName(BlockMessageKind kind);

/// Returns the kind of the message whose function has a mangled name; none for
/// other functions.
std::optional<BlockMessageKind> getBlockMessageKind(llvm::StringRef mangled);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_BLOCKMESSAGEKIND_H
