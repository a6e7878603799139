//===- Passes.td - Conversion of tt to tt with layouts -----*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_CONVERSION_TRITONTOTRITONGPU_PASSES_TD
#define TRITON_CONVERSION_TRITONTOTRITONGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTritonToTritonGPU : Pass<"convert-triton-to-tritongpu", "mlir::ModuleOp"> {
  let summary = "give every tensor a layout";
  let description = [{
    Turns target-neutral TTIR into TTGIR. Every tensor type, including those of
    block pointers, gets the default blocked layout of its shape. The module gets
    the launch geometry (`ttg.num-warps`, `ttg.threads-per-warp`, `ttg.num-ctas`,
    `ttg.target`).

    The default layout depends on the shape only, so elementwise code needs no
    conversions. Some operations relate the layouts of operands and results (dot,
    reduce, expand_dims, broadcast, trans, reshape, join, split). They get a
    `ttg.convert_layout` where the default layout does not fit. Later passes move
    and remove these conversions.

    The result of a dot has columns in lanes and square parts per warp. That is what
    scalar multiply-adds need: all lanes multiply by the same elements of the left
    operand, which do not take a register each.

    With 4 warps of 16 lanes,

    ```mlir
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    ```
    becomes
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"xpu\"",
           "name of the target, stored in `ttg.target`">,
    Option<"numWarps", "num-warps", "int32_t", /*default=*/"4",
           "sub-groups per work-group">,
    Option<"threadsPerWarp", "threads-per-warp", "int32_t", /*default=*/"32",
           "work-items per sub-group, unless the module has it">,
    Option<"numCTAs", "num-ctas", "int32_t", /*default=*/"1",
           "work-groups per cluster; only 1 is supported">,
    Option<"enableSourceRemat", "enable-source-remat", "bool", /*default=*/"false",
           "has no effect; accepted for compatibility with stock pipelines">,
  ];
  let statistics = [
    Statistic<"numConversions", "num-conversions", "Layout conversions inserted">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::arith::ArithDialect"];
}

#endif // TRITON_CONVERSION_TRITONTOTRITONGPU_PASSES_TD
