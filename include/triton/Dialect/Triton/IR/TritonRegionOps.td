//===- TritonRegionOps.td - Operations with a combining region *- tablegen -*-//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONREGIONOPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONREGIONOPS_TD

include "triton/Dialect/Triton/IR/TritonOpBase.td"

// The common part of reductions and scans: n tensors of one shape that are
// combined along an axis by a region on 2n scalars, the n of the left side
// first.
class TT_CombineOp<string mnemonic, list<Trait> traits>
    : TT_Op<mnemonic, !listconcat(traits, [
        SameOperandsEncoding, SingleBlock, InferTypeOpAdaptorWithIsCompatible,
        RecursiveMemoryEffects, RecursivelySpeculatable])> {
  let regions = (region SizedRegion<1>:$combineOp);
  let hasRegionVerifier = 1;
  code combineClassDeclaration = [{
    ::llvm::SmallVector<::mlir::RankedTensorType> getInputTypes();
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
    unsigned getNumOperands() { return getSrcs().size(); }
    /// The only operation of the region other than its terminator, if it
    /// combines the region's arguments in their order and yields the result;
    /// else null.
    ::mlir::Operation *getSingleCombiner();
  }];
  let extraClassDeclaration = combineClassDeclaration;
}

def TT_ReduceOp : TT_CombineOp<"reduce", []> {
  let summary = "combine the elements along one dimension into one";
  let description = [{
    The region is taken to be associative and commutative. The result loses
    dimension `axis`; of a tensor of rank 1 a scalar is left.

    ```mlir
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<16x32xf32>) -> tensor<16xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Value>:$result);
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [
    HasParent<"ReduceOp">, Pure, Terminator, ReturnLike]> {
  let summary = "end of a reduction's region";
  let description = [{
    Yields one scalar per reduced tensor.
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ScanOp : TT_CombineOp<"scan", []> {
  let summary = "inclusive prefix combination along one dimension";
  let description = [{
    The region is taken to be associative, but not commutative. With
    `reverse = true` the scan starts from the end.

    ```mlir
    %s = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
}

def TT_ScanReturnOp : TT_Op<"scan.return", [
    HasParent<"ScanOp">, Pure, Terminator, ReturnLike]> {
  let summary = "end of a scan's region";
  let description = [{
    Yields one scalar per scanned tensor.
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [
    SameOperandsAndResultShape, SameOperandsAndResultEncoding,
    RecursiveMemoryEffects]> {
  let summary = "run scalar code, with control flow, on every element";
  let description = [{
    The region sees `pack` consecutive elements of every operand at a time: first
    all of the first operand, then all of the second. It yields the results in
    the same grouping.

    ```mlir
    %z = "tt.map_elementwise"(%x, %y) <{pack = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.map_elementwise.return %c : f32
    }) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return", [
    HasParent<"MapElementwiseOp">, Pure, Terminator, ReturnLike]> {
  let summary = "end of the region of a map_elementwise";
  let description = [{
    Yields `pack` scalars per result.
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONREGIONOPS_TD
