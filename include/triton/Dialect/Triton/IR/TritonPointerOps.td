//===- TritonPointerOps.td - Programs, ranges, addresses ---*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONPOINTEROPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONPOINTEROPS_TD

include "triton/Dialect/Triton/IR/TritonOpBase.td"

//===----------------------------------------------------------------------===//
// Program and range
//===----------------------------------------------------------------------===//

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "coordinate of this program in the grid";
  let description = [{
    ```mlir
    %pid = tt.get_program_id x : i32
    ```
  }];
  let arguments = (ins TT_ProgramIDDimAttr:$axis);
  let results = (outs I32:$result);
  let builders = [
    OpBuilder<(ins "int":$axis), [{
      build($_builder, $_state, $_builder.getI32Type(),
            static_cast<::mlir::triton::ProgramIDDim>(axis));
    }]>,
  ];
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let extraClassDeclaration = [{
    int32_t getAxisAsInt() { return static_cast<int32_t>(getAxis()); }
  }];
}

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
  let summary = "size of the grid of programs in one dimension";
  let description = [{
    ```mlir
    %n = tt.get_num_programs z : i32
    ```
  }];
  let arguments = (ins TT_ProgramIDDimAttr:$axis);
  let results = (outs I32:$result);
  let builders = [
    OpBuilder<(ins "int":$axis), [{
      build($_builder, $_state, $_builder.getI32Type(),
            static_cast<::mlir::triton::ProgramIDDim>(axis));
    }]>,
  ];
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let extraClassDeclaration = [{
    int32_t getAxisAsInt() { return static_cast<int32_t>(getAxis()); }
  }];
}

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "the integers from start up to, but without, end";
  let description = [{
    ```mlir
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

def TT_IntToPtrOp : TT_ElementwiseOp<"int_to_ptr", [Pure]> {
  let summary = "pointer with a given address";
  let description = [{
    ```mlir
    %p = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>
    ```
  }];
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
}

def TT_PtrToIntOp : TT_ElementwiseOp<"ptr_to_int", [Pure]> {
  let summary = "address of a pointer";
  let description = [{
    ```mlir
    %i = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    ```
  }];
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
}

def TT_BitcastOp : TT_ElementwiseOp<"bitcast", [Pure]> {
  let summary = "same bits, other type of the same width";
  let description = [{
    A pointer becomes a pointer to another type in the same address space; a
    number becomes a number of the same width. Numbers and pointers are
    converted into each other by `tt.int_to_ptr` and `tt.ptr_to_int` only.

    ```mlir
    %y = tt.bitcast %x : tensor<8xf32> -> tensor<8xi32>
    %q = tt.bitcast %p : !tt.ptr<i1> -> !tt.ptr<i8>
    ```
  }];
  let arguments = (ins TT_Value:$src);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_AddPtrOp : TT_ElementwiseOp<"addptr", [
    Pure, AllTypesMatch<["result", "ptr"]>]> {
  let summary = "pointer plus a signed offset, counted in elements";
  let description = [{
    ```mlir
    %q = tt.addptr %p, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    ```
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Block pointers
//===----------------------------------------------------------------------===//

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [
    Pure, SameVariadicOperandSize,
    TypesMatchWith<"the base must point to the block's elements", "result", "base", [{
      ::mlir::triton::getPointerType(
          ::mlir::getElementTypeOrSelf(
              ::llvm::cast<::mlir::triton::PointerType>($_self).getPointeeType()),
          ::llvm::cast<::mlir::triton::PointerType>($_self).getAddressSpace())
    }]>]> {
  let summary = "block pointer into a tensor in memory";
  let description = [{
    The parent tensor starts at `base` and has the given shape and strides (in
    elements); the block, whose shape is in the type, starts at `offsets`.
    `order` lists the dimensions of the block, fastest first; it is a hint. An
    offset has 32 bits in the language; one that a kernel has advanced to may
    have 64, which are printed with their type.

    ```mlir
    %bp = tt.make_tensor_ptr %base, [%m, %n], [%sm, %sn], [%om, %on : i64]
            {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    ```
  }];
  let arguments = (ins
    TT_Ptr:$base,
    Variadic<I64>:$shape,
    Variadic<I64>:$strides,
    Variadic<AnyTypeOf<[I32, I64]>>:$offsets,
    DenseI32ArrayAttr:$order
  );
  let results = (outs TT_TensorPtr:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$base, "::mlir::ValueRange":$shape,
                   "::mlir::ValueRange":$strides, "::mlir::ValueRange":$offsets,
                   "::llvm::ArrayRef<int32_t>":$tensorShape,
                   "::llvm::ArrayRef<int32_t>":$order)>,
  ];
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,`
    custom<BlockOffsets>($offsets, type($offsets)) attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def TT_AdvanceOp : TT_Op<"advance", [Pure, AllTypesMatch<["result", "ptr"]>]> {
  let summary = "block pointer moved by an offset per dimension";
  let description = [{
    Base, shape, strides and the shape of the block stay as they are.

    ```mlir
    %next = tt.advance %bp, [%c0, %c32] : <tensor<16x32xf16>>
    ```
  }];
  let arguments = (ins TT_TensorPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_TensorPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [
    Pure, SameVariadicOperandSize]> {
  let summary = "descriptor of a tensor in memory";
  let description = [{
    Shape and strides are in elements; the innermost stride is 1. `padding` is
    what elements out of bounds read as.

    ```mlir
    %d = tt.make_tensor_descriptor %base, [%m, %n], [%sm, %c1]
           : <f32>, <tensor<16x32xf32>>
    ```
  }];
  let arguments = (ins
    TT_Ptr:$base,
    Variadic<I32>:$shape,
    Variadic<I64>:$strides,
    DefaultValuedAttr<TT_PaddingOptionAttr,
                      "::mlir::triton::PaddingOption::PAD_ZERO">:$padding
  );
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,`
    type($result)
  }];
  let hasVerifier = 1;
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONPOINTEROPS_TD
