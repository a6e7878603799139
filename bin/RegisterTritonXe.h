//===- RegisterTritonXe.h - Dialects and passes of the tools --------------===//
//
// What `triton-xe-opt` and the other drivers know. A new dialect or group of
// passes is registered here and nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_BIN_REGISTERTRITONXE_H
#define TRITON_XE_BIN_REGISTERTRITONXE_H

#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h"
#include "intel/Dialect/Triton/Transforms/Passes.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"
#include "intel/Pipelines/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
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
#include "mlir/Transforms/Passes.h"
#include "triton/Conversion/TritonToTritonGPU/Passes.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

/// Registers every dialect that may occur in an input of the tools.
inline void registerTritonXeDialects(mlir::DialectRegistry &registry) {
  // MLIR's own, in the order of a compilation from Triton to LLVM.
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect, mlir::index::IndexDialect,
                  mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                  mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect,
                  mlir::xevm::XeVMDialect>();
  mlir::func::registerInlinerExtension(registry);
  mlir::LLVM::registerInlinerInterface(registry);

  registry
      .insert<mlir::triton::TritonDialect, mlir::triton::gpu::TritonGPUDialect,
              mlir::triton::gpu::intel::TritonIntelGPUDialect>();
}

#ifdef TRITON_XE_HAS_TEST_PASSES
namespace mlir::triton::test {
void registerTestAllocationPass();
void registerTestAxisInfoPass();
void registerTestLayoutCostPass();
void registerTestValueSourcesPass();
} // namespace mlir::triton::test
#endif

/// Registers every pass and pipeline that the tools offer on their command
/// line.
inline void registerTritonXePasses() {
  // canonicalize, cse, inline, loop-invariant-code-motion, sccp, symbol-dce,
  // ...
  mlir::registerTransformsPasses();
  mlir::registerConversionPasses();
  mlir::arith::registerArithPasses();

  mlir::triton::registerTritonToTritonGPUPasses();
  mlir::triton::gpu::registerTritonGPUTransformsPasses();
  mlir::triton::intel::registerTritonIntelPasses();
  mlir::triton::gpu::intel::registerTritonIntelGPUTransformsPasses();
  mlir::triton::gpu::intel::registerTritonIntelGPUToLLVMPasses();
  mlir::triton::gpu::intel::registerPipelines();

#ifdef TRITON_XE_HAS_TEST_PASSES
  mlir::triton::test::registerTestAllocationPass();
  mlir::triton::test::registerTestAxisInfoPass();
  mlir::triton::test::registerTestLayoutCostPass();
  mlir::triton::test::registerTestValueSourcesPass();
#endif
}

#endif // TRITON_XE_BIN_REGISTERTRITONXE_H
