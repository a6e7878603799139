//===- Passes.td - Lowering of TTGIR to the LLVM dialect --*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES_TD
#define TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES_TD

include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.td"

def ConvertTritonIntelGPUToLLVM
    : TTGIRPass<"convert-triton-intel-gpu-to-llvm"> {
  let summary = "lower tt, ttg and ttig to per-work-item code";
  let description = [{
    Translates operations of a work-group on tensors to operations of one work-item
    on its registers. A tensor of which each work-item holds `n` elements becomes
    `n / 8` vectors of eight elements, in the order of the layout's register index.
    Fewer than eight elements become one vector, or one scalar:

    ```mlir
    tensor<256x32xf32, #blocked>   // 64 registers
    ```
    becomes eight values of
    ```mlir
    vector<8xf32>
    ```
    The accumulator of one DPAS is a vector of eight, loops carry such a vector as
    one value, and SPIR-V allows at most 16 elements. Elementwise operations become
    the same operations on vectors. bf16 and 8-bit floats become integers of the
    same width, and pointers in tensors become `i64`. A block pointer becomes its
    base, shape, strides and offsets.

    If the mask of an element is false, a load of a tensor reads a constant of the
    module instead:

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
    The GPU then issues all loads without waiting in between. If `other` is not one
    constant, the load reads zeros, and a second selection replaces them. With
    `load-branches`, each load becomes an `scf.if`, as volatile and scalar loads
    always do. This is the better form for the CPU device, which makes a masked
    access of an `scf.if`, but would make a gather of selected addresses.

    If the mask may end within a vector, as `i < n` does, its first element decides
    whether the vector is loaded, and another selection replaces the elements that
    the mask hides. A vector is stored if the mask of its last element is true, and
    element by element otherwise. With `load-branches`, each element has its own
    access.

    Control flow stays in `scf`. Block accesses, dots and exchanges between lanes
    become operations of one sub-group (`ttig.block_load`, `ttig.dpas`,
    `ttig.shuffle`). `convert-to-llvm` lowers these, and scalar arithmetic:

    ```mlir
    %s = ttig.make_surface %base, %width, %height, %pitch
    %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32} : vector<64xi16>
    ```
    becomes a call of `__spirv_Subgroup2DBlockLoadINTEL`, which has the shape as
    operands and writes to private memory, and a load from there.
  }];
  let options = [
    ListOption<"externSymbols", "extern-symbols", "std::string",
               "functions that kernels may call, in addition to those of OpenCL">,
    Option<"loadBranches", "load-branches", "bool", /*default=*/"false",
           "lower masked loads to branches, and access elements one by one if "
           "their masks may differ, for the CPU device">,
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::scf::SCFDialect",
    "mlir::cf::ControlFlowDialect", "mlir::LLVM::LLVMDialect",
    "mlir::triton::gpu::intel::TritonIntelGPUDialect", "mlir::xevm::XeVMDialect"
  ];
}

#endif // TRITON_INTEL_CONVERSION_TRITONINTELGPUTOLLVM_PASSES_TD
