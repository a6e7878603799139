//===- BlockAccessOps.td - Accesses of blocks of a tensor --*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// A block is a rectangle of a tensor in memory. The operations exist from the
// first pass of a kernel on. The results of analyses are properties of an
// access: whether 2D block messages can make it, and by which ones.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKACCESSOPS_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKACCESSOPS_TD

include "intel/Dialect/TritonIntelGPU/IR/BlockAccessInterface.td"
include "intel/Dialect/TritonIntelGPU/IR/BlockAttrs.td"
include "intel/Dialect/TritonIntelGPU/IR/MessageOps.td"
include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.td"
include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton/Dialect/Triton/IR/TritonAttrs.td"
include "triton/Dialect/Triton/IR/TritonInterfaces.td"
include "triton/Dialect/Triton/IR/TritonTypes.td"

def TTIG_MemoryType
    : Type<CPred<"::llvm::isa<::mlir::triton::gpu::intel::MemoryType>($_self)">,
           "a tensor in memory", "::mlir::triton::gpu::intel::MemoryType">;

def TTIG_SurfaceOp : Op<TritonIntelGPU_Dialect, "surface", [
    Pure, SameVariadicOperandSize,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "a tensor in memory whose blocks are accessed";
  let description = [{
    Element `(i, j)` is at `base + i * strides[0] + j * strides[1]`, in elements.
    2D block messages address a rectangle of memory along the last two dimensions,
    whose numbers follow rules (docs/Surfaces.md). `rules` is what is known of them:

    - `open`: passes prove them, leave them to the launch, or let the kernel check
      them;
    - `checked`: the kernel has checked them before;
    - `refused`: they do not hold, so that accesses are ordinary ones.

    `number` counts the tensors of a module. By this number a launch names a tensor
    that messages cannot address. A tensor gets it before its accesses are analyzed.

    ```mlir
    %s = ttig.surface %a, [%m, %k], [%k, %c1] {number = 0 : i32} : !tt.ptr<f16>
    ```
  }];
  let arguments = (ins
    TT_Ptr:$base,
    Variadic<I64>:$extents,
    Variadic<I64>:$strides,
    OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$number,
    DefaultValuedAttr<TTIG_SurfaceRulesAttr,
                      "::mlir::triton::gpu::intel::SurfaceRuleState::Open">:$rules
  );
  let results = (outs TTIG_MemoryType:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$base, "::mlir::ValueRange":$extents,
                   "::mlir::ValueRange":$strides)>,
  ];
  let assemblyFormat = [{
    $base `,` `[` $extents `]` `,` `[` $strides `]` attr-dict `:` type($base)
  }];
  let extraClassDeclaration = [{
    /// Returns the width of an element in bits.
    unsigned getElementBits();
  }];
}

class TTIG_BlockAccess<string mnemonic, list<Trait> traits>
    : Op<TritonIntelGPU_Dialect, mnemonic, !listconcat(traits, [
        AttrSizedOperandSegments, BlockAccessOpInterface, TensorSizeTrait,
        VerifyTensorLayoutsTrait, SameOperandsAndResultEncoding])> {
  let hasVerifier = 1;

  // The results of analyses: see BlockAccessOpInterface.
  dag found = (ins
    OptionalAttr<TTIG_MessagesAttr>:$messages,
    OptionalAttr<TTIG_BlockOrderAttr>:$order,
    UnitAttr:$startsInRow,
    UnitAttr:$boundedRows,
    OptionalAttr<DenseI32ArrayAttr>:$messageShape
  );
}

