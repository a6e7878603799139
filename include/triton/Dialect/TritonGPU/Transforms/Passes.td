//===- Passes.td - Passes on TTGIR for any target ----------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES_TD
#define TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.td"

//===----------------------------------------------------------------------===//
// tritongpu-merge-reductions
//===----------------------------------------------------------------------===//

def TritonGPUMergeReductions : TTGIRPass<"tritongpu-merge-reductions"> {
  let summary = "merge reductions across warps";
  let description = [{
    Independent reductions in a block with the same layout and axis become one
    reduction with several operands, if the axis crosses warps: one barrier then
    serves all of them. The merged reduction replaces the first one, and the
    operations that compute the operands of the others move up before it.

    ```mlir
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64xf32, #blocked>) -> f32
    %m = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64xf32, #blocked>) -> f32
    ```
    becomes
    ```mlir
    %r:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      %e = arith.addf %a, %c : f32
      %f = arith.maxnumf %b, %d : f32
      tt.reduce.return %e, %f : f32, f32
    }) : (tensor<64xf32, #blocked>, tensor<64xf32, #blocked>) -> (f32, f32)
    ```
    Reductions do not change if their regions have more than one operation per
    operand, or if they come from a scan of the same elements.
  }];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Reductions merged into another">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect"];
}

//===----------------------------------------------------------------------===//
// tritongpu-merge-conversions
//===----------------------------------------------------------------------===//

def TritonGPUMergeConversions : TTGIRPass<"tritongpu-merge-conversions"> {
  let summary = "merge layout conversions across warps";
  let description = [{
    Independent layout conversions in a block that go through shared memory become
    one operation: one barrier then serves all of them. It replaces the first one,
    and the operations that compute the operands of the others move up before it.

    ```mlir
    %a = ttg.convert_layout %x
        : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #blocked1>
    %y = arith.addf %x, %x : tensor<16x16xf32, #blocked>
    %b = ttg.convert_layout %y
        : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #blocked1>
    ```
    becomes
    ```mlir
    %y = arith.addf %x, %x : tensor<16x16xf32, #blocked>
    %ab:2 = ttg.convert_layouts %x, %y
        : (tensor<16x16xf32, #blocked>, tensor<16x16xf32, #blocked>)
       -> (tensor<16x16xf32, #blocked1>, tensor<16x16xf32, #blocked1>)
    ```
    Conversions are not merged if their results are large, or if they would need
    more shared memory together than the module's share of a core's memory.
  }];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Conversions merged into another">,
  ];
}

//===----------------------------------------------------------------------===//
// tritongpu-allocate-memory
//===----------------------------------------------------------------------===//

def TritonGPUAllocateMemory : TTGIRPass<"tritongpu-allocate-memory"> {
  let summary = "allocate memory, and separate conflicting accesses to it";
  let description = [{
    Sets the byte offset of its shared memory on every `ttg.local_alloc`, and on
    every operation that exchanges data between warps (some layout conversions,
    reductions and scans). The module gets the total size. Buffers that are not in
    use at the same time may overlap.

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @f(%x: tensor<32x32xf16, #blocked>) {
        %m = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>)
               -> !ttg.memdesc<32x32xf16, #shared, #smem>
    ```
    becomes
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 2048 : i32} {
      tt.func @f(%x: tensor<32x32xf16, #blocked>) {
        %m = ttg.local_alloc %x {allocation.offset = 0 : i32} : ...
    ```
    A scratch buffer does not overlap those of the exchanges before and after it,
    also across iterations of a loop, nor an allocation whose use ends before it, so
    that no barrier is needed between them. If a loop has only one exchange, it gets
    two buffers (`allocation.places`), which iterations use alternately. That is
    done for the smallest exchanges first, as long as the module needs no more than
    its share of a core's memory: that of its number of warps among those that the
    core can execute at a time.

    A `ttg.barrier local` comes before an operation that writes shared memory
    which may have been accessed since the last barrier, or reads shared memory
    which may have been written since then. Accesses are compared by their offsets:
    different buffers at the same offset conflict, and parts of one buffer at
    different offsets do not.

    ```mlir
    ttg.local_store %x, %m : ...
    %y = ttg.local_load %m : ...
    ```
    becomes
    ```mlir
    ttg.local_store %x, %m : ...
    ttg.barrier local
    %y = ttg.local_load %m : ...
    ```
    Operations with scratch memory contain separate barriers between their
    stores and loads.

    The pass does not check whether the target has enough memory. A missed remark
    (`layout-conversion`) reports each layout conversion that needs shared memory,
    with its bytes and layouts.

    Every `ttg.global_scratch_alloc` also gets a byte offset, and the module the size
    and the alignment of the global memory that a launch has to provide for each
    program.

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @f() {
        %a = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 100 : i32}
            : !tt.ptr<i8>
        %b = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 64 : i32}
            : !tt.ptr<i8>
    ```
    becomes
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32,
                       ttg.global_scratch_memory_alignment = 128 : i32,
                       ttg.global_scratch_memory_size = 256 : i32,
                       ttg.shared = 0 : i32} {
      tt.func @f() {
        %a = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 100 : i32,
               ttg.global_scratch_memory_offset = 0 : i32} : !tt.ptr<i8>
        %b = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 64 : i32,
               ttg.global_scratch_memory_offset = 128 : i32} : !tt.ptr<i8>
    ```
    A module without such operations gets no size. It is an error if a program needs
    more than 2 GiB.
  }];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "Operations with shared memory">,
    Statistic<"numGlobalBuffers", "num-global-buffers",
              "Operations with global scratch memory">,
    Statistic<"numBarriers", "num-barriers", "Barriers inserted">,
  ];
  let dependentDialects = ["mlir::triton::gpu::TritonGPUDialect"];
}

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES_TD
