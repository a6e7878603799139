//===- MessagesToLLVM.h - Lower messages and DPAS to functions --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_MESSAGESTOLLVM_H
#define TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_MESSAGESTOLLVM_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::triton::gpu::intel {

/// Lets `convert-to-llvm` lower 2D block messages, DPAS and shuffles, and the
/// operations of XeVM that some of these become.
void registerConvertMessagesToLLVMInterface(DialectRegistry &registry);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_MESSAGESTOLLVM_H
