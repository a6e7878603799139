//===- BlockAccessInterface.td - Accesses of blocks --------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKACCESSINTERFACE_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKACCESSINTERFACE_TD

include "mlir/IR/OpBase.td"

def BlockAccessOpInterface : OpInterface<"BlockAccessOpInterface"> {
  let cppNamespace = "::mlir::triton::gpu::intel";
  let description = [{
    The interface that `ttig.load_block`, `ttig.store_block` and
    `ttig.prefetch_block` have in
    common. The methods are the accessors of their operands and properties;
    an operation that lacks one has the default.
  }];

  let methods = [
    InterfaceMethod<"The tensor in memory.", "::mlir::Value", "getSurface">,
    InterfaceMethod<"The coordinates of the block's first element.",
                    "::mlir::OperandRange", "getOffsets">,
    InterfaceMethod<"The type of the block.", "::mlir::RankedTensorType",
                    "getBlockType">,
    InterfaceMethod<[{
      The dimensions in which elements may lie outside of the tensor. In all
      others the program promises that none does.
    }], "::llvm::ArrayRef<int32_t>", "getBoundaryCheck">,
    InterfaceMethod<"Sets these dimensions.", "void", "setBoundaryCheck",
                    (ins "::llvm::ArrayRef<int32_t>":$dims)>,
    InterfaceMethod<[{
      The dimension along which memory is contiguous, if 2D block messages can
      make the access.
    }], "std::optional<::mlir::triton::gpu::intel::BlockOrder>", "getOrder">,
    InterfaceMethod<"Sets this dimension.", "void", "setOrder",
                    (ins "std::optional<::mlir::triton::gpu::intel::BlockOrder>":$order)>,
    InterfaceMethod<"The messages that make the access; null if none are chosen.",
                    "::mlir::triton::gpu::intel::MessagesAttr", "getMessagesAttr">,
    InterfaceMethod<"Sets these messages.", "void", "setMessagesAttr",
                    (ins "::mlir::triton::gpu::intel::MessagesAttr":$messages)>,
    InterfaceMethod<"Whether no message begins before the rows of a surface.",
                    "bool", "getStartsInRow">,
    InterfaceMethod<"Sets this.", "void", "setStartsInRow", (ins "bool":$starts)>,
    InterfaceMethod<"Whether a surface can have all rows of the tensor.",
                    "bool", "getBoundedRows">,
    InterfaceMethod<"Sets this.", "void", "setBoundedRows", (ins "bool":$bounded)>,
    InterfaceMethod<[{
      The rows, columns and blocks of each message, if the author of the kernel
      has stated them.
    }], "std::optional<::llvm::ArrayRef<int32_t>>", "getMessageShape">,
    InterfaceMethod<[{
      The value of elements outside of the tensor; none if the program uses no
      such element.
    }], "std::optional<::mlir::triton::PaddingOption>", "getPadding", (ins), "",
    "return std::nullopt;">,
    InterfaceMethod<[{
      A column of the numbers of the block's rows in the tensor, with the layout
      of the block; null if the rows follow each other.
    }], "::mlir::Value", "getRows", (ins), "", "return {};">,
    InterfaceMethod<[{
      The elements that are accessed: a tensor of booleans of the block's shape,
      or a column of them. Null if all are.
    }], "::mlir::Value", "getMask", (ins), "", "return {};">,
    InterfaceMethod<[{
      Pointers to the first row of each part of a block that lies in pages, at
      the first column of the tensor. None if the block is in one piece.
    }], "::mlir::ValueRange", "getPages", (ins), "", "return {};">,
    InterfaceMethod<"The dimension along which pages follow each other.",
                    "uint32_t", "getPageDim", (ins), "", "return 0;">,
  ];
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_BLOCKACCESSINTERFACE_TD
