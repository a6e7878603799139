//===- TritonElementwiseOps.td - Operations per element ----*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// The operations that arith and math do not offer. Tensors of any shape, and
// scalars.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_IR_TRITONELEMENTWISEOPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONELEMENTWISEOPS_TD

include "triton/Dialect/Triton/IR/TritonOpBase.td"

def TT_FpToFpOp : TT_ElementwiseOp<"fp_to_fp", [Pure]> {
  let summary = "conversion between float types, with a choice of rounding";
  let description = [{
    Needed for 8-bit floats and for rounding towards zero; everything else is
    `arith.truncf` and `arith.extf`. A narrowing conversion must state how it
    rounds.

    ```mlir
    %y = tt.fp_to_fp %x, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
    ```
  }];
  let arguments = (ins TT_FloatLike:$src,
                       OptionalAttr<TT_RoundingModeAttr>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_ClampFOp : TT_ElementwiseOp<"clampf", [Pure, SameOperandsAndResultType]> {
  let summary = "min(max(x, min), max) on floats";
  let description = [{
    With `propagateNan = all` a NaN in `x` is the result; with `none` it is
    replaced by a bound, as `maxnum` and `minnum` do.

    ```mlir
    %y = tt.clampf %x, %lo, %hi, propagateNan = none : tensor<8xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max,
                       TT_PropagateNanAttr:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict
    `:` type($result)
  }];
}

def TT_PreciseSqrtOp
    : TT_ElementwiseOp<"precise_sqrt", [Pure, SameOperandsAndResultType]> {
  let summary = "correctly rounded square root";
  let description = [{
    ```mlir
    %y = tt.precise_sqrt %x : tensor<8xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def TT_PreciseDivFOp
    : TT_ElementwiseOp<"precise_divf", [Pure, SameOperandsAndResultType]> {
  let summary = "correctly rounded quotient";
  let description = [{
    ```mlir
    %z = tt.precise_divf %x, %y : tensor<8xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_ApproxDivFOp
    : TT_ElementwiseOp<"approx_divf", [Pure, SameOperandsAndResultType]> {
  let summary = "quotient that need not be rounded correctly (Triton 3.9)";
  let description = [{
    ```mlir
    %z = tt.approx_divf %x, %y : tensor<8xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_MulhiUIOp : TT_ElementwiseOp<"mulhiui", [
    Pure, Commutative, SameOperandsAndResultType]> {
  let summary = "upper half of the product of unsigned integers";
  let description = [{
    ```mlir
    %z = tt.mulhiui %x, %y : tensor<8xi32>
    ```
  }];
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [
    Elementwise, SameOperandsAndResultEncoding,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    ConditionallySpeculatable]> {
  let summary = "call of a library function on every element";
  let description = [{
    Calls `symbol` once per element; a scalar operand is the same in every call.

    ```mlir
    %z = tt.extern_elementwise %x, %y
           {libname = "", libpath = "", pure = true, symbol = "__f"}
           : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Value>:$srcs, StrAttr:$libname,
                       StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let extraClassDeclaration = [{
    ::mlir::Speculation::Speculatability getSpeculatability();
  }];
  let hasVerifier = 1;
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [
    Elementwise, SameOperandsAndResultEncoding,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    ConditionallySpeculatable]> {
  let summary = "inline assembly on every element";
  let description = [{
    The text is executed once per `packed_element` consecutive elements; each
    operand and result occupies the registers that `constraints` states.

    ```mlir
    %y = tt.elementwise_inline_asm "mov $0, $1;"
           {constraints = "=r,r", packed_element = 1 : i32, pure = true}
           %x : tensor<8xi32> -> tensor<8xi32>
    ```
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure,
                       I32Attr:$packed_element, Variadic<TT_Value>:$args);
  let results = (outs Variadic<TT_Value>:$result);
  let assemblyFormat = [{
    $asm_string attr-dict ($args^ `:` type($args))? `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::Speculation::Speculatability getSpeculatability();
  }];
  let hasVerifier = 1;
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONELEMENTWISEOPS_TD
