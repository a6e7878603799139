//===- ProtonGPUTypes.td - Types of proton_gpu -------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTONGPU_IR_PROTONGPUTYPES_TD
#define TRITON_DIALECT_PROTONGPU_IR_PROTONGPUTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "triton/Dialect/ProtonGPU/IR/ProtonGPUDialect.td"

def ProtonGPU_MemorySpace : I32EnumAttr<
    "MemorySpace", "memory that records are written to first", [
      I32EnumAttrCase<"Shared", 0, "shared">,
      I32EnumAttrCase<"Global", 1, "global">,
    ]> {
  let cppNamespace = "::mlir::triton::proton_gpu";
  let genSpecializedAttr = 0;
}

def ProtonGPU_SegmentType : TypeDef<ProtonGPU_Dialect, "Segment"> {
  let mnemonic = "segment";
  let summary = "memory for the records of the unit of a warp, and their number";
  let description = [{
    `!proton_gpu.segment<bytes = 128, space = shared>` is a segment of 128 bytes per
    warp. `bytes` is a power of two, and at least 8, the size of a record.

    `space = shared per 4 warps` joins four warps to a unit. With `units[0, 2]` only
    these units make records, and with `programs[0, 7]` only these programs.
  }];
  let parameters = (ins
    "int64_t":$bytes,
    EnumParameter<ProtonGPU_MemorySpace>:$space,
    DefaultValuedParameter<"int32_t", "1">:$warpsPerUnit,
    OptionalArrayRefParameter<"int32_t">:$units,
    OptionalArrayRefParameter<"int32_t">:$programs
  );
  let assemblyFormat = [{
    `<` `bytes` `=` $bytes `,` `space` `=` $space
    (`per` $warpsPerUnit^ `warps`)? (`units` `[` $units^ `]`)?
    (`programs` `[` $programs^ `]`)? `>`
  }];
  let extraClassDeclaration = [{
    /// Units that make records, in a program of this number of warps.
    int64_t getNumSegments(int64_t numWarps) const;
    /// Records that a segment holds.
    int64_t getCapacity() const;
  }];
  let genVerifyDecl = 1;
}

#endif // TRITON_DIALECT_PROTONGPU_IR_PROTONGPUTYPES_TD
