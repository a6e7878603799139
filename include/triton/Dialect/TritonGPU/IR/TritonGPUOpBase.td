//===- TritonGPUOpBase.td - Base of ttg operations ---------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRITONGPUOPBASE_TD
#define TRITON_DIALECT_TRITONGPU_IR_TRITONGPUOPBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton/Dialect/Triton/IR/TritonAttrs.td"
include "triton/Dialect/Triton/IR/TritonInterfaces.td"
include "triton/Dialect/Triton/IR/TritonTypes.td"
include "triton/Dialect/TritonGPU/IR/TritonGPUDialect.td"
include "triton/Dialect/TritonGPU/IR/TritonGPUEnums.td"
include "triton/Dialect/TritonGPU/IR/TritonGPUTypes.td"

// The shared memory of a CTA.
def SharedMemory : Resource<"::mlir::triton::gpu::SharedMemory">;

// The result is a view into the memory of the first operand.
def MemDescViewTrait : NativeOpTrait<"MemDescViewTrait"> {
  let cppNamespace = "::mlir::triton::gpu::OpTrait";
}

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TritonGPU_Dialect, mnemonic,
         !listconcat(traits, [TensorSizeTrait, VerifyTensorLayoutsTrait])>;

#endif // TRITON_DIALECT_TRITONGPU_IR_TRITONGPUOPBASE_TD
