//===- Passes.td - Passes on ttg that suit any target ------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES
#define TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// tritongpu-allocate-shared-memory
//===----------------------------------------------------------------------===//

def TritonGPUAllocateSharedMemory
    : Pass<"tritongpu-allocate-shared-memory", "mlir::ModuleOp"> {
  let summary = "give shared memory to the operations that need it";
  let description = [{
    Puts the byte offset of its shared memory on every `ttg.local_alloc` and on
    every operation that exchanges data between warps (some layout conversions,
    reductions and scans), and the size of the whole on the module. Memory that
    is not in use at the same time shares its place.

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
    Small scratch memory (256 bytes) is in another place than that of the
    exchanges before and behind it, also around a loop, so that no barrier has to
    stand between them; the only reduction or scan of a loop has two places
    (`allocation.places`), which iterations take by turns. That is left out where
    the module would need more units of 1 KiB for it.

    Whether the target has so much memory is for the user of the attribute to
    decide. Each layout conversion that needs some is reported to the remark
    engine (missed, `layout-conversion`) with its bytes and layouts.
  }];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "Operations that got shared memory">,
  ];
  let dependentDialects = ["mlir::triton::gpu::TritonGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritongpu-merge-reductions
//===----------------------------------------------------------------------===//

def TritonGPUMergeReductions
    : Pass<"tritongpu-merge-reductions", "mlir::ModuleOp"> {
  let summary = "give reductions across warps one exchange";
  let description = [{
    Reductions of a block that do not depend on each other, with the same layout
    and axis, become one with several operands, in place of the first one, if the
    axis crosses warps: then one barrier serves all of them. What the operands of
    the later ones need moves up with them.

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
    Regions of anything but one operation per operand are left alone, and so are
    reductions that come from a scan of the same elements.
  }];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Reductions that joined another">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect"];
}

//===----------------------------------------------------------------------===//
// tritongpu-global-scratch-memory-allocation
//===----------------------------------------------------------------------===//

def TritonGPUGlobalScratchMemoryAllocation
    : Pass<"tritongpu-global-scratch-memory-allocation", "mlir::ModuleOp"> {
  let summary = "give operations their place in global scratch memory";
  let description = [{
    Puts a byte offset on every `ttg.global_scratch_alloc`, and on the module what
    a program needs of global memory that the launch brings along.

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
                       ttg.global_scratch_memory_size = 256 : i32} {
      tt.func @f() {
        %a = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 100 : i32,
               ttg.global_scratch_memory_offset = 0 : i32} : !tt.ptr<i8>
        %b = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 64 : i32,
               ttg.global_scratch_memory_offset = 128 : i32} : !tt.ptr<i8>
    ```
    A module without such operations is not changed. More than 2 GiB for a program
    is an error.
  }];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "Operations that got memory">,
  ];
}

//===----------------------------------------------------------------------===//
// tritongpu-insert-barriers
//===----------------------------------------------------------------------===//

def TritonGPUInsertBarriers
    : Pass<"tritongpu-insert-barriers", "mlir::ModuleOp"> {
  let summary = "separate conflicting accesses to shared memory";
  let description = [{
    Inserts `ttg.barrier local` before an operation that writes shared memory
    which may have been accessed, or reads what may have been written, since the
    last barrier. Memory is compared by the offsets that
    tritongpu-allocate-shared-memory has chosen: different buffers at the same
    place conflict, parts of one buffer at different places do not.

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
    Operations with scratch memory have barriers of their own between their
    stores and loads.
  }];
  let statistics = [
    Statistic<"numBarriers", "num-barriers", "Barriers inserted">,
  ];
  let dependentDialects = ["mlir::triton::gpu::TritonGPUDialect"];
}

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_PASSES
