//===- Passes.td - TTIR passes for Intel GPUs --------------*- tablegen -*-===//

#ifndef INTEL_DIALECT_TRITON_TRANSFORMS_PASSES
#define INTEL_DIALECT_TRITON_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def TritonIntelTensorDescToBlockPointer
    : Pass<"triton-intel-tdesc-to-block-pointer", "mlir::ModuleOp"> {
  let summary = "turn tensor descriptors into block pointers";
  let description = [{
    Behind this pass there is one kind of blocked access. A descriptor becomes
    its base pointer, shape and strides, which functions and structured control
    flow carry as scalars; each load and store through it makes a block pointer
    at its indices and checks every dimension.

    ```mlir
    %d = tt.make_tensor_descriptor %base, [%m, %n], [%ld, %c1_i64] : <f16>, <tensor<16x32xf16>>
    %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    ```
    becomes
    ```mlir
    %m1 = arith.extsi %m : i32 to i64
    %n1 = arith.extsi %n : i32 to i64
    %p = tt.make_tensor_ptr %base, [%m1, %n1], [%ld, %c1_i64], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    %x = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf16>>
    ```
    A descriptor that is a function argument becomes a pointer argument followed
    by its shape and strides, all i64.

    The target has no messages for gather, scatter and reduce through
    descriptors. They become loads, stores and relaxed atomic operations through
    tensors of pointers, masked to the extent of the tensor in memory.
  }];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

#endif // INTEL_DIALECT_TRITON_TRANSFORMS_PASSES
