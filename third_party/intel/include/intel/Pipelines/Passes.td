//===- Passes.td - What stages have to leave behind -------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_PIPELINES_PASSES
#define INTEL_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def TritonXeVerifyTTGIR : Pass<"triton-xe-verify-ttgir", "mlir::ModuleOp"> {
  let summary = "check that a module is what the lowering expects";
  let description = [{
    Ends `triton-xe-ttgir-pipeline`, and starts `triton-xe-allocation-pipeline`,
    since users may write TTGIR themselves. Changes nothing, and fails with an
    error for each operation of which the lowering could make nothing:

    - a value is a tensor, or points to one, that has no layout of registers; or
      is a tensor of block pointers, or a tensor descriptor
    - an operation should have been taken apart: those on tensor descriptors,
      `tt.cat`, what Intel's backend has for its own lowering, what loops are
      pipelined by elsewhere
    - a `builtin.unrealized_conversion_cast` is left
    - a load, store or prefetch through a block pointer is not marked as a 2D
      block access (`ttig.block_io`), asks for what no message does (a mask, NaN
      outside of the tensor), or has a layout that no message delivers

    So an access such as

    ```mlir
    %x = tt.load %block : !tt.ptr<tensor<16x16xf16, #blocked>>
    ```
    is an error: without the mark it had to become a load of pointers, and with it
    a load of another layout.
  }];
}

def TritonXeVerifyLLVM : Pass<"triton-xe-verify-llvm", "mlir::ModuleOp"> {
  let summary = "check that a module can be translated to LLVM IR";
  let description = [{
    Ends `triton-xe-llvm-pipeline`. Changes nothing, and fails with an error for
    each operation that does not belong to the LLVM dialect: XeVM, `arith`,
    `math`, `cf` and `scf` have become calls, operations and branches of it by
    then, and casts between types of before and after the lowering must have met
    their counterparts.

    ```mlir
    %y = builtin.unrealized_conversion_cast %x : index to i64
    ```
    is an error, as is

    ```mlir
    %y = math.ctpop %x : vector<8xi4>
    ```
  }];
}

#endif // INTEL_PIPELINES_PASSES
