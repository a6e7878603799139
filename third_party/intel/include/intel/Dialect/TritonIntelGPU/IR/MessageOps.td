//===- MessageOps.td - Operations of one sub-group ---------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// The level between tensors and functions of the driver. All values are those of
// one sub-group: a lane holds its part of them in a vector. The verifiers check
// that the target of the module has the message or the instruction, so that no
// later stage finds one that the hardware does not know.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_MESSAGEOPS_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_MESSAGEOPS_TD

include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.td"
include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUEnums.td"
include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUTypes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton/Dialect/Triton/IR/TritonAttrs.td"
include "triton/Dialect/Triton/IR/TritonInterfaces.td"

// The caches: a prefetch changes them and nothing else, so it is neither dead
// nor in the way of loads and stores.
def CacheResource : Resource<"::mlir::triton::gpu::intel::CacheResource">;

class TTIG_MessageOp<string mnemonic, list<Trait> traits = []>
    : Op<TritonIntelGPU_Dialect, mnemonic, traits>;

def TTIG_SurfaceOf : Type<CPred<"::llvm::isa<::mlir::triton::gpu::intel::SurfaceType>($_self)">,
                          "a surface", "::mlir::triton::gpu::intel::SurfaceType">,
    BuildableType<"$_builder.getType<::mlir::triton::gpu::intel::SurfaceType>()">;

def TTIG_GlobalPtr : LLVM_PointerInAddressSpace<1>;

def TTIG_Fragment : FixedVectorOfRankAndType<[1], [AnyTypeOf<[AnySignlessInteger, AnyFloat]>]>;

//===----------------------------------------------------------------------===//
// 2D block messages
//===----------------------------------------------------------------------===//

def TTIG_MakeSurfaceOp : TTIG_MessageOp<"make_surface", [Pure]> {
  let summary = "the memory that 2D block messages address";
  let description = [{
    A matrix in global memory: `height` rows of `width` bytes, which begin `pitch`
    bytes apart. Alignments and extents are those that the target requires
    (docs/Surfaces.md). Elements outside of the matrix are read as zeros, and
    are not written.

    ```mlir
    %s = ttig.make_surface %base, %width, %height, %pitch
    ```
  }];
  let arguments = (ins
    TTIG_GlobalPtr:$base,
    I32:$width,
    I32:$height,
    I32:$pitch
  );
  let results = (outs TTIG_SurfaceOf:$surface);
  let assemblyFormat = "$base `,` $width `,` $height `,` $pitch attr-dict";
}

