//===- TritonDotOps.td - Matrix products -------------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONDOTOPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONDOTOPS_TD

include "triton/Dialect/Triton/IR/DotOpInterface.td"
include "triton/Dialect/Triton/IR/TritonOpBase.td"

def TT_DotOp : TT_Op<"dot", [
    Pure, AllTypesMatch<["c", "d"]>, DotOpInterface]> {
  let summary = "d = matrix product of a and b, plus c";
  let description = [{
    Matrices, or batches of matrices with the batch as first dimension. f32
    operands may be rounded as far as `inputPrecision` allows.

    ```mlir
    %d = tt.dot %a, %b, %c, inputPrecision = tf32
           : tensor<16x32xf32> * tensor<32x64xf32> -> tensor<16x64xf32>
    ```
  }];
  let arguments = (ins
    TT_NumberTensor:$a,
    TT_NumberTensor:$b,
    TT_NumberTensor:$c,
    DefaultValuedAttr<TT_InputPrecisionAttr,
                      "::mlir::triton::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc
  );
  let results = (outs TT_NumberTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict
    `:` type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [
    Pure, AttrSizedOperandSegments, AllTypesMatch<["c", "d"]>,
    DotOpInterface]> {
  let summary = "matrix product of operands in small formats with shared scales";
  let description = [{
    Every group of consecutive values along K shares one scale: 32 values with an
    `i8` exponent, 16 with an `f8E4M3FN`. The scales of `a` are a matrix
    M x groups, those of `b` N x groups. 4-bit values come in pairs in an `i8`,
    packed along K unless `lhs_k_pack` or `rhs_k_pack` is false.

    ```mlir
    %d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e5m2 rhs = e2m1
           {fastMath = false}
           : tensor<16x64xf8E5M2>, tensor<16x2xi8> * tensor<32x16xi8>, tensor<16x2xi8>
           -> tensor<16x16xf32>
    ```
  }];
  let arguments = (ins
    TT_NumberTensor:$a,
    TT_NumberTensor:$b,
    TT_FloatTensor:$c,
    Optional<RankedTensorOf<[I8, F8E4M3FN]>>:$a_scale,
    Optional<RankedTensorOf<[I8, F8E4M3FN]>>:$b_scale,
    TT_ScaleDotElemTypeAttr:$a_elem_type,
    TT_ScaleDotElemTypeAttr:$b_elem_type,
    BoolAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
    DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack
  );
  let results = (outs TT_FloatTensor:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c
    `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)?
    `->` type($d)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How many values of K share a scale.
    int64_t getScaleFactor();
  }];
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONDOTOPS_TD
