//===- TritonDialect.td - The tt dialect -------------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// The dialect of Triton's own IR, with the syntax that Triton 3.7 prints.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_IR_TRITONDIALECT_TD
#define TRITON_DIALECT_TRITON_IR_TRITONDIALECT_TD

include "mlir/IR/DialectBase.td"

def Triton_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::mlir::triton";

  let summary = "Block-level programs on tensors, pointers and block pointers";
  let description = [{
    One instance of a `tt` function, a *program*, works on whole tensors whose
    shapes are static powers of two. Memory is reached through scalar pointers,
    tensors of pointers, block pointers (a pointer to a tensor: base, shape,
    strides, offsets) or tensor descriptors.

    The dialect is the input of the compiler: it parses everything that
    Triton 3.7.1, 3.8.0 and 3.9.0 print before layouts are assigned, and prints
    the text of 3.7.1. The same operations stay in
    use afterwards, on tensors that carry a layout; what a layout must fulfil is
    queried from the layout's own dialect through `DialectInferLayoutInterface`.
  }];

  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect",
    "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect",
  ];

  // Names of the discardable attributes of the dialect and of Triton's loop
  // attributes. They are spelt in this file only.
  let extraClassDeclaration = [{
    /// The known divisors of an integer or pointer: on function arguments an
    /// integer, on a producing operation one entry per dimension.
    static constexpr ::llvm::StringLiteral getDivisibilityAttrName() {
      return "tt.divisibility";
    }
    static constexpr ::llvm::StringLiteral getContiguityAttrName() {
      return "tt.contiguity";
    }
    static constexpr ::llvm::StringLiteral getConstancyAttrName() {
      return "tt.constancy";
    }

    /// The pointee type of a pointer argument, where the frontend records it.
    static constexpr ::llvm::StringLiteral getPointeeTypeAttrName() {
      return "tt.pointee_type";
    }
    /// Marks a descriptor argument that the host prepares.
    static constexpr ::llvm::StringLiteral getHostDescriptorAttrName() {
      return "tt.nv_tma_desc";
    }

    /// Loop attributes that a kernel's author sets.
    static constexpr ::llvm::StringLiteral getNumStagesAttrName() {
      return "tt.num_stages";
    }
    static constexpr ::llvm::StringLiteral getLoopUnrollFactorAttrName() {
      return "tt.loop_unroll_factor";
    }
    /// The instructions to LLVM for the loop (LoopAnnotationAttr).
    static constexpr ::llvm::StringLiteral getLoopAnnotationAttrName() {
      return "llvm.loop_annotation";
    }
    static constexpr ::llvm::StringLiteral getDisallowAccMultiBufferAttrName() {
      return "tt.disallow_acc_multi_buffer";
    }
    static constexpr ::llvm::StringLiteral getFlattenAttrName() {
      return "tt.flatten";
    }
    static constexpr ::llvm::StringLiteral getWarpSpecializeAttrName() {
      return "tt.warp_specialize";
    }

    /// Attributes with which a pipeliner talks to itself.
    static constexpr ::llvm::StringLiteral getLatencyAttrName() {
      return "tt.latency";
    }
    static constexpr ::llvm::StringLiteral getSelfLatencyAttrName() {
      return "tt.self_latency";
    }
    static constexpr ::llvm::StringLiteral getScheduledMaxStageAttrName() {
      return "tt.scheduled_max_stage";
    }
    static constexpr ::llvm::StringLiteral getLoopStageAttrName() {
      return "loop.stage";
    }
    static constexpr ::llvm::StringLiteral getLoopClusterAttrName() {
      return "loop.cluster";
    }

    void registerAttributes();
    void registerTypes();
    void registerOps();
  }];

  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONDIALECT_TD
