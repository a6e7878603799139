//===- TritonDescriptorOps.td - Access through descriptors -*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONDESCRIPTOROPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONDESCRIPTOROPS_TD

include "triton/Dialect/Triton/IR/TritonOpBase.td"

def TT_DescriptorLoadOp : TT_Op<"descriptor_load", [
    MemoryEffects<[MemRead<GlobalMemory>]>]> {
  let summary = "read a block through a descriptor";
  let description = [{
    The block starts at `indices`, counted in elements. Elements out of bounds
    read as the descriptor's padding. The result has the block's shape, or that
    shape without leading ones.

    ```mlir
    %x = tt.descriptor_load %d[%i, %j]
           : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
    ```
  }];
  let arguments = (ins
    Arg<TT_TensorDescType, "what to read">:$desc,
    Variadic<I32>:$indices,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict
  );
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]`
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    `` custom<AccessAttributes>(attr-dict, "getOperationName()") `:` qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorStoreOp : TT_Op<"descriptor_store", [
    MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "write a block through a descriptor";
  let description = [{
    Elements out of bounds are not written.

    ```mlir
    tt.descriptor_store %d[%i, %j], %x
        : !tt.tensordesc<tensor<16x32xf32>>, tensor<16x32xf32>
    ```
  }];
  let arguments = (ins
    Arg<TT_TensorDescType, "where to write">:$desc,
    TT_NumberTensor:$src,
    Variadic<I32>:$indices
  );
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict
    `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce", [
    MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>]> {
  let summary = "combine a block in memory with a tensor, atomically per element";
  let description = [{
    ```mlir
    tt.descriptor_reduce add, %d[%i, %j], %x
        : !tt.tensordesc<tensor<16x32xf32>>, tensor<16x32xf32>
    ```
  }];
  let arguments = (ins
    TT_DescriptorReduceKindAttr:$kind,
    Arg<TT_TensorDescType, "what to modify">:$desc,
    TT_NumberTensor:$src,
    Variadic<I32>:$indices
  );
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict
    `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorGatherOp : TT_Op<"descriptor_gather", [
    MemoryEffects<[MemRead<GlobalMemory>]>]> {
  let summary = "read selected rows through a descriptor";
  let description = [{
    The descriptor's block is one row. Row i of the result is the row
    `x_offsets[i]` of the tensor in memory, from column `y_offset` on. Row
    numbers of 16 bits are signed.

    ```mlir
    %x = tt.descriptor_gather %d[%rows, %col]
        : (!tt.tensordesc<tensor<1x32xf32>>, tensor<16xi32>, i32) -> tensor<16x32xf32>
    ```
  }];
  let arguments = (ins
    Arg<TT_TensorDescType, "what to read">:$desc,
    RankedTensorOf<[I16, I32]>:$x_offsets,
    I32:$y_offset
  );
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter", [
    MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "write selected rows through a descriptor";
  let description = [{
    The inverse of `tt.descriptor_gather`.

    ```mlir
    tt.descriptor_scatter %d[%rows, %col], %x : !tt.tensordesc<tensor<1x32xf32>>,
        tensor<16xi32>, i32, tensor<16x32xf32>
    ```
  }];
  let arguments = (ins
    Arg<TT_TensorDescType, "where to write">:$desc,
    RankedTensorOf<[I16, I32]>:$x_offsets,
    I32:$y_offset,
    TT_NumberTensor:$src
  );
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONDESCRIPTOROPS_TD
