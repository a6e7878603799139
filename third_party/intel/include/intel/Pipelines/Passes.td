//===- Passes.td - Verification between stages -------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_PIPELINES_PASSES_TD
#define TRITON_INTEL_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"
include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.td"

def TritonXeVerifyTTGIR : TTGIRPass<"tritonintelgpu-verify-ttgir"> {
  let summary = "check that a module is what the lowering expects";
  let description = [{
    This is the first pass of `triton-xe-allocation-pipeline`, because users may
    write TTGIR themselves. It changes nothing, and reports an error for each
    operation that the lowering cannot handle:

    - values that are tensors, or point to tensors, without a distributed layout;
      tensors of block pointers; tensor descriptors;
    - operations that earlier passes should have replaced: operations on tensor
      descriptors, `tt.cat`, operations for the lowering of Intel's own backend, and
      operations with which other targets pipeline loops;
    - `builtin.unrealized_conversion_cast`;
    - block pointers;
    - block accesses without an `order`, that need what no message does (a mask, NaN
      outside of the tensor), or whose layout no message delivers.

    For example,

    ```mlir
    %x = ttig.load_block %s[%y, %x] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #blocked>
    ```
    is an error: this access should have been rewritten to pointers or, if 2D block
    messages can make it, should have an order and another layout.
  }];
}

#endif // TRITON_INTEL_PIPELINES_PASSES_TD
