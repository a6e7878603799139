//===- Passes.td - Passes on proton_gpu --------------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES
#define TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// proton-gpu-insert-segments
//===----------------------------------------------------------------------===//

def ProtonGPUInsertSegments
    : Pass<"proton-gpu-insert-segments", "mlir::ModuleOp"> {
  let summary = "give functions with records a segment for them";
  let description = [{
    A kernel whose scopes are measured begins with its segment and ends with a
    copy of it. Records stay as they are: a strategy is another pass.

    ```mlir
    tt.func public @f() {
      proton.record start "load" {proton.scope = 0 : i32}
      tt.call @g() : () -> ()
      proton.record end "load" {proton.scope = 0 : i32}
      tt.return
    }
    ```
    becomes
    ```mlir
    tt.func public @f() {
      %m = proton_gpu.profile_memory : !tt.ptr<i32>
      proton_gpu.initialize %m : !tt.ptr<i32>
      %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !proton_gpu.segment<...>
      proton_gpu.init_ctx %s : !proton_gpu.segment<...>
      proton.record start "load" {proton.scope = 0 : i32}
      proton_gpu.save_ctx %s : !proton_gpu.segment<...>
      tt.call @g() : () -> ()
      proton_gpu.restore_ctx %s : !proton_gpu.segment<...>
      proton.record end "load" {proton.scope = 0 : i32}
      proton_gpu.finalize %s, %m : !proton_gpu.segment<...>, !tt.ptr<i32>
      tt.return
    }
    ```
    The last three of these contexts are there for functions that have records,
    or call some that have.

    Segments in shared memory are as large as `buffer-size` allows, or, without
    one, as fit into what is left of `max-shared-memory`, but 4 % of that at most.
    Where not even one record fits, they are in global memory, and a remark
    (missed, `profile-buffer`) says so.
  }];
  let options = [
    Option<"bufferSpace", "buffer", "std::string", /*default=*/"\"shared\"",
           "where records go at first: shared or global">,
    Option<"bufferSize", "buffer-size", "int64_t", /*default=*/"0",
           "bytes of all segments of a program; 0: as many as make sense">,
    Option<"warpsPerUnit", "warps-per-unit", "int32_t", /*default=*/"1",
           "warps whose first one makes records; 0: all of the program">,
    ListOption<"units", "units", "int32_t",
               "the units that make records; none: all of them">,
    ListOption<"programs", "programs", "int32_t",
               "the programs that make records; none: all of them">,
    Option<"maxSharedMemory", "max-shared-memory", "int64_t",
           /*default=*/"131072", "bytes of shared memory that the target has">,
  ];
  let dependentDialects = ["mlir::triton::proton_gpu::ProtonGPUDialect"];
}

//===----------------------------------------------------------------------===//
// proton-gpu-circular-strategy
//===----------------------------------------------------------------------===//

class ProtonGPUStrategyOptions {
  list<Option> strategyOptions = [
    Option<"clock32", "clock32", "bool", /*default=*/"false",
           "use 32 bits of the clock">,
  ];
  list<string> strategyDialects = [
    "mlir::arith::ArithDialect", "mlir::triton::proton_gpu::ProtonGPUDialect"];
}

def ProtonGPUCircularStrategy
    : Pass<"proton-gpu-circular-strategy", "mlir::ModuleOp">,
      ProtonGPUStrategyOptions {
  let summary = "keep the latest records of each unit";
  let description = [{
    ```mlir
    proton.record start "load" {proton.scope = 0 : i32}
    ```
    becomes
    ```mlir
    %c = proton_gpu.read_counter : i64
    proton_gpu.circular_store start %s, %c scope 0 : !proton_gpu.segment<...>, i64
    ```
    The allocation of an event becomes the number of its scope.
  }];
  let options = strategyOptions;
  let dependentDialects = strategyDialects;
}

//===----------------------------------------------------------------------===//
// proton-gpu-flush-strategy
//===----------------------------------------------------------------------===//

def ProtonGPUFlushStrategy
    : Pass<"proton-gpu-flush-strategy", "mlir::ModuleOp">,
      ProtonGPUStrategyOptions {
  let summary = "keep all records of each unit";
  let description = [{
    As proton-gpu-circular-strategy, by `proton_gpu.flush_store`. Segments have to
    be in shared memory: it is an error where there was no room for them.
  }];
  let options = strategyOptions;
  let dependentDialects = strategyDialects;
}

//===----------------------------------------------------------------------===//
// proton-gpu-allocate-shared-memory
//===----------------------------------------------------------------------===//

def ProtonGPUAllocateSharedMemory
    : Pass<"proton-gpu-allocate-shared-memory", "mlir::ModuleOp"> {
  let summary = "give segments and contexts their place in shared memory";
  let description = [{
    Behind all that the kernel itself has there: segments of all units, which
    every function sees at the same place, and a word per warp for contexts.

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 100 : i32} {
      tt.func public @f(%m: !tt.ptr<i32>) {
        %s = proton_gpu.segment_alloc %m
            : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 128, space = shared>
    ```
    becomes
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 616 : i32} {
      tt.func public @f(%m: !tt.ptr<i32>) {
        %s = proton_gpu.segment_alloc %m {allocation.offset = 104 : i32}
            : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 128, space = shared>
    ```
    Whether the target has so much is for the user of `ttg.shared` to decide.
  }];
  let dependentDialects = ["mlir::triton::proton_gpu::ProtonGPUDialect"];
}

//===----------------------------------------------------------------------===//
// proton-gpu-allocate-profile-memory
//===----------------------------------------------------------------------===//

def ProtonGPUAllocateProfileMemory
    : Pass<"proton-gpu-allocate-profile-memory", "mlir::ModuleOp"> {
  let summary = "say how much profile memory a program needs";
  let description = [{
    Which is that of the dialect's description, in whole units of 128 bytes.

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32}
    ```
    becomes, with a segment of 128 bytes for each warp,
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32,
                       ttg.profile_scratch_memory_alignment = 128 : i32,
                       ttg.profile_scratch_memory_size = 640 : i32}
    ```
    A module without segments is not changed.
  }];
  let dependentDialects = ["mlir::triton::proton_gpu::ProtonGPUDialect"];
}

#endif // TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES
