//===- DeviceLibrary.h - Link the builtins of a device library --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_DEVICELIBRARY_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_DEVICELIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace triton::intel::spirv {

/// Moves the functions that `module` calls out of the library and marks them
/// for inlining. Only those are read from the bitcode. It is an error if a 2D
/// block I/O or DPAS builtin stays undefined, or is called by a kernel whose
/// sub-group size is not the library's 16.
llvm::Error linkDeviceLibrary(llvm::Module &module, llvm::StringRef bitcode);

/// Links a library of the user's. It is an error if a function has other types
/// there than in the module, or calls one that neither defines.
llvm::Error linkExternLibrary(llvm::Module &module, llvm::StringRef bitcode);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_DEVICELIBRARY_H
