//===- Passes.td - Passes on proton_gpu --------------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_TD
#define TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// proton-gpu-lower-records
//===----------------------------------------------------------------------===//

def ProtonGPULowerRecords : Pass<"proton-gpu-lower-records", "mlir::ModuleOp"> {
  let summary = "lower records to stores into segments";
  let description = [{
    Pairs the begins and ends of scopes, and gives every pair and every event a
    number. A list on the module holds, for each number, the name, the enclosing
    scope (-1: none), and the source line where the scope begins. Copies of a scope
    that unrolling has made become scopes of the same name. The pass therefore runs
    after all passes that copy code.

    Allocates a segment at the beginning of a kernel whose scopes are measured, and
    copies it to the profile memory at the end. Each record becomes a reading of the
    clock and a store into the segment. The allocation of an event becomes the number
    of its scope.

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 100 : i32} {
      tt.func public @f() {
        proton.record start "load"
        tt.call @g() : () -> ()
        proton.record end "load"
        tt.return
      }
    ```
    becomes
    ```mlir
    module attributes {proton.scopes = [
                           {line = 7 : i32, name = "load", parent = -1 : i32}
                       ],
                       "ttg.num-warps" = 4 : i32,
                       ttg.profile_scratch_memory_alignment = 128 : i32,
                       ttg.profile_scratch_memory_size = 4224 : i32,
                       ttg.shared = 4216 : i32} {
      tt.func public @f() {
        %m = proton_gpu.profile_memory : !tt.ptr<i32>
        proton_gpu.initialize %m : !tt.ptr<i32>
        %s = proton_gpu.segment_alloc %m {allocation.offset = 104 : i32} : !tt.ptr<i32> -> !proton_gpu.segment<...>
        proton_gpu.init_ctx %s {allocation.offset = 4200 : i32} : !proton_gpu.segment<...>
        %a = proton_gpu.read_counter : i64
        proton_gpu.circular_store start %s, %a scope 0 : !proton_gpu.segment<...>, i64
        proton_gpu.save_ctx %s {allocation.offset = 4200 : i32} : !proton_gpu.segment<...>
        tt.call @g() : () -> ()
        proton_gpu.restore_ctx %s {allocation.offset = 4200 : i32} : !proton_gpu.segment<...>
        %b = proton_gpu.read_counter : i64
        proton_gpu.circular_store end %s, %b scope 0 : !proton_gpu.segment<...>, i64
        proton_gpu.finalize %s, %m : !proton_gpu.segment<...>, !tt.ptr<i32>
        tt.return
      }
    ```
    It is an error, reported at the record, if a scope does not end, ends without
    beginning, or ends on another control path, or if there are more than 256
    scopes.

    Operations on contexts (`init_ctx`, `save_ctx`, `restore_ctx`) are inserted only
    if the function calls others that have records, or that call such functions.

    The circular strategy keeps the latest records of each unit: its stores replace
    the oldest record of a full segment. The flush strategy keeps all records of each
    unit, and uses `proton_gpu.flush_store`. Its segments have to be in shared memory;
    it is an error if they do not fit there.

    Two areas are appended to the shared memory of the kernel: the segments of all
    units, which have the same offset in every function, and a word per warp for
    contexts. The size of the profile memory, which the description of the dialect
    defines, is rounded up to a multiple of 128 bytes. The pass does not check whether
    the target has enough memory.

    `buffer-size` limits the size of segments in shared memory. Without it, they take
    what the kernel leaves of `max-shared-memory`, but at most 4 % of
    `max-shared-memory`. If not even one record fits, segments are in global memory,
    and a missed remark (`profile-buffer`) reports it. A module without records
    does not change.
  }];
  let options = [
    Option<"strategy", "strategy", "Strategy",
           /*default=*/"Strategy::Circular", "what happens when a segment is full",
           [{::llvm::cl::values(
               clEnumValN(Strategy::Circular, "circular",
                          "new records replace the oldest ones"),
               clEnumValN(Strategy::Flush, "flush",
                          "records are moved to the profile memory"))}]>,
    Option<"clock32", "clock32", "bool", /*default=*/"false",
           "use 32 bits of the clock">,
    Option<"bufferSpace", "buffer", "std::string", /*default=*/"\"shared\"",
           "memory that records are written to first: shared or global">,
    Option<"bufferSize", "buffer-size", "int64_t", /*default=*/"0",
           "bytes of all segments of a program; 0: chosen by the pass">,
    Option<"warpsPerUnit", "warps-per-unit", "int32_t", /*default=*/"1",
           "warps of a unit, whose first warp makes records; 0: all of the program">,
    ListOption<"units", "units", "int32_t",
               "units that make records; empty: all of them">,
    ListOption<"programs", "programs", "int32_t",
               "programs that make records; empty: all of them">,
    Option<"maxSharedMemory", "max-shared-memory", "int64_t",
           /*default=*/"131072", "bytes of the target's shared memory">,
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::triton::proton::ProtonDialect",
    "mlir::triton::proton_gpu::ProtonGPUDialect"];
}

#endif // TRITON_DIALECT_PROTONGPU_TRANSFORMS_PASSES_TD
