//===- TritonGPUDialect.td - The ttg dialect ---------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// The dialect of tensors that are distributed over a GPU's work-items, with the
// syntax that Triton 3.7 prints.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRITONGPUDIALECT_TD
#define TRITON_DIALECT_TRITONGPU_IR_TRITONGPUDIALECT_TD

include "mlir/IR/DialectBase.td"

def TritonGPU_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::mlir::triton::gpu";

  let summary = "Layouts of distributed tensors, and shared memory";
  let description = [{
    `ttg` describes where the elements of a `tt` tensor live. A *distributed*
    layout assigns them to registers of lanes of warps (for Intel: of sub-group
    lanes), a *shared* layout to offsets in shared local memory. Every layout
    answers one
    question, its linear layout, through `LinearLayoutEncodingInterface`; all
    code generation derives from that answer.

    A module in this dialect carries the launch geometry as attributes:

    ```mlir
    module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32,
                       ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {}
    ```

    A launch has one CTA (work-group) per program; clusters of several are
    rejected.
  }];

  let dependentDialects = ["::mlir::triton::TritonDialect"];

  // Names of the discardable attributes of the dialect. They are spelt in this
  // file only.
  let extraClassDeclaration = [{
    /// Warps (sub-groups) per CTA; on the module, or on a function.
    static constexpr ::llvm::StringLiteral getNumWarpsAttrName() {
      return "ttg.num-warps";
    }
    static constexpr ::llvm::StringLiteral getNumCTAsAttrName() {
      return "ttg.num-ctas";
    }
    static constexpr ::llvm::StringLiteral getThreadsPerWarpAttrName() {
      return "ttg.threads-per-warp";
    }
    /// Free text that names the target, e.g. "xpu".
    static constexpr ::llvm::StringLiteral getTargetAttrName() {
      return "ttg.target";
    }
    /// Warps per CTA including those that warp specialization adds.
    static constexpr ::llvm::StringLiteral getTotalNumWarpsAttrName() {
      return "ttg.total-num-warps";
    }

    /// Bytes of shared memory that the module needs.
    static constexpr ::llvm::StringLiteral getSharedAttrName() {
      return "ttg.shared";
    }
    /// Byte offset in shared memory; on every operation that needs some.
    static constexpr ::llvm::StringLiteral getAllocationOffsetAttrName() {
      return "allocation.offset";
    }
    /// On an operation with scratch memory in a loop: how many consecutive
    /// places iterations take by turns. Without it there is one.
    static constexpr ::llvm::StringLiteral getAllocationPlacesAttrName() {
      return "allocation.places";
    }

    /// Bytes and alignment of global scratch memory per CTA.
    static constexpr ::llvm::StringLiteral getGlobalScratchSizeAttrName() {
      return "ttg.global_scratch_memory_size";
    }
    static constexpr ::llvm::StringLiteral getGlobalScratchAlignmentAttrName() {
      return "ttg.global_scratch_memory_alignment";
    }
    /// Byte offset in global scratch memory; on an operation.
    static constexpr ::llvm::StringLiteral getGlobalScratchOffsetAttrName() {
      return "ttg.global_scratch_memory_offset";
    }
    /// Bytes and alignment of the scratch memory of instrumentation.
    static constexpr ::llvm::StringLiteral getProfileScratchSizeAttrName() {
      return "ttg.profile_scratch_memory_size";
    }
    static constexpr ::llvm::StringLiteral getProfileScratchAlignmentAttrName() {
      return "ttg.profile_scratch_memory_alignment";
    }

    /// Lanes per warp of a module that does not state it.
    static constexpr int32_t kDefaultThreadsPerWarp = 32;

    /// The geometry of a launch, as its module states it.
    static int32_t getNumWarps(::mlir::ModuleOp module);
    static int32_t getNumCTAs(::mlir::ModuleOp module);
    static int32_t getThreadsPerWarp(::mlir::ModuleOp module);

    /// The linear layout of an encoding on a shape, remembered in the context:
    /// passes and lowerings query the same few repeatedly.
    ::mlir::triton::LinearLayout
    toLinearLayout(::llvm::ArrayRef<int64_t> shape, ::mlir::Attribute encoding);

    void registerAttributes();
    void registerTypes();
    void registerOps();
    void registerInterfaces();

  private:
    LinearLayoutCache layoutCache;

  public:
  }];

  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // TRITON_DIALECT_TRITONGPU_IR_TRITONGPUDIALECT_TD
