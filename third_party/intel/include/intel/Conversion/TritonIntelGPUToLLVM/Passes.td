//===- Passes.td - Lowering of TTGIR to the LLVM dialect --*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES
#define INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTritonIntelGPUToLLVM
    : Pass<"convert-triton-intel-gpu-to-llvm", "mlir::ModuleOp"> {
  let summary = "lower tt, ttg and ttig to per-work-item code";
  let description = [{
    Replaces the view of a work-group on whole tensors by the view of one
    work-item on its registers. A tensor whose layout gives each work-item `n`
    elements becomes `n / 8` vectors of eight elements (one vector, or one
    scalar, when there are fewer), in the order of the layout's register index:

    ```mlir
    tensor<256x32xf32, #blocked>   // 64 registers
    ```
    becomes eight values of
    ```mlir
    vector<8xf32>
    ```
    A vector of eight is what one row-block of a DPAS accumulator needs, it
    crosses loops as one value, and SPIR-V allows at most 16 elements.
    Elementwise operations stay what they are, on vectors. bf16 and 8-bit floats
    become integers of the same width, pointers in tensors become `i64`. A block
    pointer becomes its base, shape, strides and offsets.

    Where its mask is false, a load of a tensor reads a constant of the module:

    ```mlir
    %x = tt.load %p, %mask, %minus_one : tensor<256x!tt.ptr<f32>, #blocked>
    ```
    becomes, for each vector,
    ```mlir
    %constant = llvm.mlir.addressof @triton_xe_other_bf800000_4x32 : !llvm.ptr<1>
    %elsewhere = llvm.ptrtoint %constant : !llvm.ptr<1> to i64
    %address = arith.select %mask, %p, %elsewhere : i64
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %x = llvm.load %pointer : !llvm.ptr<1> -> vector<4xf32>
    ```
    so that the GPU issues them one after the other. Where `other` is not one
    constant the load reads zeros, and a second selection replaces these. With
    `load-branches` each load is an `scf.if`, as volatile loads and those of scalars
    always are: the CPU device makes a masked access of one, and would make a gather
    of selected addresses.

    Control flow stays in `scf`; 2D block messages and DPAS become XeVM
    operations. Scalar arithmetic is left to the upstream conversions that run
    afterwards.
  }];
  let options = [
    ListOption<"externSymbols", "extern-symbols", "std::string",
               "functions besides those of OpenCL that kernels may call">,
    Option<"loadBranches", "load-branches", "bool", /*default=*/"false",
           "masked loads are branches, as the CPU device wants them">,
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::scf::SCFDialect",
    "mlir::cf::ControlFlowDialect", "mlir::LLVM::LLVMDialect",
    "mlir::xevm::XeVMDialect"
  ];
}

#endif // INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES
