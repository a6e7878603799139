//===- TritonIntelGPUOps.td - Operations of ttig -----------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUOPS_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUOPS_TD

include "intel/Dialect/TritonIntelGPU/IR/BlockAccessOps.td"
include "intel/Dialect/TritonIntelGPU/IR/MessageOps.td"
include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.td"
include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUEnums.td"
include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton/Dialect/Triton/IR/TritonAttrs.td"
include "triton/Dialect/Triton/IR/TritonInterfaces.td"
include "triton/Dialect/Triton/IR/TritonTypes.td"

// Over the arguments of a kernel (symbols), and over the extents of the grid
// (three dimensions) or nothing else (none).
def TTIG_LaunchSetAttr : Attr<
    And<[CPred<"::llvm::isa<::mlir::IntegerSetAttr>($_self)">,
         Or<[CPred<"::llvm::cast<::mlir::IntegerSetAttr>($_self).getValue().getNumDims() == 0">,
             CPred<"::llvm::cast<::mlir::IntegerSetAttr>($_self).getValue().getNumDims() == 3">]>]>,
    "an integer set of symbols and of no or three dimensions"> {
  let storageType = "::mlir::IntegerSetAttr";
  let returnType = "::mlir::IntegerSet";
  let constBuilderCall = "::mlir::IntegerSetAttr::get($0)";
}

class TTIG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TritonIntelGPU_Dialect, mnemonic,
         !listconcat(traits, [TensorSizeTrait, VerifyTensorLayoutsTrait])>;