def TTIG_LoadBlockOp : TTIG_BlockAccess<"load_block", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "load a block of a tensor";
  let description = [{
    The block begins at the coordinates `offsets`. `boundaryCheck` lists the
    dimensions in which elements may lie outside of the tensor; these have the
    value of `padding`, or any without one.

    With `rows`, row i of the block is row `rows[i]` of the tensor, and the offset
    along the rows is ignored. Unless `boundaryCheck` contains dimension 0, every
    number is valid, also a negative one, and the extent is ignored.

    With `pages`, the block consists of equal parts along `pageDim`. A page is the
    address of the first row of its part, at the first column of the tensor. The
    base is ignored, and the strides apply within a part. Offsets and extents
    determine which elements are outside of the tensor, as if the block were in one
    piece. A page without a row in the tensor is not read.

    `mask` has the shape of the block, or is a column. Elements whose mask is false
    are not read, and have the value of `padding`.

    `order` states that 2D block messages can make the access, and along which
    dimension memory is contiguous. `messages` are those that the lowering
    emits.

    ```mlir
    %x = ttig.load_block %s[%y, %x] {boundaryCheck = array<i32: 0>, order = #ttig.order<row_major>}
        : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x64xf16>
    %y = ttig.load_block %s[%c0, %x] rows %rows
        : (!ttig.memory<f16, 2>, i32, i32, tensor<32x1xi32>) -> tensor<32x64xf16>
    %z = ttig.load_block %s[%y, %x] pages[%p, %q]
        : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x64xf16>
    ```
  }];
  let arguments = !con((ins
    TTIG_MemoryType:$surface,
    Variadic<AnyTypeOf<[I32, I64]>>:$offsets,
    Optional<RankedTensorOf<[I32, I64]>>:$rows,
    Optional<TT_BoolTensor>:$mask,
    Variadic<TT_Ptr>:$pages,
    DefaultValuedAttr<ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<1>]>, "0">:$pageDim,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    OptionalAttr<TT_PaddingOptionAttr>:$padding,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict,
    UnitAttr:$isVolatile
  ), found);
  let results = (outs TT_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::RankedTensorType":$block, "::mlir::Value":$surface,
                   "::mlir::ValueRange":$offsets,
                   "::llvm::ArrayRef<int32_t>":$boundaryCheck,
                   "std::optional<::mlir::triton::PaddingOption>":$padding,
                   CArg<"::mlir::triton::CacheModifier",
                        "::mlir::triton::CacheModifier::NONE">:$cache,
                   CArg<"::mlir::triton::EvictionPolicy",
                        "::mlir::triton::EvictionPolicy::NORMAL">:$evict)>,
  ];
  let assemblyFormat = [{
    $surface `[` $offsets `]` (`rows` $rows^)? (`pages` `[` $pages^ `]`)? (`mask` $mask^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getBlockType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
  }];
}

def TTIG_StoreBlockOp : TTIG_BlockAccess<"store_block", []> {
  let summary = "store a block of a tensor";
  let description = [{
    The inverse of a `ttig.load_block`. Elements outside of the tensor, and those
    whose mask is false, are not written. If several rows have the same number, any
    of them may be written last.

    ```mlir
    ttig.store_block %v, %s[%y, %x] {boundaryCheck = array<i32: 0, 1>}
        : (!ttig.memory<f16, 2>, i32, i32, tensor<32x64xf16>) -> ()
    ```
  }];
  let arguments = !con((ins
    Arg<TTIG_MemoryType, "where to write", [MemWrite<GlobalMemory>]>:$surface,
    Variadic<AnyTypeOf<[I32, I64]>>:$offsets,
    TT_Tensor:$value,
    Optional<RankedTensorOf<[I32, I64]>>:$rows,
    Optional<TT_BoolTensor>:$mask,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict
  ), found);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$surface,
                   "::mlir::ValueRange":$offsets,
                   "::llvm::ArrayRef<int32_t>":$boundaryCheck,
                   CArg<"::mlir::triton::CacheModifier",
                        "::mlir::triton::CacheModifier::NONE">:$cache,
                   CArg<"::mlir::triton::EvictionPolicy",
                        "::mlir::triton::EvictionPolicy::NORMAL">:$evict)>,
  ];
  let assemblyFormat = [{
    $value `,` $surface `[` $offsets `]` (`rows` $rows^)? (`mask` $mask^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getBlockType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getValue().getType());
    }
  }];
}

def TTIG_PrefetchBlockOp : TTIG_BlockAccess<"prefetch_block", []> {
  let summary = "fetch the elements of a `ttig.load_block` into the caches";
  let description = [{
    The sub-groups of a work-group share the messages, so that the block has no
    layout. These are plain, since a prefetch fills no registers.

    ```mlir
    ttig.prefetch_block %s[%y, %x] of tensor<32x64xf16> {boundaryCheck = array<i32: 0>, order = #ttig.order<row_major>}
        : (!ttig.memory<f16, 2>, i32, i32) -> ()
    ```
  }];
  let arguments = !con((ins
    Arg<TTIG_MemoryType, "what to fetch",
        [MemRead<GlobalMemory>, MemWrite<CacheResource>]>:$surface,
    Variadic<AnyTypeOf<[I32, I64]>>:$offsets,
    Variadic<TT_Ptr>:$pages,
    DefaultValuedAttr<ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<1>]>, "0">:$pageDim,
    TypeAttrOf<TT_Tensor>:$blockType,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck
  ), found);
  let builders = [
    OpBuilder<(ins "::mlir::RankedTensorType":$block, "::mlir::Value":$surface,
                   "::mlir::ValueRange":$offsets,
                   "::llvm::ArrayRef<int32_t>":$boundaryCheck,
                   CArg<"::mlir::ValueRange", "{}">:$pages,
                   CArg<"uint32_t", "0">:$pageDim)>,
  ];
  let assemblyFormat = [{
    $surface `[` $offsets `]` (`pages` `[` $pages^ `]`)? `of` $blockType attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKACCESSOPS_TD
