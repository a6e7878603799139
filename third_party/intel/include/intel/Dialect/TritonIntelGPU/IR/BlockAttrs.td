//===- BlockAttrs.td - Properties of block accesses --------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKATTRS_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKATTRS_TD

include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.td"
include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TTIG_BlockOrderAttr
    : EnumAttr<TritonIntelGPU_Dialect, TTIG_BlockOrderEnum, "order"> {
  let description = [{
    Along which of the last two dimensions of a block memory is contiguous: the last
    one (`row_major`), or the one before (`column_major`).

    `#ttig.order<row_major>`
  }];
  let assemblyFormat = "`<` $value `>`";
}

def TTIG_SurfaceRulesAttr
    : EnumAttr<TritonIntelGPU_Dialect, TTIG_SurfaceRulesEnum, "rules"> {
  let description = [{
    The known rules of a surface; see `ttig.surface`.

    `#ttig.rules<checked>`
  }];
  let assemblyFormat = "`<` $value `>`";
}

def TTIG_MessagesAttr : AttrDef<TritonIntelGPU_Dialect, "Messages"> {
  let mnemonic = "messages";
  let summary = "the 2D block messages of an access";
  let description = [{
    Each message moves `blocks` blocks side by side, of `height` rows and `width`
    columns of elements of `bits` bits. These may be wider than the elements of the
    tensor. `mode` is the order in which lanes and registers get the elements:

    - `plain`: row by row;
    - `vnni`: a value of 32 bits has the elements of consecutive rows in a column;
    - `transposed`: column by column;
    - `transposed_pairs`: the same by two messages, one for even and one for odd
      rows, of `height / 2` rows each.

    `#ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 2>`
  }];
  let parameters = (ins
    EnumParameter<TTIG_MessageModeAttr>:$mode,
    "unsigned":$bits,
    "unsigned":$height,
    "unsigned":$width,
    "unsigned":$blocks
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKATTRS_TD
