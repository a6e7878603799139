//===- BlockMessageKind.cpp - The kinds of 2D block messages --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Target/BlockMessageKind.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mlir::triton::gpu::intel {

/// The names of the functions in the order of the enumerators.
static constexpr StringLiteral kFunctions[] = {
    "_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv",
    "_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv",
    "_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv",
    "_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i",
    "_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i",
};

StringRef getFunctionName(BlockMessageKind kind) {
  return kFunctions[static_cast<size_t>(kind)];
}

std::optional<BlockMessageKind> getBlockMessageKind(StringRef mangled) {
  for (auto [index, name] : enumerate(kFunctions))
    if (name == mangled)
      return static_cast<BlockMessageKind>(index);
  return std::nullopt;
}

unsigned getPosition(BlockMessageKind kind, MessageOperand operand) {
  constexpr auto first = static_cast<unsigned>(MessageOperand::Base);
  auto position = static_cast<unsigned>(operand);
  if (kind != BlockMessageKind::Store || position < first)
    return position;
  return operand == MessageOperand::Elements ? first : position + 1;
}

} // namespace mlir::triton::gpu::intel
