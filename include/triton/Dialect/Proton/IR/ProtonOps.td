//===- ProtonOps.td - Operations of proton -----------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTON_IR_PROTONOPS_TD
#define TRITON_DIALECT_PROTON_IR_PROTONOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton/Dialect/Proton/IR/ProtonDialect.td"

// Reads a clock and writes a record: ordered with all operations that touch
// memory.
class Proton_MarkOp<string mnemonic>
    : Op<Proton_Dialect, mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def Proton_RecordOp : Proton_MarkOp<"record"> {
  let summary = "mark the beginning or the end of a scope";
  let description = [{
    ```mlir
    proton.record start "load"
    %x = tt.load %p : tensor<32x!tt.ptr<f32>>
    proton.record end "load"
    ```
    Scopes of the same name may follow each other, or be nested: an end belongs to
    the last start of its name that has no end yet. Both must be on the same control
    path, so that they are executed equally often.
  }];
  let arguments = (ins UnitAttr:$isStart, StrAttr:$name);
  let assemblyFormat = [{
    (`start` $isStart^):(`end`)? $name attr-dict
  }];
  let hasVerifier = 1;
}

def Proton_AllocateEventOp : Op<Proton_Dialect, "allocate_event", []> {
  let summary = "allocate the number of an event";
  let description = [{
    The beginning and the end of an event need not be on the same control path. They
    may be in different iterations of a loop, different functions, or different
    warps.

    ```mlir
    %e = proton.allocate_event "copy" : i32
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs I32:$event);
  let assemblyFormat = "$name attr-dict `:` type($event)";
  let hasVerifier = 1;
}

def Proton_EventOp : Proton_MarkOp<"event"> {
  let summary = "mark the beginning or the end of an event";
  let description = [{
    ```mlir
    proton.event start %e : i32
    proton.event end %e : i32
    ```
    An end belongs to the first start of its event that has no end yet, if possible
    to one of the same warp.
  }];
  let arguments = (ins UnitAttr:$isStart, I32:$event);
  let assemblyFormat = [{
    (`start` $isStart^):(`end`)? $event attr-dict `:` type($event)
  }];
}

#endif // TRITON_DIALECT_PROTON_IR_PROTONOPS_TD
