//===- TargetAttr.td - The target of a module --------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TARGETATTR_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TARGETATTR_TD

include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.td"
include "mlir/IR/AttrTypeBase.td"

def TTIG_Target : AttrDef<TritonIntelGPU_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "the architecture that a module is compiled for";
  let description = [{
    Names an entry of `KnownTargets`. The module has it as `ttig.target`.
    `getTargetDesc(module)` returns the description of the architecture.

    ```mlir
    #ttig.target<arch = "pvc">
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the architecture">:$arch);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TARGETATTR_TD
