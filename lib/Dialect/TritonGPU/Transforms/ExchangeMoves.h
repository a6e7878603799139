//===- ExchangeMoves.h - Exchanges that can share a barrier -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Operations that exchange data between warps have a barrier. A later one of a
// block can share that of an earlier one if the operations that compute its
// operands can move up to it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_LIB_DIALECT_TRITONGPU_TRANSFORMS_EXCHANGEMOVES_H
#define TRITON_LIB_DIALECT_TRITONGPU_TRANSFORMS_EXCHANGEMOVES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir::triton::gpu {

/// Returns the operations that have to move before `first` so that `second`,
/// a later operation of the same block, can be placed there, in program order;
/// nothing if it cannot. Operations without effects move, and loads from global
/// memory that pass no store.
std::optional<SmallVector<Operation *>> findMoves(Operation *first,
                                                  Operation *second);

} // namespace mlir::triton::gpu

#endif // TRITON_LIB_DIALECT_TRITONGPU_TRANSFORMS_EXCHANGEMOVES_H
