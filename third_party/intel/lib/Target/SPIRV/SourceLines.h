//===- SourceLines.h - SPIR-V with the lines of its source ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// LLVM's SPIR-V backend writes no lines. Here calls of functions that do not
// exist go through it as marks, one before each instruction that comes
// from another place than the one before it, and become OpLine afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_SOURCELINES_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_SOURCELINES_H

#include "intel/Target/SPIRV/SPIRV.h"

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace triton::intel::spirv {

using SourcePlaces =
    std::vector<std::vector<mlir::triton::gpu::intel::SourcePlace>>;

/// Marks the places of all instructions by calls, and returns the places that
/// the marks refer to, in order. No pass may run afterwards: the calls look as
/// if they had effects.
SourcePlaces markLines(llvm::Module &module);

/// Replaces the marks in a module that the backend wrote: the line of OpLine is
/// the number of a place, counted from 1, in a file and a scope as
/// OpenCL.DebugInfo.100 describes them, without which compilers ignore lines.
/// It is an error if the binary is no module with marks.
llvm::Error replaceMarks(std::string &binary);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_SOURCELINES_H
