//===- TritonIntelGPUOps.td - Operations of ttig -----------*- tablegen -*-===//

#ifndef INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUOPS_TD
#define INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUOPS_TD

include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton/Dialect/Triton/IR/BlockAccessInterface.td"
include "triton/Dialect/Triton/IR/TritonAttrs.td"
include "triton/Dialect/Triton/IR/TritonInterfaces.td"
include "triton/Dialect/Triton/IR/TritonTypes.td"

// The caches: a prefetch changes them and nothing else, so it is neither dead
// nor in the way of loads and stores.
def CacheResource : Resource<"::mlir::triton::gpu::intel::CacheResource">;

class TTIG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TritonIntelGPU_Dialect, mnemonic,
         !listconcat(traits, [TensorSizeTrait, VerifyTensorLayoutsTrait])>;

def TTIG_PrefetchOp : TTIG_Op<"prefetch", [
    DeclareOpInterfaceMethods<BlockAccessOpInterface>]> {
  let summary = "fetch into the caches what a load would read";
  let description = [{
    Takes over pointer, mask and attributes of a `tt.load`, but moves data to the
    caches only. Elements that a mask or a checked bound excludes are not touched.

    ```mlir
    ttig.prefetch %p {cache = 1 : i32, evict = 1 : i32, isVolatile = false, ttig.block_io = "row_major"}
        : !tt.ptr<tensor<32x32xf16, #mma>>
    ttig.prefetch %q, %mask {cache = 1 : i32, evict = 1 : i32, isVolatile = false}
        : tensor<32x!tt.ptr<f16>, #blocked>
    ```
  }];
  let arguments = (ins
    Arg<TT_AnyPtrLike, "what to fetch",
        [MemRead<GlobalMemory>, MemWrite<CacheResource>]>:$ptr,
    Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile
  );
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tiles of one sub-group: tensors without a layout
//
// No pass makes these operations and none lowers them. They are here so that IR
// of Intel's backend, which has them, can be read, checked and printed.
//===----------------------------------------------------------------------===//

def TTIG_AllocOp : TTIG_Op<"alloc"> {
  let summary = "shared local memory for one element type";
  let description = [{
    ```mlir
    %buf = ttig.alloc : <f16, 3>
    ```
  }];
  let results = (outs
    Res<TT_Ptr, "the memory", [MemAlloc<DefaultResource>]>:$result
  );
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TTIG_SubGroupTransposeOp : TTIG_Op<"sub_group_transpose", [
    AllTypesMatch<["src", "result"]>,
    TypesMatchWith<"`localBuffer` must be a pointer to shared memory with elements of `src`",
        "src", "localBuffer",
        "::mlir::triton::PointerType::get(::mlir::getElementTypeOrSelf($_self), 3)">]> {
  let summary = "transpose a square tile inside of a sub-group";
  let description = [{
    The tile has as many rows and columns as the sub-group has lanes; the buffer is
    room for it in shared local memory.

    ```mlir
    %y = ttig.sub_group_transpose %buf, %x : tensor<16x16xf16>
    ```
  }];
  let arguments = (ins
    Arg<TT_Ptr, "scratch", [MemRead<DefaultResource>, MemWrite<DefaultResource>]>:$localBuffer,
    TT_Tensor:$src
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$localBuffer `,` $src attr-dict `:` type($src)";
  let hasVerifier = 1;
}

def TTIG_GlueOp : TTIG_Op<"glue", [Pure]> {
  let summary = "put tiles together to a larger one";
  let description = [{
    ```mlir
    %t = ttig.glue %a, %b : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x16xf16>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$operands);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $operands attr-dict `:` functional-type($operands, $result)
  }];
  let hasVerifier = 1;
}

def TTIG_ExtractOp : TTIG_Op<"extract", [Pure]> {
  let summary = "one tile of a larger one";
  let description = [{
    Tiles are numbered down the columns first.

    ```mlir
    %a = ttig.extract %t[2] : tensor<16x16xf16> -> tensor<8x8xf16>
    ```
  }];
  let arguments = (ins TT_Tensor:$base, I32Attr:$index);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $base `[` $index `]` attr-dict `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTIG_BroadcastOp : TTIG_Op<"broadcast", [
    Pure, SameOperandsAndResultElementType]> {
  let summary = "repeat a tile along dimensions of size 1";
  let description = [{
    ```mlir
    %y = ttig.broadcast %x : tensor<16x1xf16> -> tensor<16x16xf16>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

#endif // INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUOPS_TD
