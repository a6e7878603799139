//===- TritonGPUMemDescOps.td - Shared memory --------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRITONGPUMEMDESCOPS_TD
#define TRITON_DIALECT_TRITONGPU_IR_TRITONGPUMEMDESCOPS_TD

include "triton/Dialect/TritonGPU/IR/TritonGPUOpBase.td"

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "allocate shared memory, with or without contents";
  let description = [{
    With a source the memory holds that tensor; if the type is not `mutable`, it
    will never hold anything else. Without a source the contents are undefined.
    Memory lives until `ttg.local_dealloc`, or to the last use if there is none.

    ```mlir
    %a = ttg.local_alloc %x : (tensor<16x32xf16, #blocked>)
           -> !ttg.memdesc<16x32xf16, #shared, #smem>
    %b = ttg.local_alloc {alignment = 128 : i32} : ()
           -> !ttg.memdesc<2x16x32xf16, #shared, #smem, mutable>
    ```
  }];
  let arguments = (ins Optional<TT_Tensor>:$src, OptionalAttr<I32Attr>:$alignment);
  let results = (outs TTG_MemDescType:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result), [{
      build($_builder, $_state, result, /*src=*/::mlir::Value(),
            /*alignment=*/::mlir::IntegerAttr());
    }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
      build($_builder, $_state, result, src, /*alignment=*/::mlir::IntegerAttr());
    }]>,
  ];
  let extraClassDeclaration = [{
    /// The alignment in bytes: the attribute, else the one that the layout
    /// requires.
    int32_t getAlignmentOrDefault();
  }];
  let assemblyFormat = [{
    ($src^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TTG_LocalDeallocOp : TTG_Op<"local_dealloc"> {
  let summary = "end the life of shared memory";
  let description = [{
    ```mlir
    ttg.local_dealloc %m : !ttg.memdesc<16x32xf16, #shared, #smem, mutable>
    ```
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "what to free", [MemFree<SharedMemory>]>:$src
  );
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

def TTG_LocalLoadOp : TTG_Op<"local_load"> {
  let summary = "read a tensor from shared memory";
  let description = [{
    A token states which asynchronous copies must have arrived.

    ```mlir
    %x = ttg.local_load %m token %t
        : !ttg.memdesc<16x32xf16, #shared, #smem, mutable> -> tensor<16x32xf16, #blocked>
    ```
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "what to read", [MemRead<SharedMemory>]>:$src,
    Optional<TTG_AsyncToken>:$token
  );
  let results = (outs TT_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
      build($_builder, $_state, result, src, /*token=*/::mlir::Value());
    }]>,
  ];
  let assemblyFormat = [{
    $src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalStoreOp : TTG_Op<"local_store"> {
  let summary = "write a tensor to shared memory";
  let description = [{
    ```mlir
    ttg.local_store %x, %m
        : tensor<16x32xf16, #blocked> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable>
    ```
  }];
  let arguments = (ins
    TT_Tensor:$src,
    Arg<TTG_MemDescType, "where to write", [MemWrite<SharedMemory>]>:$dst
  );
  let assemblyFormat = [{
    $src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TTG_LocalGatherOp : TTG_Op<"local_gather"> {
  let summary = "read elements of shared memory at computed places";
  let description = [{
    Element `i` of the result is element `i` of the memory, but with
    `indices[i]` as coordinate along `axis`.

    ```mlir
    %x = ttg.local_gather %m[%i] {axis = 1 : i32}
        : !ttg.memdesc<16x32xf16, #shared, #smem>, tensor<16x8xi32, #blocked>
        -> tensor<16x8xf16, #blocked>
    ```
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "what to read", [MemRead<SharedMemory>]>:$src,
    TT_IntTensor:$indices,
    I32Attr:$axis
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` attr-dict `:` qualified(type($src)) `,` type($indices)
    `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalScatterOp : TTG_Op<"local_scatter"> {
  let summary = "write elements of shared memory at computed places";
  let description = [{
    The inverse of `ttg.local_gather`. If two elements go to one place, one of
    them ends up there.

    ```mlir
    ttg.local_scatter %m[%i], %x {axis = 1 : i32}
        : !ttg.memdesc<16x32xf16, #shared, #smem, mutable>,
          tensor<16x8xi32, #blocked>, tensor<16x8xf16, #blocked>
    ```
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "where to write", [MemWrite<SharedMemory>]>:$dst,
    TT_IntTensor:$indices,
    TT_Tensor:$values,
    I32Attr:$axis
  );
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values attr-dict `:` qualified(type($dst)) `,`
    type($indices) `,` type($values)
  }];
  let hasVerifier = 1;
}

def TTG_LocalAtomicScatterRMWOp : TTG_Op<"local_atomic_scatter_rmw", [
    AllTypesMatch<["result", "values"]>]> {
  let summary = "atomic read-modify-write of shared memory at computed places";
  let description = [{
    Modifies the elements that a `ttg.local_scatter` would write; several may be
    at one place. The result has the old values. Where the mask is false nothing
    happens and the result is undefined.

    ```mlir
    %old = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x, %mask {axis = 0 : i32}
        : (!ttg.memdesc<64xf32, #shared, #smem, mutable>, tensor<32xf32, #blocked>,
           tensor<32xi32, #blocked>, tensor<32xi1, #blocked>) -> tensor<32xf32, #blocked>
    ```
  }];
  // Operands have the order of their types in the text, which is that of Triton.
  let arguments = (ins
    TT_RMWOpAttr:$atomic_rmw_op,
    Arg<TTG_MemDescType, "what to modify",
        [MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$dst,
    TT_Tensor:$values,
    TT_IntTensor:$indices,
    Optional<TT_BoolTensor>:$mask,
    I32Attr:$axis
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

class TTG_MemDescViewOp<string mnemonic>
    : TTG_Op<mnemonic, [Pure, MemDescViewTrait]> {
  let results = (outs TTG_MemDescType:$result);
  let hasVerifier = 1;
}

def TTG_MemDescIndexOp : TTG_MemDescViewOp<"memdesc_index"> {
  let summary = "one of several equal buffers";
  let description = [{
    Picks along dimension 0, which goes away.

    ```mlir
    %v = ttg.memdesc_index %m[%i]
        : !ttg.memdesc<2x16x32xf16, #shared, #smem, mutable>
        -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable>
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, I32:$index);
  let assemblyFormat = [{
    $src `[` $index `]` attr-dict `:` qualified(type($src)) `->`
    qualified(type($result))
  }];
}

def TTG_MemDescSubsliceOp : TTG_MemDescViewOp<"memdesc_subslice"> {
  let summary = "a part at constant offsets";
  let description = [{
    Where an element lies is still decided by the allocation, whose shape stays
    in the type. Offsets are multiples of the part's size, so that they combine
    with its coordinates bit by bit.

    ```mlir
    %v = ttg.memdesc_subslice %m[16, 0]
        : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
        -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let assemblyFormat = [{
    $src `[` custom<Offsets>($offsets) `]` attr-dict `:` qualified(type($src))
    `->` qualified(type($result))
  }];
}

def TTG_MemDescTransOp : TTG_MemDescViewOp<"memdesc_trans"> {
  let summary = "permute the dimensions";
  let description = [{
    Dimension i of the view is dimension `order[i]` of the operand; no byte moves,
    the layout is permuted.

    ```mlir
    %v = ttg.memdesc_trans %m {order = array<i32: 1, 0>}
        : !ttg.memdesc<16x32xf16, #shared, #smem>
        -> !ttg.memdesc<32x16xf16, #shared1, #smem>
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$src, "::llvm::ArrayRef<int32_t>":$order)>,
  ];
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasFolder = 1;
}

def TTG_MemDescReshapeOp : TTG_MemDescViewOp<"memdesc_reshape"> {
  let summary = "the same elements in another shape";
  let description = [{
    Elements keep their row-major order and their places.

    ```mlir
    %v = ttg.memdesc_reshape %m : !ttg.memdesc<16x32xf16, #shared, #smem>
        -> !ttg.memdesc<512xf16, #shared1, #smem>
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$src, "::llvm::ArrayRef<int64_t>":$shape)>,
  ];
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
}

def TTG_MemDescReinterpretOp : TTG_MemDescViewOp<"memdesc_reinterpret"> {
  let summary = "the same memory as another type";
  let description = [{
    The operand is a whole allocation, or a part of one whose elements follow each
    other in memory, without padding. The result is a whole buffer to its users, and
    must not need more memory.

    ```mlir
    %v = ttg.memdesc_reinterpret %m
        : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
        -> !ttg.memdesc<32x16xf32, #shared, #smem, mutable>
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [
    AttrSizedOperandSegments,
    TypesMatchWith<"`mask` must have the shape of `src`", "src", "mask",
        "::mlir::triton::getI1SameShape($_self)",
        "!::llvm::cast<AsyncCopyGlobalToLocalOp>(&$_op).getMask() || std::equal_to<>()">,
    TypesMatchWith<"`other` must have the type that `src` points to", "src",
        "other", "::mlir::triton::getPointeeType($_self)",
        "!::llvm::cast<AsyncCopyGlobalToLocalOp>(&$_op).getOther() || std::equal_to<>()">]> {
  let summary = "start to copy from global to shared memory";
  let description = [{
    As a `tt.load` whose result goes to `result` later: the token signals when,
    through `ttg.async_wait`.

    ```mlir
    %t = ttg.async_copy_global_to_local %p, %m mask %k other %o cacheModifier = ca
        : tensor<16x32x!tt.ptr<f16>, #blocked>
        -> <16x32xf16, #shared, #smem, mutable>
    ```
  }];
  let arguments = (ins
    Arg<TT_PtrTensor, "what to read", [MemRead<GlobalMemory>]>:$src,
    Arg<TTG_MemDescType, "where to write", [MemWrite<SharedMemory>]>:$result,
    Optional<TT_BoolTensor>:$mask,
    Optional<TT_Tensor>:$other,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile
  );
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group", [
    MemoryEffects<[MemWrite<SharedMemory>]>]> {
  let summary = "close a group of asynchronous copies";
  let description = [{
    ```mlir
    %g = ttg.async_commit_group tokens %t
    ```
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
  let results = (outs TTG_AsyncToken:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}

def TTG_AsyncWaitOp : TTG_Op<"async_wait", [
    MemoryEffects<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>]> {
  let summary = "wait for groups of asynchronous copies";
  let description = [{
    Waits until at most `num` groups are in flight.

    ```mlir
    %w = ttg.async_wait %g {num = 0 : i32}
    ```
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

#endif // TRITON_DIALECT_TRITONGPU_IR_TRITONGPUMEMDESCOPS_TD
