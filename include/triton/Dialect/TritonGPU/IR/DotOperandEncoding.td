//===- DotOperandEncoding.td - Layout of a dot's operands --*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_DOTOPERANDENCODING_TD
#define TRITON_DIALECT_TRITONGPU_IR_DOTOPERANDENCODING_TD

include "triton/Dialect/TritonGPU/IR/TritonGPUAttrBase.td"

def TTG_DotOperandEncoding
    : TTG_DistributedEncoding<"DotOperandEncoding", "dot_op"> {
  let summary = "layout of operand A or B of a dot";
  let description = [{
    How operand `opIdx` (0 = A, 1 = B) lies for a dot whose accumulator has the
    layout `parent`. A matrix instruction's encoding answers for its operands
    itself (`MmaEncodingInterface`), with `kWidth` consecutive values of K per
    lane and register group. With a blocked parent (scalar multiply-adds, no
    `kWidth`) every lane holds all of K for the rows or columns of its
    accumulators.

    ```mlir
    #ttg.dot_op<{opIdx = 0, parent = #blocked}>
    #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
    ```
  }];
  let parameters = (ins
    "unsigned":$opIdx,
    "::mlir::Attribute":$parent,
    DefaultValuedParameter<"unsigned", "0">:$kWidth
  );
  let builders = [
    // With the `kWidth` that the parent wants.
    AttrBuilder<(ins "unsigned":$opIdx, "::mlir::Attribute":$parent)>,
  ];
  let extraClassDeclaration = [{
    /// The dimension along which the dot sums.
    unsigned getKDim() const { return getRank() - (getOpIdx() == 0 ? 1 : 2); }
  }];
}

#endif // TRITON_DIALECT_TRITONGPU_IR_DOTOPERANDENCODING_TD
