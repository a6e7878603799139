//===- TritonTypes.td - Types and type constraints of tt ---*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONTYPES_TD
#define TRITON_DIALECT_TRITON_IR_TRITONTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "triton/Dialect/Triton/IR/TritonAttrs.td"
include "triton/Dialect/Triton/IR/TritonDialect.td"

class TT_TypeDef<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Triton_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def TT_PointerType : TT_TypeDef<"Pointer", "ptr"> {
  let summary = "pointer to a scalar, or to a tensor (a block pointer)";
  let description = [{
    `!tt.ptr<f32>` is a 64-bit address of an `f32` in global memory, which is
    address space 1; any other space is printed: `!tt.ptr<f16, 3>`. Triton 3.9
    marks a pointer to memory that the kernel only reads,
    `!tt.ptr<f32, "constant">`: the mark is read over, the space is the global
    one.

    A pointer to a tensor, `!tt.ptr<tensor<256x32xbf16>>`, is a *block pointer*:
    a value of several words (base, shape, strides, offsets) that is made by
    `tt.make_tensor_ptr` and moved by `tt.advance`.
  }];
  let parameters = (ins
    TypeParameter<"::mlir::Type", "what it points to">:$pointeeType,
    DefaultValuedParameter<"int", "1">:$addressSpace
  );
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType,
                                        CArg<"int", "1">:$addressSpace), [{
      return $_get(pointeeType.getContext(), pointeeType, addressSpace);
    }]>,
  ];
  let assemblyFormat = [{
    `<` $pointeeType (`,` custom<AddressSpace>($addressSpace)^)? `>`
  }];
  let genVerifyDecl = 1;
}

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc"> {
  let summary = "descriptor of a tensor in memory, read and written in blocks";
  let description = [{
    `!tt.tensordesc<tensor<32x64xf32>>` names the block that one access moves. A
    descriptor of integers may keep their signedness (`tensor<16xsi32>`); the
    tensors that are loaded through it are signless. Triton 3.8 and later write
    `!tt.tensordesc<32x64xf32>`, which is read as well.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$blockType), [{
      return $_get(blockType.getContext(), blockType);
    }]>,
  ];
  let assemblyFormat = "`<` custom<BlockType>($blockType) `>`";
  let extraClassDeclaration = [{
    /// The block type with signless integers, as loads produce it.
    ::mlir::RankedTensorType getSignlessBlockType() const;
  }];
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def TT_CachePolicyAttr : AttrDef<Triton_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "the cache words of a memory access, as Triton 3.9 spells them";
  let description = [{
    `{cachePolicy = #tt.cache_policy<cache_modifier = cg,
    eviction_policy = evict_first>}`: read in the place of `cacheModifier = cg
    evictionPolicy = evict_first`, and never printed.
  }];
  let parameters = (ins
    EnumParameter<TT_CacheModifierAttr>:$cache_modifier,
    EnumParameter<TT_EvictionPolicyAttr>:$eviction_policy
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16,
                          F32, F64], "floating-point">;
def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor]>;

def TT_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "signless integer">;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;

def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_BoolLike : AnyTypeOf<[I1, TT_BoolTensor]>;
def TT_I32Like : AnyTypeOf<[I32, RankedTensorOf<[I32]>]>;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>]>;

// A pointer that fulfils one more condition on the type it points to. The C++
// class makes operations print such a type without the leading `!tt.ptr`.
class TT_PtrIf<Pred condition, string summary>
    : Type<And<[CPred<"::llvm::isa<::mlir::triton::PointerType>($_self)">,
                condition]>, summary, "::mlir::triton::PointerType">;

def TT_Ptr : TT_PtrIf<
    CPred<"::mlir::triton::isScalarPointerType($_self)">, "pointer to a scalar">;
def TT_TensorPtr : TT_PtrIf<
    CPred<"::mlir::triton::isTensorPointerType($_self)">, "block pointer">;
def TT_PtrTensor : RankedTensorOf<[TT_Ptr]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor]>;
def TT_AnyPtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor, TT_TensorPtr]>;

def TT_Scalar : AnyTypeOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_NumberTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_NumberLike : AnyTypeOf<[TT_Float, TT_Int, TT_NumberTensor]>;

// Everything that a kernel computes with, short of block pointers and
// descriptors.
def TT_Value : AnyTypeOf<[TT_Scalar, TT_Tensor]>;

#endif // TRITON_DIALECT_TRITON_IR_TRITONTYPES_TD
