//===- TritonIntelGPUTypes.td - Types of ttig --------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUTYPES_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUTYPES_TD

include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.td"
include "mlir/IR/AttrTypeBase.td"

def TTIG_Private : TypeDef<TritonIntelGPU_Dialect, "Private"> {
  let mnemonic = "private";
  let summary = "private memory of each lane for the registers of a tensor";
  let description = [{
    Each lane has an array with one element for each register that it has of the
    tensor, in the order of the registers.

    `!ttig.private<tensor<64x128xf32, #blocked>>`
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
  let genVerifyDecl = 1;
}

def TTIG_Surface : TypeDef<TritonIntelGPU_Dialect, "Surface"> {
  let mnemonic = "surface";
  let summary = "memory that 2D block messages address";
  let description = [{
    The result of `ttig.make_surface`: base, width, height and pitch of a matrix.
  }];
}

def TTIG_Memory : TypeDef<TritonIntelGPU_Dialect, "Memory"> {
  let mnemonic = "memory";
  let summary = "a tensor in global memory";
  let description = [{
    The result of `ttig.surface`: the base, and an extent and a stride for each of
    `rank` dimensions.

    `!ttig.memory<f16, 2>`
  }];
  let parameters = (ins "::mlir::Type":$elementType, "unsigned":$rank);
  let assemblyFormat = "`<` $elementType `,` $rank `>`";
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUTYPES_TD
