//===- ProtonGPUOps.td - Operations of proton_gpu ----------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTONGPU_IR_PROTONGPUOPS_TD
#define TRITON_DIALECT_PROTONGPU_IR_PROTONGPUOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton/Dialect/ProtonGPU/IR/ProtonGPUDialect.td"
include "triton/Dialect/ProtonGPU/IR/ProtonGPUTypes.td"
include "triton/Dialect/Triton/IR/TritonInterfaces.td"
include "triton/Dialect/Triton/IR/TritonTypes.td"

class ProtonGPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<ProtonGPU_Dialect, mnemonic, traits>;

// The measured code stays in its place: ordered with all operations that touch
// memory.
class ProtonGPU_OrderedOp<string mnemonic, list<Trait> traits = []>
    : ProtonGPU_Op<mnemonic, !listconcat(traits, [MemoryEffects<[MemRead, MemWrite]>])>;

def ProtonGPU_Counter : AnyTypeOf<[I32, I64]>;

def ProtonGPU_ProfileMemoryOp : ProtonGPU_Op<"profile_memory", [Pure]> {
  let summary = "get the profile memory of this program";
  let description = [{
    The launch provides this memory; the description of the dialect has its format.

    ```mlir
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    ```
  }];
  let results = (outs TT_Ptr:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def ProtonGPU_InitializeOp : ProtonGPU_Op<"initialize"> {
  let summary = "write the header of the profile memory";
  let description = [{
    Writes the values that are known at the beginning of a program: words 0 to 2, 4
    and 5 of the profile memory.

    ```mlir
    proton_gpu.initialize %m : !tt.ptr<i32>
    ```
  }];
  let arguments = (ins
    Arg<TT_Ptr, "profile memory", [MemWrite<GlobalMemory>]>:$memory);
  let assemblyFormat = "$memory attr-dict `:` qualified(type($memory))";
  let hasCanonicalizeMethod = 1;
}

def ProtonGPU_SegmentAllocOp : ProtonGPU_Op<"segment_alloc"> {
  let summary = "allocate an empty segment for the unit of this warp";
  let description = [{
    Segments in global memory are part of the profile memory. The offset of a
    segment in shared memory is an attribute, as for every shared buffer.

    ```mlir
    %s = proton_gpu.segment_alloc %m
        : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 128, space = shared>
    ```
  }];
  let arguments = (ins TT_Ptr:$memory);
  let results = (outs
    Res<ProtonGPU_SegmentType, "the segment", [MemAlloc]>:$segment);
  let assemblyFormat = [{
    $memory attr-dict `:` qualified(type($memory)) `->`
    qualified(type($segment))
  }];
}

def ProtonGPU_ReadCounterOp : ProtonGPU_OrderedOp<"read_counter"> {
  let summary = "read the clock of the processor that this warp runs on";
  let description = [{
    The clock counts cycles from an unknown start. A result of 32 bits wraps around.

    ```mlir
    %c = proton_gpu.read_counter : i64
    ```
  }];
  let results = (outs ProtonGPU_Counter:$counter);
  let assemblyFormat = "attr-dict `:` type($counter)";
}

class ProtonGPU_StoreOp<string mnemonic> : ProtonGPU_OrderedOp<mnemonic> {
  let arguments = (ins
    UnitAttr:$isStart,
    ProtonGPU_SegmentType:$segment,
    ProtonGPU_Counter:$counter,
    Optional<I32>:$event,
    OptionalAttr<I32Attr>:$scope
  );
  let assemblyFormat = [{
    (`start` $isStart^):(`end`)? $segment `,` $counter (`,` `event` $event^)?
    (`scope` $scope^)? attr-dict `:` qualified(type($segment)) `,`
    type($counter)
  }];
  let hasVerifier = 1;
}

def ProtonGPU_CircularStoreOp : ProtonGPU_StoreOp<"circular_store"> {
  let summary = "write a record, and drop the oldest one of a full segment";
  let description = [{
    The record is of a scope, by its number, or of an event, by its value.

    ```mlir
    proton_gpu.circular_store start %s, %c scope 3
        : !proton_gpu.segment<bytes = 128, space = shared>, i64
    proton_gpu.circular_store end %s, %c, event %e
        : !proton_gpu.segment<bytes = 128, space = shared>, i64
    ```
  }];
}

def ProtonGPU_FlushStoreOp : ProtonGPU_StoreOp<"flush_store"> {
  let summary = "write a record, and flush a full segment";
  let description = [{
    The records of a full segment in shared memory move to the *arena*, which
    follows the profile memory of all programs. Every warp allocates pieces of the
    arena as it needs them. Records are lost only if the arena is full.

    | word of the arena | content                                           |
    |-------------------|---------------------------------------------------|
    | 0                 | words requested for pieces                        |
    | 1                 | words available for pieces                        |
    | 2                 | words of records that did not fit                 |
    | 4 ...             | pieces: the number of the program, the warp, the number of words of records, the index of the first word, and the records |

    ```mlir
    proton_gpu.flush_store start %s, %c scope 3
        : !proton_gpu.segment<bytes = 128, space = shared>, i64
    ```
  }];
}

def ProtonGPU_FinalizeOp : ProtonGPU_OrderedOp<"finalize"> {
  let summary = "copy the records, and complete the profile memory";
  let description = [{
    Writes the values that are known at the end of a program: words 3 and 6 to 9 of
    the profile memory, the number of words that each warp wrote, and the segments.

    ```mlir
    proton_gpu.finalize %s, %m
        : !proton_gpu.segment<bytes = 128, space = shared>, !tt.ptr<i32>
    ```
  }];
  let arguments = (ins ProtonGPU_SegmentType:$segment, TT_Ptr:$memory);
  let assemblyFormat = [{
    $segment `,` $memory attr-dict `:` qualified(type($segment)) `,`
    qualified(type($memory))
  }];
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Segments of several functions
//===----------------------------------------------------------------------===//

class ProtonGPU_ContextOp<string mnemonic> : ProtonGPU_OrderedOp<mnemonic> {
  let arguments = (ins ProtonGPU_SegmentType:$segment);
  let assemblyFormat = "$segment attr-dict `:` qualified(type($segment))";
}

def ProtonGPU_InitContextOp : ProtonGPU_ContextOp<"init_ctx"> {
  let summary = "initialize the context, which counts records across calls";
  let description = [{
    A called function allocates a separate segment, at the same address as its
    caller. The number of records in it is passed from the caller to the
    function and back by the *context* in shared memory. `init_ctx` is in the
    kernel, before
     every `save_ctx` and `restore_ctx`.

    ```mlir
    proton_gpu.init_ctx %s : !proton_gpu.segment<bytes = 128, space = shared>
    ```
  }];
}

def ProtonGPU_SaveContextOp : ProtonGPU_ContextOp<"save_ctx"> {
  let summary = "write the number of records to the context";
  let description = [{
    Is used before a call, and at the end of a called function.

    ```mlir
    proton_gpu.save_ctx %s : !proton_gpu.segment<bytes = 128, space = shared>
    ```
  }];
}

def ProtonGPU_RestoreContextOp : ProtonGPU_ContextOp<"restore_ctx"> {
  let summary = "read the number of records from the context";
  let description = [{
    Is used at the beginning of a called function, and after a call.

    ```mlir
    proton_gpu.restore_ctx %s : !proton_gpu.segment<bytes = 128, space = shared>
    ```
  }];
}

#endif // TRITON_DIALECT_PROTONGPU_IR_PROTONGPUOPS_TD
