//===- TritonGPUOps.td - All operations of ttg -------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRITONGPUOPS_TD
#define TRITON_DIALECT_TRITONGPU_IR_TRITONGPUOPS_TD

include "triton/Dialect/TritonGPU/IR/TritonGPUMemDescOps.td"
include "triton/Dialect/TritonGPU/IR/TritonGPUOpBase.td"

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout", [
    Pure, SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "the same tensor in another layout";
  let description = [{
    ```mlir
    %y = ttg.convert_layout %x
        : tensor<16x32xf16, #blocked> -> tensor<16x32xf16, #blocked1>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TTG_ConvertLayoutsOp : TTG_Op<"convert_layouts", [Pure]> {
  let summary = "several tensors in other layouts, by one exchange";
  let description = [{
    Does for each operand what `ttg.convert_layout` does. All data is stored to
    shared memory before a barrier, and loaded after it. Each conversion needs
    shared memory, and stores all its data at once.

    ```mlir
    %a, %b = ttg.convert_layouts %x, %y
        : (tensor<16x16xf32, #blocked>, tensor<16x32xf16, #blocked>)
       -> (tensor<16x16xf32, #blocked1>, tensor<16x32xf16, #blocked1>)
    ```
  }];
  let arguments = (ins Variadic<RankedTensorOf<[AnyType]>>:$sources);
  let results = (outs Variadic<RankedTensorOf<[AnyType]>>:$results);
  let assemblyFormat = [{
    $sources attr-dict `:` functional-type($sources, $results)
  }];
  let hasVerifier = 1;
}

def TTG_Fp4ToFpOp : TTG_Op<"fp4_to_fp", [Pure]> {
  let summary = "unpack pairs of 4-bit floats (e2m1)";
  let description = [{
    The low half of a byte comes first along `axis`, which doubles in size; the
    two values of a byte stay in the work-item that had it.

    ```mlir
    %y = ttg.fp4_to_fp %x {axis = 1 : i32}
        : tensor<16x16xi8, #blocked> -> tensor<16x32xbf16, #blocked1>
    ```
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$src, I32Attr:$axis);
  let results = (outs RankedTensorOf<[F16, BF16, F32]>:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TTG_BarrierOp : TTG_Op<"barrier"> {
  let summary = "wait for all work-items of the CTA";
  let description = [{
    Accesses to the named memories before the barrier are complete, for all
    work-items of the CTA, before any access after it starts.

    ```mlir
    ttg.barrier local
    ttg.barrier local|global_read
    ttg.barrier all
    ```
  }];
  let arguments = (ins TTG_AddrSpace:$addrSpace);
  let extraClassDeclaration = [{
    bool hasLocal() {
      return bitEnumContainsAny(getAddrSpace(), AddrSpace::Local);
    }
    bool hasGlobal() {
      return bitEnumContainsAny(getAddrSpace(), AddrSpace::GlobalRead |
                                                    AddrSpace::GlobalWrite);
    }
  }];
  let assemblyFormat = "custom<AddrSpaces>($addrSpace) attr-dict";
}

def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let summary = "number of the warp in its CTA";
  let description = [{
    ```mlir
    %w = ttg.warp_id
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def TTG_GlobalScratchAllocOp : TTG_Op<"global_scratch_alloc"> {
  let summary = "allocate global memory for this CTA alone";
  let description = [{
    ```mlir
    %p = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32}
        : !tt.ptr<i8>
    ```
  }];
  let arguments = (ins I32Attr:$nbytes, I32Attr:$alignment);
  let results = (outs
    Res<TT_Ptr, "the memory", [MemAlloc<GlobalMemory>]>:$result
  );
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Helpers of the software pipeliner
//===----------------------------------------------------------------------===//

def TTG_PredicateStageOp : TTG_Op<"predicate_stage", [
    Pure, AllTypesMatch<["iv", "ub", "step"]>]> {
  let summary = "whether a pipeline stage still has an iteration to work on";
  let description = [{
    True if iteration `iv + (maxStage - stage) * step` exists in a loop that ends
    before `ub`.

    ```mlir
    %p = ttg.predicate_stage %iv, %ub, %step maxStage 2 stage 1 : i32 -> i1
    ```
  }];
  let arguments = (ins
    AnySignlessIntegerOrIndex:$iv,
    AnySignlessIntegerOrIndex:$ub,
    AnySignlessIntegerOrIndex:$step,
    I32Attr:$maxStage,
    I32Attr:$stage
  );
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict `:`
    type($iv) `->` type($result)
  }];
}

def TTG_MaskOp : TTG_Op<"mask", [
    SingleBlock, RecursiveMemoryEffects]> {
  let summary = "operations that take effect only under a condition";
  let description = [{
    If the condition is false the region has no effects and the results are
    undefined.

    ```mlir
    %r = "ttg.mask"(%p) ({
      %q = arith.addf %x, %y : f32
      ttg.mask.return %q : f32
    }) : (i1) -> f32
    ```
  }];
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$region);
  let hasRegionVerifier = 1;
}

def TTG_MaskReturnOp : TTG_Op<"mask.return", [
    HasParent<"MaskOp">, Pure, Terminator, ReturnLike]> {
  let summary = "end of a masked region";
  let description = [{
    Yields the results of the enclosing `ttg.mask`.
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

#endif // TRITON_DIALECT_TRITONGPU_IR_TRITONGPUOPS_TD
