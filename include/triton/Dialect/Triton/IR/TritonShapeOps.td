//===- TritonShapeOps.td - Operations on shapes ------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONSHAPEOPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONSHAPEOPS_TD

include "triton/Dialect/Triton/IR/TritonOpBase.td"

def TT_SplatOp : TT_Op<"splat", [Pure]> {
  let summary = "tensor with the same scalar everywhere";
  let description = [{
    ```mlir
    %t = tt.splat %s : f32 -> tensor<8x8xf32>
    ```
  }];
  let arguments = (ins TT_Scalar:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [
    Pure, TypesMatchWith<"the result must be the operand's element", "src", "result",
                         "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "the scalar in a tensor of one element";
  let description = [{
    ```mlir
    %s = tt.unsplat %t : tensor<1xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [
    Pure, MovesElements, SameOperandsAndResultElementType, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "insert a dimension of size 1";
  let description = [{
    ```mlir
    %c = tt.expand_dims %r {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [
    Pure, MovesElements, SameOperandsAndResultElementType, SameOperandsAndResultEncoding]> {
  let summary = "repeat the elements along dimensions of size 1";
  let description = [{
    ```mlir
    %b = tt.broadcast %c : tensor<8x1xf32> -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure, MovesElements, SameOperandsAndResultElementType]> {
  let summary = "the same elements in another shape";
  let description = [{
    Elements keep their row-major order, unless `allow_reorder` leaves the order
    to the compiler. `efficient_layout` states that a pass has chosen the
    result's layout for speed and that none should undo the choice.

    ```mlir
    %y = tt.reshape %x allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Value":$src,
                   CArg<"bool", "false">:$allowReorder)>,
  ];
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)?
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_CatOp : TT_Op<"cat", [Pure, SameTypeOperands,
                             SameOperandsAndResultElementType]> {
  let summary = "all elements of two tensors, in an order of the compiler's choice";
  let description = [{
    ```mlir
    %z = tt.cat %x, %y : tensor<8xf32> -> tensor<16xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_JoinOp : TT_Op<"join", [Pure, MovesElements, SameTypeOperands, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "two tensors side by side along a new last dimension";
  let description = [{
    ```mlir
    %z = tt.join %x, %y : tensor<8xf32> -> tensor<8x2xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}

def TT_SplitOp : TT_Op<"split", [
    Pure, MovesElements, AllTypesMatch<["outLHS", "outRHS"]>, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "the two halves of a last dimension of size 2";
  let description = [{
    ```mlir
    %x, %y = tt.split %z : tensor<8x2xf32> -> tensor<8xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let hasFolder = 1;
}

def TT_TransOp : TT_Op<"trans", [
    Pure, MovesElements, SameOperandsAndResultElementType, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "permute the dimensions";
  let description = [{
    Dimension i of the result is dimension `order[i]` of the operand.

    ```mlir
    %y = tt.trans %x {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
}

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "pick elements along one dimension";
  let description = [{
    The result has the shape of `indices`; its element at a position is the
    element of `src` at the same position, with the coordinate in dimension
    `axis` replaced by the index there.

    ```mlir
    %y = tt.gather %x[%i] {axis = 1 : i32}
           : (tensor<8x16xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_HistogramOp : TT_Op<"histogram", [
    Pure, TypesMatchWith<"`mask` must have the shape of the operand", "src", "mask",
                         "::mlir::triton::getI1SameShape($_self)",
                         "!::llvm::cast<HistogramOp>(&$_op).getMask() || std::equal_to<>()">]> {
  let summary = "how often each small integer occurs";
  let description = [{
    Bin i of the result counts the elements that equal i and whose mask, if there
    is one, is true. An element that has no bin is undefined behaviour.

    ```mlir
    %h = tt.histogram %x, %mask : tensor<64xi32> -> tensor<16xi32>
    ```
  }];
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolTensor>:$mask);
  let results = (outs TT_IntTensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
      build($_builder, $_state, result, src, ::mlir::Value());
    }]>,
  ];
  let assemblyFormat = [{
    $src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONSHAPEOPS_TD