def TTIG_PrefetchOp : TTIG_Op<"prefetch"> {
  let summary = "fetch the elements of a load into the caches";
  let description = [{
    Has the pointer, the mask and the attributes of a `tt.load`, but only moves data
    into the caches. Elements that the mask or a boundary check excludes are not
    accessed. With a block pointer, it becomes a `ttig.prefetch_block`.

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
// Exchange among the lanes of a sub-group
//===----------------------------------------------------------------------===//

def TTIG_SubGroupShuffleOp : TTIG_Op<"sub_group_shuffle", [
    Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "exchange registers among the lanes of a sub-group";
  let description = [{
    Each register of the result is the same register of another lane: of lane `by`
    (`lane`), of the lane whose number differs in the bits of `by` (`xor`), or of
    the lane that is `by` lanes below (`up`) or above (`down`). A lane whose
    source is outside of its sub-group keeps its own value.

    `by` is the same for all elements, or a tensor with the layout of the value.

    ```mlir
    %y = ttig.sub_group_shuffle xor %x, %c1 : tensor<64xf32, #blocked>, i32
    %z = ttig.sub_group_shuffle lane %x, %lanes
        : tensor<64xf32, #blocked>, tensor<64xi32, #blocked>
    ```
  }];
  let arguments = (ins
    TTIG_ShuffleKindAttr:$kind,
    AnyTypeOf<[TT_FloatTensor, TT_IntTensor]>:$value,
    AnyTypeOf<[I32, RankedTensorOf<[I32]>]>:$by
  );
  let results = (outs AnyTypeOf<[TT_FloatTensor, TT_IntTensor]>:$result);
  let assemblyFormat = "$kind $value `,` $by attr-dict `:` type($value) `,` type($by)";
  let hasVerifier = 1;
}

def TTIG_StackWarpsOp : TTIG_Op<"stack_warps", [Pure]> {
  let summary = "make one tensor of those that sub-groups have";
  let description = [{
    In the layout of the operand, each sub-group has all elements. Sub-groups may have
    different ones if they computed them in different branches. The result has the
    rows of sub-group 0 first, then those of sub-group 1, and so on. Nothing is moved:
    in the same layout, each sub-group has its rows of the larger tensor.

    ```mlir
    %y = ttig.stack_warps %x : tensor<16x16xf32, #blocked> -> tensor<64x16xf32, #blocked>
    ```
  }];
  let arguments = (ins AnyTypeOf<[TT_FloatTensor, TT_IntTensor]>:$src);
  let results = (outs AnyTypeOf<[TT_FloatTensor, TT_IntTensor]>:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Private memory
//===----------------------------------------------------------------------===//

// The state that each lane has for itself: no other lane sees a change of it.
def PrivateMemory : Resource<"::mlir::triton::gpu::intel::PrivateMemory">;

def TTIG_AllocPrivateOp : TTIG_Op<"alloc_private"> {
  let summary = "allocate private memory for the registers of a tensor";
  let description = [{
    The elements are undefined. The memory exists until `ttig.dealloc_private` or,
    without one, until the end of the function.

    ```mlir
    %m = ttig.alloc_private : !ttig.private<tensor<64x128xf32, #blocked>>
    ```
  }];
  let results = (outs
    Res<TTIG_Private, "the memory", [MemAlloc<PrivateMemory>]>:$result
  );
  let assemblyFormat = "attr-dict `:` type($result)";
}

def TTIG_DeallocPrivateOp : TTIG_Op<"dealloc_private"> {
  let summary = "release private memory";
  let description = [{
    ```mlir
    ttig.dealloc_private %m : !ttig.private<tensor<64x128xf32, #blocked>>
    ```
  }];
  let arguments = (ins
    Arg<TTIG_Private, "the memory", [MemFree<PrivateMemory>]>:$memory
  );
  let assemblyFormat = "$memory attr-dict `:` type($memory)";
}

class TTIG_SliceOp<string mnemonic> : TTIG_Op<mnemonic> {
  code sliceDescription = [{
    Dimension `dims[i]` is cut into `counts[i]` slices of equal size, of which
    `indices[i]` selects one; the next dimension cuts this slice. Without indices,
    the slice is the whole tensor.

    All coordinates of a slice along a dimension have the same highest bits. Each of
    these bits must be determined by one bit of the register number. A lane's
    registers of the slice are then a subset of its registers of the tensor, in the
    same order, and the same ones in all lanes.
  }];
  let hasVerifier = 1;
}

def TTIG_LoadSliceOp : TTIG_SliceOp<"load_slice"> {
  let summary = "load a slice of a tensor from private memory";
  let description = sliceDescription # [{
    ```mlir
    // Rows 16 * %i to 16 * %i + 15.
    %t = ttig.load_slice %m[%i] dims = [0] counts = [4]
        : !ttig.private<tensor<64x128xf32, #blocked>> -> tensor<16x128xf32, #blocked>
    ```
  }];
  let arguments = (ins
    Arg<TTIG_Private, "the tensor", [MemRead<PrivateMemory>]>:$memory,
    Variadic<I32>:$indices,
    DenseI32ArrayAttr:$dims,
    DenseI32ArrayAttr:$counts
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $memory `[` $indices `]` `dims` `=` $dims `counts` `=` $counts attr-dict
    `:` type($memory) `->` type($result)
  }];
}

def TTIG_StoreSliceOp : TTIG_SliceOp<"store_slice"> {
  let summary = "store a slice of a tensor to private memory";
  let description = sliceDescription # [{
    ```mlir
    ttig.store_slice %t, %m[%i] dims = [0] counts = [4]
        : tensor<16x128xf32, #blocked> -> !ttig.private<tensor<64x128xf32, #blocked>>
    ```
  }];
  let arguments = (ins
    TT_Tensor:$value,
    Arg<TTIG_Private, "the tensor", [MemWrite<PrivateMemory>]>:$memory,
    Variadic<I32>:$indices,
    DenseI32ArrayAttr:$dims,
    DenseI32ArrayAttr:$counts
  );
  let assemblyFormat = [{
    $value `,` $memory `[` $indices `]` `dims` `=` $dims `counts` `=` $counts
    attr-dict `:` type($value) `->` type($memory)
  }];
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

// The conditions that the launcher checks: a condition is neither dead nor in
// the way of loads and stores.
def LaunchResource : Resource<"::mlir::triton::gpu::intel::LaunchResource">;

def TTIG_LaunchConditionOp : TTIG_Op<"launch_condition", [
    AttrSizedOperandSegments, MemoryEffects<[MemWrite<LaunchResource>]>]> {
  let summary = "a condition that the launcher checks before it launches the kernel";
  let description = [{
    The constraints of `legal` hold in every launch that runs this kernel. With a
    `surface`, they hold in every launch in which 2D block messages address the
    tensor of that number. Launches that break a condition run a variant of the
    kernel that was compiled without it.

    Symbol i of the set is the value of `arguments[i]`: a sign-extended integer, or
    the address of a pointer. The operands are arguments of the kernel, so that a
    condition follows them when passes add or remove arguments. The three
    dimensions, if there are any, are the numbers of programs along the axes.

    The tensors of the pointers of a `disjoint` pair do not overlap: the bytes
    from the lowest to the highest element of one are apart from those of the
    other. Views of one tensor whose elements take turns overlap, then. A null
    pointer and a tensor without elements overlap with nothing. The condition
    does not hold for a pointer whose tensor the launcher does not know, such as
    an address that is passed as a number. The operands are in pairs, and the
    pairs are arguments of the kernel as well. With `mayBeSame`, both pointers
    may also be the same address.

    ```mlir
    #legal = affine_set<(d0, d1, d2)[s0, s1] : (s0 - 1 >= 0, s1 * 64 - d0 >= 0)>
    ttig.launch_condition #legal[%m, %n] : i32, i64
    ttig.launch_condition #legal[%m, %n] surface 3 : i32, i64
    ttig.launch_condition disjoint (%p, %q : !tt.ptr<f32>, !tt.ptr<f32>)
    ttig.launch_condition disjoint (%p, %q : !tt.ptr<f32>, !tt.ptr<f32>) {mayBeSame}
    ```
  }];
  let arguments = (ins
    OptionalAttr<TTIG_LaunchSetAttr>:$legal,
    Variadic<AnyTypeOf<[AnySignlessInteger, TT_Ptr]>>:$arguments,
    Variadic<TT_Ptr>:$disjoint,
    UnitAttr:$mayBeSame,
    OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$surface
  );
  let assemblyFormat = [{
    ($legal^ `[` $arguments `]`)?
    (`disjoint` custom<PointerPairs>($disjoint, type($disjoint))^)?
    (`surface` $surface^)? attr-dict (`:` type($arguments)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Split barriers
//===----------------------------------------------------------------------===//

// Arrivals and waits keep their order among each other, and order no memory.
def BarrierResource : Resource<"::mlir::triton::gpu::intel::BarrierResource">;

class TTIG_SplitBarrierOp<string mnemonic> : TTIG_Op<mnemonic, [
    MemoryEffects<[MemRead<BarrierResource>, MemWrite<BarrierResource>]>]> {
  let assemblyFormat = "attr-dict";
}

def TTIG_ArriveBarrierOp : TTIG_SplitBarrierOp<"arrive_barrier"> {
  let summary = "signal that a sub-group has reached a barrier";
  let description = [{
    The sub-group goes on until `ttig.wait_barrier`. On each path through the kernel
    the two take turns, and no other barrier is between them, which the
    translation to LLVM IR checks. They order no memory: they keep sub-groups in
    step, so that one finds in the cache what another has loaded.

    ```mlir
    ttig.arrive_barrier
    ```
  }];
}

def TTIG_WaitBarrierOp : TTIG_SplitBarrierOp<"wait_barrier"> {
  let summary = "wait until all sub-groups of the work-group have arrived";
  let description = [{
    ```mlir
    ttig.wait_barrier
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Debuggers
//===----------------------------------------------------------------------===//

// The effect that only debuggers see: an operation for them is neither dead nor
// in the way of loads and stores.
def DebuggerResource : Resource<"::mlir::triton::gpu::intel::DebuggerResource">;

def TTIG_VariableOp : TTIG_Op<"variable", [
    MemoryEffects<[MemWrite<DebuggerResource>]>]> {
  let summary = "mark a tensor as the value of a local variable";
  let description = [{
    From here on, the tensor is the value of definition `definition` in the
    `ttig.variables` of the function. Scalars have `llvm.intr.dbg.value` for this,
    which takes no tensors; the lowering creates one for each vector of registers.

    ```mlir
    ttig.variable 3 = %x : tensor<64xf32, #blocked>
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I32Attr, [IntNonNegative]>:$definition,
    TT_Tensor:$value
  );
  let assemblyFormat = "$definition `=` $value attr-dict `:` type($value)";
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUOPS_TD
