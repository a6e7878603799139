//===- BlockMessages.h - 2D block messages in LLVM IR -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads calls of intel_sub_group_2d_block_* for the checks of both ways to the
// CPU device, SPIR-V and object code.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_SPIRV_BLOCKMESSAGES_H
#define TRITON_INTEL_TARGET_SPIRV_BLOCKMESSAGES_H

#include "intel/ABI/BlockMessage.h"
#include "intel/Target/KnownTargets.h"

#include "llvm/IR/IRBuilder.h"

#include <optional>
#include <string>

namespace triton_xe::spirv {

/// The shape of a message: ...read_16b_8r16x2c is 8 rows of 2 blocks of 16
/// columns, elements of 16 bits.
struct BlockMessageShape {
  unsigned bits = 0, rows = 0, columns = 0, blocks = 0;
};

/// Returns the shape that a builtin's name ends in, without the parameters'
/// types; none of other functions.
std::optional<BlockMessageShape> readBlockMessageShape(llvm::StringRef name);

/// Returns the limits of a target that operands may break.
triton::intel::abi::BlockRules
getBlockRules(const mlir::triton::gpu::intel::KnownTarget &target);

/// Returns "file:line", and the lines that it was inlined at.
std::string describePlace(const llvm::DebugLoc &location);

/// Emits a value of type i1 that is true if no hardware takes a message with
/// elements of so many bytes. `operands` are base, width, height, pitch and x,
/// the rules those of `checkBlockRules` of the runtime.
llvm::Value *emitBreaksBlockRules(llvm::IRBuilderBase &builder,
                                  const triton::intel::abi::BlockRules &rules,
                                  unsigned elementBytes,
                                  llvm::ArrayRef<llvm::Value *> operands);

} // namespace triton_xe::spirv

#endif // TRITON_INTEL_TARGET_SPIRV_BLOCKMESSAGES_H
