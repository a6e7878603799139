//===- InitAllDialects.cpp - Every dialect of the compiler ----------------===//
// SPDX-License-Identifier: MIT

#include "intel/InitAllDialects.h"

#include "intel/Conversion/TritonIntelGPUToLLVM/MessagesToLLVM.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "triton/Dialect/ProtonGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;

void mlir::triton::gpu::intel::registerAllDialects(DialectRegistry &registry) {
  // MLIR's own, in the order of a compilation from Triton to LLVM.
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, math::MathDialect,
              scf::SCFDialect, ub::UBDialect, index::IndexDialect,
              func::FuncDialect, mlir::gpu::GPUDialect, vector::VectorDialect,
              LLVM::LLVMDialect, xevm::XeVMDialect>();
  // Interfaces of MLIR's dialects that are registered apart from them.
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);

  // The dialects of this project.
  registry.insert<proton::ProtonDialect, proton_gpu::ProtonGPUDialect,
                  TritonDialect, TritonGPUDialect, TritonIntelGPUDialect>();
  registerConvertMessagesToLLVMInterface(registry);
}
