//===- CPU.h - LLVM IR to code for the CPU device ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The same LLVM IR that becomes SPIR-V (stage "llir") as x86-64 object code, in
// which a function runs a whole sub-group: what differs between lanes is a
// vector. How the code is called, and what it calls, is in
// intel/ABI/CPUKernel.h.
//
// As with SPIR-V, whatever LLVM reports comes back as an llvm::Error.
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
  /// Code that checks itself against the memory of the launch, and that
  /// debuggers can follow. See docs/CPUDevice.md.
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

/// The module as object code.
llvm::Expected<CPUObject> translateToObject(llvm::StringRef llvmIR,
                                            const CPUOptions &options);

/// The module with a sub-group's code in place of a lane's, as LLVM IR.
llvm::Expected<std::string> vectorizeLanes(llvm::StringRef llvmIR,
                                           const CPUOptions &options);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_CPU_CPU_H
