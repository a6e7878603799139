//===- InitAllDialects.h - Every dialect of the compiler --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Registers the dialects that triton-xe-opt, the Python module and tests parse.
// A new dialect is registered here only.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_INITALLDIALECTS_H
#define TRITON_INTEL_INITALLDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::triton::gpu::intel {

/// Adds every dialect that may occur in the IR of a compilation, from TTIR to
/// the LLVM dialect, with the interfaces that its passes require.
void registerAllDialects(DialectRegistry &registry);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_INITALLDIALECTS_H
