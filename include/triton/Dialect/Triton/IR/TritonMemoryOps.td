//===- TritonMemoryOps.td - Loads, stores, atomics ---------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONMEMORYOPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONMEMORYOPS_TD

include "triton/Dialect/Triton/IR/TritonOpBase.td"

// The type of `value` follows from the type of the pointer.
class TT_TypeBehindPtr<string value> : TypesMatchWith<
    "`" # value # "` must have the type that the pointer points to", "ptr", value,
    "::mlir::triton::getPointeeType($_self)">;

// The same for the optional mask of the operation `op`.
class TT_MaskBehindPtr<string op> : TypesMatchWith<
    "`mask` must have the shape that the pointer points to", "ptr", "mask",
    "::mlir::triton::getI1SameShape(::mlir::triton::getPointeeType($_self))",
    "!::llvm::cast<" # op # ">(&$_op).getMask() || std::equal_to<>()">;

def TT_LoadOp : TT_Op<"load", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_TypeBehindPtr<"result">,
    TT_MaskBehindPtr<"LoadOp">,
    TypesMatchWith<"`other` must have the type that the pointer points to",
                   "ptr", "other", "::mlir::triton::getPointeeType($_self)",
                   "!::llvm::cast<LoadOp>(&$_op).getOther() || std::equal_to<>()">]> {
  let summary = "read memory through a pointer, pointers, or a block pointer";
  let description = [{
    The kind of pointer decides what is read: one scalar, one element per
    pointer, or a block.

    Where the mask is false nothing is read and the result is that of `other`,
    undefined if there is none. With a block pointer, `boundaryCheck` lists the
    dimensions in which the block may leave the parent tensor; elements outside
    read according to `padding`, undefined without padding. The other dimensions
    are promised to be in bounds. The cache words are requests.

    ```mlir
    %x = tt.load %p, %mask, %zero cacheModifier = cg evictionPolicy = evict_first
           : tensor<64x!tt.ptr<f32>>
    %y = tt.load %bp {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
           : !tt.ptr<tensor<16x32xf16>>
    ```
  }];
  let arguments = (ins
    Arg<TT_AnyPtrLike, "what to read">:$ptr,
    Optional<TT_BoolLike>:$mask,
    Optional<TT_Value>:$other,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    OptionalAttr<TT_PaddingOptionAttr>:$padding,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile
  );
  let results = (outs TT_Value:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::triton::CacheModifier":$cache,
                   "::mlir::triton::EvictionPolicy":$evict, "bool":$isVolatile)>,
    OpBuilder<(ins "::mlir::Value":$ptr, "::llvm::ArrayRef<int32_t>":$boundaryCheck,
                   "std::optional<::mlir::triton::PaddingOption>":$padding,
                   "::mlir::triton::CacheModifier":$cache,
                   "::mlir::triton::EvictionPolicy":$evict, "bool":$isVolatile)>,
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$mask,
                   "::mlir::triton::CacheModifier":$cache,
                   "::mlir::triton::EvictionPolicy":$evict, "bool":$isVolatile)>,
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$mask,
                   "::mlir::Value":$other, "::mlir::triton::CacheModifier":$cache,
                   "::mlir::triton::EvictionPolicy":$evict, "bool":$isVolatile)>,
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$mask,
                   "::mlir::Value":$other, "::llvm::ArrayRef<int32_t>":$boundaryCheck,
                   "std::optional<::mlir::triton::PaddingOption>":$padding,
                   "::mlir::triton::CacheModifier":$cache,
                   "::mlir::triton::EvictionPolicy":$evict, "bool":$isVolatile)>,
  ];
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    `` custom<AccessAttributes>(attr-dict, "getOperationName()") `:` type($ptr)
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_StoreOp : TT_Op<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_TypeBehindPtr<"value">,
    TT_MaskBehindPtr<"StoreOp">]> {
  let summary = "write memory through a pointer, pointers, or a block pointer";
  let description = [{
    Where the mask is false, or in a checked dimension of a block pointer out of
    bounds, nothing is written.

    ```mlir
    tt.store %p, %x, %mask cacheModifier = wt : tensor<64x!tt.ptr<f32>>
    tt.store %bp, %y {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x32xf16>>
    ```
  }];
  let arguments = (ins
    Arg<TT_AnyPtrLike, "where to write">:$ptr,
    TT_Value:$value,
    Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict
  );
  let builders = [
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value,
                   "::mlir::triton::CacheModifier":$cache,
                   "::mlir::triton::EvictionPolicy":$evict)>,
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value,
                   "::mlir::Value":$mask, "::mlir::triton::CacheModifier":$cache,
                   "::mlir::triton::EvictionPolicy":$evict)>,
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value,
                   "::llvm::ArrayRef<int32_t>":$boundaryCheck,
                   "::mlir::triton::CacheModifier":$cache,
                   "::mlir::triton::EvictionPolicy":$evict)>,
  ];
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    `` custom<AccessAttributes>(attr-dict, "getOperationName()") `:` type($ptr)
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_TypeBehindPtr<"val">, AllTypesMatch<["result", "val"]>,
    TT_MaskBehindPtr<"AtomicRMWOp">]> {
  let summary = "atomic read-modify-write; the result is the old value";
  let description = [{
    Where the mask is false nothing happens and the result is undefined.

    ```mlir
    %old = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %mask
        : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins
    TT_RMWOpAttr:$atomic_rmw_op,
    Arg<TT_PtrLike, "what to modify">:$ptr,
    TT_Value:$val,
    Optional<TT_BoolLike>:$mask,
    TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope
  );
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_TypeBehindPtr<"val">, AllTypesMatch<["result", "val", "cmp"]>]> {
  let summary = "atomic compare-and-swap; the result is the old value";
  let description = [{
    Writes `val` where memory holds the bits of `cmp`.

    ```mlir
    %old = tt.atomic_cas acq_rel, gpu, %p, %cmp, %val
        : (!tt.ptr<i32>, i32, i32) -> i32
    ```
  }];
  let arguments = (ins
    Arg<TT_PtrLike, "what to modify">:$ptr,
    TT_Value:$cmp,
    TT_Value:$val,
    TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope
  );
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict
    `:` functional-type(operands, $result)
  }];
}

def TT_AtomicLoadOp : TT_Op<"atomic_load", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_TypeBehindPtr<"result">,
    TT_MaskBehindPtr<"AtomicLoadOp">]> {
  let summary = "atomic read (Triton 3.9)";
  let description = [{
    Relaxed, or an acquire. Where the mask is false nothing is read and the
    result is undefined.

    ```mlir
    %x = tt.atomic_load acquire, gpu, %p, %mask
        : (tensor<64x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<64xi32>
    ```
  }];
  let arguments = (ins
    Arg<TT_PtrLike, "what to read">:$ptr,
    Optional<TT_BoolLike>:$mask,
    TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope
  );
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicStoreOp : TT_Op<"atomic_store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_TypeBehindPtr<"val">,
    TT_MaskBehindPtr<"AtomicStoreOp">]> {
  let summary = "atomic write (Triton 3.9)";
  let description = [{
    Relaxed, or a release. Where the mask is false nothing is written.

    ```mlir
    tt.atomic_store release, sys, %p, %v, %mask : tensor<64x!tt.ptr<f32>>
    ```
  }];
  let arguments = (ins
    Arg<TT_PtrLike, "where to write">:$ptr,
    TT_Value:$val,
    Optional<TT_BoolLike>:$mask,
    TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope
  );
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}

def TT_AtomicPollOp : TT_Op<"atomic_poll", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_TypeBehindPtr<"expected">,
    TypesMatchWith<"the result must be an i1 per element of `expected`",
                   "expected", "result",
                   "::mlir::triton::getI1SameShape($_self)">]> {
  let summary = "wait until memory holds a value (Triton 3.9)";
  let description = [{
    Reads until memory holds `expected`; then the result is true. With a
    timeout, a number of nanoseconds without sign that all elements share, the
    wait may end with false. Each element is read once at least.

    ```mlir
    %seen = tt.atomic_poll acquire, gpu, %p, %one timeout %ns
        : !tt.ptr<i32>, i32 -> i1
    ```
  }];
  let arguments = (ins
    Arg<TT_PtrLike, "what to read">:$ptr,
    TT_IntLike:$expected,
    Optional<I64>:$timeout,
    TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope
  );
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict
    `:` type($ptr) `,` type($expected) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONMEMORYOPS_TD
