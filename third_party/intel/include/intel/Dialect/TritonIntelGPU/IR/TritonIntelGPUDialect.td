//===- TritonIntelGPUDialect.td - The ttig dialect ---------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// The features that only Intel GPUs have: the layout of the systolic array,
// block prefetches, and the description of the target on the module.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUDIALECT_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUDIALECT_TD

include "mlir/IR/DialectBase.td"

def TritonIntelGPU_Dialect : Dialect {
  let name = "ttig";
  let cppNamespace = "::mlir::triton::gpu::intel";

  let summary = "Layouts, operations and the target of Intel GPUs";
  let description = [{
    Extends `ttg` by the encoding of the DPAS instruction, by operations without a
    counterpart on other GPUs, and by the target. `ttig.target` on the module names
    the architecture. Passes query its description (`getTargetDesc`) for every limit
    and capability.

    ```mlir
    module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32,
                       ttig.target = #ttig.target<arch = "pvc">} {}
    ```

    Modules of Intel's own backend have `ttig.min_sg_size` and one unit attribute
    per capability instead. If a module has any of these, they define the
    capabilities of the target.
  }];

  let dependentDialects = [
    "::mlir::triton::TritonDialect",
    "::mlir::triton::gpu::TritonGPUDialect",
  ];

  // Names of the discardable attributes of the dialect. They are spelt in this
  // file only.
  let extraClassDeclaration = [{
    /// On the module: the architecture, a TargetAttr.
    static constexpr ::llvm::StringLiteral getTargetAttrName() {
      return "ttig.target";
    }

    /// On the module, by Intel's backend: smallest sub-group size, SPIR-V
    /// architecture, and the capabilities (unit attributes).
    static constexpr ::llvm::StringLiteral getMinSubGroupSizeAttrName() {
      return "ttig.min_sg_size";
    }
    static constexpr ::llvm::StringLiteral getTargetArchAttrName() {
      return "ttig.target_arch";
    }
    static ::llvm::StringRef getCapabilityAttrName(Capability capability);

    /// The end of the name of a function without a body that loads a block and
    /// pads it with NaN, where the function without this end pads with zero.
    static constexpr ::llvm::StringLiteral getPadsWithNanSuffix() {
      return ".nan";
    }

    /// On a module, until it is translated to LLVM IR: the definitions, scopes
    /// and lines of the local variables in Python, by function. See
    /// TritonIntelGPUMarkVariables.
    static constexpr ::llvm::StringLiteral getVariablesAttrName() {
      return "ttig.variables";
    }

    /// On a module (i32): the registers of a thread that its kernel is compiled
    /// for. See getRegistersPerThread().
    static constexpr ::llvm::StringLiteral getRegistersAttrName() {
      return "ttig.registers";
    }

    /// On a module (i64): the most bytes of registers that are live at once in
    /// a thread of its kernel, as the scheduler has found.
    static constexpr ::llvm::StringLiteral getLiveBytesAttrName() {
      return "ttig.live_bytes";
    }

    /// On an argument of a kernel (i32): the value that all launches pass. See
    /// TritonIntelFoldKnownArguments.
    static constexpr ::llvm::StringLiteral getValueAttrName() {
      return "ttig.value";
    }

    void registerAttributes();
    void registerTypes();
    void registerOps();
  }];

  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUDIALECT_TD
