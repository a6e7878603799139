//===- TritonGPUEnums.td - Enumerations of ttg -------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRITONGPUENUMS_TD
#define TRITON_DIALECT_TRITONGPU_IR_TRITONGPUENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTG_AddrSpace : I32BitEnumAttr<
    "AddrSpace", "memories whose accesses a barrier orders", [
      I32BitEnumAttrCaseNone<"None", "none">,
      I32BitEnumAttrCaseBit<"Local", 0, "local">,
      I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">,
      I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">,
      I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">,
      I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">,
      I32BitEnumAttrCaseGroup<"All", [
        I32BitEnumAttrCaseBit<"Local", 0, "local">,
        I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">,
        I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">,
        I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">,
        I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">,
      ], "all">,
    ]> {
  let cppNamespace = "::mlir::triton::gpu";
  let separator = "|";
  let printBitEnumPrimaryGroups = 1;
}

#endif // TRITON_DIALECT_TRITONGPU_IR_TRITONGPUENUMS_TD
