//===- InitAllPasses.cpp - Every pass of the compiler ---------------------===//
// SPDX-License-Identifier: MIT

#include "intel/InitAllPasses.h"

#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h"
#include "intel/Dialect/LLVMIR/Transforms/Passes.h"
#include "intel/Dialect/Triton/Transforms/Passes.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"
#include "intel/Pipelines/Passes.h"
#include "intel/Pipelines/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "triton/Conversion/TritonToTritonGPU/Passes.h"
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"
#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

using namespace mlir;

void mlir::triton::gpu::intel::registerAllPasses() {
  // canonicalize, cse, inline, loop-invariant-code-motion, sccp, symbol-dce,
  // ...
  registerTransformsPasses();
  registerConversionPasses();
  arith::registerArithPasses();
  math::registerMathPasses();

  registerTritonToTritonGPUPasses();
  registerTritonGPUTransformsPasses();
  proton_gpu::registerProtonGPUTransformsPasses();
  triton::intel::registerTritonIntelPasses();
  registerTritonIntelGPUTransformsPasses();
  registerTritonIntelGPUToLLVMPasses();
  registerTritonIntelLLVMIRPasses();
  registerTritonXePipelinesPasses();
  registerPipelines();
}
