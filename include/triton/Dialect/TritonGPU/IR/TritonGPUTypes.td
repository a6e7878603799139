//===- TritonGPUTypes.td - Types of ttg --------------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRITONGPUTYPES_TD
#define TRITON_DIALECT_TRITONGPU_IR_TRITONGPUTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "triton/Dialect/TritonGPU/IR/TritonGPUDialect.td"

class TTG_TypeDef<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TritonGPU_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TTG_MemDescType : TTG_TypeDef<"MemDesc", "memdesc", [ShapedTypeInterface]> {
  let summary = "a tensor in shared memory, or a view of one";
  let description = [{
    `!ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>` names memory, not
    values: it is allocated, written, read and freed by operations. Without
    `mutable` the contents are fixed at the allocation.

    The encoding describes the trailing dimensions; where the type has one more
    than the encoding, dimension 0 counts equal buffers. A view into a larger
    allocation ends in the allocation's shape, as that decides about offsets:
    `!ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>`.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::mlir::Attribute":$encoding,
    "::mlir::Attribute":$memorySpace,
    "bool":$mutableMemory,
    ArrayRefParameter<"int64_t">:$allocShape
  );
  let builders = [
    TypeBuilderWithInferredContext<(ins
        "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
        "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace,
        CArg<"bool", "false">:$mutableMemory), [{
      return $_get(elementType.getContext(), shape, elementType, encoding,
                   memorySpace, mutableMemory, /*allocShape=*/shape);
    }]>,
    TypeBuilderWithInferredContext<(ins
        "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
        "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace,
        "bool":$mutableMemory, "::llvm::ArrayRef<int64_t>":$allocShape), [{
      return $_get(elementType.getContext(), shape, elementType, encoding,
                   memorySpace, mutableMemory, allocShape);
    }]>,
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::mlir::triton::gpu::MemDescType
    cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape,
              ::mlir::Type elementType) const {
      ::llvm::ArrayRef<int64_t> newShape = shape.value_or(getShape());
      return get(newShape, elementType, getEncoding(), getMemorySpace(),
                 getMutableMemory(), shape ? newShape : getAllocShape());
    }
    bool hasRank() const { return true; }

    /// The allocation's shape in the dimensions that the encoding describes.
    ::llvm::ArrayRef<int64_t> getEncodedAllocShape() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTG_AsyncToken : TTG_TypeDef<"AsyncToken", "async.token"> {
  let summary = "represents copies that may still be in flight";
  let description = [{
    Orders asynchronous copies, commits and waits by data dependence:
    `!ttg.async.token`.
  }];
}

#endif // TRITON_DIALECT_TRITONGPU_IR_TRITONGPUTYPES_TD
