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

// What is measured stays where it is: ordered with all that touches memory.
class ProtonGPU_OrderedOp<string mnemonic, list<Trait> traits = []>
    : ProtonGPU_Op<mnemonic, !listconcat(traits, [MemoryEffects<[MemRead, MemWrite]>])>;

def ProtonGPU_Counter : AnyTypeOf<[I32, I64]>;

def ProtonGPU_ProfileMemoryOp : ProtonGPU_Op<"profile_memory", [Pure]> {
  let summary = "the profile memory of this program";
  let description = [{
    ```mlir
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    ```
  }];
  let results = (outs TT_Ptr:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def ProtonGPU_InitializeOp : ProtonGPU_Op<"initialize"> {
  let summary = "write what is known when the program begins";
  let description = [{
    Words 0 to 2, 4 and 5 of the profile memory.

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
  let summary = "the segment of this warp's unit, without records";
  let description = [{
    Segments in global memory lie in the profile memory. The offset of those in
    shared memory is an attribute, as that of every buffer there.

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
  let summary = "the clock of the processor that this warp runs on";
  let description = [{
    Counts cycles; where it begins is not known, and 32 bits of it wrap around.

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
  let summary = "write a record in the place of the oldest one";
  let description = [{
    A segment that is full loses the record that it has had for the longest time.
    The scope is a number, or the value of an event.

    ```mlir
    proton_gpu.circular_store start %s, %c scope 3
        : !proton_gpu.segment<bytes = 128, space = shared>, i64
    proton_gpu.circular_store end %s, %c, event %e
        : !proton_gpu.segment<bytes = 128, space = shared>, i64
    ```
  }];
}

def ProtonGPU_FlushStoreOp : ProtonGPU_StoreOp<"flush_store"> {
  let summary = "write a record, and empty a segment that is full";
  let description = [{
    The records of a full segment in shared memory become a piece of the *arena*,
    which is behind the profile memory of all programs, and of which every warp
    takes as much as it needs. None is lost as long as the launch has given
    enough.

    | word of the arena | content                                           |
    |-------------------|---------------------------------------------------|
    | 0                 | words that were asked for, those of 4 not counted |
    | 1                 | words that there are, likewise                    |
    | 2                 | words of records that had no place                |
    | 4 ...             | pieces: the program's number, the warp, words of records, the number of the first of them, and these |

    ```mlir
    proton_gpu.flush_store start %s, %c scope 3
        : !proton_gpu.segment<bytes = 128, space = shared>, i64
    ```
  }];
}

def ProtonGPU_FinalizeOp : ProtonGPU_OrderedOp<"finalize"> {
  let summary = "copy the records and write what is known when the program ends";
  let description = [{
    Words 3 and 6 to 9 of the profile memory, the words that each warp wrote, and
    the segments.

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
  let summary = "make room for how many records there are";
  let description = [{
    A function that is called has a segment of its own, at the same place. What
    it has to know, and what its caller has to know behind the call, is the
    *context*, in shared memory. Stands in the kernel, in front of every
    `save_ctx` and `restore_ctx`.

    ```mlir
    proton_gpu.init_ctx %s : !proton_gpu.segment<bytes = 128, space = shared>
    ```
  }];
}

def ProtonGPU_SaveContextOp : ProtonGPU_ContextOp<"save_ctx"> {
  let summary = "say how many records there are";
  let description = [{
    In front of a call, and at the end of a function that is called.

    ```mlir
    proton_gpu.save_ctx %s : !proton_gpu.segment<bytes = 128, space = shared>
    ```
  }];
}

def ProtonGPU_RestoreContextOp : ProtonGPU_ContextOp<"restore_ctx"> {
  let summary = "go on where the last save_ctx left off";
  let description = [{
    At the begin of a function that is called, and behind a call.

    ```mlir
    proton_gpu.restore_ctx %s : !proton_gpu.segment<bytes = 128, space = shared>
    ```
  }];
}

#endif // TRITON_DIALECT_PROTONGPU_IR_PROTONGPUOPS_TD
