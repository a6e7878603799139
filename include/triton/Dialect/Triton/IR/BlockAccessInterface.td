//===- BlockAccessInterface.td - Access through block pointers *-tablegen-*-==//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_BLOCKACCESSINTERFACE_TD
#define TRITON_DIALECT_TRITON_IR_BLOCKACCESSINTERFACE_TD

include "mlir/IR/OpBase.td"

def BlockAccessOpInterface : OpInterface<"BlockAccessOpInterface"> {
  let cppNamespace = "::mlir::triton";
  let description = [{
    An operation that may access memory through a block pointer. Analyses and
    lowerings of block accesses see loads, stores and prefetches through this
    one interface. The same operations also work on ordinary pointers: then
    there is no block pointer and the other answers carry no meaning.
  }];

  let methods = [
    InterfaceMethod<[{
      The block pointer through which the operation accesses memory; null if its
      pointer is of another kind.
    }], "::mlir::Value", "getBlockPointer">,
    InterfaceMethod<[{
      The dimensions in which elements may lie outside of the block pointer's
      shape. In all the others the program promises that none does.
    }], "::llvm::ArrayRef<int32_t>", "getCheckedDims">,
    InterfaceMethod<[{
      What elements out of bounds read as. None: the program does not care.
    }], "std::optional<::mlir::triton::PaddingOption>", "getBlockPadding">,
    InterfaceMethod<"Whether a block is read or fetched into a cache.",
                    "bool", "isBlockRead">,
    InterfaceMethod<"Whether a block is written.", "bool", "isBlockWrite">,
    InterfaceMethod<[{
      Where the rows of the block are not neighbours: a column of their numbers
      in the tensor, with the layout of the block. Null if they are.
    }], "::mlir::Value", "getRowNumbers", (ins), "", "return {};">,
    InterfaceMethod<[{
      A column of booleans that goes with the numbers: where it is false, there
      is no row. Null if all of them are accessed.
    }], "::mlir::Value", "getRowMask", (ins), "", "return {};">,
    InterfaceMethod<[{
      Where the block lies in parts, its pages: a pointer to the first of each
      part's rows, at the first column of the tensor. None if it is in one
      piece.
    }], "::mlir::ValueRange", "getBlockPages", (ins), "", "return {};">,
    InterfaceMethod<[{
      The dimension along which pages follow each other.
    }], "unsigned", "getBlockPageDim", (ins), "", "return 0;">,
  ];
}

#endif // TRITON_DIALECT_TRITON_IR_BLOCKACCESSINTERFACE_TD