def TTIG_BlockLoadOp : TTIG_MessageOp<"block_load"> {
  let summary = "load blocks of a surface";
  let description = [{
    Loads `blocks` blocks side by side, each with `rows` rows and `columns` columns
    of elements of `bits` bits. The first one begins at column `x` and row `y`, in
    elements. Lanes hold consecutive elements of a row. With `vnni`, a value of 32
    bits has the elements of consecutive rows in one column. With `transpose`, rows
    and columns are exchanged. A shape that is `stated` by the author of the kernel
    stays as it is.

    ```mlir
    %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, vnni}
        : vector<32xi32>
    ```
  }];
  let arguments = (ins
    Arg<TTIG_SurfaceOf, "what to read", [MemRead<GlobalMemory>]>:$surface,
    I32:$x,
    I32:$y,
    I32Attr:$bits,
    I32Attr:$rows,
    I32Attr:$columns,
    I32Attr:$blocks,
    UnitAttr:$vnni,
    UnitAttr:$transpose,
    UnitAttr:$stated,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict
  );
  let results = (outs TTIG_Fragment:$result);
  let assemblyFormat = [{
    $surface `[` $x `,` $y `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def TTIG_BlockStoreOp : TTIG_MessageOp<"block_store"> {
  let summary = "store a block to a surface";
  let description = [{
    The inverse of a `ttig.block_load` of one block, which is neither packed nor
    transposed.

    ```mlir
    ttig.block_store %s[%x, %y], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
    ```
  }];
  let arguments = (ins
    Arg<TTIG_SurfaceOf, "where to write", [MemWrite<GlobalMemory>]>:$surface,
    I32:$x,
    I32:$y,
    TTIG_Fragment:$value,
    I32Attr:$bits,
    I32Attr:$rows,
    I32Attr:$columns,
    DefaultValuedAttr<TT_CacheModifierAttr,
                      "::mlir::triton::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr,
                      "::mlir::triton::EvictionPolicy::NORMAL">:$evict
  );
  let assemblyFormat = [{
    $surface `[` $x `,` $y `]` `,` $value attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

def TTIG_BlockPrefetchOp : TTIG_MessageOp<"block_prefetch"> {
  let summary = "fetch blocks of a surface into all caches";
  let description = [{
    ```mlir
    ttig.block_prefetch %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32}
    ```
  }];
  let arguments = (ins
    Arg<TTIG_SurfaceOf, "what to fetch",
        [MemRead<GlobalMemory>, MemWrite<CacheResource>]>:$surface,
    I32:$x,
    I32:$y,
    I32Attr:$bits,
    I32Attr:$rows,
    I32Attr:$columns,
    I32Attr:$blocks
  );
  let assemblyFormat = "$surface `[` $x `,` $y `]` attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The systolic array
//===----------------------------------------------------------------------===//

def TTIG_DpasOp : TTIG_MessageOp<"dpas", [
    NoMemoryEffect, AllTypesMatch<["c", "result"]>]> {
  let summary = "one instruction of the systolic array";
  let description = [{
    Adds the product of a left operand `a` with one row per register of `c`, and
    of a right operand `b`, to the accumulator `c`. The types are those of the
    elements, which may be narrower than what registers hold: a value of `a` has
    neighbours along K of one row, and a value of `b`, of 32 bits, those of one
    column.

    Operands of f32 have the fragments of tf32, or double the depth: then each
    register of `a` has one row. All of their bits count. The array has no such
    instruction: the operation becomes multiply-adds of the vector engines, or a
    function of the device library.

    With scales, which are exponents (e8m0), each group of 32 neighbours along K is
    multiplied by its scale first. A lane holds the scales of a row of `a`, and of a
    column of `b`.

    ```mlir
    %d = ttig.dpas %a, %b, %c : f16 * f16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e = ttig.dpas %a, %b, %c scales %sa, %sb : f4E2M1FN * f4E2M1FN -> f32
         of vector<8xi16>, vector<8xi32>, vector<8xf32>, vector<2xi8>, vector<2xi8>
    ```
  }];
  let arguments = (ins
    TTIG_Fragment:$a,
    TTIG_Fragment:$b,
    TTIG_Fragment:$c,
    Variadic<AnyTypeOf<[I8, TTIG_Fragment]>>:$scales,
    TypeAttr:$aType,
    TypeAttr:$bType,
    TypeAttr:$cType
  );
  let results = (outs TTIG_Fragment:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`scales` $scales^)? attr-dict `:` $aType `*` $bType `->` $cType
    `of` type($a) `,` type($b) `,` type($c) (`,` type($scales)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the elements of A and B in 32 bits. A scaled operand counts as
    /// bytes, which hold two values of 4 bits.
    unsigned getOpsPerChannel();
    /// Returns the 32 bits of a column of B that an instruction takes.
    int64_t getDepth();
    /// Returns the element types of an instruction without scales.
    ::mlir::triton::gpu::intel::DpasTypes getDpasTypes();
  }];
}

//===----------------------------------------------------------------------===//
// Exchange between lanes
//===----------------------------------------------------------------------===//

// Registers hold elements of these types; the lowering moves 32 or 64 bits at once.
defvar TTIG_LaneElements = [I1, I8, I16, I32, I64, F16, BF16, F32, F64];
def TTIG_LaneValue : AnyTypeOf<[AnyTypeOf<TTIG_LaneElements>,
                                FixedVectorOfRankAndType<[1], TTIG_LaneElements>]>;

def TTIG_ShuffleOp : TTIG_MessageOp<"shuffle", [
    Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "move a fragment between the lanes of a sub-group";
  let description = [{
    The result is the value of another lane: of the one whose number is `by`
    (`lane`), of the one whose number differs in the bits of `by` (`xor`), or of the
    one that all lanes name by the same `by`, so that the result is uniform
    (`broadcast`). A lane that is read takes part in the operation: the result is
    undefined if that lane is not active, or not in the sub-group.

    The operation is convergent. Where more lanes are active, all lanes that were
    active still get what they got, so that the operation may move out of a loop,
    be merged with an equal one before it, or be erased. It must not move into
    a loop or a branch. No trait of MLIR expresses this: a pass that sinks
    operations without effects (`control-flow-sink`) must not run while there
    are shuffles.

    ```mlir
    %a = ttig.shuffle lane %v, %lane : vector<8xf16>
    %b = ttig.shuffle xor %v, %c4 : vector<8xf16>
    %c = ttig.shuffle broadcast %x, %c0 : i32
    ```
  }];
  let arguments = (ins
    TTIG_LaneSourceAttr:$kind,
    TTIG_LaneValue:$value,
    I32:$by
  );
  let results = (outs TTIG_LaneValue:$result);
  let assemblyFormat = "$kind $value `,` $by attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def TTIG_LaneReduceOp : TTIG_MessageOp<"lane_reduce", [Pure]> {
  let summary = "combine an integer of all lanes of a sub-group";
  let description = [{
    All lanes get the sum, the maximum or the minimum of what the lanes hold, of
    signed (`s`) or unsigned (`u`) integers; a sum wraps around. Like a
    `ttig.shuffle`, the operation is convergent.

    ```mlir
    %r = ttig.lane_reduce maxs %x
    ```
  }];
  let arguments = (ins
    TTIG_LaneCombinerAttr:$kind,
    I32:$value
  );
  let results = (outs I32:$result);
  let assemblyFormat = "$kind $value attr-dict";
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_MESSAGEOPS_TD
