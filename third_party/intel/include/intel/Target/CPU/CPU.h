//===- CPU.h - LLVM IR to code for the CPU device ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Translates the LLVM IR that also becomes SPIR-V (stage "llir") to x86-64
// object code. A function runs a whole sub-group: values that differ between
// lanes are vectors. intel/ABI/CPUKernel.h defines how the code is called, and
// which functions it calls.
//
// As for SPIR-V, every error that LLVM reports is returned as an llvm::Error.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_CPU_CPU_H
#define TRITON_INTEL_TARGET_CPU_CPU_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::triton::gpu::intel {

struct CPUOptions {
  /// AVX-512 (F, BW, DQ, VL) instead of AVX2 with FMA and F16C.
  bool useAVX512 = false;
  /// Let a multiplication be fused with an addition.
  bool allowFPContraction = true;
  /// Emit code that checks its accesses against the memory of the launch, and
  /// that can be debugged. See docs/CPUDevice.md.
  bool hasChecks = false;
  /// 2D block messages are always checked against the rules of this chip,
  /// unless it is empty.
  std::string arch;
};

struct CPUObject {
  /// The name of the module's one kernel.
  std::string name;
  /// An ELF object, which intel/Runtime/CPU/ObjectLoader.h loads.
  std::string code;
};

/// Returns the module as object code.
llvm::Expected<CPUObject> translateToObject(llvm::StringRef llvmIR,
                                            const CPUOptions &options);

/// Returns the module with a sub-group's code in place of a lane's, as LLVM IR.
llvm::Expected<std::string> vectorizeLanes(llvm::StringRef llvmIR,
                                           const CPUOptions &options);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_CPU_CPU_H
