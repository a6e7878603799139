//===- InitAllPasses.h - Every pass of the compiler -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Registers the passes that triton-xe-opt and the Python module run by name. A
// new group of passes is registered here only. Passes for tests are registered
// by triton-xe-opt itself.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_INITALLPASSES_H
#define TRITON_INTEL_INITALLPASSES_H

namespace mlir::triton::gpu::intel {

/// Registers every pass and pipeline in MLIR's registry, which is one for the
/// process. To be called once.
void registerAllPasses();

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_INITALLPASSES_H
